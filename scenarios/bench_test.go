package scenarios_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/ackgap/ackgap/scenarios"
)

// BenchmarkLostAck runs the lost-ack world from the parsed story to the verdict,
// all properties and the digest included, with the memory of the last run.
func BenchmarkLostAck(b *testing.B) {
	story := parse(b, "stories/lost-ack.story")
	runner := scenarios.NewRunner()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := runner.Run(story, scenarios.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkHundredWorkers runs a world of a hundred workers and many jobs on a
// network that loses messages, all properties and the digest included, and
// counts the useful events: the steps that processes take.
func BenchmarkHundredWorkers(b *testing.B) {
	const text = `story  hundred-workers
queue  echomq lease=2s retry-delay=100ms reap-every=100ms promote-every=100ms max-attempts=1000000
producer p retries=0
workers 100 consumer=atomic work=20ms timeout=500ms poll=10ms
jobs   %d every=200us
network loss=0.1%% jitter=1ms
horizon 60m
`
	for _, jobs := range []int{1_000, 10_000, 50_000} {
		b.Run(fmt.Sprintf("jobs=%d", jobs), func(b *testing.B) {
			story, err := scenarios.Parse("hundred-workers", fmt.Appendf(nil, text, jobs))
			if err != nil {
				b.Fatal(err)
			}
			runner := scenarios.NewRunner()
			var events int64
			b.ReportAllocs()
			for b.Loop() {
				out, err := runner.Run(story, scenarios.Options{})
				if err != nil {
					b.Fatal(err)
				}
				events += out.Steps
			}
			b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
			b.ReportMetric(float64(events)/float64(b.N), "events/op")
		})
	}
}

func parse(tb testing.TB, file string) *scenarios.Story {
	tb.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		tb.Fatal(err)
	}
	story, err := scenarios.Parse(file, text)
	if err != nil {
		tb.Fatal(err)
	}
	return story
}
