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
	lease     time.Duration // 0 leaves it
	work      time.Duration // of every worker, at least
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
	{little: time.Millisecond, turned: true},
	{little: time.Microsecond, turned: true},
	{little: time.Millisecond, work: 5 * time.Second},
	{little: time.Microsecond, work: 5 * time.Second, isExact: true},
	{little: time.Microsecond, work: 5 * time.Second, isExact: true, turned: true},
	{little: time.Millisecond, lease: time.Second},
	{little: time.Millisecond, latency: 1500 * time.Millisecond},
	{little: time.Millisecond, latency: 1500 * time.Millisecond, slowReap: true},
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
type setting struct {
	lease, retryDelay time.Duration
	work              [MaxWorkers]time.Duration // at least
	heartbeat         [MaxWorkers]time.Duration // 0 leaves it
}

func newSolver(w *World, moments []moment, how manner) *solver {
	s := &solver{w: w, moments: moments, how: how, runner: scenarios.NewRunner(), entries: make([]int, len(moments))}
	s.set = setting{lease: w.story.Queue.Lease, retryDelay: w.story.Queue.RetryDelay}
	if how.lease > 0 {
		s.set.lease = how.lease
	}
	for k := range w.story.Workers {
		s.set.work[k] = max(how.work, w.story.Workers[k].Work)
	}
	return s
}

// bare returns the story of the world with nothing that goes wrong in it.
func (s *solver) bare() scenarios.Story {
	b := *s.w.story
	b.Plan, b.Dos, b.Expects, b.Chaos, b.MayBreak, b.NoChaos = nil, nil, nil, nil, nil, true
	b.HasHistory, b.History, b.Spoken, b.Quiet, b.Seed = false, "", nil, 0, 0
	b.Network = scenarios.Network{Latency: cmp.Or(s.how.latency, max(b.Network.Latency, time.Microsecond))}
	b.Speakers = nil
	if slices.ContainsFunc(s.moments, func(m moment) bool { return m.what == doAct }) {
		b.Speakers = []string{s.w.speaker()}
	}
	b.Jobs, b.Workers, b.Producers = slices.Clone(b.Jobs), slices.Clone(b.Workers), slices.Clone(b.Producers)
	for i := range b.Jobs {
		b.Jobs[i].At = 0
	}
	for i := range b.Workers {
		b.Workers[i].Work = cmp.Or(s.set.work[i], b.Workers[i].Work)
		b.Workers[i].Heartbeat = cmp.Or(s.set.heartbeat[i], b.Workers[i].Heartbeat)
	}
	if s.how.turned {
		slices.Reverse(b.Workers)
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
