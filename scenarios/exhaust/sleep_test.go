package exhaust_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios/exhaust"
	"github.com/ackgap/ackgap/sim/explore"
)

// sleepScope draws what may go wrong in the ith world.
func sleepScope(d *draws, i int) exhaust.Scope {
	acts, _ := exhaust.ParseActs("remove,reprocess,extend,claim,pause")
	scope := exhaust.Scope{Claims: 3, Kinds: exhaust.DefaultKinds}
	switch i % 6 {
	case 0:
		scope.Acts = acts[:1+d.below(len(acts))]
	case 1:
		scope.Kinds = exhaust.EveryKind
	case 2, 3:
		scope.Kinds &^= exhaust.Refuse
	}
	return scope
}

// Every two actions that are enabled in a state and share no bit of their footprints are
// tried in both orders, in the states of random walks: neither disables the other, both
// orders lead to one state, and each makes the same hits before and behind the other. With
// symmetry an action is known by its bit, which goes where its worker or job goes.
func TestActionsThatShareNothingAreIndependent(t *testing.T) {
	pairs, moved := 0, 0
	for i := range 240 {
		d := draws{seed: model.Seed(i).Fork("pairs")}
		text := d.alikeStory(alikeVariants...)
		scope := sleepScope(&d, i)
		scope.Symmetry, scope.PartialOrder = i%2 == 1, i%4 > 1
		p := pairing{t: t, w: newWorld(t, text, scope).Sleeping(), text: text}
		s := p.w.Initial()
		for range 40 {
			list := p.w.Actions(&s, nil)
			if len(list) == 0 {
				break
			}
			p.state(s, list)
			p.w.Apply(&s, list[d.below(len(list))], nil)
		}
		pairs, moved = pairs+p.tried, moved+p.moved
	}
	t.Logf("%d pairs, %d of which changed places", pairs, moved)
	if pairs < 10_000 || moved < 100 {
		t.Error("too few to speak of")
	}
}

// pairing tries pairs of actions.
type pairing struct {
	t            *testing.T
	w            explore.Sleeper[exhaust.State]
	text         string
	tried, moved int
}

// after is what an action leads to.
type after struct {
	state  exhaust.State
	hits   []explore.Hit
	asleep uint64 // by which bit the other action is known there
	alone  bool
}

func (p *pairing) take(s exhaust.State, a explore.Action, asleep uint64) (to after) {
	to.state = s
	to.hits = p.w.Apply(&to.state, a, nil)
	to.asleep, to.alone = p.w.Carry(&to.state, asleep)
	return to
}

func (p *pairing) state(s exhaust.State, list []explore.Action) {
	seen := uint64(0)
	for i, a := range list {
		bitA, touchesA := p.w.Footprint(&s, a)
		if bitA < 0 {
			continue
		}
		if seen>>bitA&1 == 1 {
			p.t.Fatalf("two actions have bit %d, one of which is %s\n%s", bitA, exhaust.Word(a), p.text)
		}
		seen |= 1 << bitA
		for k, b := range list {
			if bitB, touchesB := p.w.Footprint(&s, b); k != i && touchesA&touchesB == 0 {
				p.pair(s, a, b, bitA, bitB)
			}
		}
	}
}

// pair tries a, which can sleep, and b, in both orders.
func (p *pairing) pair(s exhaust.State, a, b explore.Action, bitA, bitB int) {
	overA, overB := p.take(s, a, bitOf(bitB)), p.take(s, b, 1<<bitA)
	if overA.alone || overB.alone {
		return
	}
	p.tried++
	ba, ok := p.find(overB.state, overB.asleep)
	if !ok {
		p.t.Fatalf("%s disables %s\n%s", exhaust.Word(b), exhaust.Word(a), p.text)
	}
	if ba != a {
		p.moved++
	}
	ab := b // one that never sleeps is known by its code
	if bitB >= 0 {
		if ab, ok = p.find(overA.state, overA.asleep); !ok {
			p.t.Fatalf("%s disables %s\n%s", exhaust.Word(a), exhaust.Word(b), p.text)
		}
	} else if !slices.Contains(p.w.Actions(&overA.state, nil), b) {
		return // it has changed places, and has no bit that would say where to
	}
	one, other := p.take(overA.state, ab, 0), p.take(overB.state, ba, 0)
	if string(p.w.AppendState(nil, &one.state)) != string(p.w.AppendState(nil, &other.state)) {
		p.t.Fatalf("%s and %s lead to two states\n%s", exhaust.Word(a), exhaust.Word(b), p.text)
	}
	if !slices.Equal(overA.hits, other.hits) || !slices.Equal(overB.hits, one.hits) {
		p.t.Fatalf("%s and %s: %v %v, and %v %v in the other order\n%s", exhaust.Word(a), exhaust.Word(b),
			overA.hits, one.hits, other.hits, overB.hits, p.text)
	}
}

func bitOf(bit int) uint64 {
	if bit < 0 {
		return 0
	}
	return 1 << bit
}

// find returns the action of s that has the one bit.
func (p *pairing) find(s exhaust.State, bit uint64) (explore.Action, bool) {
	list := p.w.Actions(&s, nil)
	i := slices.IndexFunc(list, func(a explore.Action) bool {
		b, _ := p.w.Footprint(&s, a)
		return bit != 0 && bitOf(b) == bit
	})
	if i < 0 {
		return 0, false
	}
	return list[i], true
}

// sleepingEnder is an ender that sleeps.
type sleepingEnder struct {
	explore.Sleeper[exhaust.State]
	ends map[string]bool
}

func (e sleepingEnder) Actions(s *exhaust.State, list []explore.Action) []explore.Action {
	list = e.Sleeper.Actions(s, list)
	if len(list) == 0 {
		e.ends[string(e.AppendState(nil, s))] = true
	}
	return list
}

// trails lists each hit with the faults and steps of its trail.
func trails(r *explore.Result) map[string]bool {
	list := map[string]bool{}
	for _, f := range r.Found {
		list[fmt.Sprintf("%s %d: %d faults, %d steps", exhaust.Names[f.Hit.Property], f.Hit.Group, f.Faults, len(f.Actions))] = true
	}
	return list
}

// TestSleepSetsFindWhatTheSearchFindsWithout explores small random worlds plainly, and with
// each other reduction, and then with sleep sets too: the same states, the same breaches
// with as few faults and steps, the same states in which nothing can happen any more.
func TestSleepSetsFindWhatTheSearchFindsWithout(t *testing.T) {
	t.Parallel()
	names := [...]string{"plain", "symmetry", "partial order", "both"}
	var compared int
	var without, saved [len(names)]int64
	for i := range 90 {
		d := draws{seed: model.Seed(i).Fork("sleep")}
		text := d.alikeStory(alikeVariants...)
		scope := sleepScope(&d, i)
		o := explore.Options{Faults: 1 + d.below(2), MaxStates: within(15_000, 30_000)}
		for k := range names {
			scope.Symmetry, scope.PartialOrder = k&1 != 0, k&2 != 0
			want, ends := searchEnds(t, text, scope, o, scope)
			if want.Ending != explore.Exhausted {
				break
			}
			e := sleepingEnder{newWorld(t, text, scope).Sleeping(), map[string]bool{}}
			sleeping := o
			sleeping.Sleep = true
			got, err := explore.Run[exhaust.State](e, sleeping)
			if err != nil {
				t.Fatal(err)
			}
			if got.States != want.States || got.Transitions+got.Slept != want.Transitions {
				t.Fatalf("%d states and %d+%d transitions, without %d and %d\n%s%+v", got.States, got.Transitions, got.Slept, want.States, want.Transitions, text, scope)
			}
			if diff := cmp.Diff(trails(want), trails(got)); diff != "" {
				t.Fatalf("%s\n%s%+v", diff, text, scope)
			}
			if !scope.Symmetry && !maps.Equal(ends, e.ends) || len(ends) != len(e.ends) {
				t.Fatalf("%d ends are reached, without %d\n%s%+v", len(e.ends), len(ends), text, scope)
			}
			without[k], saved[k] = without[k]+want.Transitions, saved[k]+got.Slept
			compared += k / (len(names) - 1)
		}
	}
	for k, name := range names {
		t.Logf("%s: %d of %d transitions saved (%d%%)", name, saved[k], without[k], 100*saved[k]/without[k])
	}
	t.Logf("%d worlds", compared)
	if compared < 50 || saved[0] < without[0]/50 || saved[1] == 0 || saved[3] == 0 {
		t.Error("too few worlds, or nothing is saved")
	}
}
