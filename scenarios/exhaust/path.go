package exhaust

import (
	"slices"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/sim/explore"
)

// moment is one action of a path, as those who were there would name it.
type moment struct {
	deed
	nth       int32 // the how manyeth request of its op, job and delivery
	count     int32 // reap, sweep, promote: the how manyeth that moved the job
	delay     int   // arrive: the moment at which the letter was sent
	step      model.Step
	copied    bool // arrive: the letter was a copy
	isOverdue bool // settle, beat: a heartbeat that was due while the worker stood still comes now
	isSent    bool // crash, pause: the settlement is on its way; it is the step behind which the worker is struck
	isBeating bool // settle: a heartbeat is sent while it is on its way
	isTrailed bool // settle: and others may speak before it comes
	isTrail   bool // beat: it was sent before the answer to the settlement was there
	isCalling bool // beat, give up: its worker waits for the outside service
	isInTime  bool // arrive: its speaker still waits for the answer
}

// unfold returns the actions of a trail in the numbers that its jobs and workers had
// at the start, whatever places they changed.
func (w *World) unfold(trail []explore.Action) []deed {
	var path []deed
	alike, own := w.Initial(), w.Initial()
	at := unmoved // by place in alike: the place in own
	for _, a := range trail {
		d := decode(a)
		mine := w.translate(d, &alike, &own, &at)
		path = append(path, mine)
		w.carryOut(&own, mine, nil)
		w.carryOut(&alike, d, nil)
		if w.scope.Symmetry {
			from, was := w.normalise(&alike), at
			for i := range at.jobs {
				at.jobs[i] = was.jobs[from.jobs[i]]
			}
			for i := range at.workers {
				at.workers[i] = was.workers[from.workers[i]]
			}
		}
	}
	return path
}

// translate puts d, which is enabled in alike, into the numbers of own.
func (w *World) translate(d deed, alike, own *State, at *places) deed {
	mine := d
	mine.job, mine.who = at.jobs[d.job], at.workers[d.who]
	if d.what == doArrive {
		l := alike.mail[d.n]
		if l.op != model.OpClaim {
			l.job = at.jobs[l.job]
		}
		if l.op == model.OpApply {
			l.who = w.representative(at.workers[l.who])
		}
		mine.n = uint8(slices.IndexFunc(own.letters(), func(o letter) bool {
			if o.op == model.OpApply {
				o.who = w.representative(o.who)
			}
			return o == l
		}))
	}
	return mine
}

// narrator walks a path and names its moments.
type narrator struct {
	w       *World
	s       State
	moments []moment
	sent    []sentLetter // letters on their way
}

type sentLetter struct {
	letter
	moment int
	copied bool
}

// narrate returns the moments of a path, and what workers could do next that has to wait
// until it is over: those who are at work, and those who would ask.
func (w *World) narrate(path []deed) (moments, unfinished []moment) {
	n := narrator{w: w, s: w.Initial()}
	for _, d := range path {
		n.tell(d)
	}
	for who := range w.workers {
		k := &n.s.workers[who]
		if !k.holds() || k.has(isPaused) || k.sends > 0 || k.isAnswered() || !w.takesTime(uint8(who), k) {
			continue
		}
		m := moment{deed: deed{what: doStep, op: model.OpApply, who: uint8(who), job: k.job, n: k.n}, nth: 1, step: w.nextStep(uint8(who), k)}
		if k.phase == settling {
			m.what, m.op = doSettle, k.verb
		}
		unfinished = append(unfinished, m)
	}
	for j := range w.jobs {
		unfinished = append(unfinished, moment{deed: deed{what: doClaim, op: model.OpClaim, job: uint8(j), n: n.s.jobs[j].n + 1}, nth: 1})
	}
	return n.moments, unfinished
}

func (n *narrator) tell(d deed) {
	m := moment{deed: d, nth: 1, delay: -1}
	k := n.s.workers[d.who]
	switch d.what {
	case doEnqueue:
		m.op, m.nth, m.deed.n = model.OpEnqueue, int32(n.s.jobs[d.job].sends)+1, 0
	case doClaim:
		m.job = uint8(n.w.queue(&n.s).first)
		m.deed.n = n.s.jobs[m.job].n + 1
		m.nth = n.earlier(func(o *moment) bool { return o.how == late && o.isLike(&m) })
	case doStep, doSettle, doBeat, doCrash, doPause, doGiveUp:
		m.job, m.deed.n = k.job, k.n
		m.step, m.isSent, m.isCalling = n.w.nextStep(d.who, &k), k.sends > 0, k.phase == calling
		comes := d.what == doBeat || d.what == doSettle && d.n != 0
		m.isTrailed, m.isTrail = d.what == doSettle && d.n == beatsUnderWay, d.what == doBeat && k.isAnswered()
		m.isOverdue, m.isBeating = comes && k.has(isOverdue) && !m.isTrailed, comes && d.what == doSettle && (m.isTrailed || !k.has(isOverdue))
		switch d.what {
		case doSettle:
			m.nth = int32(k.sends) + 1
		case doBeat:
			m.nth = n.earlier(func(o *moment) bool { return o.isLike(&m) })
		case doStep:
			m.op = model.OpApply
		case doGiveUp:
			m.op, m.nth = k.verb, int32(k.sends)
			if m.isCalling {
				m.op, m.nth = model.OpApply, 1
			}
		}
	case doJump:
		m.job = n.w.queue(&n.s).active[n.s.due+d.n-1] // the last one whose lease it ends
		m.count = n.earlier(func(o *moment) bool { return o.what == doJump })
	case doReap, doSweep, doPromote:
		m.count = n.earlier(func(o *moment) bool { return o.isLike(&m) })
	case doArrive:
		n.arrival(&m)
	}
	before := n.s
	n.w.carryOut(&n.s, d, nil)
	n.moments = append(n.moments, m)
	n.posted(&before, &m)
}

// side says on which side of its step a worker is struck.
func (m *moment) side() string {
	if m.isSent {
		return "after"
	}
	return "before"
}

// kind is the record that a request leaves whatever befalls it: that it was applied, or
// sent where that is late or never.
func (m *moment) kind() model.Kind {
	if m.how == dropped || m.how == late {
		return model.Sent
	}
	return model.Applied
}

// isLike reports whether o is the same action about the same delivery.
func (o *moment) isLike(m *moment) bool {
	return o.what == m.what && o.op == m.op && o.job == m.job && o.n == m.n
}

// earlier returns one more than how many moments so far are such.
func (n *narrator) earlier(such func(*moment) bool) int32 {
	count := int32(1)
	for i := range n.moments {
		if such(&n.moments[i]) {
			count++
		}
	}
	return count
}

// nextStep is the step before which a worker stands.
func (w *World) nextStep(who uint8, k *worker) model.Step {
	if k.phase == stepping {
		return w.workers[who].program[k.step]
	}
	return model.StepSettle
}

// posted notes which letter a moment has put on its way.
func (n *narrator) posted(before *State, m *moment) {
	if n.s.mailed <= before.mailed {
		return
	}
	for i, l := range n.s.letters() {
		if i == int(before.mailed) || l != before.mail[i] {
			n.sent = append(n.sent, sentLetter{l, len(n.moments) - 1, m.how == doubled})
			return
		}
	}
}

// arrival names the letter that arrives.
func (n *narrator) arrival(m *moment) {
	l := n.s.mail[m.deed.n]
	i := slices.IndexFunc(n.sent, func(s sentLetter) bool { return s.letter == l })
	s := n.sent[i]
	n.sent = slices.Delete(n.sent, i, i+1)
	m.delay, m.copied, m.op, m.job, m.deed.n = s.moment, s.copied, l.op, l.job, l.n
	if l.op == model.OpClaim {
		if q := n.w.queue(&n.s); q.first >= 0 {
			m.job, m.deed.n = uint8(q.first), n.s.jobs[q.first].n+1
		}
	}
	m.nth = n.moments[s.moment].nth
	_, isAnswered := n.w.waiting(&n.s, l)
	_, isCalled := n.w.calling(&n.s, l)
	m.isInTime = isAnswered || isCalled
	m.isInTime = m.isInTime || l.op.Admits() && !n.s.jobs[l.job].has(isSent)
	if m.op.Admits() {
		m.op = model.OpEnqueue
	}
}
