package exhaust

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/sim/explore"
)

// Finding is one way in which a property breaks, or one sight of what a reach claim
// looks for.
type Finding struct {
	Property string
	Reach    bool     // it is something to be seen rather than to be kept
	Verb     model.Op // what was said to the queue, or done, when it broke; OpNone: a crash of the queue
	State    string   // where the job stood then: sets joined by +, and its row
	Faults   int
	Steps    int

	// Concrete is the path as a story that the timed simulator has replayed to the
	// same verdict. Nil says that none was found, or none that can be written, which ends no
	// search: the finding is abstract only, and
	// a defect of the abstraction.
	Concrete *Concrete
	Why      error    // what kept it from being a story, where more is known than that none was found
	Path     []string // the path in words

	path []deed
}

// Report is what an exploration came to.
type Report struct {
	World    *World
	Options  explore.Options
	Result   *explore.Result
	Findings []Finding // all that was seen on the way: breaches by faults, then steps; then reach
	Sought   []Finding // what was looked for: breaches, made concrete; Explore stops at the first
	Stuck    *Stay     // drains: the first state from which no end is reachable; nil for none
	Round    *Stay     // drains: the first fair run that goes round for ever; nil for none
}

// Stay is a run that comes to no end once faults have stopped.
type Stay struct {
	Faults   int
	Path     []string  // in words
	Cycle    []string  // what follows again and again; none where the run is stuck
	Concrete *Concrete // a story in which the simulator finds drains broken, or nil
	Why      error     // as a Finding has it

	path []deed
}

// AbstractOnly counts what was looked for and found, and is no story.
func (r *Report) AbstractOnly() (n int) {
	for _, s := range []*Stay{r.Stuck, r.Round} {
		if s != nil && s.Concrete == nil {
			n++
		}
	}
	for i := range r.Sought {
		if r.Sought[i].Concrete == nil {
			n++
		}
	}
	return n
}

// Explore looks for the first breach of any of the properties (all of them, where
// none is named) with as few faults as possible, and makes it concrete. Where there
// is none, all states were visited, or the report's Result says why not. Drains is judged
// if it is asked for, by its name or by an option, and nothing else was found.
func (w *World) Explore(o explore.Options, properties ...string) (*Report, error) {
	o.Drains = o.Drains || slices.Contains(properties, "drains")
	asked, err := bitsOf(properties)
	if err != nil {
		return nil, err
	}
	o.Stop = stopAt(asked, o.Drains)
	o.Identity += w.identity(asked)
	r, err := w.explore(o)
	if err != nil {
		return nil, err
	}
	r.Sought = sought(r.Findings, asked)
	w.makeConcrete(r, o.Progress)
	for i := range r.Sought {
		s := &r.Sought[i]
		k := slices.IndexFunc(r.Findings, func(f Finding) bool { return f.Property == s.Property })
		r.Findings[k].Concrete = s.Concrete
	}
	return r, nil
}

// stopAt returns what ends a search for the properties that asked holds as bits: the
// first breach does, and a sight only if nothing that is to be kept was asked for and all
// that is to be seen was.
func stopAt(asked uint32, drains bool) func(explore.Hit) bool {
	isKept := drains || asked&(1<<sawRedelivery-1) != 0
	unseen := asked
	return func(h explore.Hit) bool {
		if asked>>h.Property&1 == 0 {
			return false
		}
		if !property(h.Property).isReach() {
			return true
		}
		unseen &^= 1 << h.Property
		return !isKept && unseen == 0
	}
}

// sought returns of what was found the first breach that was asked for, and the first
// sight of each reach claim.
func sought(findings []Finding, asked uint32) (list []Finding) {
	for _, f := range findings {
		p := slices.Index(propertyNames[:], f.Property)
		isKnown := slices.ContainsFunc(list, func(o Finding) bool { return o.Property == f.Property || !o.Reach && !f.Reach })
		if asked>>p&1 == 1 && !isKnown {
			list = append(list, f)
		}
	}
	return list
}

// ExploreAll looks for every breach within the scope: for each property, every verb
// and state of the job at which it breaks first, with the shortest story of each.
func (w *World) ExploreAll(o explore.Options) (*Report, error) {
	if o.Resume != nil {
		return nil, errors.New("a search for every violation is several, and cannot be resumed")
	}
	r, err := w.explore(o)
	if err != nil || r.Result.Ending != explore.Exhausted {
		return r, err
	}
	for p := range sawRedelivery {
		if !slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Property == propertyNames[p] }) {
			continue
		}
		o.Drains, o.Cut = false, func(h explore.Hit) bool { return h.Property == uint8(p) }
		one, err := w.explore(o)
		if err != nil {
			return nil, err
		}
		for _, f := range one.Findings {
			if f.Property == propertyNames[p] {
				r.Sought = append(r.Sought, f)
			}
		}
	}
	w.makeConcrete(r, o.Progress)
	return r, nil
}

// bitsOf returns the named properties as bits; all that are no reach claims where none
// is named. Drains is none of a step, and has no bit.
func bitsOf(names []string) (bits uint32, err error) {
	if len(names) == 0 {
		return 1<<sawRedelivery - 1, nil
	}
	for _, n := range names {
		i := slices.Index(propertyNames[:], n)
		if n == "drains" {
			continue
		}
		if i < 0 {
			return 0, errors.New(script.Unknown("property", n, append(propertyNames[:], "drains")))
		}
		bits |= 1 << i
	}
	return bits, nil
}

func (w *World) explore(o explore.Options) (*Report, error) {
	if o.Faults < 0 || o.Faults > maxFaults {
		return nil, fmt.Errorf("a world is explored with 0 to %d faults, not %d", maxFaults, o.Faults)
	}
	result, err := w.search(o)
	if err != nil {
		return nil, err
	}
	r := &Report{World: w, Options: o, Result: result}
	for _, t := range result.Found {
		r.Findings = append(r.Findings, w.finding(t))
	}
	slices.SortStableFunc(r.Findings, func(a, b Finding) int {
		switch {
		case a.Reach == b.Reach:
			return 0
		case a.Reach:
			return 1
		}
		return -1
	})
	w.stays(r)
	return r, nil
}

func (w *World) search(o explore.Options) (*explore.Result, error) {
	switch {
	case o.Sleep && !o.Drains:
		return explore.Run[State](&sleeping{World: w}, o)
	case !o.Drains:
		return explore.Run[State](w, o)
	}
	m, err := w.forDrains()
	if err != nil {
		return nil, err
	}
	return explore.Run(m, o)
}

// stays puts into words what drains is broken by.
func (w *World) stays(r *Report) {
	d := r.Result.Drained
	if d == nil {
		return
	}
	if d.FirstStuck != nil {
		r.Stuck = w.stay(d.FirstStuck.Faults, d.FirstStuck.Actions, nil)
	}
	if d.First != nil {
		r.Round = w.stay(d.First.Faults, d.First.Stem, d.First.Cycle)
	}
}

func (w *World) stay(faults int, stem, cycle []explore.Action) *Stay {
	path := w.unfold(slices.Concat(stem, cycle))
	for i := range path {
		if path[i].code() == resumes {
			path[i].n = 0 // from here on it is a resume like any other
		}
	}
	words := w.words(path)
	return &Stay{Faults: faults, Path: words[:len(stem)], Cycle: words[len(stem):], path: path}
}

// finding puts a trail into words.
func (w *World) finding(t explore.Trail) Finding {
	p := property(t.Hit.Property)
	f := Finding{
		Property: propertyNames[p], Reach: p.isReach(), Verb: model.Op(t.Hit.Group >> 8), State: groupState(t.Hit.Group),
		Faults: t.Faults, Steps: len(t.Actions), path: w.unfold(t.Actions),
	}
	f.Path = w.words(f.path)
	return f
}

// errInterrupted is why what was found has no story when progress ends the search for them.
var errInterrupted = errors.New("the search for its story was interrupted")

// makeConcrete looks for the story of each breach that was looked for. That can take much
// longer than the search, and is ended by progress as well, between two stories.
func (w *World) makeConcrete(r *Report, progress func(explore.Progress) bool) {
	concrete := func(path []deed, property string) (*Concrete, error) {
		if progress != nil && !progress(explore.Progress{States: r.Result.States, Transitions: r.Result.Transitions}) {
			return nil, errInterrupted
		}
		return w.concrete(path, property)
	}
	for i := range r.Sought {
		f := &r.Sought[i]
		f.Concrete, f.Why = concrete(f.path, f.Property)
	}
	for _, s := range []*Stay{r.Stuck, r.Round} {
		if s != nil {
			s.Concrete, s.Why = concrete(s.path, "drains")
		}
	}
}

// groupState puts the state of a job into words.
func groupState(group uint32) string {
	name := ""
	for i, set := range []string{model.StatePending, model.StateActive, model.StateScheduled, model.StateDead} {
		if group>>2&(1<<i) != 0 {
			if name != "" {
				name += "+"
			}
			name += set
		}
	}
	switch {
	case name == "" && group&3 == 0:
		return "gone"
	case name == "":
		name = "in no set"
	}
	return name + [...]string{", no row", ", half a row", ""}[group&3]
}
