package echomq

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/ackgap/ackgap/model"
)

// A zset is a sorted list of its members, whatever its gap does.
func TestZsetIsASortedList(t *testing.T) {
	drawMember := rapid.Custom(func(t *rapid.T) member {
		return member{
			score: model.Time(rapid.IntRange(-2, 2).Draw(t, "score")),
			id: model.ID{
				NS:    rapid.SampledFrom([][3]byte{model.JOB, {'J', 'O', 'C'}, {'J', 'P', 'A'}, {'K', 'A', 'A'}}).Draw(t, "namespace"),
				Value: uint64(rapid.IntRange(0, 20).Draw(t, "id")),
			},
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		var z zset
		var list []member
		for range rapid.IntRange(0, 200).Draw(t, "steps") {
			m := drawMember.Draw(t, "member")
			if first := z.first(); first != nil && rapid.Bool().Draw(t, "the first") {
				m = *first
			}
			if i := slices.Index(list, m); i >= 0 {
				list = slices.Delete(list, i, i+1)
				z.remove(&m)
			} else {
				list = append(list, m)
				slices.SortFunc(list, compareMembers)
				z.add(&m)
			}
			compareToList(t, &z, list)
		}
	})
}

// compareMembers is the order of Valkey's sorted sets.
func compareMembers(a, b member) int {
	return cmp.Or(cmp.Compare(a.score, b.score), a.id.Compare(b.id))
}

func compareToList(t *rapid.T, z *zset, list []member) {
	if !slices.Equal(z.members(), list) {
		t.Fatalf("members are %v, want %v", z.members(), list)
	}
	first, last := z.first(), z.last()
	if (first != nil) != (len(list) > 0) || (last != nil) != (len(list) > 0) {
		t.Fatalf("the ends are %v and %v of %d members", first, last, len(list))
	}
	if first != nil && (*first != list[0] || *last != list[len(list)-1]) {
		t.Fatalf("the ends are %v and %v, want those of %v", first, last, list)
	}
}

// Jobs that enter at the back and leave at the front for ever do not make the
// slice grow for ever.
func TestZsetUsesItsGapAgain(t *testing.T) {
	var z zset
	const alive = 100
	for v := range uint64(100_000) {
		z.add(&member{id: model.ID{NS: model.JOB, Value: v}})
		if m := *z.first(); v >= alive {
			z.remove(&m)
		}
	}
	if got := cap(z.buf); got > 4*alive {
		t.Errorf("capacity is %d for %d members", got, alive)
	}
	if got := len(z.members()); got != alive {
		t.Errorf("%d members, want %d", got, alive)
	}
}
