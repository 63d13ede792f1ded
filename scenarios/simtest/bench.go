package simtest

import "testing"

// BenchConsumer measures how many random worlds of the handler one core runs in a
// second, from parsed story to verdict: the metric worlds/s.
func BenchConsumer(b *testing.B, handler Handler, opts ...Option) {
	b.Helper()
	c := NewConsumer(b, handler, opts...)
	seed := c.config.seed
	for b.Loop() {
		if _, err := c.runner.World(c.campaign, seed, false); err != nil {
			b.Fatal(err)
		}
		seed++
	}
	if err := c.wrong(); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "worlds/s")
}
