package explore

import (
	"testing"

	"github.com/ackgap/ackgap/model"
)

// TestStatesAreFoundApartWhateverTheirFingerprintsShare compares the table with a map, for
// fingerprints that are the same but for some bits: in their tags, where they begin, or both.
func TestStatesAreFoundApartWhateverTheirFingerprintsShare(t *testing.T) {
	const states = 2000
	for _, differ := range []uint64{
		^uint64(0), 1<<56 - 1, 1<<57 - 1, ^uint64(1<<16 - 1), 0x00ffffffffff0000, 0x81000000ffff0003, 1<<13 - 1,
	} {
		for _, same := range []uint64{0, ^uint64(0), 0x5555555555555555} {
			s, numbers := newStore(true), map[uint64]int32{}
			var hashes []uint64
			for i := uint64(0); len(hashes) < states; i++ {
				hash := model.Seed(differ).Hash(i, 0)&differ | same&^differ
				want, known := numbers[hash]
				if !known {
					want = -1
				}
				if got := s.find(hash, nil); got != want {
					t.Fatalf("bits %x of %x: after %d states %x is number %d, and should be %d", differ, same, len(hashes), hash, got, want)
				}
				if !known {
					numbers[hash] = s.add(hash, []byte{0}, -1, 0, 0)
					hashes = append(hashes, hash)
					isAsLarge(t, s)
				}
			}
			for i, hash := range hashes {
				if got := s.find(hash, nil); got != int32(i) {
					t.Fatalf("bits %x of %x: %x is number %d, and should be %d", differ, same, hash, got, i)
				}
			}
		}
	}
}

// isAsLarge holds the table to what is said of it: at most 13 of 16 slots are taken, and
// more than half of that once it has grown.
func isAsLarge(t *testing.T, s *store) {
	t.Helper()
	slots := s.table.buckets.len * bucketSlots
	if n := s.len(); s.table.used != n || n*16 > slots*13 || n*32 <= slots*13 && slots > firstBuckets*bucketSlots {
		t.Fatalf("%d states are in %d slots", n, slots)
	}
}

// Where fingerprints are spread, states lie where they are looked for first, and hardly any
// other has their tag there.
func TestFewStatesAreLookedAtInVain(t *testing.T) {
	const states = 3000
	s, elsewhere, others := newStore(true), states, 0
	hashOf := func(i int32) uint64 { return model.Seed(1).Hash(uint64(i), 0) }
	for i := range int32(states) {
		s.add(hashOf(i), []byte{0}, -1, 0, 0)
	}
	for i := range int32(states) {
		b := s.table.first(hashOf(i))
		for having := b.having(tag(hashOf(i))); having != 0; having &= having - 1 {
			if b.numbers[slot(having)] == i {
				elsewhere--
			} else {
				others++
			}
		}
	}
	if elsewhere > states/50 || others > states/30 {
		t.Errorf("%d of %d states lie elsewhere, %d others are looked at", elsewhere, states, others)
	}
}

// TestATagIsFoundInItsSlotsAlone compares what is said of all slots together with what is
// said of one after the other.
func TestATagIsFoundInItsSlotsAlone(t *testing.T) {
	for i := range uint64(2000) {
		var b bucket
		var tags []uint8
		for k := range i % (bucketSlots + 1) {
			h := model.Seed(i).Hash(k, 0)
			tags = append(tags, tag(h>>(h%3*4)&0x81<<56|h%4<<56)) // often the same, and neighbours
			b.put(tags[k], int32(k))
		}
		if b.isFull() != (len(tags) == bucketSlots) {
			t.Fatalf("%x: full is %t", tags, b.isFull())
		}
		for want := range 255 {
			slots := map[uint]bool{}
			for having := b.having(uint8(want + 1)); having != 0; having &= having - 1 {
				slots[slot(having)] = true
			}
			for k := range uint(bucketSlots) {
				if has := k < uint(len(tags)) && tags[k] == uint8(want+1); has != slots[k] || has && b.numbers[k] != int32(k) {
					t.Fatalf("%x: tag %x is in the slots %v", tags, want+1, slots)
				}
			}
		}
	}
}

// A path is as good as its faults, and of as many as its steps; that of a state which was
// expanded stays.
func TestABetterPathTakesThePlaceOfAnother(t *testing.T) {
	s := newStore(false)
	s.add(1, []byte{0}, -1, 0, newPlace(0, 0))
	s.add(2, []byte{0}, 0, 1, newPlace(1, 2))
	s.add(3, []byte{0}, 0, 1, newPlace(2, 9)) // the last
	for _, c := range []struct {
		to      place
		improve bool
	}{
		{newPlace(2, 9), false}, {newPlace(3, 1), false}, {newPlace(2, 1), false}, {newPlace(1, 3), false},
		{newPlace(1, 2), false}, {newPlace(1, 1), true}, {newPlace(1, 1), false}, {newPlace(0, 7), true}, {newPlace(0, 6), true},
	} {
		before := s.place(1)
		if got := s.improve(1, 2, 5, c.to); got != c.improve {
			t.Errorf("%d faults and %d steps in place of %d and %d: %t", c.to.layer(), c.to.depth(), before.layer(), before.depth(), got)
		}
		if want := min(before, c.to); s.place(1) != want {
			t.Errorf("the path has %d faults and %d steps", s.place(1).layer(), s.place(1).depth())
		}
	}
	if *s.parents.at(1) != 2 || *s.choices.at(1) != 5 {
		t.Errorf("it is over %d by %d", *s.parents.at(1), *s.choices.at(1))
	}
	s.expanded(1)
	if s.improve(1, 0, 1, newPlace(0, 1)) {
		t.Error("the path of a state that was expanded is another now")
	}
}
