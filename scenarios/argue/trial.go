package argue

import (
	"cmp"
	"slices"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// Trial is a change and what came of it: on the small story, and in the random
// worlds.
type Trial struct {
	Change string // "consumer=atomic"; two are joined by " and "; "" where nothing is changed
	Means  string // what it is, in a few words
	Small  Result
	Worlds int     // in how many it was tried
	Bad    int     // in how many of them a default property broke
	Open   int     // in how many nothing broke, and something is unknown
	Broken []Count // by property, in the order of model.Properties: those of AsIs, and all that broke here
	First  uint64  // the lowest seed in which something broke; 0 for none
	Judged bool    // the property at stake was judged in some world
	Fix    bool    // see isFix
}

// Count is in how many worlds a property broke.
type Count struct {
	Property string
	Worlds   int
}

// Moved reports whether the change has moved the failure: it helps the small story,
// the property at stake breaks in fewer worlds than as it is, and another one, which
// breaks in more, now breaks more often than that.
func (t *Trial) Moved(asIs *Trial, property string) bool {
	left := t.Of(property)
	return t.Small.Answer != Fails && left < asIs.Of(property) && slices.ContainsFunc(t.Broken, func(c Count) bool {
		return c.Property != property && c.Worlds > asIs.Of(c.Property) && c.Worlds > left
	})
}

// Of returns in how many worlds a property broke.
func (t *Trial) Of(property string) int {
	for _, c := range t.Broken {
		if c.Property == property {
			return c.Worlds
		}
	}
	return 0
}

// tryChanges tries nothing at first, then each single change, and ranks them.
func (a *arguer) tryChanges() error {
	asIs, err := a.try(never)
	if err != nil {
		return err
	}
	a.out.AsIs = *asIs
	for _, c := range changesOf(a.world) {
		t, err := a.try(never, c)
		if err != nil {
			return err
		}
		a.out.Fixes = append(a.out.Fixes, *t)
	}
	slices.SortStableFunc(a.out.Fixes, compare)
	return nil
}

// compare ranks trials: fixes, then by how many worlds break, then by how many
// are open, and then those first that help the small story.
func compare(x, y Trial) int {
	rank := func(fix bool) int {
		if fix {
			return 0
		}
		return 1
	}
	return cmp.Or(rank(x.Fix)-rank(y.Fix), cmp.Compare(x.Bad, y.Bad), cmp.Compare(x.Open, y.Open), cmp.Compare(y.Small.Answer, x.Small.Answer))
}

// tryPairs looks for two changes of different options that fix together what
// neither does alone. One world in which something breaks refutes a pair.
func (a *arguer) tryPairs() error {
	hopeless := a.out.AsIs.Of(a.small.Property) == 0
	if hopeless || a.out.Cut || slices.ContainsFunc(a.out.Fixes, func(t Trial) bool { return t.Fix }) {
		return nil
	}
	list := changesOf(a.world)
	for i := range list {
		for j := range i {
			if list[j].option == list[i].option {
				continue
			}
			t, err := a.try(isRefuted, list[j], list[i])
			if err != nil || a.out.Cut {
				return err
			}
			a.out.PairsTried++
			if t.Fix {
				a.out.Pairs = append(a.out.Pairs, *t)
			}
		}
	}
	return nil
}

func never(*scenarios.Tally) bool       { return false }
func isRefuted(t *scenarios.Tally) bool { return t.Unexpected+t.Open > 0 }

// try makes the changes in the small story and in the worlds. A pair that does
// not help the small story is not tried in the worlds.
func (a *arguer) try(enough func(*scenarios.Tally) bool, changes ...change) (*Trial, error) {
	t := &Trial{}
	for i := range changes {
		if i > 0 {
			t.Change, t.Means = t.Change+" and ", t.Means+"; "
		}
		t.Change, t.Means = t.Change+changes[i].text(), t.Means+changes[i].means
	}
	var err error
	if t.Small, err = a.trySmall(apply(a.small.Story, changes...)); err != nil {
		return nil, err
	}
	if len(changes) > 1 && t.Small.Answer != Holds {
		return t, nil
	}
	world := apply(a.world, changes...)
	campaign, err := scenarios.NewCampaign(world)
	if err != nil {
		return nil, err
	}
	tally, err := a.sweep(campaign, a.runs, enough)
	if err != nil {
		return nil, err
	}
	a.out.Cut = a.out.Cut || uint64(tally.Runs) < a.runs && !enough(tally)
	a.read(t, tally, world)
	return t, nil
}

// trySmall runs the small story with changes made. Where all of its workers are
// dead in the end, no change lets a job end that is not lost any more: then one
// more worker is there to take over.
func (a *arguer) trySmall(s *scenarios.Story) (Result, error) {
	out, r, err := a.run(s)
	if err != nil {
		return Result{}, err
	}
	if r.Answer == Moves && slices.Equal(r.Properties, []string{"drains"}) && len(s.Workers) > 0 && allDead(s, out.History) {
		addWorkers(s, int64(len(s.Workers)+1))
		if _, r, err = a.run(s); err != nil {
			return Result{}, err
		}
		r.Relieved = true
	}
	return *r, nil
}

// allDead reports whether every worker is dead when the history ends.
func allDead(s *scenarios.Story, h *model.History) bool {
	first := faults.Pump + 1 + model.Proc(len(s.Producers))
	dead := make([]bool, len(s.Workers))
	for i := range h.Events {
		e := &h.Events[i]
		if w := int(e.Proc - first); w >= 0 && w < len(dead) && (e.Kind == model.Crashed || e.Kind == model.Restarted) {
			dead[w] = e.Kind == model.Crashed
		}
	}
	return !slices.Contains(dead, false)
}

// read takes from a tally what a trial tells.
func (a *arguer) read(t *Trial, tally *scenarios.Tally, world *scenarios.Story) {
	t.Worlds, t.Bad, t.Open = tally.Runs, tally.Unexpected, tally.Open
	if len(tally.Failures) > 0 {
		t.First = tally.Failures[0].Seed
	}
	queue := scenarios.Outcome{Story: world}
	for i, p := range model.Properties() {
		n := tally.Properties[i]
		if p.Name == a.small.Property {
			t.Judged = n.Held+n.Broken+n.Unknown > 0
		}
		if n.Broken > 0 && queue.IsDefault(p.Name) || a.out.AsIs.Of(p.Name) > 0 || p.Name == a.small.Property {
			t.Broken = append(t.Broken, Count{p.Name, n.Broken})
		}
	}
	t.Fix = a.isFix(t)
}

// isFix reports whether a change is a fix, as far as was seen: it helps the small
// story, and in as many worlds as were asked for nothing broke and nothing is open.
// Worlds in which the property never breaks whatever is done can refute nothing.
func (a *arguer) isFix(t *Trial) bool {
	property := a.small.Property
	tested := a.out.AsIs.Of(property) > 0 && t.Judged && uint64(t.Worlds) == a.runs
	return tested && t.Small.Answer == Holds && t.Bad+t.Open+t.Of(property) == 0
}

// inTurn is how many worlds InTurn runs before it asks whether that is enough.
const inTurn = 250

// InTurn is the Sweep that runs one world after the other.
func InTurn(c *scenarios.Campaign, runs uint64, enough func(*scenarios.Tally) bool) (*scenarios.Tally, error) {
	runner, total := scenarios.NewRunner(), c.NewTally()
	defer func() { _ = runner.Close() }() // what was counted stands
	for begun := uint64(0); begun < runs && (begun == 0 || !enough(total)); begun += inTurn {
		t, err := c.Count(runner, FirstSeed+begun, min(inTurn, runs-begun), nil)
		if err != nil {
			return nil, err
		}
		total.Add(t)
	}
	return total, nil
}

// FirstSeed is the seed of the first world in which a change is tried.
const FirstSeed = 1
