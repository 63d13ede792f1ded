package main

import (
	"flag"
	"fmt"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/ackgap/ackgap/model"
)

// machine is the world as a state machine of rapid, which draws what happens next:
// a job is enqueued, one of the messages on their way arrives, or one of the
// workers that wait goes on. Each draw moves the clock on by a tenth of a
// millisecond.
type machine struct {
	*world
	now      model.Time
	queued   int
	onTheWay []letter
	waiting  []int // workers that wait: working, or without a job
	held     [workers]model.Reply
}

// letter is a message: a request to the queue, or its answer to worker.
type letter struct {
	worker int
	req    model.Request
	reply  model.Reply
	isBack bool
}

// checkSteps is how many actions rapid draws for one world, on average.
const checkSteps = 4_000

// worldRapid runs rapid until as many jobs are done, in worlds of checkSteps.
func worldRapid(jobs int) error {
	inTest(func(t *testing.T) {
		flag.Set("rapid.steps", strconv.Itoa(checkSteps))
		flag.Set("rapid.checks", "1")
		flag.Set("rapid.nofailfile", "true")
		events, done := 0, 0
		began := clock()
		for done < jobs {
			rapid.Check(t, func(t *rapid.T) {
				m := &machine{world: newWorld(checkSteps)}
				for i := range workers {
					m.ask(i)
				}
				t.Repeat(map[string]func(*rapid.T){"enqueue": m.enqueues, "arrive": m.arrives, "wake": m.wakes, "": m.check})
				events, done = events+m.events, done+m.done
			})
		}
		fmt.Printf("ns %d\nevents %d\njobs %d\n", clock()-began, events, done)
	})
	return nil
}

// check is what holds after each action.
func (m *machine) check(t *rapid.T) {
	if m.effects > m.queued || m.done > m.effects {
		t.Fatalf("%d jobs, %d effects, %d done", m.queued, m.effects, m.done)
	}
}

func (m *machine) enqueues(t *rapid.T) {
	m.now = m.now.Add(every / 2)
	if m.queued*11 > m.events+100 { // a job takes eleven events: no more than can be done
		t.Skip("enough are queued")
	}
	m.queued++
	if r := m.serve(m.now, m.enqueue(m.now)); r.Answer != model.Enqueued {
		t.Fatal("not enqueued: ", r.Answer)
	}
}

func (m *machine) ask(worker int) {
	m.onTheWay = append(m.onTheWay, letter{worker: worker, req: model.Request{Op: model.OpReadPause}})
}

// take removes one of a list, in no order.
func take[T any](list *[]T, i int) T {
	l := *list
	one := l[i]
	l[i] = l[len(l)-1]
	*list = l[:len(l)-1]
	return one
}

func (m *machine) arrives(t *rapid.T) {
	if len(m.onTheWay) == 0 {
		t.Skip("nothing is on its way")
	}
	m.now = m.now.Add(every / 2)
	l := take(&m.onTheWay, rapid.IntRange(0, len(m.onTheWay)-1).Draw(t, "letter"))
	if !l.isBack {
		l.reply, l.isBack = m.serve(m.now, l.req), true
		m.onTheWay = append(m.onTheWay, l)
		return
	}
	m.events++
	switch l.req.Op {
	case model.OpReadPause:
		m.onTheWay = append(m.onTheWay, letter{worker: l.worker, req: model.Request{Op: model.OpClaim, Lease: 24 * 3600e9}})
	case model.OpClaim:
		m.held[l.worker] = l.reply
		m.waiting = append(m.waiting, l.worker)
	default:
		m.ask(l.worker)
	}
}

func (m *machine) wakes(t *rapid.T) {
	if len(m.waiting) == 0 {
		t.Skip("nobody waits")
	}
	m.now = m.now.Add(every / 2)
	worker := take(&m.waiting, rapid.IntRange(0, len(m.waiting)-1).Draw(t, "worker"))
	m.events++
	granted := m.held[worker]
	if granted.Answer != model.OK {
		m.ask(worker)
		return
	}
	m.apply(granted.ID)
	m.onTheWay = append(m.onTheWay, letter{worker: worker, req: model.Request{Op: model.OpComplete, ID: granted.ID, Token: granted.Token}})
}
