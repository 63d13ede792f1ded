package main

import (
	"container/heap"
	"os"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func duration(ns int64) time.Duration { return time.Duration(ns) }

// pending is one event of the peers that are written here.
type pending struct {
	at  int64
	seq int
	id  int
}

// agenda is a heap.Interface as its documentation shows it.
type agenda []*pending

func (a agenda) Len() int      { return len(a) }
func (a agenda) Swap(i, j int) { a[i], a[j] = a[j], a[i] }
func (a *agenda) Push(x any)   { *a = append(*a, x.(*pending)) }

func (a agenda) Less(i, j int) bool {
	return a[i].at < a[j].at || a[i].at == a[j].at && a[i].seq < a[j].seq
}

func (a *agenda) Pop() any {
	old := *a
	e := old[len(old)-1]
	old[len(old)-1] = nil
	*a = old[:len(old)-1]
	return e
}

// holdHeap is the hold model on container/heap: an event is used again, so that
// nothing is allocated.
func holdHeap(h *hold) {
	var a agenda
	seq := 0
	push := func(e *pending, at int64) {
		seq++
		e.at, e.seq = at, seq
		heap.Push(&a, e)
	}
	for id := range h.pending {
		push(&pending{id: id}, h.draw())
	}
	for h.goesOn() {
		e := heap.Pop(&a).(*pending)
		push(e, e.at+h.event(e.at, e.id))
	}
}

// holdChannels is the hold model on goroutines: each event belongs to one, which
// is given the turn and gives it back with the time of the next event. The agenda
// behind it is the heap of holdHeap.
func holdChannels(h *hold) {
	var a agenda
	seq := 0
	turns := make([]chan int64, h.pending)
	later := make(chan int64)
	for id := range turns {
		turns[id] = make(chan int64)
		go func() {
			for at := range turns[id] {
				later <- h.event(at, id)
			}
		}()
		seq++
		heap.Push(&a, &pending{h.draw(), seq, id})
	}
	for h.goesOn() {
		e := heap.Pop(&a).(*pending)
		turns[e.id] <- e.at
		seq++
		e.at, e.seq = e.at+<-later, seq
		heap.Push(&a, e)
	}
}

// holdSynctest is the hold model on goroutines that sleep in a bubble. Which of
// two that wake at one instant goes first is left to Go.
func holdSynctest(h *hold) {
	inTest(func(t *testing.T) {
		synctest.Test(t, func(*testing.T) {
			began := time.Now()
			var turn sync.Mutex
			var all sync.WaitGroup
			defer all.Wait()
			for id := range h.pending {
				next := h.draw()
				all.Go(func() {
					for next > 0 {
						time.Sleep(duration(next))
						next = h.inTurn(&turn, int64(time.Since(began)), id)
					}
				})
			}
		})
	})
}

// inTurn is event for many goroutines; it returns 0 when it is over.
func (h *hold) inTurn(turn *sync.Mutex, at int64, id int) int64 {
	turn.Lock()
	defer turn.Unlock()
	if !h.goesOn() {
		return 0
	}
	return h.event(at, id)
}

// inTest runs what needs a test around it, and ends the program.
func inTest(f func(t *testing.T)) {
	all := func(string, string) (bool, error) { return true, nil }
	os.Args = os.Args[:1] // flags of tests are none of ours
	testing.Main(all, []testing.InternalTest{{Name: "contest", F: f}}, nil, nil)
}
