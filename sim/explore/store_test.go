package explore_test

import (
	"encoding/binary"
	"math/bits"
	"testing"

	"github.com/ackgap/ackgap/sim/explore"
)

// heap is a tree of numbers whose states are long, and of many lengths: more than the
// pieces hold in which a store keeps them.
type heap struct {
	t    *testing.T
	size uint64
}

func (h heap) Initial() uint64 { return 1 }

func (h heap) Actions(n *uint64, list []explore.Action) []explore.Action {
	for child := range explore.Action(2) {
		if *n*2+uint64(child) <= h.size {
			list = append(list, child)
		}
	}
	return list
}

func (h heap) Cost(explore.Action) int { return 0 }

func (h heap) Apply(n *uint64, child explore.Action, hits []explore.Hit) []explore.Hit {
	*n = *n*2 + uint64(child)
	if *n == h.size {
		hits = append(hits, explore.Hit{})
	}
	return hits
}

func (h heap) AppendState(b []byte, n *uint64) []byte {
	b = binary.BigEndian.AppendUint64(b, *n)
	for i := range *n % 300 {
		b = append(b, byte(*n+i))
	}
	return b
}

func (h heap) LoadState(b []byte, n *uint64) {
	*n = binary.BigEndian.Uint64(b)
	if string(b) != string(h.AppendState(nil, n)) {
		h.t.Errorf("state %d was kept as %x", *n, b)
	}
}

func TestStatesOfManyLengthsAreKept(t *testing.T) {
	const size = 40_000
	for _, o := range []explore.Options{{}, {Compact: true}, {DepthFirst: true}, {DepthFirst: true, Compact: true}} {
		r := run(t, heap{t, size}, o)
		if r.States != size || len(r.Found) != 1 || len(r.Found[0].Actions) != bits.Len64(size)-1 {
			t.Errorf("%+v: %d states, found %v", o, r.States, r.Found)
		}
		if kept := r.Bytes / size; o.Compact && kept > 100 || !o.Compact && kept < 150 {
			t.Errorf("%+v: %d bytes a state are kept", o, kept)
		}
	}
}

// What grows is allocated, and nothing for a transition, be there hits or not.
func TestATransitionAllocatesNothing(t *testing.T) {
	m := maze{seed: 1, rooms: 20_000, doors: 6, ends: 9}
	for _, o := range []explore.Options{{Faults: 1}, {Faults: 1, DepthFirst: true}, {Faults: 1, Compact: true}} {
		var r *explore.Result
		allocations := testing.AllocsPerRun(1, func() { r = run(t, m, o) })
		if r.Transitions < 50_000 || len(r.Found) < 4 || allocations > 1000 {
			t.Errorf("%+v: %v allocations for %d transitions", o, allocations, r.Transitions)
		}
	}
}
