package main

import (
	"fmt"
	"sync"
	"time"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/echomq"
)

// The world of a hundred workers: a job is enqueued every 200us, a worker looks
// whether the queue is paused, claims, works for 20ms, has its effect and marks it
// in one transaction, and completes. Messages take 1ms each way and none is lost.
const (
	workers = 100
	every   = 200 * time.Microsecond
	latency = time.Millisecond
	working = 20 * time.Millisecond
	poll    = 10 * time.Millisecond
	timeout = 500 * time.Millisecond
	lease   = 2 * time.Second
	pumping = 100 * time.Millisecond
)

// world is what all peers share: the queue, which is ackgap's own machine, the
// store, and the count of what happened. Nothing is judged or written down, which
// is to their advantage.
type world struct {
	jobs    int
	queue   *echomq.Queue
	mint    model.Mint
	applied map[model.ID]bool
	turn    sync.Mutex // over what follows and what stands in applied: goroutines that are real may meet
	effects int
	done    int
	events  int // what was delivered to a party: a message, an end of waiting, a step of the store
}

func newWorld(jobs int) *world {
	queue, err := echomq.New("")
	if err != nil {
		panic(err)
	}
	return &world{jobs: jobs, queue: queue, mint: model.Mint{NS: model.JOB}, applied: map[model.ID]bool{}}
}

func (w *world) over() bool {
	w.turn.Lock()
	defer w.turn.Unlock()
	return w.done == w.jobs
}

func (w *world) count() {
	w.turn.Lock()
	w.events++
	w.turn.Unlock()
}

// serve is the queue's part.
func (w *world) serve(now model.Time, r model.Request) model.Reply {
	reply := w.queue.Apply(now, r)
	w.turn.Lock()
	defer w.turn.Unlock()
	w.events++
	if r.Op == model.OpComplete && reply.Answer == model.OK {
		w.done++
	}
	return reply
}

// apply is the store's: the marker and the effect in one.
func (w *world) apply(id model.ID) {
	w.turn.Lock()
	defer w.turn.Unlock()
	w.events++
	if !w.applied[id] {
		w.applied[id] = true
		w.effects++
	}
}

func (w *world) enqueue(now model.Time) model.Request {
	return model.Request{Op: model.OpEnqueue, ID: w.mint.Next(now), Payload: "x"}
}

// party is how the program of a process reaches the world around it.
type party interface {
	now() model.Time
	sleep(time.Duration)
	call(model.Request) model.Reply // the zero Reply when no answer came in time
	send(model.Request)             // a request whose answer nobody waits for
}

// worker is the program of a worker, producer and pump theirs.
func (w *world) worker(p party) {
	for !w.over() {
		p.call(model.Request{Op: model.OpReadPause})
		granted := p.call(model.Request{Op: model.OpClaim, Lease: lease})
		if granted.Answer != model.OK {
			p.sleep(poll)
			continue
		}
		p.sleep(working)
		w.apply(granted.ID)
		p.call(model.Request{Op: model.OpComplete, ID: granted.ID, Token: granted.Token})
	}
}

func (w *world) producer(p party) {
	for range w.jobs {
		p.send(w.enqueue(p.now()))
		p.sleep(every)
	}
}

func (w *world) pump(p party) {
	for !w.over() {
		p.call(model.Request{Op: model.OpReap})
		p.call(model.Request{Op: model.OpPromote})
		p.sleep(pumping)
	}
}

// programs are all that run besides the queue.
func (w *world) programs() []func(party) {
	list := []func(party){w.producer, w.pump}
	for range workers {
		list = append(list, w.worker)
	}
	return list
}

// tell says what a run took. Whoever lost or doubled a job has not done the work.
func tell(began time.Duration, events, jobs, effects, wanted int) error {
	if jobs != wanted || effects != wanted {
		return fmt.Errorf("%d jobs were done with %d effects, and not %d", jobs, effects, wanted)
	}
	fmt.Printf("ns %d\nevents %d\njobs %d\n", clock()-began, events, jobs)
	return nil
}

var worlds = map[string]func(jobs int) error{
	"ackgap": worldAckgap, "lossy": worldLossy, "coroutines": worldCoroutines,
	"channels": worldChannels, "synctest": worldSynctest, "rapid": worldRapid,
}

func runWorld(name string, numbers []int) error {
	do, ok := worlds[name]
	if !ok {
		return unknown(name, "ackgap", "lossy", "coroutines", "channels", "synctest", "rapid")
	}
	return do(numbers[0])
}
