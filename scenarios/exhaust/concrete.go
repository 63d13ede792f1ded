package exhaust

import (
	"cmp"
	"slices"
	"time"

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
	latency   time.Duration // 0 leaves it
	slowReap  bool          // only sweeps find what has lapsed
	slowSweep bool
	isExact   bool          // heartbeats, and the ends of works, come right behind what comes before them
	turned    bool          // the last worker is the first to ask
	isIdle    bool          // nothing is sent before all have asked in vain, so that each asks when it is to
	lease     time.Duration // 0 leaves it
	work      time.Duration // of every worker, at least
	jitter    time.Duration // messages take longer by up to so much, as the seed has it
	seed      model.Seed
}

// manners are tried in this order.
var manners = []manner{
	{little: time.Millisecond},
	{little: 0},
	{little: time.Microsecond},
	{little: 30 * time.Millisecond},
	{little: time.Second},
	{little: time.Millisecond, slowReap: true},
	{little: time.Millisecond, slowSweep: true},
	{little: time.Microsecond, slowReap: true},
	{little: time.Millisecond, turned: true},
	{little: time.Microsecond, turned: true},
	{little: time.Millisecond, work: 5 * time.Second},
	{little: time.Microsecond, work: 5 * time.Second, isExact: true},
	{little: time.Microsecond, work: 5 * time.Second, isExact: true, turned: true},
	{little: time.Millisecond, isIdle: true},
	{little: time.Microsecond, isIdle: true},
	{little: time.Millisecond, isIdle: true, slowReap: true},
	{little: time.Millisecond, isIdle: true, slowSweep: true},
	{little: time.Millisecond, turned: true, slowReap: true},
	{little: time.Millisecond, turned: true, slowSweep: true},
	{little: time.Millisecond, lease: time.Second},
	{little: time.Millisecond, latency: 1500 * time.Millisecond},
	{little: time.Millisecond, latency: 1500 * time.Millisecond, slowReap: true},
	{little: time.Millisecond, lease: 30 * time.Second}, // where the world's own is shorter than a wait for an answer
}

// isMeanwhile reports whether somebody may speak in a path, or a clock jump, while a message
// is on its way that nothing befell: an early settlement, or a heartbeat behind one.
func (w *World) isMeanwhile(moments []moment) bool {
	return slices.ContainsFunc(w.workers, func(k workerSpec) bool { return k.early }) ||
		slices.ContainsFunc(moments, func(m moment) bool { return m.isTrail })
}

// jittery are manners in which some messages are slower than others, for such paths.
func jittery() (list []manner) {
	for seed := range model.Seed(40) {
		list = append(list, manner{little: time.Millisecond, jitter: 2 * time.Second, seed: seed})
	}
	return list
}

const passes = 4

// far is later than all that a path waits for, and notYet is when a job is sent whose
// place in the path is not known yet.
const (
	far    = 10 * time.Hour
	notYet = model.Time(far / 4)
)

// Concrete is a path as a story that the timed simulator has replayed.
type Concrete struct {
	Story   *scenarios.Story
	Outcome *scenarios.Outcome // its history is the story's own
}

// concrete returns the path as a story in which property is broken, or nil and why not, where
// more is known than that no manner will do. A manner that fails ends nothing.
func (w *World) concrete(path []deed, property string) (_ *Concrete, why error) {
	moments, unfinished := w.narrate(w.toTheEnd(path))
	moments = inTime(moments)
	list := manners
	if w.isMeanwhile(moments) {
		list = slices.Concat(manners, jittery())
	}
	for _, how := range list {
		s := newSolver(w, moments, unfinished, how)
		for range passes {
			before := s.set
			s.solve()
			if s.err == nil && !s.isStuck {
				var found *Concrete
				if found, s.err = s.confirm(property); found != nil {
					return found, nil
				}
			}
			why = cmp.Or(why, s.err)
			if s.err != nil || s.set == before {
				break
			}
		}
	}
	return nil, why
}

// solver makes one path concrete in one manner.
type solver struct {
	w          *World
	told       []moment // as the path has them
	moments    []moment // as the story does
	unfinished []moment // what workers would do next who are at work when the path ends
	how        manner
	set        setting
	runner     *scenarios.Runner
	story      scenarios.Story
	entries    []int // by moment: which fault of the plan is its own
	history    *model.History
	isStuck    bool
	err        error
}

// setting is what is set for the whole story. The next pass begins with it.
type setting struct {
	slow slowly
	own  [MaxWorkers]workerSetting // by worker of the world
}

// slowly is what others have to wait for. If it changes, all else is looked for anew.
type slowly struct {
	lease, retryDelay    time.Duration
	reap, sweep, promote time.Duration
	delay                [MaxJobs]time.Duration
}

// workerSetting is what is set for one worker.
type workerSetting struct {
	work      time.Duration // at least
	heartbeat time.Duration // 0 leaves it
	poll      time.Duration
}

func newSolver(w *World, moments, unfinished []moment, how manner) *solver {
	s := &solver{w: w, told: moments, moments: slices.Clone(moments), unfinished: unfinished, how: how, runner: scenarios.NewRunner(), entries: make([]int, len(moments))}
	q := &w.story.Queue
	s.set.slow = slowly{lease: q.Lease, retryDelay: q.RetryDelay, reap: q.ReapEvery, sweep: q.SweepEvery, promote: q.PromoteEvery}
	if how.lease > 0 {
		s.set.slow.lease = how.lease
	}
	if how.slowReap && q.ReapEvery > 0 {
		s.set.slow.reap = far
	}
	if how.slowSweep && q.SweepEvery > 0 {
		s.set.slow.sweep = far
	}
	for j := range w.story.Jobs {
		s.set.slow.delay[j] = w.story.Jobs[j].Delay
	}
	s.set.own = s.ownSettings()
	return s
}

// ownSettings returns what is set for the workers before anything is known.
func (s *solver) ownSettings() (own [MaxWorkers]workerSetting) {
	for k := range s.w.story.Workers {
		w := &s.w.story.Workers[k]
		own[k] = workerSetting{work: max(s.how.work, w.Work), heartbeat: w.Heartbeat, poll: w.Poll}
	}
	return own
}

// bare returns the story of the world with nothing that goes wrong in it, and with
// nothing yet that waits for its place in the path.
func (s *solver) bare() scenarios.Story {
	b := *s.w.story
	b.Plan, b.Dos, b.Expects, b.Chaos, b.MayBreak, b.NoChaos = nil, nil, nil, nil, nil, true
	b.HasHistory, b.History, b.Spoken, b.Quiet, b.Seed = false, "", nil, 0, uint64(s.how.seed)
	b.Network = scenarios.Network{Latency: cmp.Or(s.how.latency, max(b.Network.Latency, time.Microsecond)), Jitter: s.how.jitter}
	b.Speakers = nil
	if slices.ContainsFunc(s.moments, func(m moment) bool { return m.what == doAct }) {
		b.Speakers = []string{s.w.speaker()}
	}
	b.Jobs, b.Workers, b.Producers = slices.Clone(b.Jobs), slices.Clone(b.Workers), slices.Clone(b.Producers)
	slow := &s.set.slow
	for i := range b.Jobs {
		b.Jobs[i].At, b.Jobs[i].Delay = notYet, slow.delay[i]
	}
	for i := range b.Workers {
		own := &s.set.own[i]
		b.Workers[i].Work, b.Workers[i].Heartbeat, b.Workers[i].Poll = own.work, own.heartbeat, own.poll
	}
	s.unanswered(&b)
	if s.how.turned {
		slices.Reverse(b.Workers)
	}
	b.Queue.Lease, b.Queue.RetryDelay = slow.lease, slow.retryDelay
	b.Queue.ReapEvery, b.Queue.SweepEvery, b.Queue.PromoteEvery = slow.reap, slow.sweep, slow.promote
	b.Horizon = max(b.Horizon, far/2)
	return b
}

// unanswered lets nobody send again before it is known when.
func (s *solver) unanswered(b *scenarios.Story) {
	for i := range s.moments {
		switch m := &s.moments[i]; {
		case m.what == doEnqueue && m.nth > 1:
			b.Producers[int(b.Jobs[m.job].By)-firstProducer].Timeout = far
		case m.what == doSettle && m.nth > 1 && !slices.ContainsFunc(s.moments, func(o moment) bool { return o.isCalling }):
			for k := range b.Workers {
				b.Workers[k].Timeout = far
			}
		}
	}
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
	before := s.set.slow
	s.story, s.isStuck = s.bare(), false
	copy(s.moments, s.told)
	for i := range s.moments {
		if s.isStuck || s.err != nil {
			return
		}
		s.place(i)
	}
	s.outlast()
	if s.set.slow != before {
		s.set.own = s.ownSettings()
	}
}

// outlast makes delays so long that no job is promoted before the path ends which is
// not promoted in it, and sends the jobs that the path does without when it is over.
func (s *solver) outlast() {
	if s.run(); s.err != nil {
		return
	}
	end := s.free(len(s.moments))
	for i := range s.moments {
		m := &s.moments[i]
		isPromoted := slices.ContainsFunc(s.moments[i:], func(o moment) bool { return o.what == doPromote && o.job == m.job })
		if at, ok := s.seen(m); ok && !isPromoted && s.isScheduling(m) {
			s.lengthen(m, inMillis(end.Sub(at)+s.skew()), true)
		}
	}
	for i := range s.unfinished {
		if m := &s.unfinished[i]; m.what == doClaim {
			s.claim(m, len(s.moments))
		} else {
			s.workOn(m, len(s.moments))
		}
	}
	for j := range s.story.Jobs {
		if s.story.Jobs[j].At == notYet {
			s.story.Jobs[j].At = end.Add(time.Second)
		}
	}
}

// inMillis rounds up to what a server is told.
func inMillis(d time.Duration) time.Duration {
	return (d + time.Millisecond - 1).Truncate(time.Millisecond)
}
