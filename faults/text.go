package faults

import (
	"strconv"
	"time"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
)

// AppendText appends the plan to b, one fault a line, as ParsePlan reads it.
// That the numbers of the windows come back, their entries must stand in the
// order of Nth, as a Builder leaves them.
func (p Plan) AppendText(b []byte, names *model.Names) []byte {
	for i := range p {
		b = append(p[i].AppendText(b, names), '\n')
	}
	return b
}

// Text returns the line that AppendText appends.
func (e *Entry) Text(names *model.Names) string { return string(e.AppendText(nil, names)) }

// AppendText appends the one line that ParseFault reads as e, in its canonical
// form: no option that says the default, and no newline. Line is not written.
func (e *Entry) AppendText(b []byte, names *model.Names) []byte {
	b = append(b, "fault"...)
	if e.Optional {
		b = append(b, '?')
	}
	w := writer{b: b, names: names}
	switch e.Point.Family {
	case Message:
		w.message(e)
	case Step:
		w.step(e)
	case Slot:
		w.slot(e)
	}
	return w.b
}

type writer struct {
	b     []byte
	names *model.Names
}

func (w *writer) word(s string) { w.b = append(append(w.b, ' '), s...) }

func (w *writer) proc(p model.Proc) { w.word(w.names.Proc(p)) }

func (w *writer) option(key, value string) {
	w.word(key)
	w.b = append(append(w.b, '='), value...)
}

func (w *writer) span(key string, d time.Duration) { w.option(key, script.FormatDuration(d)) }

func (w *writer) time(t model.Time) { w.span("time", time.Duration(t)) }

// delivery writes J#N, or J when there is no N, and nth= behind it.
func (w *writer) delivery(p *Point) {
	w.word(w.names.Job(p.Job))
	if p.N > 0 {
		w.b = strconv.AppendInt(append(w.b, '#'), int64(p.N), 10)
	}
}

func (w *writer) nth(p *Point) {
	if p.Nth != p.plainNth() {
		w.option("nth", strconv.Itoa(int(p.Nth)))
	}
}

func (w *writer) message(e *Entry) {
	o := &e.Outcome
	w.word(o.Kinds.Word(e.Point.Reply))
	w.word(e.Point.Op.String())
	w.delivery(&e.Point)
	if o.Has(Delay) {
		w.span("by", o.By)
	}
	if o.Has(Duplicate) {
		w.span("after", o.After)
	}
	w.nth(&e.Point)
}

func (w *writer) step(e *Entry) {
	w.word(e.Outcome.Kinds.Word(false))
	w.proc(e.Point.Proc)
	when := "before"
	if e.Point.After {
		when = "after"
	}
	w.option(when, e.Point.Step.String())
	w.delivery(&e.Point)
	w.ending(e)
	w.nth(&e.Point)
}

// ending writes how a crash or a pause ends.
func (w *writer) ending(e *Entry) {
	o := &e.Outcome
	switch {
	case o.Has(Pause):
		w.span("for", o.For)
	case o.Restarts && (o.Restart > 0 || e.Point.Proc != Queue):
		w.span("restart", o.Restart)
	}
}

func (w *writer) slot(e *Entry) {
	p, o := &e.Point, &e.Outcome
	switch p.Slot {
	case SlotCrash, SlotPause:
		w.word(o.Kinds.Word(false))
		w.proc(p.Proc)
		w.time(o.At)
		w.lose(o.Lose)
		w.ending(e)
	case SlotStall:
		w.word("stall heartbeat")
		w.proc(p.Proc)
		w.time(o.At)
		w.span("for", o.For)
	case SlotPartition:
		w.partition(e)
	case SlotClock:
		w.clock(e)
	}
}

func (w *writer) lose(l Loss) {
	if l.Window > 0 {
		w.span("lose", l.Window)
	}
	if l.Writes > 0 {
		w.option("lose", strconv.Itoa(l.Writes)+"w")
	}
}

func (w *writer) partition(e *Entry) {
	w.word("partition")
	w.proc(e.Point.Proc)
	w.proc(e.Point.Peer)
	w.time(e.Outcome.At)
	w.span("for", e.Outcome.For)
	if e.Outcome.Oneway {
		w.word("oneway")
	}
}

func (w *writer) clock(e *Entry) {
	w.word("clock")
	w.proc(e.Point.Proc)
	by := script.FormatDuration(e.Outcome.By)
	if e.Outcome.By > 0 {
		by = "+" + by
	}
	if e.Point.Proc != Queue {
		w.option("skew", by)
		return
	}
	w.option("jump", by)
	w.time(e.Outcome.At)
}
