package simtest_test

import (
	"context"
	"runtime"
	"testing"

	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/simtest"
)

// Handlers share coroutines while a run goes on; when it is over none is left.
func TestARunLeavesNoGoroutine(t *testing.T) {
	const story = "story s\nqueue echomq lease=2s\nproducer p retries=0\nworkers 5 work=20ms\njobs 50 every=1ms\nchaos off\n"
	handler := func(ctx context.Context, job simtest.Job) error { return job.KV().Put(ctx, job.ID, "done", 0) }
	consumer, runner := simtest.NewConsumer(t, handler, simtest.Story(story)), scenarios.NewRunner()
	before := runtime.NumGoroutine()
	out, err := runner.Run(consumer.Story(), scenarios.Options{})
	if err != nil || out.Steps < 500 {
		t.Fatalf("%v, %+v", err, out)
	}
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("%d goroutines before the run, %d after", before, after)
	}
}
