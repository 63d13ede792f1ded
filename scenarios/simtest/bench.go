package simtest

import (
	"testing"

	"github.com/ackgap/ackgap/model"
)

// BenchConsumer measures how many random worlds of the handler one core runs in a
// second, from parsed story to verdict: the metric worlds/s.
func BenchConsumer(b *testing.B, handler Handler, opts ...Option) {
	b.Helper()
	NewConsumer(b, handler, opts...).bench(b)
}

// BenchQueue is BenchConsumer for a queue.
func BenchQueue(b *testing.B, newQueue func() model.Queue, opts ...Option) {
	b.Helper()
	NewQueue(b, newQueue, opts...).bench(b)
}

func (c *check) bench(b *testing.B) {
	b.Helper()
	if c.campaign == nil {
		b.Fatal(errNoWorlds)
	}
	seed := c.config.seed
	c.inARow(func() {
		for b.Loop() {
			if _, err := c.runner.World(c.campaign, seed, false); err != nil {
				b.Fatal(err)
			}
			seed++
		}
	})
	if err := c.wrong(); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "worlds/s")
}
