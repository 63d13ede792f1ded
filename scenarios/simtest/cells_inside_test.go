package simtest

import (
	"strconv"
	"testing"
)

// TestEachKeyHasACellOfItsOwn, which stays where it is however many there come to be.
func TestEachKeyHasACellOfItsOwn(t *testing.T) {
	var c cells
	for round := range 2 {
		var seen []*cell
		for i := range 5000 {
			one := c.of(strconv.Itoa(i))
			if one.version != 0 {
				t.Fatalf("round %d: key %d is new and holds version %d", round, i, one.version)
			}
			one.version = int64(i + 1)
			seen = append(seen, one)
			if old := i / 2; c.of(strconv.Itoa(old)) != seen[old] {
				t.Fatalf("round %d: of %d keys, %d has lost its cell", round, i+1, old)
			}
		}
		if c.taken != 5000 {
			t.Errorf("round %d: %d cells for 5000 keys", round, c.taken)
		}
		c.reset()
	}
}

// TestFewCellsKeepTheirRoomFromOneWorldToTheNext, and many do not.
func TestFewCellsKeepTheirRoomFromOneWorldToTheNext(t *testing.T) {
	var c cells
	c.of("a").version = 1
	c.reset()
	if len(c.slots) != fewSlots || c.of("a").version != 0 {
		t.Errorf("%d slots after one key, which holds version %d", len(c.slots), c.of("a").version)
	}
	for i := range fewSlots {
		c.of(strconv.Itoa(i))
	}
	if c.reset(); len(c.slots) != 0 {
		t.Errorf("%d slots are kept", len(c.slots))
	}
}
