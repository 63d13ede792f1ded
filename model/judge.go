package model

import "time"

// Facts are what the properties must know of the world that is judged. A zero
// duration of a pump's period means that the pump is off.
type Facts struct {
	Toucher          bool // the queue tells what it touches
	TellsDue         bool // the queue tells when it is due, so that nobody asks a ledger's NextDue
	BoundsDeliveries bool // the queue declares deliveries-bounded
	MaxAttempts      int
	Forgets          bool // no history is kept: deliveries that were settled long ago may be forgotten
	// AsksLease: every claim and every extend asks for Lease, as in a world. An answer
	// that ends a lease otherwise is then no word to judge by.
	AsksLease bool
	// SeesClaims: each enqueue and claim that was applied is told, as in a world, so that
	// the claims of an incarnation can be counted.
	SeesClaims bool
	// TokensCount: a token is how often its job was claimed, as EchoMQ's is. It is asked of
	// queues that do not tell what they touch.
	TokensCount bool

	Lease, RetryDelay                   time.Duration
	ReapEvery, PromoteEvery, SweepEvery time.Duration
	MaxStalled                          int           // lapses that a sweep forgives; no property reads it yet
	Latency                             time.Duration // of the slowest message, jitter included; what faults add is not

	Queue, Pump Proc // the processes of the queue and its pump; NoProc when they never crash or step
	Workers     []WorkerFacts
	Fails       []int // by Job (0 unused): how many first deliveries return an error; missing is 0
}

// WorkerFacts are what the properties must know of one worker.
type WorkerFacts struct {
	Proc                Proc
	Work, Poll, Timeout time.Duration
	Heartbeat           time.Duration // 0 is off
	SettleRetries       int
	Steps               int // atomic steps after the work, each of which may be a call
}

// Judge folds a history, event by event, into one verdict per property. It is
// asked while the run goes on and keeps no history of its own.
type Judge struct {
	facts    Facts
	ledger   Ledger
	props    []*Property
	verdicts []Verdict
	moment   moment
	// seeing is for a queue that tells what it touches, and blind for one that does
	// not. checks are those of one of them.
	seeing, blind sight
	checks        *table
}

// sight is what can be judged: which checks an event calls for, so that the others
// are not called, and what is said of each property before anything happened.
type sight struct {
	checks table
	first  []Verdict
}

// table has for each kind and verb the checks before the fold and those after it.
type table [kindCount][opCount]struct{ before, after []column }

// column is one entry of the table: a check of the property with this number.
type column struct {
	prop  int
	check check
}

// NewJudge returns a judge of props in a world of facts. The slices of facts
// are read until the next Reset and must not change.
func NewJudge(facts Facts, props []*Property) *Judge {
	j := &Judge{props: props}
	for i, p := range props {
		j.seeing.enter(i, p, false)
		j.blind.enter(i, p, p.readsSets)
	}
	j.Reset(facts)
	return j
}

// enter enters property i, which cannot be judged if hidden.
func (s *sight) enter(i int, p *Property, hidden bool) {
	s.first = append(s.first, p.firstVerdict(hidden))
	if !hidden {
		s.checks.enter(i, p)
	}
}

// enter puts the checks of property i where its column is.
func (t *table) enter(i int, p *Property) {
	for k := range t {
		for op := range t[k] {
			if !p.covers(Kind(k), Op(op)) {
				continue
			}
			if p.before != nil {
				t[k][op].before = append(t[k][op].before, column{i, p.before})
			}
			if p.after != nil {
				t[k][op].after = append(t[k][op].after, column{i, p.after})
			}
		}
	}
}

// Reset makes j judge another run of the same properties, with its memory.
func (j *Judge) Reset(facts Facts) {
	j.facts, j.moment.facts = facts, &j.facts
	sight := &j.seeing
	if !facts.Toucher {
		sight = &j.blind
	}
	j.checks, j.verdicts = &sight.checks, append(j.verdicts[:0], sight.first...)
	j.ledger.Reset(facts)
}

// firstVerdict is what is said of p before anything happened.
func (p *Property) firstVerdict(hidden bool) Verdict {
	v := Verdict{Property: p.Name}
	switch {
	case p.Claim == Sometimes:
		v.Value, v.Witness.Says = Unknown, "it did not happen in this run"
	case hidden:
		v.Value, v.Witness.Says = Unknown, "the queue does not tell what it touches, and the property reads rows or sets"
	}
	return v
}

// Ledger returns what is true now. It is valid until the next Reset.
func (j *Judge) Ledger() *Ledger { return &j.ledger }

// Disturbed tells that a disturbance lasts until at, where no event says so (a
// message that a fault delays). The disturbances that events tell need no call.
func (j *Judge) Disturbed(at Time) { j.ledger.disturb(at) }

// Observe judges e, which touched these ids, and folds it into the ledger.
// Events come in the order of their history; Ended is the last. An event whose
// kind or verb does not exist changes the ledger only.
func (j *Judge) Observe(e *Event, touched []Touch) {
	j.moment.event, j.moment.touched = e, touched
	j.ledger.arrive(e, touched)
	if e.Kind >= kindCount || e.Op >= opCount {
		j.ledger.fold(e, touched)
		return
	}
	checks := &j.checks[e.Kind][e.Op]
	j.look(checks.before)
	j.ledger.fold(e, touched)
	j.look(checks.after)
	if e.Kind == Ended {
		j.endOfRun()
	}
}

// look lets each check of a list look at the moment.
func (j *Judge) look(list []column) {
	for i := range list {
		c := &list[i]
		switch f := c.check(&j.ledger, &j.moment); f {
		case beside:
		case fine:
			j.verdicts[c.prop].Evaluations++
		default:
			j.enter(c.prop, f)
		}
	}
}

func (j *Judge) endOfRun() {
	for i, p := range j.props {
		if p.end != nil {
			j.enter(i, p.end(&j.ledger, &j.moment))
		}
	}
}

// enter writes a finding into verdict i. The first breach stands for good; only
// a breach replaces an unknown.
func (j *Judge) enter(i int, f finding) {
	if f == beside {
		return
	}
	v := &j.verdicts[i]
	v.Evaluations++
	value := Broken
	if j.props[i].Claim == Sometimes {
		value = Held
	}
	switch {
	case f == hit && v.Value != value:
		v.Value, v.Witness = value, j.moment.witness()
	case f == unsure && v.Value == Held:
		v.Value, v.Witness = Unknown, j.moment.witness()
	}
}

// Verdicts returns one verdict per property, in the order in which NewJudge was
// given them. It may be asked at any time; drains and the second half of no-loss
// are judged by the event Ended.
func (j *Judge) Verdicts() []Verdict { return j.AppendVerdicts(nil) }

// AppendVerdicts appends what Verdicts returns to list.
func (j *Judge) AppendVerdicts(list []Verdict) []Verdict { return append(list, j.verdicts...) }
