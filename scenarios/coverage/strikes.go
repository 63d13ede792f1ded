package coverage

import (
	"slices"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// Strikes is which faults struck at which phases of one run.
type Strikes [FaultCount]Phases

// Of returns what struck in a run of s that left the history h. The plan is what
// went wrong: that of a random world, or the story's own if all of it fired, but for
// windows that are written `fault?`, which are taken for such as changed nothing. The
// touches of a queue that tells none say nothing of the pump: then it is nowhere.
func Of(s *scenarios.Story, plan faults.Plan, h *model.History) (all Strikes) {
	for i := range plan {
		all.point(&plan[i])
	}
	r := newReading(s, plan, &all)
	for i := range h.Events {
		r.read(&h.Events[i], h.TouchedBy(h.Events[i].Seq))
	}
	return all
}

func (s *Strikes) add(f Fault, at Phases) { s[f] |= at }

// ofKind are the rows of faults that have one.
var ofKind = []struct {
	kind  faults.Kinds
	fault Fault
}{
	{faults.Drop, Drop}, {faults.Delay, Delay}, {faults.Duplicate, Duplicate}, {faults.Refuse, Error},
	{faults.Crash, Crash}, {faults.Pause, Pause},
}

// point takes an entry whose point tells the phase. A random world writes down a
// message or a step when it is struck, and a window as `fault?` until it is.
func (s *Strikes) point(e *faults.Entry) {
	if e.Point.Family == faults.Slot {
		if e.Point.Slot == faults.SlotStall && !e.Optional {
			s.add(Stall, setOf(Heartbeat))
		}
		return
	}
	phase, ok := phaseOfStep(e.Point.Step), true
	if e.Point.Family == faults.Message {
		phase, ok = phaseOfMessage(e.Point.Op, e.Point.Reply)
	}
	for _, k := range ofKind {
		if !ok || !e.Outcome.Has(k.kind) {
			continue
		}
		if k.fault == Drop && e.Point.Reply {
			k.fault = DropReply
		}
		s.add(k.fault, setOf(phase))
	}
}

// reading is a history while it is read: where everybody is, and which links are
// cut and have lost nothing yet.
type reading struct {
	strikes *Strikes
	plan    faults.Plan
	parties []party      // by Proc; the queue's and the pump's are of no meaning
	by      []model.Proc // by Job: who enqueues it, until told that it is in
	pump    pump
	cuts    []model.Proc // the far ends of the links
}

func newReading(s *scenarios.Story, plan faults.Plan, strikes *Strikes) *reading {
	r := &reading{strikes: strikes, plan: plan, pump: newPump(s), by: []model.Proc{model.NoProc}}
	r.parties = make([]party, int(faults.Pump)+1, int(faults.Pump)+1+len(s.Producers)+len(s.Workers))
	for range s.Producers {
		r.parties = append(r.parties, party{next: Enqueue})
	}
	for i := range s.Workers {
		w := &s.Workers[i]
		r.parties = append(r.parties, party{worker: true, consumer: w.Consumer, early: w.EarlyAck, next: Claim})
	}
	for i := range s.Jobs {
		r.by = append(r.by, s.Jobs[i].By)
		r.parties[s.Jobs[i].By].left++
	}
	return r
}

// read takes one more record: a window strikes those who are where they were before
// it.
func (r *reading) read(e *model.Event, touched []model.Touch) {
	switch e.Kind {
	case model.Crashed:
		r.window(Crash, faults.SlotCrash, e)
	case model.Paused:
		r.window(Pause, faults.SlotPause, e)
	case model.ClockSet:
		r.strikes.add(Clock, r.at(e.Proc, e.At))
	case model.Cut:
		r.cuts = append(r.cuts, farEnd(e))
	case model.Healed:
		if i := slices.Index(r.cuts, farEnd(e)); i >= 0 {
			r.cuts = slices.Delete(r.cuts, i, i+1)
		}
	case model.Lost:
		r.lost(e)
	case model.Admitted:
		r.admitted(e)
	}
	r.pump.observe(e, touched)
	if p := r.party(e.Proc); p != nil {
		p.observe(e)
	}
}

// farEnd returns the end of a cut link that is not the queue.
func farEnd(e *model.Event) model.Proc {
	if e.Proc == faults.Queue {
		return e.Peer
	}
	return e.Proc
}

// party returns the producer or worker p, nil if it is none.
func (r *reading) party(p model.Proc) *party {
	if p <= faults.Pump || int(p) >= len(r.parties) {
		return nil
	}
	return &r.parties[p]
}

// window takes a crash or a pause that begins at a time, and changes something. One at
// a step of a worker is in the plan.
func (r *reading) window(f Fault, slot faults.SlotKind, e *model.Event) {
	if e.Proc == faults.Queue {
		f = ServerRestart
	}
	if slices.ContainsFunc(r.plan, func(n faults.Entry) bool {
		return n.Point.Family == faults.Slot && n.Point.Slot == slot && n.Point.Proc == e.Proc && n.Outcome.At == e.At && !n.Optional
	}) {
		r.strikes.add(f, r.at(e.Proc, e.At))
	}
}

// at returns the phases of p at the instant now; of the queue those of all.
func (r *reading) at(p model.Proc, now model.Time) (at Phases) {
	switch party := r.party(p); {
	case p == faults.Pump:
		return r.pump.at(now)
	case party != nil:
		return party.at()
	}
	at = r.pump.at(now)
	for i := int(faults.Pump) + 1; i < len(r.parties); i++ {
		at |= r.parties[i].at()
	}
	return at
}

// lost lets the cuts of a link strike that have lost nothing before.
func (r *reading) lost(e *model.Event) {
	phase, ok := phaseOfMessage(e.Op, e.Has(model.IsReply))
	if e.Cause != model.ByPartition || !ok || !slices.Contains(r.cuts, e.Proc) {
		return
	}
	r.strikes.add(Partition, setOf(phase))
	r.cuts = slices.DeleteFunc(r.cuts, func(p model.Proc) bool { return p == e.Proc })
}

// admitted lets a producer be done with a job.
func (r *reading) admitted(e *model.Event) {
	if int(e.Job) >= len(r.by) || r.by[e.Job] == model.NoProc {
		return
	}
	r.parties[r.by[e.Job]].left--
	r.by[e.Job] = model.NoProc
}
