package reports

import (
	"fmt"

	"github.com/ackgap/ackgap/model"
)

// quoted writes s as a JSON string in ASCII.
func quoted(s string) string { return string(appendASCII(nil, marshalled(s))) }

// micros is a virtual time as the format has it: in microseconds, exactly.
type micros model.Time

func (m micros) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, "%d.%03d", int64(m)/1000, int64(m)%1000), nil
}

// traceEvent is one event of the Trace Event Format
// (https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU).
type traceEvent struct {
	Phase string            `json:"ph"`
	Name  string            `json:"name"`
	Cat   string            `json:"cat,omitempty"`
	PID   int               `json:"pid"`
	TID   int               `json:"tid"`
	TS    micros            `json:"ts"`
	Dur   micros            `json:"dur,omitempty"`
	ID    string            `json:"id,omitempty"`
	Bind  string            `json:"bp,omitempty"`
	Scope string            `json:"s,omitempty"`
	Args  map[string]string `json:"args,omitempty"` // keys are sorted by the encoder
}

// AppendTrace appends r as Chrome trace events, which Perfetto (https://ui.perfetto.dev)
// and others open: a process for each lifeline, a slice for each message that left or
// arrived and a flow between the two, leases as async events, effects and what befell a
// process as instants. Times are virtual.
func AppendTrace(b []byte, r *Run) []byte {
	t := &tracer{teller: newTeller(r.History, nil)}
	for i := range r.History.Events {
		t.observe(i)
	}
	t.leases()
	doc := struct {
		Unit   string            `json:"displayTimeUnit"`
		Other  map[string]string `json:"otherData"`
		Events []traceEvent      `json:"traceEvents"`
	}{"ms", map[string]string{"schema": "ackgap-trace/1", "story": model.Safe(r.Story), "seed": utoa(r.Seed),
		"digest": r.History.Digest.String()}, append(t.names(), t.events...)}
	return append(appendASCII(b, marshalled(doc)), '\n')
}

// tracer turns the events of one history into those of a trace.
type tracer struct {
	*teller
	events []traceEvent
	used   []station // in the order in which they first did something
}

// The threads of a process: messages on the first, leases on the second.
const (
	threadMessages = 1
	threadLeases   = 2
)

// pid returns the process of s: its place among those used, from 1.
func (t *tracer) pid(s station) int {
	for i, u := range t.used {
		if u == s {
			return i + 1
		}
	}
	t.used = append(t.used, s)
	return len(t.used)
}

// names says what each process is called, and in which order they stand.
func (t *tracer) names() (out []traceEvent) {
	for i, s := range t.used {
		out = append(out, traceEvent{Phase: "M", Name: "process_name", PID: i + 1, Args: map[string]string{"name": t.title(s)}})
	}
	return out
}

func (t *tracer) observe(index int) {
	e := &t.h.Events[index]
	at := t.station(e.Proc)
	defer t.follow(e)
	switch e.Kind {
	case model.Admitted:
		return
	case model.Lost:
		t.instant(e, at, "lost", t.what(e)+" "+trimFault(lostNote(e)))
	case model.Sent:
		t.slice(index, at, "send "+t.what(e))
		if len(t.callOf(e).exchanges) > 0 {
			t.flow(e, at, "s", "request", e.Call)
		}
	case model.Applied:
		t.applied(index)
	case model.Answered:
		t.slice(index, at, "read "+e.Answer.String())
		if asked := t.exchangeOf(e).applied; asked != nil {
			t.flow(e, at, "f", "answer", asked.Seq)
		}
	case model.Effected:
		t.instant(e, atStore, "effect", "effect "+itoa(e.Effect)+" of "+t.delivery(e))
	case model.Checked, model.Marked, model.Absorbed:
		row := t.stored(e)
		t.instant(e, atStore, "store", join(stepWord(e)+" "+t.delivery(e), ": ", row.note))
	default:
		if row, worth := t.tell(e); worth && row.on != nowhere {
			t.instant(e, row.on, "fault", trimFault(row.note))
		}
	}
}

// applied is a slice at the queue, from the request's flow to its answer's. A flow
// ends once: at the request or copy that arrives first.
func (t *tracer) applied(index int) {
	e := &t.h.Events[index]
	t.slice(index, far(e), join(t.what(e), " -> ", e.Answer.String()))
	if c := t.callOf(e); c.sent != nil && c.exchanges[0].applied.Seq == e.Seq {
		t.flow(e, far(e), "f", "request", e.Call)
	}
	if reply := t.exchangeOf(e).reply; reply != nil && reply.Kind == model.Answered {
		t.flow(e, far(e), "s", "answer", e.Seq)
	}
}

// slice lasts a microsecond, or until the next event: what is at one instant nests, and
// no two slices of a process cross.
func (t *tracer) slice(index int, at station, name string) {
	e := &t.h.Events[index]
	dur := model.Time(1000)
	for _, next := range t.h.Events[index+1:] {
		if next.At > e.At {
			dur = min(dur, next.At-e.At)
			break
		}
	}
	t.add(traceEvent{Phase: "X", Name: name, Cat: "message", TS: micros(e.At), Dur: micros(dur)}, at)
}

func (t *tracer) add(e traceEvent, at station) {
	if at == nowhere {
		return
	}
	e.PID, e.TID = t.pid(at), threadMessages
	t.events = append(t.events, e)
}

// flow begins or ends the nth arrow of its kind at the slice that was just written.
func (t *tracer) flow(e *model.Event, at station, phase, kind string, n int32) {
	bind := ""
	if phase == "f" {
		bind = "e"
	}
	t.add(traceEvent{Phase: phase, Name: kind, Cat: "message", TS: micros(e.At), ID: kind + " " + itoa(n), Bind: bind}, at)
}

func (t *tracer) instant(e *model.Event, at station, kind, name string) {
	t.add(traceEvent{Phase: "i", Name: name, Cat: kind, TS: micros(e.At), Scope: "p"}, at)
}

// leases are async events, since those of one worker may overlap.
func (t *tracer) leases() {
	last := model.Time(0)
	if n := len(t.h.Events); n > 0 {
		last = t.h.Events[n-1].At
	}
	for i, l := range leasesOf(t.h) {
		if l.on == nowhere {
			continue
		}
		to := last
		if l.to != 0 {
			to = t.h.Events[l.to-1].At
		}
		claim := &t.h.Events[l.from-1]
		e := traceEvent{Phase: "b", Name: "lease " + t.delivery(claim), Cat: "lease", PID: t.pid(l.on), TID: threadLeases,
			TS: micros(claim.At), ID: "lease " + itoa(i+1), Args: map[string]string{"token": itoa(claim.Token)}}
		end := e
		end.Phase, end.TS, end.Args = "e", micros(to), nil
		t.events = append(t.events, e, end)
	}
}
