package model

import (
	"math/bits"
	"slices"
)

// IDTable keeps a number for each of some ids. It is a hash table with linear
// probing and 16 bytes a slot, four to a cache line, since every record of a run
// looks an id up; it cannot be walked, so that nothing can depend on its order.
// The zero table is empty. It is not safe for concurrent use.
type IDTable struct {
	slots []idSlot // a power of two of them, at most half of them used
	used  int
	shift uint   // what is left of a hash after it is a place in slots
	round uint32 // slots of another round are free, so that emptying costs nothing
}

// idSlot is one id and its number.
type idSlot struct {
	value uint64
	about uint32 // the namespace, and the round in the high byte
	n     int32
}

const (
	idRoundShift = 24
	lastIDRound  = 255
	leastIDSlots = 16
)

// Len returns how many ids t has.
func (t *IDTable) Len() int { return t.used }

// Get returns the number of id, and whether t has one.
func (t *IDTable) Get(id ID) (n int32, ok bool) {
	if t.used == 0 {
		return 0, false
	}
	s := &t.slots[t.find(id)]
	if s.about>>idRoundShift != t.round {
		return 0, false
	}
	return s.n, true
}

// Put gives id the number n, in place of the one it had.
func (t *IDTable) Put(id ID, n int32) {
	if 2*t.used >= len(t.slots) {
		t.grow()
	}
	s := &t.slots[t.find(id)]
	if s.about>>idRoundShift != t.round {
		t.used++
	}
	*s = idSlot{id.Value, t.about(id), n}
}

// Delete takes id out, if t has it. What was displaced by it moves up, so that no
// slot has to be marked.
func (t *IDTable) Delete(id ID) {
	if t.used == 0 {
		return
	}
	free := t.find(id)
	if t.slots[free].about>>idRoundShift != t.round {
		return
	}
	t.used--
	mask := len(t.slots) - 1
	for i := (free + 1) & mask; t.slots[i].about>>idRoundShift == t.round; i = (i + 1) & mask {
		s := t.slots[i]
		home := t.place(s.value, s.about&(1<<idRoundShift-1))
		if (i-home)&mask >= (i-free)&mask {
			t.slots[free], free = s, i
		}
	}
	t.slots[free] = idSlot{}
}

// Clear empties t and keeps its memory.
func (t *IDTable) Clear() {
	t.used = 0
	if t.round++; t.round > lastIDRound {
		clear(t.slots)
		t.round = 1 // a slot of round 0 was never used
	}
}

// Clone returns a table of the same ids that shares nothing with t.
func (t *IDTable) Clone() IDTable {
	c := *t
	c.slots = slices.Clone(t.slots)
	return c
}

// find returns the slot of id, or the free one where it belongs.
func (t *IDTable) find(id ID) int {
	about, mask := t.about(id), len(t.slots)-1
	i := t.place(id.Value, about&(1<<idRoundShift-1))
	for {
		s := &t.slots[i]
		if s.value == id.Value && s.about == about || s.about>>idRoundShift != t.round {
			return i
		}
		i = (i + 1) & mask
	}
}

func (t *IDTable) about(id ID) uint32 {
	return t.round<<idRoundShift | uint32(id.NS[0])<<16 | uint32(id.NS[1])<<8 | uint32(id.NS[2])
}

// place returns where the search for an id begins. Ids that were minted one after the
// other lie side by side, for they are alive at one time.
func (t *IDTable) place(value uint64, ns uint32) int {
	const golden = 0x9E3779B97F4A7C15
	h := (value>>3 ^ uint64(ns)<<40) * golden
	return int((h^h>>32)*golden>>t.shift+value&7) & (len(t.slots) - 1)
}

func (t *IDTable) grow() {
	old, round := t.slots, t.round
	size := max(leastIDSlots, 2*len(old))
	t.slots, t.shift = make([]idSlot, size), uint(64-bits.TrailingZeros(uint(size)))
	t.round = 1
	for _, s := range old {
		if s.about>>idRoundShift == round && round != 0 {
			s.about = s.about&(1<<idRoundShift-1) | t.round<<idRoundShift
			ns := [3]byte{byte(s.about >> 16), byte(s.about >> 8), byte(s.about)}
			t.slots[t.find(ID{NS: ns, Value: s.value})] = s
		}
	}
}
