package reports

import (
	"time"

	"github.com/ackgap/ackgap/model"
)

// tape writes histories by hand, as the simulator would: one millisecond each
// way, one helper for each thing that a party does.
type tape struct {
	h     model.History
	now   model.Time
	calls int32
	mint  model.Mint
	ids   []model.ID
}

const ms = model.Time(time.Millisecond)

// The processes of every tape, by number.
const (
	p model.Proc = iota + 1
	queue
	pump
	w1
	w2
)

func newTape(jobs ...string) *tape {
	t := &tape{mint: model.Mint{NS: model.JOB}, ids: make([]model.ID, len(jobs)+1)}
	t.h.Names.Procs = []string{"", "p", "queue", "pump", "w1", "w2"}
	t.h.Names.Jobs = append([]string{""}, jobs...)
	return t
}

func (t *tape) at(now model.Time) *tape { t.now = now; return t }

func (t *tape) add(e model.Event, touched ...model.Touch) *model.Event {
	e.At = t.now
	if e.ID.IsZero() && e.Job != 0 && int(e.Job) < len(t.ids) {
		e.ID = t.ids[e.Job]
	}
	if e.Kind == model.Applied && e.Server == 0 {
		e.Server = t.now.FloorMillis()
	}
	return t.h.Add(e, touched)
}

func (t *tape) enqueue(j model.Job) {
	t.ids[j] = t.mint.Next(t.now)
	t.calls++
	e := model.Event{Proc: p, Op: model.OpEnqueue, Job: j, Nth: 1, Call: t.calls}
	t.exchange(e, model.Enqueued)
	t.add(model.Event{Kind: model.Admitted, Proc: p, Op: model.OpEnqueue, Job: j, Answer: model.Enqueued})
}

// exchange writes a request, its arrival a millisecond later and its answer.
func (t *tape) exchange(e model.Event, a model.Answer) {
	e.Kind = model.Sent
	t.add(e)
	t.at(t.now + ms)
	e.Kind, e.Answer = model.Applied, a
	t.add(e)
	t.at(t.now + ms)
	e.Kind = model.Answered
	t.add(e)
}

func (t *tape) claim(w model.Proc, j model.Job, n int32) {
	t.calls++
	t.add(model.Event{Kind: model.Sent, Proc: w, Op: model.OpClaim, Nth: 1, Call: t.calls})
	t.at(t.now + ms)
	e := model.Event{Kind: model.Applied, Proc: w, Op: model.OpClaim, Job: j, N: n, Nth: 1, Call: t.calls,
		Answer: model.OK, Token: model.Token(n), Until: t.now.FloorMillis() + 30_000*ms}
	t.add(e)
	t.at(t.now + ms)
	e.Kind = model.Answered
	t.add(e)
}

func (t *tape) emptyClaim(w model.Proc) {
	t.calls++
	t.exchange(model.Event{Proc: w, Op: model.OpClaim, Nth: 1, Call: t.calls}, model.Empty)
}

// work lets 20ms pass and changes the outside ledger.
func (t *tape) work(w model.Proc, j model.Job, n, effect int32) *model.Event {
	t.at(t.now + 20*ms)
	return t.add(model.Event{Kind: model.Effected, Proc: w, Op: model.OpApply, Step: model.StepApply,
		Job: j, N: n, Token: model.Token(n), Effect: effect})
}

func (t *tape) complete(w model.Proc, j model.Job, n int32, a model.Answer) {
	t.calls++
	t.exchange(model.Event{Proc: w, Op: model.OpComplete, Job: j, N: n, Nth: 1, Call: t.calls,
		Token: model.Token(n)}, a)
}

// lose writes a complete whose request does not arrive, and the timeout.
func (t *tape) lose(w model.Proc, j model.Job, n int32, why model.Cause) {
	t.calls++
	e := model.Event{Kind: model.Sent, Proc: w, Op: model.OpComplete, Job: j, N: n, Nth: 1, Call: t.calls,
		Token: model.Token(n)}
	t.add(e)
	start := t.now
	t.at(t.now + ms)
	e.Kind, e.Cause, e.Token = model.Lost, why, 0
	t.add(e)
	t.at(start + 5000*ms)
	e.Kind, e.Cause = model.TimedOut, model.NoCause
	t.add(e)
}

func (t *tape) reap(at model.Time, j model.Job) {
	t.at(at)
	before := model.Standing{Sets: model.InActive, Fields: model.FullRow}
	after := model.Standing{Sets: model.InPending, Fields: model.FullRow}
	t.add(model.Event{Kind: model.Applied, Proc: pump, Op: model.OpReap, Answer: model.OK, Moved: 1},
		model.Touch{ID: t.ids[j], Before: before, After: after})
}

func (t *tape) quiet() *model.History {
	t.add(model.Event{Kind: model.Ended, Cause: model.Quiet})
	return &t.h
}

// pick returns copies of the events of kind k, as a witness holds them.
func pick(h *model.History, k model.Kind) []model.Event {
	var out []model.Event
	for _, e := range h.Events {
		if e.Kind == k {
			out = append(out, e)
		}
	}
	return out
}
