package model

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The line against a sorted list that is made anew: whatever is put at either end or
// between and dropped from there, the order is that of the keys, and the gap holds
// nothing that matters.
func TestIDLineAgreesWithASortedList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var line idLine
		var list []heapItem
		for range rapid.IntRange(1, 80).Draw(t, "steps") {
			key := heapKey{1, rapid.Uint64Range(0, 20).Draw(t, "id")}
			in := slices.IndexFunc(list, func(it heapItem) bool { return it.key == key })
			if in < 0 {
				line.put(int32(key.lo)+100, key)
				list = append(list, heapItem{key, int32(key.lo) + 100})
			} else {
				line.drop(key)
				list = slices.Delete(list, in, in+1)
			}
			slices.SortFunc(list, func(a, b heapItem) int { return compareKeys(a.key, b.key) })
			if !slices.Equal(line.items(), list) {
				t.Fatalf("the line holds %v, want %v", line.items(), list)
			}
			if first, ok := line.min(); ok != (len(list) > 0) || ok && first != list[0].member {
				t.Fatalf("the first is %d (%v) of %v", first, ok, list)
			}
		}
	})
}

// A queue through which many ids go has to hold those that wait and no more.
func TestIDLineUsesItsGapAgain(t *testing.T) {
	var line idLine
	for i := range uint64(10_000) {
		line.put(int32(i), heapKey{1, i})
		if i >= 10 {
			line.drop(heapKey{1, i - 10})
		}
	}
	if n := cap(line.list); n > 64 {
		t.Errorf("10 members at a time took room for %d", n)
	}
}
