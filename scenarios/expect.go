package scenarios

import (
	"strings"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
)

// Result is what became of one expect line.
type Result struct {
	Expect *Expect
	Met    Met
	Got    string // what was seen instead; empty when met
}

// check holds the run against one expect line.
func (w *world) check(e *Expect, o *Outcome) Result {
	r := Result{Expect: e}
	switch e.Kind {
	case ExpectVerdict:
		w.checkVerdicts(e, o, &r)
	case ExpectEffects:
		r.count(w.ledger.Effects(e.Job), "effect")
	case ExpectDeliveries:
		r.count(w.ledger.Deliveries(e.Job), "delivery")
	case ExpectState:
		if got := w.ledger.State(e.Job); got != e.State {
			r.miss("the state is " + got)
		}
	case ExpectAnswer:
		w.checkAnswer(e, &r)
	case ExpectTwin, ExpectNoTwin:
		w.checkTwin(e, &r)
	}
	return r
}

func (r *Result) miss(got string) { r.Met, r.Got = No, got }

func (r *Result) leaveOpen() {
	if r.Met == Yes {
		r.Met = Inconclusive
	}
}

func (r *Result) count(n int, what string) {
	if !r.Expect.Holds(n) {
		r.miss(script.Count(n, what))
	}
}

// checkVerdicts checks a line of held, broken or unknown. A property that was
// never evaluated is vacuous, which is as good as broken; one that is unknown
// leaves the line open.
func (w *world) checkVerdicts(e *Expect, o *Outcome, r *Result) {
	var got []string
	for _, name := range e.Properties {
		v := o.verdict(name)
		switch {
		case v.Value == model.Held && v.Evaluations == 0:
			r.Met = No
			o.Vacuous = append(o.Vacuous, name)
			got = append(got, name+" was never evaluated")
		case v.Value == e.Verdict:
		case v.Value == model.Unknown:
			r.leaveOpen()
			got = append(got, name+" is unknown")
		default:
			r.Met = No
			got = append(got, name+" is "+v.Value.String())
		}
	}
	r.Got = strings.Join(got, ", ")
}

// verdict returns the verdict about the property or reach claim called name,
// which the parser has found to exist.
func (o *Outcome) verdict(name string) model.Verdict {
	for _, list := range [][]model.Verdict{o.Verdicts, o.Reach} {
		for _, v := range list {
			if v.Property == name {
				return v
			}
		}
	}
	return model.Verdict{Property: name, Value: model.Unknown}
}

// checkAnswer checks what the last such request for a delivery was answered;
// `refused` asks whether any was answered stale.
func (w *world) checkAnswer(e *Expect, r *Result) {
	last, refused := w.fate(e)
	switch {
	case e.Refused && refused, !e.Refused && last == e.Answer:
	case last == model.NoAnswer:
		r.miss("there was no such request")
	default:
		r.miss("answered " + last.String())
	}
}

// fate follows the requests that e speaks of through the history: what the last
// of them was answered or how it was lost, and whether any was answered stale.
func (w *world) fate(e *Expect) (last model.Answer, refused bool) {
	for i := range w.history.Events {
		ev := &w.history.Events[i]
		if !e.speaksOf(ev) {
			continue
		}
		switch {
		case ev.Kind == model.Applied:
			last = ev.Answer
			refused = refused || ev.Answer == model.Stale
		case ev.Kind == model.Lost && ev.Has(model.IsReply):
			last = model.LostReply
		case ev.Kind == model.Lost:
			last = model.LostRequest
		}
	}
	return last, refused
}

// speaksOf reports whether ev is about a request that e names. All forms of
// enqueue and of delay go by one name each.
func (e *Expect) speaksOf(ev *model.Event) bool {
	if ev.Job != e.Job || ev.N != e.N {
		return false
	}
	switch e.Op {
	case model.OpEnqueue:
		return ev.Op.Admits()
	case model.OpDelay:
		return ev.Op == model.OpDelay || ev.Op == model.OpDelayAt
	}
	return ev.Op == e.Op
}
