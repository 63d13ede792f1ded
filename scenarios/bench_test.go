package scenarios_test

import (
	"fmt"
	"testing"

	"github.com/ackgap/ackgap/scenarios"
)

// BenchmarkLostAck runs the lost-ack world from the parsed story to the verdict,
// all properties and the digest included, with the memory of the last run.
func BenchmarkLostAck(b *testing.B) {
	const text = `story  lost-ack
queue  echomq lease=30s max-attempts=3 retry-delay=1s reap-every=1s promote-every=1s
worker w1 consumer=naive work=20ms
worker w2 consumer=naive work=20ms
job    J1
fault  drop complete J1#1
expect effects J1 = 2
expect broken no-duplicate-effect
expect held no-loss stale-token-rejected one-place
`
	story, err := scenarios.Parse("lost-ack", []byte(text))
	if err != nil {
		b.Fatal(err)
	}
	runner := scenarios.NewRunner()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := runner.Run(story, scenarios.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkHundredWorkers runs a world of a hundred workers and many jobs, on a
// network that is perfect and on one that loses messages, all properties and the
// digest included. It counts the useful events: the steps that processes take.
func BenchmarkHundredWorkers(b *testing.B) {
	const text = `story  hundred-workers
queue  echomq lease=2s retry-delay=100ms reap-every=100ms promote-every=100ms max-attempts=1000000
producer p retries=0
workers 100 consumer=atomic work=20ms timeout=500ms poll=10ms
jobs   %d every=200us
horizon 60m
`
	const lossy = "network loss=0.1% jitter=1ms\n"
	for _, world := range []struct{ name, network string }{{"perfect", ""}, {"lossy", lossy}} {
		for _, jobs := range []int{1_000, 10_000, 50_000} {
			b.Run(fmt.Sprintf("%s/jobs=%d", world.name, jobs), func(b *testing.B) {
				benchmarkEvents(b, fmt.Sprintf(text, jobs)+world.network)
			})
		}
	}
}

func benchmarkEvents(b *testing.B, text string) {
	story, err := scenarios.Parse("bench", []byte(text))
	if err != nil {
		b.Fatal(err)
	}
	runner := scenarios.NewRunner()
	var events int64
	b.ReportAllocs()
	for b.Loop() {
		out, err := runner.Run(story, scenarios.Options{Forget: true})
		if err != nil {
			b.Fatal(err)
		}
		events += out.Steps
	}
	b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
	b.ReportMetric(float64(events)/float64(b.N), "events/op")
}

// BenchmarkCampaign runs random worlds one after the other on one core: those of
// the lost-ack story, and those of the reference envelope.
func BenchmarkCampaign(b *testing.B) {
	for _, name := range []string{"lost-ack", "reference"} {
		b.Run(name, func(b *testing.B) {
			story, err := scenarios.Load(name)
			if err != nil {
				b.Fatal(err)
			}
			campaign, err := scenarios.NewCampaign(story)
			if err != nil {
				b.Fatal(err)
			}
			runner, seed := scenarios.NewRunner(), uint64(0)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := runner.World(campaign, seed, false); err != nil {
					b.Fatal(err)
				}
				seed++
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "worlds/s")
		})
	}
}
