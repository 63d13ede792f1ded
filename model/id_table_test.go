package model_test

import (
	"testing"

	"pgregory.net/rapid"

	. "github.com/ackgap/ackgap/model"
)

// The table against a map, through more rounds than it can count, with ids that lie
// close, differ in their namespace alone, or are drawn from everywhere.
func TestAnIDTableIsAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var table IDTable
		for range rapid.SampledFrom([]int{1, 3, 600}).Draw(t, "rounds before") {
			table.Clear()
		}
		ids := rapid.OneOf(
			rapid.Map(rapid.IntRange(0, 40), func(i int) ID { return ID{JOB, uint64(i) << 12} }),
			rapid.Map(rapid.IntRange(0, 7), func(i int) ID {
				return ID{[3]byte{byte('A' + i&1), byte('A' + i>>1&1), byte('A' + i>>2)}, 7}
			}),
			rapid.Map(rapid.Uint64(), func(v uint64) ID { return ID{JOB, v} }),
		)
		want := map[ID]int32{}
		for n := range rapid.Int32Range(0, 200).Draw(t, "actions") {
			id := ids.Draw(t, "id")
			switch rapid.IntRange(0, 9).Draw(t, "action") {
			case 0, 1, 2:
				table.Delete(id)
				delete(want, id)
			case 3:
				table = table.Clone()
			default:
				table.Put(id, n)
				want[id] = n
			}
			for id, n := range want {
				if got, ok := table.Get(id); !ok || got != n {
					t.Fatalf("%v has %d, %t; want %d", id, got, ok, n)
				}
			}
			if _, ok := table.Get(id); ok != has(want, id) || table.Len() != len(want) {
				t.Fatalf("%v is there: %t; %d of %d ids", id, ok, table.Len(), len(want))
			}
		}
	})
}

func has(m map[ID]int32, id ID) bool { _, ok := m[id]; return ok }

func TestAClearedIDTableIsEmpty(t *testing.T) {
	var table IDTable
	id := ID{JOB, 1}
	table.Put(id, 1)
	for round := range 1000 {
		table.Clear()
		table.Put(ID{JOB, 2}, 2)
		if n, ok := table.Get(id); ok || table.Len() != 1 {
			t.Fatalf("cleared %d times, it still has %d", round+1, n)
		}
	}
}

func TestACloneOfAnIDTableIsItsOwn(t *testing.T) {
	var table IDTable
	id := ID{JOB, 1}
	table.Put(id, 1)
	clone := table.Clone()
	clone.Put(id, 2)
	if n, _ := table.Get(id); n != 1 {
		t.Errorf("the clone's 2 shows in the original: %d", n)
	}
}
