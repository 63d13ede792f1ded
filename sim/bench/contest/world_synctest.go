package main

import (
	"fmt"
	"os"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ackgap/ackgap/model"
)

// bubble is a party that is a goroutine in a bubble of testing/synctest: it sleeps
// by time.Sleep, and waits with time.After beside it.
type bubble struct {
	began time.Time
	queue chan request
}

type request struct {
	model.Request
	answer chan model.Reply
}

func (b *bubble) now() model.Time       { return model.Time(time.Since(b.began)) }
func (b *bubble) sleep(d time.Duration) { time.Sleep(d) }

func (b *bubble) call(r model.Request) model.Reply {
	answer := make(chan model.Reply, 1)
	late := time.After(timeout)
	time.Sleep(latency)
	b.queue <- request{r, answer}
	select {
	case reply := <-answer:
		time.Sleep(latency)
		return reply
	case <-late:
		return model.Reply{}
	}
}

func (b *bubble) send(r model.Request) {
	time.AfterFunc(latency, func() { b.queue <- request{Request: r} })
}

// worldSynctest is the world on real goroutines.
func worldSynctest(jobs int) error {
	inTest(func(t *testing.T) {
		w := newWorld(jobs)
		began := clock()
		synctest.Test(t, func(*testing.T) { w.inBubble() })
		if err := tell(began, w.events, w.done, w.effects, jobs); err != nil {
			fmt.Fprintln(os.Stderr, err)
			t.Fail()
		}
	})
	return nil
}

func (w *world) inBubble() {
	b := &bubble{began: time.Now(), queue: make(chan request)}
	var all sync.WaitGroup
	for _, program := range w.programs() {
		all.Go(func() { program(counted{w, b}) })
	}
	go func() {
		for r := range b.queue {
			reply := w.serve(b.now(), r.Request)
			if r.answer != nil {
				r.answer <- reply
			}
		}
	}()
	all.Wait()
	close(b.queue)
}
