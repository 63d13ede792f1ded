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
	point    faults.Point // its address; Nth is the number of the request
	from, to model.Proc
	marks    marks
	fromLife int32
	life     int32 // the life of to that may take it; anyLife for a request
	job      model.Job
	n        int32 // with job: the delivery for which a late message was decided
}

const anyLife = -1

// marks are the yes-or-no facts of an envelope.
type marks uint8

const (
	isLocal   marks = 1 << iota // beside each other: no link between
	isLate                      // its point is asked on arrival
	isRaw                       // it was injected, or answers what was: no link, no receiver
	isCopy                      // the network doubled it
	isSpare                     // it answers a copy, of which nothing is asked
	isRefused                   // the store is to refuse the effect
	hasWaited                   // it has arrived once, at a process that stood still
)

// postbag holds the letters that are being written or on their way.
type postbag[M Message] struct {
	letters []envelope[M]
	free    []int32
}

func (b *postbag[M]) reset() { b.letters, b.free = b.letters[:0], b.free[:0] }

// take returns a letter to be written, whose content is old, and its place. The
// pointer is good until the next take.
func (b *postbag[M]) take() (int32, *envelope[M]) {
	if n := len(b.free); n > 0 {
		ref := b.free[n-1]
		b.free = b.free[:n-1]
		return ref, &b.letters[ref]
	}
	ref := len(b.letters)
	if ref == cap(b.letters) {
		b.letters = append(b.letters, envelope[M]{})
	} else {
		b.letters = b.letters[:ref+1]
	}
	return place(ref), &b.letters[ref]
}

// put takes the letter ref back.
func (b *postbag[M]) put(ref int32) { b.free = append(b.free, ref) }

// linkState is what the links need besides the network: the seeds of its
// streams and the count of what was asked.
type linkState struct {
	draws                            bool // something is left to chance
	latency, loss, replyLoss, double model.Seed
	asked                            counter
}

func (l *linkState) reset(cfg Config) {
	l.draws = cfg.Network.draws()
	if s := cfg.Network.Seed; l.draws {
		l.latency, l.loss = s.Fork("network/latency"), s.Fork("network/loss")
		l.replyLoss, l.double = s.Fork("network/reply-loss"), s.Fork("network/duplicate")
	}
	l.asked.reset()
}

func (l *linkState) count(p *faults.Point) int32 { return l.asked.next(p) }

// send puts the letter ref of process from on its way, or loses it. It is asked
// about, and so has its number, be the link cut or not.
func (k *Kernel[M]) send(ref int32) {
	e := &k.fx.mail.letters[ref]
	e.fromLife = k.procs[e.from].life
	switch {
	case k.watched:
		k.sendWatched(ref)
	case e.marks&isLocal != 0:
		k.mail(k.now, ref)
	default:
		k.mail(k.now.Add(k.cfg.Network.Latency), ref)
	}
}

// sendWatched is send where somebody may have a say.
func (k *Kernel[M]) sendWatched(ref int32) {
	e := &k.fx.mail.letters[ref]
	var o faults.Outcome
	k.ask(e, &o)
	if e.marks&isLocal != 0 {
		k.forward(ref, k.now, &o)
		return
	}
	if len(k.cuts) > 0 && k.isCut(e.from, e.to) {
		k.lose(ref, model.ByPartition)
		return
	}
	k.forward(ref, k.now.Add(k.cfg.Network.Latency+k.jitter(&e.point)), &o)
}

// ask numbers the letter e and writes into o, which is empty, what happens to it, if
// it is a point. Here and below points and outcomes go by reference: a copy of what was
// just written field by field waits until all of that has reached the cache.
func (k *Kernel[M]) ask(e *envelope[M], o *faults.Outcome) {
	p := &e.point
	if !p.Reply && k.counts(p) {
		p.Nth = k.links.count(p)
	}
	if e.marks&(isLate|isSpare) == 0 && p.Job != model.NoJob && p.Nth > 0 {
		k.judge(p, e.marks, o)
	}
}

// answerRaw decides the fate of an answer to a message from outside, which
// crosses no link and reaches nobody.
func (k *Kernel[M]) answerRaw(ref int32) {
	e := &k.fx.mail.letters[ref]
	asked := e.marks&isSpare == 0 && e.point.Job != model.NoJob && k.asks(&e.point)
	if asked && k.cfg.Adversary.Decide(e.point).Has(faults.Drop) {
		k.lost(e, model.ByFault)
	}
	k.fx.mail.put(ref)
}

// counts reports whether requests at points such as p have to be told apart: for
// their own sake, or for that of their replies, which go by the same number.
func (k *Kernel[M]) counts(p *faults.Point) bool {
	if k.links.draws || k.asks(p) {
		return true
	}
	reply := *p
	reply.Reply = true
	return k.asks(&reply)
}

// judge asks adversary and chance about a message, and writes into o, which is empty,
// what they say. A message that chance loses is marked as such by the cause that lost
// reports.
func (k *Kernel[M]) judge(p *faults.Point, marks marks, o *faults.Outcome) {
	if k.asks(p) {
		*o = k.cfg.Adversary.Decide(*p)
	}
	n := &k.cfg.Network
	if !k.links.draws || marks&isLocal != 0 || n.Until > 0 && k.now >= n.Until {
		return
	}
	a, b := p.Address()
	switch {
	case o.Kinds.Has(faults.Drop):
	case drawn(k.links.loss, a, b, n.Loss), p.Reply && drawn(k.links.replyLoss, a, b, n.ReplyLoss):
		o.Kinds |= byChance
	case !p.Reply && !o.Kinds.Has(faults.Duplicate) && drawn(k.links.double, a, b, n.Duplicate):
		o.Kinds |= faults.Duplicate
		o.After = n.Latency + time.Millisecond
	}
}

// byChance marks a drop that the network drew by itself. It stands outside the
// kinds that a plan can hold.
const byChance faults.Kinds = 1 << 15

func drawn(s model.Seed, a, b uint64, ppm uint32) bool {
	return ppm > 0 && model.Below(s.Hash(a, b), Million) < ppm
}

func (k *Kernel[M]) jitter(p *faults.Point) time.Duration {
	j := k.cfg.Network.Jitter
	if j <= 0 {
		return 0
	}
	a, b := p.Address()
	return time.Duration(k.links.latency.Hash(a, b) % uint64(j+1))
}

// forward lets the letter ref arrive at the instant at, or as its outcome o says.
func (k *Kernel[M]) forward(ref int32, at model.Time, o *faults.Outcome) {
	if o.Kinds != 0 {
		k.disturbed(at, o)
		if o.Kinds.Has(faults.Duplicate) {
			k.mail(at.Add(o.After), k.double(ref))
		}
		switch {
		case o.Kinds.Has(faults.Drop):
			k.lose(ref, model.ByFault)
			return
		case o.Kinds.Has(byChance):
			k.lose(ref, model.ByChance)
			return
		case o.Kinds.Has(faults.Refuse):
			k.fx.mail.letters[ref].marks |= isRefused
		}
		at = at.Add(o.By)
	}
	k.mail(at, ref)
}

// double returns a copy of the letter ref.
func (k *Kernel[M]) double(ref int32) int32 {
	other, e := k.fx.mail.take()
	*e = k.fx.mail.letters[ref]
	e.marks = e.marks&^isLate | isCopy
	return other
}

// mail puts the letter ref into the agenda.
func (k *Kernel[M]) mail(at model.Time, ref int32) {
	k.live++
	k.agenda.push(entry{at, k.key(ordinary).about(aMessage, ref, 0)})
}

// arrive brings a message to its receiver, which it returns: it may be lost at the door,
// decided on there, or made to wait.
func (k *Kernel[M]) arrive(ref int32) (model.Proc, *process[M]) {
	e := &k.fx.mail.letters[ref]
	pr := &k.procs[e.to]
	if len(k.cuts) > 0 && e.marks&(hasWaited|isLocal) == 0 && k.isCut(e.from, e.to) {
		k.drop(ref, model.ByPartition)
		return model.NoProc, nil
	}
	if !pr.alive || e.life != anyLife && e.life != pr.life {
		k.drop(ref, k.deathOf(e.to))
		return model.NoProc, nil
	}
	if pr.paused {
		e.marks |= hasWaited
		pl := &k.plights[e.to]
		pl.inbox = append(pl.inbox, ref)
		k.touchPause(e.to)
		return model.NoProc, nil
	}
	k.live--
	k.show(e)
	if e.marks&isLate != 0 && k.watched && k.decideLate(ref) {
		return model.NoProc, nil
	}
	to := k.fx.mail.letters[ref].to
	k.fx.mail.put(ref)
	return to, &k.procs[to]
}

// show makes e the input of the step to come.
func (k *Kernel[M]) show(e *envelope[M]) {
	in := &k.in
	in.Kind, in.Slot, in.Stalled = Arrival, 0, false
	in.Copy, in.Raw, in.Refused = e.marks&isCopy != 0, e.marks&isRaw != 0, e.marks&isRefused != 0
	in.From, in.life, in.nth = e.from, e.fromLife, e.point.Nth
	in.Msg = e.msg
}

// decideLate asks about a message whose point is known only now, and reports
// whether it does not go on at this instant.
func (k *Kernel[M]) decideLate(ref int32) bool {
	e := &k.fx.mail.letters[ref]
	pr := &k.procs[e.to]
	asker, ok := pr.impl.(Asker[M])
	if !ok {
		return false
	}
	p, ok := asker.PointOf(k.now.Add(pr.skew), &k.in)
	if !ok || !k.counts(&p) {
		return false
	}
	p.Nth = k.links.count(&p)
	e.point.Nth, k.in.nth = p.Nth, p.Nth
	e.job, e.n = p.Job, p.N
	var o faults.Outcome
	k.judge(&p, e.marks, &o)
	switch {
	case o.Kinds&(faults.Drop|byChance|faults.Delay) != 0:
		e.marks &^= isLate
		k.forward(ref, k.now, &o)
		return true
	case o.Kinds.Has(faults.Duplicate):
		k.disturbed(k.now, &o)
		k.mail(k.now.Add(o.After), k.double(ref))
	}
	return false
}

// disturbed tells until when a delay or a copy of a message that would arrive
// at the instant at disturbs the run.
func (k *Kernel[M]) disturbed(at model.Time, o *faults.Outcome) {
	if o.Kinds&(faults.Delay|faults.Duplicate) != 0 && k.cfg.Disturbed != nil {
		k.cfg.Disturbed(at.Add(max(o.By, o.After)))
	}
}

// drop loses the letter ref, which was on its way.
func (k *Kernel[M]) drop(ref int32, why model.Cause) {
	k.live--
	k.lose(ref, why)
}

// lose ends the letter ref, which arrives nowhere.
func (k *Kernel[M]) lose(ref int32, why model.Cause) {
	k.lost(&k.fx.mail.letters[ref], why)
	k.fx.mail.put(ref)
}

// lost writes the record of a message that does not arrive.
func (k *Kernel[M]) lost(e *envelope[M], why model.Cause) {
	r := e.msg.Label()
	r.Kind, r.Cause = model.Lost, why
	if r.Job == model.NoJob && e.marks&isCopy == 0 {
		r.Job, r.N = e.job, e.n
	}
	if e.marks&isCopy != 0 {
		r.Flags |= model.IsCopy
	}
	if e.marks&isRaw != 0 {
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
