package explore

import (
	"encoding/binary"

	"github.com/ackgap/ackgap/model"
)

// table finds a state by its fingerprint: open addressing with linear probing. A
// slot holds the number of a state plus one in its upper half and the upper half
// of its fingerprint in the lower, so that most probes need no second look.
type table struct {
	slots []uint64
	used  int
}

const firstSlots = 1 << 10

func newTable() table { return table{slots: make([]uint64, firstSlots)} }

// find returns the number of the state with that fingerprint for which same
// answers true, or -1.
func (t *table) find(hash uint64, same func(i int32) bool) int32 {
	mask := uint64(len(t.slots) - 1)
	for at := hash & mask; ; at = (at + 1) & mask {
		slot := t.slots[at]
		if slot == 0 {
			return -1
		}
		if uint32(slot) == uint32(hash>>32) && same(int32(slot>>32)-1) {
			return int32(slot>>32) - 1
		}
	}
}

// add enters state i, which find must not have found.
func (t *table) add(hash uint64, i int32, hashOf func(i int32) uint64) {
	if t.used >= len(t.slots)/8*5 {
		t.grow(hashOf)
	}
	t.put(hash, i)
	t.used++
}

func (t *table) put(hash uint64, i int32) {
	mask := uint64(len(t.slots) - 1)
	at := hash & mask
	for t.slots[at] != 0 {
		at = (at + 1) & mask
	}
	t.slots[at] = uint64(i+1)<<32 | hash>>32
}

func (t *table) grow(hashOf func(i int32) uint64) {
	old := t.slots
	t.slots = make([]uint64, 2*len(old))
	for _, slot := range old {
		if slot != 0 {
			i := int32(slot>>32) - 1
			t.put(hashOf(i), i)
		}
	}
}

// Fingerprint hashes b to 64 bits: MurmurHash64A (Appleby, 2008), whose final mix
// is SplitMix64's here.
func Fingerprint(b []byte) uint64 {
	const m = 0xC6A4A7935BD1E995
	h := uint64(len(b)) * m
	for ; len(b) >= 8; b = b[8:] {
		k := binary.LittleEndian.Uint64(b) * m
		h = (h ^ (k^k>>47)*m) * m
	}
	var rest uint64
	for i := len(b) - 1; i >= 0; i-- {
		rest = rest<<8 | uint64(b[i])
	}
	return model.Mix((h ^ rest) * m)
}
