package sim

import (
	"time"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
)

// Network is what every link does by itself. What is drawn is a hash of the
// seed and the message's point, so that one more message moves no other draw.
type Network struct {
	Latency   time.Duration // each way
	Jitter    time.Duration // up to so much more, drawn
	Loss      uint32        // parts per million of all messages that are points
	ReplyLoss uint32        // parts per million of replies, besides Loss
	Duplicate uint32        // parts per million of requests
	Until     model.Time    // draws stop here; 0: never
	Seed      model.Seed
}

// Million is the denominator of a Network's ratios.
const Million = 1_000_000

// draws reports whether anything is left to chance.
func (n *Network) draws() bool {
	return n.Jitter > 0 || n.Loss > 0 || n.ReplyLoss > 0 || n.Duplicate > 0
}

// envelope is a message on its way.
type envelope[M Message] struct {
	msg      M
	from, to model.Proc
	fromLife int32
	life     int32 // the life of to that may take it; anyLife for a request
	nth      int32 // the number of the request
	job      model.Job
	n        int32 // with job: the delivery for which a late message was decided
	local    bool
	late     bool
	raw      bool
	copy     bool
	refused  bool
	waited   bool // it has arrived once, at a process that stood still
}

// linkState is what the links need besides the network: the seeds of its
// streams and the count of what was asked.
type linkState struct {
	latency, loss, replyLoss, double model.Seed
	asked                            counter
}

func (l *linkState) reset(cfg Config) {
	if s := cfg.Network.Seed; cfg.Network.draws() {
		l.latency, l.loss = s.Fork("network/latency"), s.Fork("network/loss")
		l.replyLoss, l.double = s.Fork("network/reply-loss"), s.Fork("network/duplicate")
	}
	l.asked.reset()
}

func (l *linkState) count(p faults.Point) int32 { return l.asked.next(p) }

// send puts one message of process from on its way, or loses it. It is asked
// about, and so has its number, be the link cut or not.
func (k *Kernel[M]) send(from model.Proc, s *sending[M]) {
	e := envelope[M]{
		msg: s.msg, from: from, to: s.to, fromLife: k.procs[from].life,
		life: s.life, local: s.local, late: s.late,
	}
	p := s.point
	if !p.Reply && k.counts(p) {
		p.Nth = k.links.count(p)
	}
	e.nth = p.Nth
	var o faults.Outcome
	if !s.late && !s.spare && p.Job != model.NoJob && p.Nth > 0 {
		o = k.judge(p, &e)
	}
	if !s.local && k.isCut(from, s.to) {
		k.lost(&e, model.ByPartition)
		return
	}
	at := k.now
	if !s.local {
		at = at.Add(k.cfg.Network.Latency + k.jitter(p))
	}
	k.forward(&e, at, o)
}

// answerRaw decides the fate of an answer to a message from outside, which
// crosses no link and reaches nobody.
func (k *Kernel[M]) answerRaw(s *sending[M]) {
	if s.spare || s.point.Job == model.NoJob || !k.asks(s.point) {
		return
	}
	if k.cfg.Adversary.Decide(s.point).Has(faults.Drop) {
		k.lost(&envelope[M]{msg: s.msg, raw: true}, model.ByFault)
	}
}

// counts reports whether requests at points such as p have to be told apart: for
// their own sake, or for that of their replies, which go by the same number.
func (k *Kernel[M]) counts(p faults.Point) bool {
	if k.cfg.Network.draws() || k.asks(p) {
		return true
	}
	p.Reply = true
	return k.asks(p)
}

// judge asks adversary and chance about a message. A message that chance loses
// is marked as such by the cause that lost reports.
func (k *Kernel[M]) judge(p faults.Point, e *envelope[M]) faults.Outcome {
	var o faults.Outcome
	if k.asks(p) {
		o = k.cfg.Adversary.Decide(p)
	}
	n := &k.cfg.Network
	if !n.draws() || e.local || n.Until > 0 && k.now >= n.Until {
		return o
	}
	a, b := p.Address()
	switch {
	case o.Has(faults.Drop):
	case drawn(k.links.loss, a, b, n.Loss), p.Reply && drawn(k.links.replyLoss, a, b, n.ReplyLoss):
		o.Kinds |= byChance
	case !p.Reply && !o.Has(faults.Duplicate) && drawn(k.links.double, a, b, n.Duplicate):
		o.Kinds |= faults.Duplicate
		o.After = n.Latency + time.Millisecond
	}
	return o
}

// byChance marks a drop that the network drew by itself. It stands outside the
// kinds that a plan can hold.
const byChance faults.Kinds = 1 << 15

func drawn(s model.Seed, a, b uint64, ppm uint32) bool {
	return ppm > 0 && model.Below(s.Hash(a, b), Million) < ppm
}

func (k *Kernel[M]) jitter(p faults.Point) time.Duration {
	j := k.cfg.Network.Jitter
	if j <= 0 {
		return 0
	}
	a, b := p.Address()
	return time.Duration(k.links.latency.Hash(a, b) % uint64(j+1))
}

// forward schedules e for the instant at, as its outcome o says.
func (k *Kernel[M]) forward(e *envelope[M], at model.Time, o faults.Outcome) {
	k.disturbed(at, o)
	if o.Has(faults.Duplicate) {
		double := *e
		double.copy, double.late = true, false
		k.mail(at.Add(o.After), &double)
	}
	switch {
	case o.Has(faults.Drop):
		k.lost(e, model.ByFault)
		return
	case o.Has(byChance):
		k.lost(e, model.ByChance)
		return
	}
	e.refused = e.refused || o.Has(faults.Refuse)
	k.mail(at.Add(o.By), e)
}

func (k *Kernel[M]) mail(at model.Time, e *envelope[M]) {
	k.live++
	k.agenda.push(entry{at: at, key: k.key(ordinary), ref: k.letter(*e), what: aMessage})
}

// letter stores e and returns its index.
func (k *Kernel[M]) letter(e envelope[M]) int32 {
	if n := len(k.free); n > 0 {
		ref := k.free[n-1]
		k.free = k.free[:n-1]
		k.letters[ref] = e
		return ref
	}
	k.letters = append(k.letters, e)
	return int32(len(k.letters) - 1)
}

// arrive brings a message to its receiver: it may be lost at the door, decided
// on there, or made to wait.
func (k *Kernel[M]) arrive(ref int32) {
	e := &k.letters[ref]
	pr := &k.procs[e.to]
	switch {
	case !e.waited && !e.local && k.isCut(e.from, e.to):
		k.lose(ref, model.ByPartition)
		return
	case !pr.alive || e.life != anyLife && e.life != pr.life:
		k.lose(ref, k.deathOf(e.to))
		return
	case pr.paused:
		e.waited = true
		pr.inbox = append(pr.inbox, ref)
		k.touchPause(e.to)
		return
	}
	to := e.to
	k.in = Input[M]{
		Kind: Arrival, From: e.from, Msg: e.msg, life: e.fromLife, nth: e.nth,
		Copy: e.copy, Raw: e.raw, Refused: e.refused,
	}
	if e.late && k.decideLate(ref) {
		return
	}
	k.release(ref)
	k.run(to, faults.Point{})
}

// decideLate asks about a message whose point is known only now, and reports
// whether it does not go on at this instant.
func (k *Kernel[M]) decideLate(ref int32) bool {
	e := k.letters[ref]
	pr := &k.procs[e.to]
	if pr.asker == nil || k.cfg.Adversary == nil && !k.cfg.Network.draws() {
		return false
	}
	p, ok := pr.asker.PointOf(k.now.Add(pr.skew), &k.in)
	if !ok || !k.counts(p) {
		return false
	}
	p.Nth = k.links.count(p)
	e.nth, k.in.nth = p.Nth, p.Nth
	e.job, e.n = p.Job, p.N
	o := k.judge(p, &e)
	if o.Kinds&(faults.Drop|byChance|faults.Delay|faults.Duplicate) == 0 {
		return false
	}
	e.late = false
	if o.Kinds&(faults.Drop|byChance|faults.Delay) != 0 {
		k.release(ref)
		k.forward(&e, k.now, o)
		return true
	}
	k.disturbed(k.now, o)
	e.copy = true
	k.mail(k.now.Add(o.After), &e)
	return false
}

// disturbed tells until when a delay or a copy of a message that would arrive
// at the instant at disturbs the run.
func (k *Kernel[M]) disturbed(at model.Time, o faults.Outcome) {
	if o.Kinds&(faults.Delay|faults.Duplicate) != 0 && k.cfg.Disturbed != nil {
		k.cfg.Disturbed(at.Add(max(o.By, o.After)))
	}
}

// release frees the letter ref: it is on its way no more.
func (k *Kernel[M]) release(ref int32) {
	k.live--
	k.free = append(k.free, ref)
}

func (k *Kernel[M]) lose(ref int32, why model.Cause) {
	k.lost(&k.letters[ref], why)
	k.release(ref)
}

// lost writes the record of a message that does not arrive.
func (k *Kernel[M]) lost(e *envelope[M], why model.Cause) {
	r := e.msg.Label()
	r.Kind, r.Cause = model.Lost, why
	if r.Job == model.NoJob && !e.copy {
		r.Job, r.N = e.job, e.n
	}
	if e.copy {
		r.Flags |= model.IsCopy
	}
	if e.raw {
		r.Flags |= model.IsRaw
	}
	k.record(r)
}

func (k *Kernel[M]) deathOf(p model.Proc) model.Cause {
	if p == k.cfg.Server {
		return model.ByOutage
	}
	return model.ByDeath
}
