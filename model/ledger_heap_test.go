package model

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The heap against a list that is searched: whatever is put, moved and dropped,
// the smallest is the smallest, and both hold as many.
func TestMinHeapAgreesWithAList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var h minHeap
		list := map[int32]heapKey{}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			member := rapid.Int32Range(1, 12).Draw(t, "member")
			if rapid.Bool().Draw(t, "put") {
				key := heapKey{rapid.Uint64Range(0, 5).Draw(t, "hi"), uint64(member)}
				h.put(member, key)
				list[member] = key
			} else {
				h.drop(member)
				delete(list, member)
			}
			compareHeap(t, &h, list)
		}
	})
}

func compareHeap(t *rapid.T, h *minHeap, list map[int32]heapKey) {
	var keys []heapKey
	for _, k := range list {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, compareKeys)
	_, got, ok := h.min()
	if len(h.items) != len(keys) || ok != (len(keys) > 0) || ok && got != keys[0] {
		t.Fatalf("the heap holds %d, the smallest %v; the list %v", len(h.items), got, keys)
	}
}

func compareKeys(a, b heapKey) int { return cmp.Or(cmp.Compare(a.hi, b.hi), cmp.Compare(a.lo, b.lo)) }

func TestKeysOrderAsWhatTheyStandFor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Int64().Draw(t, "a"), rapid.Int64().Draw(t, "b")
		if got := timeKey(Time(a)).less(timeKey(Time(b))); got != (a < b) {
			t.Fatalf("%d before %d: %v", a, b, got)
		}
		if got := timeKey(Time(a)).time(); got != Time(a) {
			t.Fatalf("%d comes back as %d", a, got)
		}
		x, y := anyID(t, "x"), anyID(t, "y")
		if got := idKey(x).less(idKey(y)); got != (x.Compare(y) < 0) {
			t.Fatalf("%v before %v: %v", x, y, got)
		}
	})
}

func anyID(t *rapid.T, name string) ID {
	ns := rapid.SampledFrom([]string{"JOB", "JOC", "KOB", "ABZ"}).Draw(t, name+" namespace")
	return ID{NS: [3]byte([]byte(ns)), Value: rapid.Uint64Range(0, 3).Draw(t, name)}
}
