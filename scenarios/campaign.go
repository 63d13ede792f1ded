package scenarios

import (
	"fmt"
	"slices"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios/actors"
)

// Campaign is a story as a family of random worlds, one for each seed: the same
// queue, processes and jobs, and instead of the story's own faults what its
// chaos lines let the seed draw. A campaign is read only; any number of runners
// can work on one.
type Campaign struct {
	Story *Story // without faults and expectations

	names    model.Names // of a world
	policy   faults.Policy
	chaos    []Chaos // the lines behind the policy, parallel to it
	adopted  bool    // those are of the reference story: this one does not say that they strike
	spread   model.Time
	quiet    model.Time
	mayBreak []bool // by place in model.Properties
	named    []bool // likewise: those that an expect line is about
	judged   []bool // likewise: the default properties of the queue
	repairs  repairs
}

// NewCampaign returns the campaign of s. It is nil where the story says `chaos
// off`: it has no random worlds.
func NewCampaign(s *Story) (*Campaign, error) {
	if s.NoChaos {
		return nil, nil
	}
	lines, quiet, err := s.chaosOf()
	if err != nil {
		return nil, err
	}
	bare := *s
	bare.Plan, bare.Expects, bare.HasHistory, bare.History = nil, nil, false, ""
	bare.Chaos, bare.MayBreak, bare.Quiet, bare.NoChaos = nil, nil, quiet, false
	c := &Campaign{
		Story: &bare, names: s.worldNames(), policy: s.policy(lines), chaos: lines, adopted: len(s.Chaos) == 0,
		spread: model.Time(defaultSpread), quiet: model.Time(quiet), repairs: s.repairs(),
	}
	if len(c.policy) > faults.MaxRules {
		return nil, fmt.Errorf("%s: %d chaos lines; a story may have %d", s.File, len(c.policy), faults.MaxRules)
	}
	if quiet > 0 {
		c.spread = model.Time(quiet)
	}
	out := Outcome{Story: s}
	for _, p := range model.Properties() {
		c.judged = append(c.judged, out.IsDefault(p.Name))
		c.named = append(c.named, s.Names(p.Name))
		c.mayBreak = append(c.mayBreak, slices.Contains(s.MayBreak, p.Name))
	}
	return c, nil
}

// Policy returns what the chaos lines of c let a seed draw, a rule for each, and before when
// windows begin. Nobody may change it.
func (c *Campaign) Policy() (rules faults.Policy, spread model.Time) { return c.policy, c.spread }

// World is one random world and what came of it.
type World struct {
	Seed       uint64
	Plan       faults.Plan // what was drawn; without a history it is valid until the runner's next run
	Outcome    *Outcome    // valid until the runner's next run
	Unexpected []string    // default properties that broke and may not
	Open       []string    // default properties that are unknown
	Struck     []int       // by chaos line: how often it struck; valid until the next run

	repaired repairs // those that changed something
}

// World runs the random world of one seed. Keep says whether its history is
// kept; the digest always is.
func (r *Runner) World(c *Campaign, seed uint64, keep bool) (*World, error) {
	return r.WorldWith(c, seed, nil, keep)
}

// WorldWith is World with a plan besides: where the seed draws nothing, what the plan
// says happens, if anything. It may name what does not occur. The plan of the world
// has both, and Struck counts both.
func (r *Runner) WorldWith(c *Campaign, seed uint64, plan faults.Plan, keep bool) (*World, error) {
	r.drawFrom(c)
	r.seeded.Reset(model.Seed(seed))
	return r.drawWith(c, seed, plan, keep)
}

// PlannedWorld is WorldWith where the seed draws no mishap at all: what the plan says, and
// nothing else, befalls the world that it is otherwise.
func (r *Runner) PlannedWorld(c *Campaign, seed uint64, plan faults.Plan, keep bool) (*World, error) {
	r.drawFrom(c)
	r.seeded.Reset(model.Seed(seed))
	r.seeded.Hold()
	return r.drawWith(c, seed, plan, keep)
}

func (r *Runner) drawWith(c *Campaign, seed uint64, plan faults.Plan, keep bool) (*World, error) {
	d := drawn{by: r.seeded, struck: &r.seeded.Struck}
	if len(plan) > 0 {
		d.besides = faults.NewPlanned(plan)
	}
	return r.draw(c, seed, d, keep)
}

// PrioritisedWorld is World with faults.Priorities as its adversary: the same chaos
// lines, whose rates do not count. As many points as the world has in which nothing
// goes wrong may be struck, and half as many again, for mishaps make more.
func (r *Runner) PrioritisedWorld(c *Campaign, seed uint64, keep bool) (*World, error) {
	if r.drawFrom(c); r.priorities == nil {
		r.priorities = faults.NewPriorities(c.policy, c.spread)
		if _, err := r.prioritised(c, seed, 0, false); err != nil {
			return nil, err
		}
		r.points = r.priorities.Asked() + r.priorities.Asked()/2
	}
	return r.prioritised(c, seed, r.points, keep)
}

func (r *Runner) prioritised(c *Campaign, seed uint64, points uint32, keep bool) (*World, error) {
	r.priorities.Reset(model.Seed(seed), points)
	return r.draw(c, seed, drawn{by: r.priorities, struck: &r.priorities.Struck}, keep)
}

// drawFrom makes c the campaign that is drawn from.
func (r *Runner) drawFrom(c *Campaign) {
	if r.seeded == nil || r.seededFor != c {
		r.seeded, r.priorities, r.seededFor = faults.NewSeeded(c.policy, c.spread), nil, c
	}
}

// draw runs the world of one seed that by draws. What it takes is used again by the next: the
// time of many cores goes into collecting garbage before all else.
func (r *Runner) draw(c *Campaign, seed uint64, by drawn, keep bool) (*World, error) {
	queue, err := r.open(c.Story)
	if err != nil {
		return nil, err
	}
	w := &r.world
	w.history.Reset()
	w.forget, w.maxSteps, w.repaired = !keep, MaxSteps, 0
	r.drawn = *c.Story
	r.drawn.Seed = seed
	d := &r.draws
	by.clock, by.quiet, by.policy = &w.kernel, c.quiet, c.policy
	if !keep {
		by.plan = d.plan[:0]
	}
	*d = by
	w.drawn = d
	defer func() { w.drawn = nil }()
	if err := w.build(&r.drawn, c.names, queue); err != nil {
		return nil, err
	}
	end := w.kernel.Run()
	w.verdicts = w.judge.AppendVerdicts(w.verdicts[:0])
	w.report(&r.outcome, end, w.verdicts)
	world := &World{Seed: seed, Plan: d.plan, Outcome: &r.outcome, Struck: d.struck[:len(c.policy)], repaired: w.repaired}
	world.judge(c)
	if keep {
		d.plan = nil // it is the world's
	}
	return world, nil
}

// judge holds the world against the campaign: every default property, but those
// that may break.
func (w *World) judge(c *Campaign) {
	for i, v := range w.Outcome.Verdicts {
		switch {
		case !c.judged[i]:
		case v.Value == model.Broken && !c.mayBreak[i]:
			w.Unexpected = append(w.Unexpected, v.Property)
		case v.Value == model.Unknown:
			w.Open = append(w.Open, v.Property)
		}
	}
	switch {
	case len(w.Unexpected) > 0:
		w.Outcome.Met = No
	case len(w.Open) > 0 || w.Outcome.End == model.Limit:
		w.Outcome.Met = Inconclusive
	}
}

// Tell returns the world of seed as a story that runs alone: the campaign's
// world, the seed, and what was drawn as fault lines. It leaves the same
// history: a raw request whose delivery never came stays, as a `do?` line, since
// the run waited for its time. It is judged as the world is: what broke there and
// may is named by a line `expect chaos may-break`.
func (c *Campaign) Tell(w *World) *Story {
	s := *c.Story
	s.Name = fmt.Sprintf("%s-seed-%d", s.Name, w.Seed)
	s.Seed, s.Plan = w.Seed, slices.Clone(w.Plan)
	for i, v := range w.Outcome.Verdicts {
		if c.mayBreak[i] && v.Value == model.Broken {
			s.MayBreak = append(s.MayBreak, v.Property)
		}
	}
	s.Dos = slices.Clone(s.Dos)
	for i := range s.Dos {
		d := &s.Dos[i]
		d.Optional = d.Optional || slices.ContainsFunc(w.Outcome.Missing, func(m actors.Missing) bool { return int(m.Line) == d.Line })
	}
	return &s
}
