package explore_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/sim/explore"
)

// crowd is some walkers, each in a random graph of its own, and a lamp that some of
// their steps look at or switch. A state is a digit of where each walker is, and the lamp.
type crowd struct {
	seed    model.Seed
	walkers int
	sparse  uint32 // one step in so many is there
}

type place4 [4]byte

const lamp = 3

func (c crowd) draw(n uint32, of ...uint64) uint32 {
	h := c.seed
	for _, v := range of {
		h = model.Seed(h.Hash(v, 0))
	}
	return model.Below(h.Hash(0, 0), n)
}

func (c crowd) Initial() place4 { return place4{} }

// step says of a walker's step from where it is: whether it is there, costs a fault, looks at
// the lamp, switches it, and where it leads.
func (c crowd) step(walker int, at byte, choice int) (there, costs, looks, switches bool, to byte) {
	key := []uint64{uint64(walker), uint64(at), uint64(choice)}
	kind := c.draw(8, append(key, 1)...)
	return c.draw(c.sparse, append(key, 2)...) == 0, c.draw(6, append(key, 3)...) == 0, kind == 0, kind == 1, byte(c.draw(4, append(key, 4)...))
}

func (c crowd) Actions(s *place4, list []explore.Action) []explore.Action {
	for w := range c.walkers {
		for choice := range 3 {
			if there, _, looks, _, _ := c.step(w, s[w], choice); there && (!looks || s[lamp] == 1) {
				list = append(list, explore.Action(w<<8|choice<<4)|explore.Action(s[w]))
			}
		}
	}
	return list
}

func (c crowd) parts(a explore.Action) (walker, choice int, at byte) {
	return int(a >> 8), int(a >> 4 & 15), byte(a & 15)
}

func (c crowd) Cost(a explore.Action) int {
	w, choice, at := c.parts(a)
	if _, costs, _, _, _ := c.step(w, at, choice); costs {
		return 1
	}
	return 0
}

func (c crowd) Apply(s *place4, a explore.Action, hits []explore.Hit) []explore.Hit {
	w, choice, at := c.parts(a)
	_, _, _, switches, to := c.step(w, at, choice)
	s[w] = to
	if switches {
		s[lamp] ^= 1
	}
	return append(hits, explore.Hit{Property: uint8(w), Group: uint32(a)})
}

func (c crowd) AppendState(b []byte, s *place4) []byte { return append(b, s[:]...) }

func (c crowd) LoadState(b []byte, s *place4) { copy(s[:], b) }

func (c crowd) Footprint(_ *place4, a explore.Action) (int, uint64) {
	w, choice, at := c.parts(a)
	touches := uint64(1) << w
	if _, _, looks, switches, _ := c.step(w, at, choice); looks || switches {
		touches |= 1 << lamp
	}
	return 4*w + choice, touches
}

func (c crowd) Carry(_ *place4, asleep uint64) (uint64, bool) { return asleep, false }

// manyCores is a crowd that several cores may watch.
type manyCores struct{ crowd }

func (c manyCores) Fork() explore.Model[place4]    { return c }
func (c manyCores) Join(_ []explore.Model[place4]) {}

// With sleep sets every state is visited, and every hit is found with as few faults and
// steps as without; only transitions are fewer.
func TestSleepSetsSaveTransitionsAndLoseNothing(t *testing.T) {
	plain, saved := int64(0), int64(0)
	for i := range model.Seed(1200) {
		c := crowd{seed: i.Fork("crowd"), walkers: 2 + int(i%2), sparse: 1 + uint32(i%4)}
		for _, deep := range []bool{false, true} {
			want := run(t, c, explore.Options{Faults: 2, DepthFirst: deep})
			for _, cores := range []int{1, 2} {
				got := run(t, manyCores{c}, explore.Options{Faults: 2, DepthFirst: deep, Cores: cores, Sleep: true})
				if got.States != want.States || !slices.Equal(layerSizes(got), layerSizes(want)) {
					t.Fatalf("%+v: %d states by faults %v, plainly %d, %v", c, got.States, layerSizes(got), want.States, layerSizes(want))
				}
				if d := cmp.Diff(shortest(want, !deep), shortest(got, !deep), cmp.AllowUnexported(place{})); d != "" {
					t.Fatalf("%+v, depth first %t: %s", c, deep, d)
				}
				if got.Transitions+got.Slept != want.Transitions {
					t.Fatalf("%+v: %d transitions and %d left out, plainly %d", c, got.Transitions, got.Slept, want.Transitions)
				}
				plain, saved = plain+want.Transitions, saved+got.Slept
			}
		}
	}
	t.Logf("%d of %d transitions are saved (%d%%)", saved, plain, 100*saved/plain)
	if saved < plain/10 {
		t.Error("too few to speak of")
	}
}

// shortest lists each hit with its faults and, if trails are shortest ones, its steps.
func shortest(r *explore.Result, steps bool) map[explore.Hit]place {
	list := map[explore.Hit]place{}
	for _, f := range r.Found {
		list[f.Hit] = place{faults: f.Faults}
		if steps {
			list[f.Hit] = place{f.Faults, len(f.Actions)}
		}
	}
	return list
}

func TestWhereSleepSetsCannotBeUsedTheyAreRefused(t *testing.T) {
	c := crowd{seed: 1, walkers: 2, sparse: 1}
	if _, err := explore.Run(c, explore.Options{Sleep: true, Compact: true}); err == nil {
		t.Error("the compact mode, which forgets the bytes of a state, was not refused")
	}
	if _, err := explore.Run(maze{rooms: 2, doors: 1, ends: 2}, explore.Options{Sleep: true}); err == nil {
		t.Error("a model that knows nothing of independence was not refused")
	}
}
