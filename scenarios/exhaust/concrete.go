package exhaust

import (
	"slices"
	"time"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// A path orders what happens and gives no time. To make it concrete is to find
// delays, pauses, restarts, jumps, instants of acts and of first enqueues, patience
// and, where nothing else will do, a longer lease or retry-delay, under which the
// timed simulator goes through it in that order. What is prompt in a path the
// simulator does by itself. What is free is put right behind the moment before it:
// the story is run as far as it is known, the history tells when that moment was, and
// a little later is when the free one has to come. One after the other, every free
// time of the path is found so; this solves its order constraints from left to right,
// and each run checks them. What a later moment asks of the lease or the retry-delay
// counts from the start in the next pass.
//
// Where the result does not break the property, another way of looking is tried: how
// much a little is, and which pump is the slower one. If none will do, the path is
// abstract only.

// manner is a way to make a path concrete.
type manner struct {
	little    time.Duration
	slowReap  bool // only sweeps find what has lapsed
	slowSweep bool
	lease     time.Duration // 0 leaves it
}

var manners = []manner{
	{little: time.Millisecond},
	{little: 0},
	{little: time.Microsecond},
	{little: 30 * time.Millisecond},
	{little: time.Second},
	{little: time.Millisecond, slowReap: true},
	{little: time.Millisecond, slowSweep: true},
	{little: time.Microsecond, slowReap: true},
	{little: time.Millisecond, lease: time.Second},
}

const passes = 3

// far is later than all that a path waits for.
const far = 10 * time.Hour

// Concrete is a path as a story that the timed simulator has replayed.
type Concrete struct {
	Story   *scenarios.Story
	Outcome *scenarios.Outcome // its history is the story's own
}

// concrete returns the path as a story in which property is broken, or nil.
func (w *World) concrete(path []deed, property string) (*Concrete, error) {
	moments := inTime(w.narrate(path))
	for _, how := range manners {
		s := newSolver(w, moments, how)
		for range passes {
			before := s.set
			if s.solve(); s.err != nil {
				return nil, s.err
			}
			if !s.isStuck {
				found, err := s.confirm(property)
				if found != nil || err != nil {
					return found, err
				}
			}
			if s.set == before {
				break
			}
		}
	}
	return nil, nil
}

// inTime puts the moments into an order in which time can take them.
//
// That a worker wakes or comes back is put off until it does something: what others
// do before that, they can do before it wakes, and a worker that is awake does what it
// has to do at once. That a marker is forgotten comes as early as it may: what follows
// on something else follows at once.
func inTime(moments []moment) []moment {
	for i := len(moments) - 1; i >= 0; i-- {
		m := &moments[i]
		if m.what != doWake && m.what != doRestart {
			continue
		}
		next := slices.IndexFunc(moments[i+1:], func(o moment) bool { return o.who == m.who && o.isOfWorker() })
		if next > 0 {
			moveMoment(moments, i, i+next)
		}
	}
	for i := range moments {
		m := moments[i]
		if m.what != doForget {
			continue
		}
		to := i
		for to > 0 && !(moments[to-1].job == m.job && moments[to-1].isOfWorker()) {
			to--
		}
		moveMoment(moments, i, to)
	}
	return moments
}

// moveMoment moves the moment at from to the place to. References to moments move
// along.
func moveMoment(moments []moment, from, to int) {
	m := moments[from]
	moments = slices.Insert(slices.Delete(moments, from, from+1), to, m)
	for k := range moments {
		at := &moments[k].delay
		switch {
		case *at == from:
			*at = to
		case from < *at && *at <= to:
			*at--
		case to <= *at && *at < from:
			*at++
		}
	}
}

// isOfWorker reports whether a worker does m, or is struck by it.
func (m *moment) isOfWorker() bool {
	switch m.what {
	case doClaim, doStep, doSettle, doBeat, doCrash, doPause, doWake, doRestart:
		return true
	}
	return false
}

// solver makes one path concrete in one manner.
type solver struct {
	w       *World
	moments []moment
	how     manner
	set     setting
	runner  *scenarios.Runner
	story   scenarios.Story
	entries []int // by moment: which fault of the plan is its own
	history *model.History
	isStuck bool
	err     error
}

// setting is what is set for the whole story. The next pass begins with it.
type setting struct{ lease, retryDelay, work time.Duration }

func newSolver(w *World, moments []moment, how manner) *solver {
	s := &solver{w: w, moments: moments, how: how, runner: scenarios.NewRunner(), entries: make([]int, len(moments))}
	s.set = setting{lease: w.story.Queue.Lease, retryDelay: w.story.Queue.RetryDelay}
	if how.lease > 0 {
		s.set.lease = how.lease
	}
	return s
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
	b.Jobs, b.Workers, b.Producers = slices.Clone(b.Jobs), slices.Clone(b.Workers), slices.Clone(b.Producers)
	for i := range b.Jobs {
		b.Jobs[i].At = 0
	}
	for i := range b.Workers {
		b.Workers[i].Work = max(b.Workers[i].Work, s.set.work)
	}
	b.Queue.Lease, b.Queue.RetryDelay = s.set.lease, s.set.retryDelay
	if s.how.slowReap && b.Queue.ReapEvery > 0 {
		b.Queue.ReapEvery = far
	}
	if s.how.slowSweep && b.Queue.SweepEvery > 0 {
		b.Queue.SweepEvery = far
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
	s.story, s.isStuck = s.bare(), false
	for i := range s.moments {
		if s.isStuck || s.err != nil {
			return
		}
		s.place(i)
	}
	s.outlast()
}

// outlast makes the retry-delay so long that no job is promoted before the path ends
// which is not promoted in it.
func (s *solver) outlast() {
	for i := range s.moments {
		m := &s.moments[i]
		isPromoted := slices.ContainsFunc(s.moments[i:], func(o moment) bool { return o.what == doPromote && o.job == m.job })
		if m.op != model.OpRetry && m.op != model.OpDelay || isPromoted {
			continue
		}
		if s.run(); s.err != nil {
			return
		}
		if at, ok := s.seen(m); ok {
			s.set.retryDelay = max(s.set.retryDelay, inMillis(s.free(len(s.moments)).Sub(at)))
		}
	}
}

// inMillis rounds up to what a server is told.
func inMillis(d time.Duration) time.Duration {
	return (d + time.Millisecond - 1).Truncate(time.Millisecond)
}

// place gives moment i its fault, or its time.
func (s *solver) place(i int) {
	m := &s.moments[i]
	switch m.what {
	case doEnqueue:
		s.enqueue(i)
	case doSettle:
		s.settleAgain(i)
	case doBeat:
		period := s.story.Workers[m.who].Heartbeat // for so many beats the work has to last
		s.set.work = max(s.set.work, time.Duration(m.nth)*period+period/2)
	case doArrive:
		s.arrive(i)
	case doWake, doRestart:
		s.back(i)
	case doCrash, doPause:
		s.strike(i)
	case doJump, doLose, doAct:
		s.run()
		s.mishap(i)
	case doLapse, doEnd, doPromote:
		s.wait(i)
	}
	if m.how != fine {
		s.fate(i)
	}
}

// enqueue lets a job be sent at its time, or be sent again: then the producer has to
// wait so long for an answer.
func (s *solver) enqueue(i int) {
	m := &s.moments[i]
	if i == 0 {
		return
	}
	if s.run(); s.err != nil {
		return
	}
	at := s.free(i)
	if m.nth == 1 {
		s.story.Jobs[m.job].At = at
		return
	}
	p := &s.story.Producers[int(s.story.Jobs[m.job].By)-firstProducer]
	p.Timeout = patience(at.Sub(s.story.Jobs[m.job].At), m.nth)
}

// patience is the timeout with which the nth request is sent so long after the first.
// It is never so short that an answer in time would miss it.
func patience(after time.Duration, nth int32) time.Duration {
	return max(after/time.Duration(nth-1), 10*time.Millisecond)
}

// wait makes the lease, or the retry-delay, so long that its end can come after all
// that comes before moment i.
func (s *solver) wait(i int) {
	m := &s.moments[i]
	if s.run(); s.err != nil {
		return
	}
	begun := model.Time(-1)
	for k := range s.moments[:i] {
		o := &s.moments[k]
		isLease := o.op == model.OpClaim || o.op == model.OpExtend
		isDelay := o.op == model.OpRetry || o.op == model.OpDelay
		if o.job == m.job && (m.what != doPromote && isLease || m.what == doPromote && isDelay) {
			if at, ok := s.seen(o); ok {
				begun = at
			}
		}
	}
	long := inMillis(s.free(i).Sub(begun))
	switch {
	case begun < 0:
	case m.what == doPromote:
		s.set.retryDelay = max(s.set.retryDelay, long)
		s.story.Queue.RetryDelay = s.set.retryDelay
	default:
		s.set.lease = max(s.set.lease, long)
		s.story.Queue.Lease = s.set.lease
	}
}

// settleAgain lets a worker send its settlement again at its time.
func (s *solver) settleAgain(i int) {
	m := &s.moments[i]
	if m.nth == 1 {
		return
	}
	if s.run(); s.err != nil {
		return
	}
	e := s.last(func(e *model.Event) bool {
		return e.Kind == model.Sent && e.Op == m.op && s.isAbout(e, m) && e.N == int32(m.n) && e.Nth == 1
	})
	if e == nil {
		s.isStuck = true
		return
	}
	for k := range s.story.Workers {
		w := &s.story.Workers[k]
		w.Timeout = patience(s.free(i).Sub(e.At), m.nth)
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
	return at.Add(s.how.little)
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
