package main

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/simtest"
)

// worldText is the world of world.go as a story.
const worldText = `story  hundred-workers
queue  echomq lease=2s retry-delay=100ms reap-every=100ms promote-every=100ms max-attempts=1000000
producer p retries=0
workers %d %s work=20ms timeout=500ms poll=10ms
jobs   %d every=200us
horizon 24h
`

// worldAckgap runs it with every property and the digest, and keeps no history.
func worldAckgap(jobs int) error {
	return runStory(fmt.Sprintf(worldText, workers, "consumer=atomic", jobs), jobs)
}

// worldLossy has a network that loses one message in a thousand and delays all.
func worldLossy(jobs int) error {
	return runStory(fmt.Sprintf(worldText+"network loss=0.1%% jitter=1ms\n", workers, "consumer=atomic", jobs), jobs)
}

func runStory(text string, jobs int) error {
	story, err := scenarios.Parse("bench", []byte(text))
	if err != nil {
		return err
	}
	began := clock()
	out, err := scenarios.NewRunner().Run(story, scenarios.Options{Forget: true})
	if err != nil {
		return err
	}
	return tellOutcome(began, out, jobs)
}

// worldCoroutines is the same with a consumer that is ordinary Go, a coroutine for
// each delivery.
func worldCoroutines(jobs int) error {
	inTest(func(t *testing.T) {
		consumer := simtest.NewConsumer(t, once, simtest.Story(fmt.Sprintf(worldText+"chaos  off\n", workers, "", jobs)))
		began := clock()
		out, err := scenarios.NewRunner().Run(consumer.Story(), scenarios.Options{Forget: true})
		if err == nil {
			err = tellOutcome(began, out, jobs)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			t.Fail()
		}
	})
	return nil
}

// once has its effect once, however often it is called.
func once(_ context.Context, job simtest.Job) error {
	return job.KV().Update(context.Background(), func(tx simtest.Tx) error {
		_, done, err := tx.Get(job.ID)
		if err != nil || done {
			return err
		}
		tx.Put(job.ID, "done", 0)
		tx.Apply()
		return nil
	})
}

// tellOutcome tells of a run whose properties say that each job was done once.
func tellOutcome(began time.Duration, out *scenarios.Outcome, jobs int) error {
	for _, v := range out.Verdicts {
		if v.Value == model.Broken || v.Value == model.Unknown {
			return fmt.Errorf("%s is %s", v.Property, v.Value)
		}
	}
	fmt.Printf("ns %d\nevents %d\njobs %d\n", clock()-began, out.Steps, jobs)
	return nil
}
