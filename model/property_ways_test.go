package model_test

import (
	"testing"

	. "github.com/ackgap/ackgap/model"
)

// The other ways to break a property, each of which is a clause of its table
// row: what is broken is listed in the order of the table.
var otherWays = []struct {
	what string
	want []string
	tell func(h *tale)
}{
	{"a stale retry is refused and moves the job all the same", []string{"stale-token-rejected"}, func(h *tale) {
		redelivered(h)
		h.retry(j1, 1, leaves(Standing{Sets: InSchedule, Fields: FullRow, Attempts: 2}))
	}},
	{"a stale extend is accepted", []string{"stale-token-rejected"}, func(h *tale) {
		redelivered(h)
		h.extend(j1, 1, answer(OK))
	}},
	{"a stale token passes because its value is the same", []string{"stale-token-rejected", "tokens-rise"}, func(h *tale) {
		h.admit(j1)
		h.claim(j1)
		h.wait(31 * sec)
		h.reap(j1)
		h.claim(j1, token(1))
		h.complete(j1, 1, answer(OK), leaves(Standing{}))
	}},
	{"a copy of a complete is accepted", []string{"settled-once", "terminal-absorbing"}, func(h *tale) {
		h.admit(j1)
		h.work(j1)
		h.complete(j1, 1, answer(OK))
	}},
	{"a row stands in no set", []string{"no-loss", "no-ghost"}, func(h *tale) {
		h.admit(j1)
		h.claim(j1)
		h.wait(31 * sec)
		h.reap(j1, in(0))
	}},
	{"a completed job is delivered by a claim that moves nothing", []string{"terminal-absorbing"}, func(h *tale) {
		h.admit(j1)
		h.work(j1)
		h.claim(j1, leaves(Standing{}))
	}},
	{"a dead job is settled by a complete that moves nothing", []string{"terminal-absorbing"}, func(h *tale) {
		h.admit(j1)
		h.claim(j1)
		h.pump(OpSweep, j1, InDead)
		h.complete(j1, 1, answer(OK), leaves(h.standing(j1)))
	}},
	{"a completion that a crash forgot is delivered again", []string{"terminal-absorbing"}, func(h *tale) {
		h.admit(j1)
		h.claim(j1)
		active := h.standing(j1)
		h.complete(j1, 1)
		h.forget(j1, active)
		h.wait(31 * sec)
		h.reap(j1)
	}},
	{"a row that stands is answered as new", []string{"admission-honest"}, func(h *tale) {
		h.admit(j1)
		h.enqueue(j1, answer(Enqueued))
	}},
	{"a retry at the cap is scheduled", []string{"attempts-bounded"}, func(h *tale) {
		h.admit(j1)
		h.claim(j1)
		h.retry(j1, 1, func(e *Event, _ *Standing) { e.Max = 1 })
	}},
	{"a retry at the cap is scheduled, for the row has forgotten the claim before", []string{"attempts-bounded"}, func(h *tale) {
		h.admit(j1)
		h.claim(j1)
		h.retry(j1, 1)
		h.wait(2 * sec)
		h.promote(j1)
		h.claim(j1)
		h.retry(j1, 2, func(e *Event, s *Standing) { e.Max, s.Attempts = 2, 1 })
	}},
	{"a retry is buried of whom the row says that it was claimed more often", []string{"attempts-bounded"}, func(h *tale) {
		h.admit(j1)
		h.claim(j1)
		h.retry(j1, 1, func(e *Event, s *Standing) {
			e.Max, e.Answer, *s = 2, DeadLettered, Standing{Sets: InDead, Fields: FullRow, Attempts: 2}
		})
	}},
	{"an extended lease still runs when the job is taken back", []string{"single-holder"}, func(h *tale) {
		h.admit(j1)
		h.claim(j1)
		h.wait(10 * sec)
		h.extend(j1, 1)
		h.wait(29 * sec) // beyond the first deadline, within the second
		h.reap(j1)
		h.claim(j1, by(w2))
	}},
}

// redelivered tells of J1#1, which lapsed, and J1#2, which w2 holds.
func redelivered(h *tale) {
	h.admit(j1)
	h.claim(j1)
	h.wait(31 * sec)
	h.reap(j1)
	h.claim(j1, by(w2))
}

func TestOtherWaysToBreak(t *testing.T) {
	for _, tc := range otherWays {
		t.Run(tc.what, func(t *testing.T) {
			h := newTale(world())
			tc.tell(h)
			h.wantBroken(t, tc.want...)
			for _, name := range tc.want {
				checkWitness(t, h.verdict(name).Witness)
			}
		})
	}
}

// What looks like a breach and is none.
func TestNoBreach(t *testing.T) {
	cases := []struct {
		what string
		tell func(h *tale)
	}{
		{"a late settlement that nobody opposes", func(h *tale) {
			h.admit(j1)
			h.claim(j1)
			h.wait(31 * sec)
			h.complete(j1, 1)
		}},
		{"a lapsed lease is extended to an instant before its end", func(h *tale) {
			h.admit(j1)
			h.claim(j1)
			h.wait(31 * sec)
			h.extend(j1, 1, until(20*sec))
		}},
		{"a lease that was settled leaves room for the next", func(h *tale) {
			h.admit(j1)
			h.claim(j1)
			h.retry(j1, 1)
			h.wait(sec)
			h.promote(j1)
			h.claim(j1, by(w2))
		}},
		{"an enqueue after the end opens a new incarnation", func(h *tale) {
			for range 4 { // one claim each, more than max-attempts together
				h.admit(j1)
				h.claim(j1)
				h.complete(j1, h.claims[j1])
			}
		}},
		{"a claim finds nothing while the queue is paused", func(h *tale) {
			h.admit(j1)
			h.tell(Event{Kind: Applied, Op: OpPause, Answer: OK})
			h.claimNothing()
		}},
		{"a job that was once delivered and completed is forgotten", func(h *tale) {
			h.admit(j1)
			h.work(j1)
			h.enqueue(j1)
			h.forget(j1, Standing{})
		}},
	}
	for _, tc := range cases {
		t.Run(tc.what, func(t *testing.T) {
			h := newTale(world())
			tc.tell(h)
			h.wantBroken(t)
		})
	}
}
