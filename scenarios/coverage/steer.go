package coverage

import (
	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// Steered is a campaign that aims, and learns. In three of four worlds several chaos lines
// strike besides what the seed draws, whatever their rates; the fourth is left to its seed (or
// seeks an empty cell, by Seek), for what strikes more may hide what that would show. A world
// which reaches something new leaves its plan in a corpus, and in every other world what befell
// one of those befalls a fresh seed as well. New is a shape of the machine (how many of its jobs
// are in which state), a fault and a phase that come together in one world for the first time.
//
// Where all lines can strike in one world, nothing else befalls the first: it is the simplest
// in which each has its say. What a steered campaign does is a function of its story and its
// first seed.
type Steered struct {
	campaign *scenarios.Campaign
	runner   *scenarios.Runner
	first    uint64 // seed
	dice     model.Seed
	striker  striker
	runs     uint64
	seen     map[feature]bool
	corpus   []kept
	total    Map
	beside   *Map // of Seek; nil: empty cells are not sought
}

// kept is a world that reached something new.
type kept struct {
	seed    uint64
	plan    faults.Plan
	verdict model.Value
	moments [PhaseCount]moment // only of who seeks
}

type feature struct {
	shape string
	fault Fault
	phase Phase
}

// Chunk is how many worlds a check learns from before it starts afresh: chunks can be run
// apart, on any number of cores, and a world be run again behind the few that it learnt
// from.
const Chunk = 250

// Steer returns a steered campaign of c that begins with the seed first. Its worlds are
// run by r.
func Steer(c *scenarios.Campaign, r *scenarios.Runner, first uint64) *Steered {
	return &Steered{campaign: c, runner: r, first: first, dice: model.Seed(first).Fork("coverage/steer"),
		striker: newStriker(c, first), seen: map[feature]bool{}}
}

// SteerInChunks returns what runs the worlds of c, of seed after seed from first on, by r: a
// steered campaign that starts afresh with each Chunk of them. Whoever begins with the first
// seed of a chunk is given the same worlds from there on.
func SteerInChunks(c *scenarios.Campaign, r *scenarios.Runner, first uint64) func(seed uint64) (*scenarios.World, error) {
	var steered *Steered
	return func(seed uint64) (*scenarios.World, error) {
		if (seed-first)%Chunk == 0 {
			steered = Steer(c, r, seed)
		}
		return steered.Next()
	}
}

// Map returns the map of the worlds so far.
func (s *Steered) Map() *Map { return &s.total }

// Next runs one more world, that of the next seed. Its outcome is good until the next
// run of the runner.
func (s *Steered) Next() (*scenarios.World, error) {
	w, err := s.next()
	if err != nil {
		return nil, err
	}
	s.runs++
	strikes := Of(s.campaign.Story, w.Plan, w.Outcome.History)
	s.total.count(strikes, verdict(w.Outcome))
	s.learn(w, strikes)
	s.striker.saw(w.Outcome.History)
	return w, nil
}

// next runs the next world.
func (s *Steered) next() (*scenarios.World, error) {
	seed, n := s.first+s.runs, s.runs
	var again faults.Plan
	switch {
	case n%4 == 3:
		return s.sought(seed, n)
	case n == 0 && s.striker.once():
		return s.runner.PlannedWorld(s.campaign, seed, s.struck(nil), true)
	case n%2 == 0 && len(s.corpus) > 0:
		again = s.mutate(n)
	}
	return s.runner.WorldWith(s.campaign, seed, s.struck(again), true)
}

// sought runs a world in which an empty cell is sought, or else one that its seed alone draws.
func (s *Steered) sought(seed, n uint64) (*scenarios.World, error) {
	if s.beside != nil {
		if again, plan := s.aim(n); again != nil {
			return s.runner.WorldWith(s.campaign, again.seed, plan, true)
		}
	}
	return s.runner.World(s.campaign, seed, true)
}

// struck returns what befalls the next world besides: plan, and where the striker aims.
func (s *Steered) struck(plan faults.Plan) faults.Plan {
	b := faults.Builder{}
	for _, e := range plan {
		b.Add(e)
	}
	s.striker.strike(s.runs, &b)
	return b.Plan()
}

// learn keeps the plan of a world that reached something new.
func (s *Steered) learn(w *scenarios.World, strikes Strikes) {
	shapes := shapesOf(s.campaign.Story, w.Outcome.History)
	learnt := false
	for _, shape := range shapes {
		for f := range FaultCount {
			for p := range PhaseCount {
				if at := (feature{shape, f, p}); strikes[f].Has(p) && !s.seen[at] {
					s.seen[at], learnt = true, true
				}
			}
		}
	}
	if !learnt {
		return
	}
	k := kept{seed: w.Seed, plan: w.Plan, verdict: verdict(w.Outcome)}
	if s.beside != nil {
		k.moments = s.momentsOf(w)
	}
	s.corpus = append(s.corpus, k)
}

// mutate returns a plan of the corpus, some of whose faults are moved to another job or
// to the next delivery. None of them has to fire.
func (s *Steered) mutate(n uint64) faults.Plan {
	return s.moved(s.corpus[s.pick(n, 0, len(s.corpus))].plan, func(i uint64, e *faults.Entry) {
		if e.Point.Job == model.NoJob {
			return
		}
		switch s.pick(n, 2*i+1, 8) {
		case 0:
			e.Point.Job = model.Job(1 + s.pick(n, 2*i+2, len(s.campaign.Story.Jobs)))
		case 1:
			e.Point.N += min(e.Point.N, 1) // an enqueue has none
		}
	})
}

// moved returns plan with its entries as move leaves them. None of them has to fire.
func (s *Steered) moved(plan faults.Plan, move func(i uint64, e *faults.Entry)) faults.Plan {
	builder := faults.Builder{}
	for i, e := range plan {
		e.Optional = true
		move(uint64(i), &e)
		builder.Add(e)
	}
	return builder.Plan()
}

// pick draws one of so many: the kth draw of the nth world.
func (s *Steered) pick(n, k uint64, of int) int {
	return int(model.Below(s.dice.Hash(n, k), uint32(of)))
}
