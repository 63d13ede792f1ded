package simtest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/queuetest"
)

// CheckQueue runs your own queue in random worlds in which everything goes wrong
// that its claims let it bear, and fails the test when it breaks a promise: those
// that every queue gives, and those that go with what it claims (option Claims). The
// failing world is shrunk, shown and kept as CheckConsumer does.
//
// NewQueue returns an empty queue: one in memory, or a client of a real server. One
// that is a model.Resetter is emptied and used again for the next world; the others
// are made anew, and closed if they are a model.Closer. Of a model.Failer that says
// that it was lost nothing is held and nothing broken: the test fails as unknown.
//
// The workers have a consumer that marks and acts in one transaction, so that an
// effect which is there twice or not at all is the queue's doing; Consumes gives them
// another.
func CheckQueue(t testing.TB, newQueue func() model.Queue, opts ...Option) {
	t.Helper()
	NewQueue(t, newQueue, opts...).Check(t)
}

// Queue is a queue in its world, for those who want more than a check. It is used by
// one goroutine at a time and lives as long as the test.
type Queue struct{ check }

// NewQueue returns the queue in the world that the options say. A wrong option ends
// the test.
func NewQueue(t testing.TB, newQueue func() model.Queue, opts ...Option) *Queue {
	t.Helper()
	q := &Queue{}
	if err := q.open(t, newQueueConfig(newQueue, opts)); err != nil {
		t.Fatal(err)
	}
	return q
}

// Claims says what the queue can do, by which it is judged, and what is made to go
// wrong: with Extends the workers have heartbeats, with ServerClock their clocks are
// off, with SettlesOnce retries are doubled, with a DedupWindow of five minutes or more
// producers send again what was not answered. Without Claims it is judged by what every
// queue must do.
func Claims(caps ...queuetest.Capability) Option {
	return func(c *config) {
		if err := queuetest.CheckClaims(caps...); err != nil {
			c.fail("Claims: %w", err)
		}
		if c.newQueue == nil {
			c.fail("Claims is for CheckQueue: the queue of CheckConsumer is EchoMQ as built")
		}
		c.claims = append(c.claims, caps...)
	}
}

// Consumes gives the workers of CheckQueue this handler, in place of the consumer
// that marks and acts in one transaction.
func Consumes(handler Handler) Option {
	return func(c *config) {
		if c.newQueue == nil || handler == nil || c.make != nil {
			c.fail("Consumes gives the workers of CheckQueue a handler: pass one, once and without PerProcess; with CheckConsumer it is an argument")
			return
		}
		c.make = func() Handler { return handler }
	}
}

// mine is the queue of a check, if it has one of its own.
type mine struct {
	name  string // as stories call it; "" for EchoMQ as built
	blind bool   // it does not tell what it touches
	tried tried

	mu    sync.Mutex
	first model.Queue // until a run has it
	last  *guard      // before the queue that was made last
	lost  error       // why one of them was lost
}

// openQueue makes the first queue, which the first run is handed.
func (c *check) openQueue() (err error) {
	if c.mine.first, err = c.config.emptyQueue(); err != nil {
		return fmt.Errorf("simtest: %w", err)
	}
	_, tells := c.mine.first.(model.Toucher)
	c.mine.blind = !tells
	return nil
}

// closeQueue closes what the runs were on. A panic of it is told: nobody looks at it later.
func (c *check) closeQueue(t testing.TB) {
	_ = c.runner.Close() // the runs are over
	if err := c.lostQueue(); err != nil && !t.Failed() {
		t.Errorf("%s: %v", c.name, err)
	}
}

// newQueue makes a queue, or hands out the first one that was made.
func (c *check) newQueue() (model.Queue, error) {
	m := &c.mine
	m.mu.Lock()
	defer m.mu.Unlock()
	m.note()
	q := m.first
	if m.first = nil; q == nil {
		var err error
		if q, err = c.config.emptyQueue(); err != nil {
			m.last = nil
			return nil, err
		}
	}
	g, q := guarded(q, &m.tried)
	m.last = g
	return q, nil
}

// emptyQueue calls newQueue, and takes a panic for an error.
func (c *config) emptyQueue() (q model.Queue, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("newQueue panicked: %s", panicText(p))
		}
	}()
	if q = c.newQueue(); q == nil {
		err = errors.New("newQueue returned nil")
	}
	return q, err
}

// note keeps why the last queue was lost, if it was.
func (m *mine) note() {
	switch {
	case m.last == nil || m.lost != nil:
	case m.last.failed != nil:
		m.lost = m.last.failed
	case m.last.Err() != nil:
		m.lost = fmt.Errorf("unknown: the queue was lost, and what it answered since is not judged: %w", m.last.Err())
	}
}

// lostQueue returns why a queue was lost, or nil.
func (c *check) lostQueue() error {
	c.mine.mu.Lock()
	defer c.mine.mu.Unlock()
	c.mine.note()
	return c.mine.lost
}

// queueLines are the queue line of the world, and what producers there are.
func (c *config) queueLines(name string) string {
	if name == "" {
		name = "echomq"
	}
	var again int
	if c.sendsAgain() {
		again = 3
	}
	return fmt.Sprintf("queue %s %s\nproducer p retries=%d\n", name, strings.Join(c.queue, " "), again)
}

// habits are what workers do with such a queue: they have heartbeats where it claims
// that leases can be extended, and ask every second where it does not tell when there
// is something to ask for.
func (c *config) habits(blind bool) string {
	var words []string
	if queuetest.Has(c.claims, queuetest.Extends) && !strings.Contains(strings.Join(c.worker, " "), "heartbeat=") {
		words = append(words, "heartbeat=10s")
	}
	if blind {
		words = append(words, "poll=1s")
	}
	return strings.Join(words, " ")
}

// longWindow is from which window of deduplication on an enqueue can be sent again:
// longer than all that may keep it.
const longWindow = 5 * time.Minute

func (c *config) sendsAgain() bool {
	return slices.ContainsFunc(c.claims, func(claim queuetest.Capability) bool {
		window, ok := claim.Window()
		return ok && window >= longWindow
	})
}

// claimedChaos is what may go wrong besides, with a queue that claims to bear it.
func (c *config) claimedChaos() string {
	if c.newQueue == nil {
		return ""
	}
	lines := "chaos drop enqueue rate=5%\nchaos drop-reply enqueue rate=5%\n"
	if queuetest.Has(c.claims, queuetest.Extends) {
		lines += "chaos drop extend rate=10%\nchaos drop-reply extend rate=10%\nchaos delay extend rate=5% by=1ms..60s\n"
	}
	if queuetest.Has(c.claims, queuetest.ServerClock) {
		lines += "chaos clock WORKERS rate=30% jump=-60s..+60s count=0..1\n"
	}
	if queuetest.Has(c.claims, queuetest.SettlesOnce) {
		lines += "chaos duplicate retry rate=5% by=1ms..60s\n"
	}
	return lines
}

// unjudged are the properties that cannot be judged of a queue which does not tell
// what it touches, but for a loss that is found in the end.
func (m *mine) unjudged() []string {
	var names []string
	for _, v := range model.NewJudge(model.Facts{}, model.Properties()).Verdicts() {
		if m.blind && v.Value == model.Unknown {
			names = append(names, v.Property)
		}
	}
	return names
}
