package coverage

import (
	"slices"
	"time"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/actors"
)

// party follows one worker or producer through a history.
type party struct {
	consumer actors.Consumer
	worker   bool
	early    bool // it settles before the work
	settled  bool // early: the settlement is behind it
	dead     bool
	next     Phase
	call     int32 // what it waits for; 0 for nothing
	beat     int32 // the extend that is on its way; 0 for none
	left     int   // of a producer: jobs of which it was not told that they are in
}

// at returns the phases that the party is at.
func (p *party) at() Phases {
	switch {
	case p.dead || !p.worker && p.left == 0:
		return 0
	case p.beat != 0:
		return setOf(p.next) | setOf(Heartbeat)
	}
	return setOf(p.next)
}

// observe follows what the worker was seen to do.
func (p *party) observe(e *model.Event) {
	switch e.Kind {
	case model.Crashed:
		p.dead, p.call, p.beat = true, 0, 0
	case model.Restarted:
		p.dead, p.settled = false, false
		p.idle()
	case model.Sent:
		p.sent(e)
	case model.Applied:
		p.applied(e)
	case model.Answered:
		p.answered(e)
	case model.Lost:
		if e.Call == p.beat && !e.Has(model.IsCopy) {
			p.beat = 0
		}
	case model.TimedOut:
		if e.Op != model.OpApply {
			p.idle()
		}
	case model.Failed:
		p.settles()
	case model.Checked, model.Marked, model.Effected, model.Absorbed:
		p.stepped(e)
	}
}

// idle lets a worker ask for the next job; a producer only ever enqueues.
func (p *party) idle() {
	p.call = 0
	if p.worker {
		p.next = Claim
	}
}

func (p *party) sent(e *model.Event) {
	switch {
	case e.Op == model.OpExtend:
		p.beat = e.Call
	case e.Op == model.OpClaim:
		p.next, p.call = Claim, e.Call
	case e.Op.Settles():
		p.next, p.call = Settle, e.Call
	}
}

func (p *party) applied(e *model.Event) {
	switch {
	case e.Call == 0 || e.Call != p.call:
	case e.Op == model.OpClaim:
		p.next = ClaimReply
	default:
		p.next = SettleReply
	}
}

func (p *party) answered(e *model.Event) {
	switch {
	case e.Call == p.beat:
		p.beat = 0
	case e.Call != p.call || e.Has(model.IsLate):
	case e.Op == model.OpClaim && e.Answer == model.OK:
		p.call, p.settled = 0, false
		p.works()
	case e.Op != model.OpClaim && p.early && !p.settled:
		p.call, p.settled = 0, true
		p.works()
	default:
		p.idle()
	}
}

// works begins with the job, or with an early ack settles it.
func (p *party) works() {
	if p.early && !p.settled {
		p.next = Settle
		return
	}
	p.next = phaseOfStep(p.consumer.Program()[0])
}

// settles is done with the work.
func (p *party) settles() {
	if p.settled {
		p.idle()
		return
	}
	p.next = Settle
}

// stepped goes on to the step that follows. A call to the outside is not over
// when it was served there, and a handler's next step is not known: both stay
// where they are until they settle.
func (p *party) stepped(e *model.Event) {
	program := p.consumer.Program()
	i := slices.Index(program, e.Step)
	switch {
	case p.consumer.Calls() || i < 0:
	case e.Kind == model.Checked && e.Has(model.IsFound), i+1 == len(program):
		p.settles()
	default:
		p.next = phaseOfStep(program[i+1])
	}
}

// phaseOfStep returns the phase that a step is.
func phaseOfStep(s model.Step) Phase {
	switch s {
	case model.StepClaim:
		return ClaimReply // a worker can be struck after it only, when the answer is there
	case model.StepCheck, model.StepRead:
		return Check
	case model.StepMark, model.StepClose, model.StepCommit:
		return Mark
	case model.StepSettle:
		return Settle
	}
	return Apply
}

// phaseOfMessage returns the phase that a message is; ok is false for what is no
// message of the protocol's.
func phaseOfMessage(op model.Op, reply bool) (p Phase, ok bool) {
	switch {
	case op.Admits():
		return Enqueue, true
	case op == model.OpApply:
		return Apply, true
	case op == model.OpExtend:
		return Heartbeat, true
	case (op == model.OpClaim || op == model.OpReadPause) && reply:
		return ClaimReply, true
	case op == model.OpClaim || op == model.OpReadPause:
		return Claim, true
	case op.Settles() && reply:
		return SettleReply, true
	case op.Settles():
		return Settle, true
	}
	return 0, false
}

// duty is what the pump does at each multiple of a period.
type duty struct {
	phase Phase
	every time.Duration // 0: never
}

// pump follows the pump: what it will have to do first.
type pump struct {
	ledger *model.Ledger
	duties [3]duty
	skew   model.Time // of the queue's clock
	dead   bool
}

func newPump(s *scenarios.Story) pump {
	q := &s.Queue
	return pump{
		ledger: model.NewLedger(model.Facts{Toucher: true, Lease: q.Lease, MaxAttempts: q.MaxAttempts, Queue: faults.Queue, Pump: faults.Pump}),
		duties: [3]duty{{Reap, q.ReapEvery}, {Promote, q.PromoteEvery}, {Sweep, q.SweepEvery}},
	}
}

func (p *pump) observe(e *model.Event, touched []model.Touch) {
	p.ledger.Observe(e, touched)
	switch {
	case e.Kind == model.ClockSet && e.Proc == faults.Queue:
		p.skew = model.Time(e.Skew)
	case e.Kind == model.Crashed && e.Proc == faults.Pump:
		p.dead = true
	case e.Kind == model.Restarted && e.Proc == faults.Pump:
		p.dead = false
	}
}

// at returns the duty at whose tick something will be due first.
func (p *pump) at(now model.Time) (at Phases) {
	if p.dead {
		return 0
	}
	lapse, run := p.ledger.NextDue()
	first := model.Never
	for _, d := range p.duties {
		due := lapse
		if d.phase == Promote {
			due = run
		}
		if d.every <= 0 || due == model.Never {
			continue
		}
		if tick := max(now, due-p.skew).Next(0, d.every); tick < first {
			first, at = tick, setOf(d.phase)
		}
	}
	return at
}
