package exhaust

import (
	"slices"
	"time"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// A path orders what happens and gives no time. To make it concrete is to find
// delays, pauses, restarts, jumps and instants of acts under which the timed
// simulator goes through it in that order. What is prompt in a path the simulator
// does by itself. What is free is put right behind the moment before it: the story
// is run as far as it is known, the history tells when that moment was, and a
// little later is when the free one has to come. One after the other, every free
// time of the path is found so; this solves its order constraints from left to
// right, and each run checks them.
//
// Where the result does not break the property, other clocks are tried: how much a
// little is, then how long the lease and the retry-delay are beside other times. If
// none will do, the path is abstract only.

// clocks are what a path is tried with.
type clocks struct {
	little time.Duration
	lease  func(*World) time.Duration // the lease; nil leaves it
	retry  func(*World) time.Duration // the retry-delay; nil leaves it
}

var longLease = func(w *World) time.Duration { return 10*w.story.Queue.Lease + w.longestLife() }
var longRetry = func(w *World) time.Duration { return 4 * w.story.Queue.Lease }
var shortLease = func(w *World) time.Duration { return time.Second }

var allClocks = []clocks{
	{little: time.Millisecond},
	{little: 0},
	{little: time.Microsecond},
	{little: 30 * time.Millisecond},
	{little: time.Millisecond, retry: longRetry},
	{little: time.Millisecond, lease: longLease},
	{little: time.Millisecond, lease: longLease, retry: longRetry},
	{little: time.Millisecond, lease: shortLease},
	{little: time.Second, retry: longRetry},
	{little: 0, retry: longRetry},
}

// longestLife returns how long a marker lives at most.
func (w *World) longestLife() (life time.Duration) {
	for i := range w.story.Workers {
		life = max(life, w.story.Workers[i].MarkerLife)
	}
	return life
}

// far is later than all that a path waits for.
const far = 10 * time.Hour

// Concrete is a path as a story that the timed simulator has replayed.
type Concrete struct {
	Story   *scenarios.Story
	Outcome *scenarios.Outcome // its history is the story's own
}

// concrete returns the path as a story in which property is broken, or nil.
func (w *World) concrete(path []deed, property string) (*Concrete, error) {
	moments := w.narrate(path)
	for _, c := range allClocks {
		s := solver{w: w, moments: moments, clocks: c, runner: scenarios.NewRunner(), entries: make([]int, len(moments))}
		if s.solve(); s.err != nil {
			return nil, s.err
		}
		if s.isStuck {
			continue
		}
		found, err := s.confirm(property)
		if found != nil || err != nil {
			return found, err
		}
	}
	return nil, nil
}

// solver makes one path concrete under one choice of clocks.
type solver struct {
	w       *World
	moments []moment
	clocks  clocks
	runner  *scenarios.Runner
	story   scenarios.Story
	entries []int // by moment: which fault of the plan is its own
	history *model.History
	isStuck bool
	err     error
}

// bare returns the story of the world with nothing that goes wrong in it.
func (s *solver) bare() scenarios.Story {
	b := *s.w.story
	b.Plan, b.Dos, b.Expects, b.Chaos, b.MayBreak, b.NoChaos = nil, nil, nil, nil, nil, true
	b.HasHistory, b.History, b.Spoken, b.Quiet, b.Seed = false, "", nil, 0, 0
	b.Network = scenarios.Network{Latency: max(b.Network.Latency, time.Microsecond)}
	b.Speakers = nil
	if slices.ContainsFunc(s.moments, func(m moment) bool { return m.what == doAct }) {
		b.Speakers = []string{s.w.speaker()}
	}
	b.Jobs, b.Workers = slices.Clone(b.Jobs), slices.Clone(b.Workers)
	for i := range b.Jobs {
		b.Jobs[i].At = 0
	}
	if s.clocks.lease != nil {
		b.Queue.Lease = s.clocks.lease(s.w)
	}
	if s.clocks.retry != nil {
		b.Queue.RetryDelay = s.clocks.retry(s.w)
	}
	b.Horizon = max(b.Horizon, far/2)
	return b
}

// speaker returns a name for who speaks beside the workers.
func (w *World) speaker() string {
	name := "op"
	names := w.story.Cast().Names.Procs
	for slices.Contains(names, name) {
		name += "x"
	}
	return name
}

// solve finds all times of the path, from left to right.
func (s *solver) solve() {
	s.story = s.bare()
	for i := range s.moments {
		if s.isStuck || s.err != nil {
			return
		}
		s.place(i)
	}
}

// place gives moment i its fault, or its time.
func (s *solver) place(i int) {
	m := &s.moments[i]
	switch m.what {
	case doEnqueue:
		if m.nth == 1 && i > 0 {
			s.run()
			s.story.Jobs[m.job].At = s.free(i)
		}
	case doArrive:
		s.arrive(i)
	case doWake, doRestart:
		s.back(i)
	case doCrash, doPause:
		s.strike(i)
	case doJump, doLose, doAct:
		s.run()
		s.mishap(i)
	}
	if m.how != fine {
		s.fate(i)
	}
}

// run runs the story as far as it is known.
func (s *solver) run() {
	out, err := s.runner.Run(&s.story, scenarios.Options{MaxSteps: 200_000})
	if s.err = err; err == nil {
		s.history = out.History
	}
}

// free returns when moment i may come: a little after all that comes before it.
func (s *solver) free(i int) model.Time {
	var at model.Time
	for k := range s.moments[:i] {
		if seen, ok := s.seen(&s.moments[k]); ok {
			at = max(at, seen)
		}
	}
	return at.Add(s.clocks.little)
}

// add puts a fault into the plan.
func (s *solver) add(i int, p faults.Point, o faults.Outcome) {
	s.entries[i] = len(s.story.Plan)
	s.story.Plan = append(s.story.Plan, faults.Entry{Point: p, Outcome: o})
}

// outcome returns what the fault of moment i does.
func (s *solver) outcome(i int) *faults.Outcome { return &s.story.Plan[s.entries[i]].Outcome }

// fate puts what befalls the message of moment i into the plan. One that is late or
// doubled is far away until the moment at which it arrives is placed.
func (s *solver) fate(i int) {
	m := &s.moments[i]
	p := faults.Point{Family: faults.Message, Op: m.op, Job: model.Job(m.job) + 1, N: int32(m.n), Nth: m.nth}
	o := faults.Outcome{Kinds: kindOf(hows[m.how])}
	switch m.how {
	case answerDropped:
		p.Reply = true
	case late:
		o.By = far
	case doubled:
		o.After = far
	}
	s.add(i, p, o)
}

// arrive lets a letter arrive at its time: that much after it would have arrived
// without its fault.
func (s *solver) arrive(i int) {
	m := &s.moments[i]
	full := s.story.Plan
	at := s.entries[m.delay]
	s.story.Plan = slices.Concat(full[:at], full[at+1:])
	s.run()
	s.story.Plan = full
	if s.err != nil {
		return
	}
	base, ok := s.seen(&s.moments[m.delay])
	if s.run(); s.err != nil {
		return
	}
	later := s.free(i).Sub(base)
	if s.isStuck = !ok || later <= 0; s.isStuck {
		return
	}
	if m.copied {
		s.outcome(m.delay).After = later
	} else {
		s.outcome(m.delay).By = later
	}
}

// strike crashes or pauses a worker before its next step, until it is known for how
// long. Which of several workers got the delivery is seen in the run.
func (s *solver) strike(i int) {
	m := &s.moments[i]
	if s.run(); s.err != nil {
		return
	}
	claim := moment{deed: deed{what: doClaim, job: m.job, n: m.n}}
	e := s.event(&claim)
	if e == nil {
		s.isStuck = true
		return
	}
	if s.isAsleep(i) {
		s.add(i, faults.Point{Family: faults.Slot, Slot: faults.SlotCrash, Proc: e.Proc, Nth: s.nthSlot(e.Proc)},
			faults.Outcome{Kinds: faults.Crash, At: s.free(i)})
		return
	}
	o := faults.Outcome{Kinds: faults.Crash}
	if m.what == doPause {
		o = faults.Outcome{Kinds: faults.Pause, For: far}
	}
	s.add(i, faults.Point{Family: faults.Step, Proc: e.Proc, Step: m.step, Job: model.Job(m.job) + 1, N: int32(m.n), Nth: 1}, o)
}

// nthSlot numbers the crashes at a time of one process.
func (s *solver) nthSlot(p model.Proc) int32 {
	n := int32(1)
	for i := range s.story.Plan {
		if pt := &s.story.Plan[i].Point; pt.Family == faults.Slot && pt.Slot == faults.SlotCrash && pt.Proc == p {
			n++
		}
	}
	return n
}

// isAsleep reports whether moment i is the crash of a worker that stands still.
func (s *solver) isAsleep(i int) bool {
	m := &s.moments[i]
	if m.what != doCrash {
		return false
	}
	for k := i - 1; k >= 0; k-- {
		if o := &s.moments[k]; o.who == m.who && (o.what == doPause || o.what == doWake) {
			return o.what == doPause
		}
	}
	return false
}

// back brings a worker back, from the last strike on it.
func (s *solver) back(i int) {
	k := i - 1
	for s.moments[k].who != s.moments[i].who || s.moments[k].what != doCrash && s.moments[k].what != doPause {
		k--
	}
	if s.run(); s.err != nil {
		return
	}
	p, kind := s.story.Plan[s.entries[k]].Point, model.Paused
	if s.moments[k].what == doCrash {
		kind = model.Crashed
	}
	e := s.last(func(e *model.Event) bool { return e.Kind == kind && e.Proc == p.Proc })
	if e == nil {
		s.isStuck = true
		return
	}
	span := s.free(i).Sub(e.At)
	if span <= 0 {
		span = time.Microsecond
	}
	if o := s.outcome(k); kind == model.Paused {
		o.For = span
	} else {
		o.Restart, o.Restarts = span, true
	}
}

// mishap puts a jump, a crash of the queue or an act at its time.
func (s *solver) mishap(i int) {
	if s.err != nil {
		return
	}
	m, at := &s.moments[i], s.free(i)
	switch m.what {
	case doJump:
		s.add(i, faults.Point{Family: faults.Slot, Slot: faults.SlotClock, Proc: faults.Queue, Nth: s.count(i)},
			faults.Outcome{Kinds: faults.Clock, At: at, By: s.story.Queue.Lease})
	case doLose:
		s.add(i, faults.Point{Family: faults.Slot, Slot: faults.SlotCrash, Proc: faults.Queue, Nth: s.count(i)},
			faults.Outcome{Kinds: faults.Crash, At: at, Lose: faults.Loss{Writes: int(m.n)}, Restarts: true, Restart: time.Microsecond})
	case doAct:
		s.story.Dos = append(s.story.Dos, scenarios.Do{
			Op: m.op, Job: s.actJob(m), N: int32(m.n), By: s.speakerProc(), At: at,
			Token: scenarios.OwnToken, Delay: scenarios.OwnDelay, Max: scenarios.OwnMax,
		})
	}
}

// count numbers the mishaps of one kind.
func (s *solver) count(i int) int32 {
	n := int32(1)
	for k := range s.moments[:i] {
		if s.moments[k].what == s.moments[i].what {
			n++
		}
	}
	return n
}

// actJob returns the job that an act names.
func (s *solver) actJob(m *moment) model.Job {
	if m.op.Admits() || m.op.Settles() || m.op == model.OpExtend || m.op == model.OpRemove || m.op == model.OpReprocess {
		return model.Job(m.job) + 1
	}
	return model.NoJob
}

func (s *solver) speakerProc() model.Proc {
	return model.Proc(firstProducer + len(s.story.Producers) + len(s.story.Workers))
}
