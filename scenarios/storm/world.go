package storm

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// The limits of a sweep. MaxLoad is in percent of the workers' capacity, MaxPrefetch in
// jobs; a list holds at most MaxList values.
const (
	MaxLoad     = 1000
	MaxPrefetch = 1000
	MaxList     = 32
)

// rateOf is the time over which capacities are reckoned, so long that they are whole
// numbers of jobs.
const rateOf time.Duration = 1_000_000_000_000_000

// minWork is the shortest work from which a capacity can be reckoned.
const minWork = time.Microsecond

// Fault says what goes wrong for a while.
type Fault uint8

// The faults. All heal by themselves.
const (
	Workers  Fault = iota // no worker reaches the queue; producers do
	Producer              // no producer reaches it; workers do
	Outage                // the queue's server is down, and comes back with all it had
)

var faultNames = []string{"workers", "producer", "outage"}

// String returns the word for f.
func (f Fault) String() string { return faultNames[f] }

// FaultNames returns the words that ParseFault reads.
func FaultNames() []string { return slices.Clone(faultNames) }

// ParseFault returns the fault that name writes; the error names the nearest one.
func ParseFault(name string) (Fault, error) {
	i := slices.Index(faultNames, name)
	if i < 0 {
		return 0, fmt.Errorf("%s", script.Unknown("fault", name, faultNames))
	}
	return Fault(i), nil
}

// Point is one configuration: a load in percent of the workers' capacity, a lease, and
// how long the fault lasts (0: there is none).
type Point struct {
	Load   int
	Lease  time.Duration
	Length time.Duration
}

// Worlds makes the worlds of a sweep from a story.
type Worlds struct {
	Fault    Fault
	Horizon  time.Duration // how long a world lasts; above 0
	Prefetch int           // how many jobs the workers' client takes at once; 1: none beforehand

	base    *scenarios.Story // without jobs, faults and expectations
	options string           // of its first job
	rate    uint64           // what the workers finish in rateOf, with no time lost
	forget  func()           // the name of the queue
}

// New takes from s the queue, the processes, the network, the seed and the options of
// its first job. Its times, faults and expectations are dropped. The error says what of
// the story or the options is no world to storm.
func New(s *scenarios.Story, fault Fault, horizon time.Duration, prefetch int) (*Worlds, error) {
	switch {
	case horizon <= 0:
		return nil, fmt.Errorf("the horizon is %v; it must be above 0", horizon)
	case prefetch < 1 || prefetch > MaxPrefetch:
		return nil, fmt.Errorf("the prefetch is %d; it must be from 1 to %d", prefetch, MaxPrefetch)
	}
	if len(s.Workers) == 0 {
		return nil, fmt.Errorf("%s: it has no worker line, and so no capacity that a load could be part of", s.File)
	}
	w := &Worlds{Fault: fault, Horizon: horizon, Prefetch: prefetch, options: jobOptions(s)}
	for i := range s.Workers {
		work := s.Workers[i].Work
		if work < minWork {
			return nil, fmt.Errorf("%s: the work of %s is below %v, which makes no load", s.File, model.Safe(s.Workers[i].Name), minWork)
		}
		w.rate += uint64(rateOf / work)
	}
	bare := *s
	bare.Jobs, bare.Plan, bare.Dos, bare.Expects, bare.Spoken, bare.Speakers = nil, nil, nil, nil, nil, nil
	bare.Chaos, bare.MayBreak, bare.Quiet, bare.NoChaos = nil, nil, 0, true
	bare.HasHistory, bare.History, bare.Horizon = false, "", horizon
	w.base = &bare
	var err error
	w.forget, err = w.lend()
	return w, err
}

// Close takes back the name that the queue of a client that prefetches was given. Until
// then no other worlds can have the same.
func (w *Worlds) Close() { w.forget() }

// jobOptions returns what the first job of s says besides its time and name.
func jobOptions(s *scenarios.Story) string {
	if len(s.Jobs) == 0 {
		return ""
	}
	text, j := "", &s.Jobs[0]
	if j.Fails > 0 {
		text += fmt.Sprintf(" fails=%d", j.Fails)
	}
	if j.Payload != "" {
		text += " payload=" + string(script.AppendValue(nil, j.Payload))
	}
	return text
}

// Gap is the mean time between two jobs at a load in percent.
func (w *Worlds) Gap(load int) time.Duration {
	return time.Duration(100 * uint64(rateOf) / (uint64(load) * w.rate))
}

// Begin is when the fault begins: a quarter of the horizon has passed.
func (w *Worlds) Begin() time.Duration { return w.Horizon / 4 }

// Check says what is wrong with a point.
func (w *Worlds) Check(p Point) error {
	switch {
	case p.Load < 1 || p.Load > MaxLoad:
		return fmt.Errorf("a load of %d%%; it is from 1 to %d percent of the workers' capacity", p.Load, MaxLoad)
	case p.Lease < time.Millisecond:
		return fmt.Errorf("a lease of %v; the server's clock reads whole milliseconds, and 1ms is the least", p.Lease)
	case p.Length < 0 || p.Length > w.Horizon/4:
		return fmt.Errorf("a fault of %v; it begins a quarter into the horizon of %v and must be over at its half: %v at most, or set a longer horizon", p.Length, w.Horizon, w.Horizon/4)
	}
	if n := w.jobs(p.Load); n > scenarios.MaxJobs {
		return fmt.Errorf("a load of %d%% are more than the %d jobs that a world may have; set a shorter horizon", p.Load, scenarios.MaxJobs)
	}
	return nil
}

// jobs is how many jobs come at a load, and some more for gaps that are drawn short:
// their sum strays from its mean by its root.
func (w *Worlds) jobs(load int) int {
	n := int(min(w.Horizon/max(w.Gap(load), 1), math.MaxInt32))
	spare := 10
	for spare*spare < 25*n {
		spare++
	}
	return n + spare
}

// Story returns the world of a point, as a story that runs alone; one with a client
// that prefetches runs in this program only. The point is one that Check takes.
func (w *Worlds) Story(p Point) (*scenarios.Story, error) {
	s := *w.base
	s.Name = fmt.Sprintf("%s-load-%d", s.Name, p.Load)
	s.Queue.Lease = p.Lease
	text := fmt.Appendf(s.Text(), "\njobs %d every=exp:%s%s\n", w.jobs(p.Load), script.FormatDuration(w.Gap(p.Load)), w.options)
	return scenarios.Parse(s.File, w.faults(text, p.Length))
}

// faults adds the fault's lines. Every process is cut from the queue by a line of its
// own.
func (w *Worlds) faults(text []byte, length time.Duration) []byte {
	if length == 0 {
		return text
	}
	at, long := script.FormatDuration(w.Begin()), script.FormatDuration(length)
	switch w.Fault {
	case Outage:
		return fmt.Appendf(text, "fault? crash queue time=%s restart=%s\n", at, long)
	case Producer:
		for i := range w.base.Producers {
			text = fmt.Appendf(text, "fault? partition %s queue time=%s for=%s\n", w.base.Producers[i].Name, at, long)
		}
	case Workers:
		for i := range w.base.Workers {
			text = fmt.Appendf(text, "fault? partition %s queue time=%s for=%s\n", w.base.Workers[i].Name, at, long)
		}
	}
	return text
}
