package simtest

import "testing"

// CheckConsumer runs the handler in random worlds in which everything goes wrong
// that a leased queue can bear, and fails the test when a promise is broken: a job
// is lost, an effect happens twice, a job never ends. The manual of this package
// says what green means. The failing world is shrunk, shown in at most 25 lines,
// and kept under testdata/ackgap, to be run first next time.
func CheckConsumer(t testing.TB, handler Handler, opts ...Option) {
	t.Helper()
	NewConsumer(t, handler, opts...).Check(t)
}

// Consumer is a handler in its world, for those who want more than a check: runs
// of their own, properties, fuzzing, benchmarks. It is used by one goroutine at a
// time and lives as long as the test.
type Consumer struct{ check }

// NewConsumer returns the handler in the world that the options say. A wrong
// option ends the test.
func NewConsumer(t testing.TB, handler Handler, opts ...Option) *Consumer {
	t.Helper()
	c := &Consumer{}
	if err := c.open(t, newConfig(handler, opts)); err != nil {
		t.Fatal(err)
	}
	return c
}
