package explore

import (
	"bytes"
	"encoding/binary"
)

// store keeps the states that were seen, as numbers from 0 in the order in which
// they were first seen.
type store struct {
	compact bool
	table   table
	parents []int32  // the state before, on the best path that is known; -1 of the first
	actions []Action // what led from there
	depths  []uint32 // steps of that path; the highest bit says that the state was expanded
	layers  []uint8  // faults of that path
	offs    []uint32 // where the bytes are, in units of the arena
	prints  []uint64 // compact: fingerprints
	arena   arena
}

const expandedBit = 1 << 31

// The bytes that each state costs besides its own and its slot in the table.
const (
	bytesEach        = 4 + 4 + 4 + 1 + 4
	bytesEachCompact = bytesEach + 8
)

func newStore(compact bool) *store {
	return &store{compact: compact, table: newTable()}
}

func (s *store) len() int { return len(s.parents) }

// bytesKept returns what is kept, as far as it grows with the states. Slices that
// have room to grow count with it.
func (s *store) bytesKept() int64 {
	each := int64(bytesEach)
	if s.compact {
		each = bytesEachCompact
	}
	return int64(len(s.table.slots))*8 + int64(cap(s.parents))*each + s.arena.held
}

// find returns the number of the state with these bytes, or -1.
func (s *store) find(hash uint64, b []byte) int32 {
	if s.compact {
		return s.table.find(hash, func(i int32) bool { return s.prints[i] == hash })
	}
	return s.table.find(hash, func(i int32) bool { return bytes.Equal(s.bytes(i), b) })
}

// add enters a state that is new, and returns its number.
func (s *store) add(hash uint64, b []byte, parent int32, a Action, layer uint8, depth uint32) int32 {
	i := int32(s.len())
	s.parents = append(s.parents, parent)
	s.actions = append(s.actions, a)
	s.depths = append(s.depths, depth)
	s.layers = append(s.layers, layer)
	s.offs = append(s.offs, s.arena.add(b))
	if s.compact {
		s.prints = append(s.prints, hash)
	}
	s.table.add(hash, i, s.hashOf)
	return i
}

func (s *store) hashOf(i int32) uint64 {
	if s.compact {
		return s.prints[i]
	}
	return Fingerprint(s.bytes(i))
}

// bytes returns the bytes of state i; compact, only until it was expanded.
func (s *store) bytes(i int32) []byte { return s.arena.get(s.offs[i]) }

// improve makes the path to i over parent the best one, if it has fewer faults or
// as many and fewer steps, and reports whether it did.
func (s *store) improve(i, parent int32, a Action, layer uint8, depth uint32) bool {
	if s.isExpanded(i) || layer > s.layers[i] || layer == s.layers[i] && depth >= s.depths[i] {
		return false
	}
	s.parents[i], s.actions[i], s.layers[i], s.depths[i] = parent, a, layer, depth
	return true
}

func (s *store) isExpanded(i int32) bool { return s.depths[i]&expandedBit != 0 }

func (s *store) depth(i int32) uint32 { return s.depths[i] &^ expandedBit }

// expanded notes that nothing more will be asked of the bytes of i but whether
// others are the same.
func (s *store) expanded(i int32) {
	s.depths[i] |= expandedBit
	if s.compact {
		s.arena.release(s.offs[i])
	}
}

// path returns the actions that lead to i.
func (s *store) path(i int32) []Action {
	list := make([]Action, s.depth(i))
	at := len(list)
	for ; s.parents[i] >= 0; i = s.parents[i] {
		at--
		list[at] = s.actions[i]
	}
	return list[at:]
}

// arena holds strings of bytes, each after its length, in pieces that are given
// back when nothing in them is needed any more.
type arena struct {
	pieces [][]byte
	needed []int32 // by piece: how many strings in it
	held   int64
}

const (
	pieceBits  = 20 // pieces have up to 1 MiB
	unitBits   = 2  // strings begin at multiples of 4 bytes
	firstPiece = 1 << 12
)

func (a *arena) add(b []byte) uint32 {
	last := len(a.pieces) - 1
	if last < 0 || len(a.pieces[last])+len(b)+binary.MaxVarintLen32 > 1<<pieceBits {
		a.pieces = append(a.pieces, make([]byte, 0, firstPiece<<min(last+1, pieceBits-12)))
		a.needed = append(a.needed, 0)
		last++
		a.held += int64(cap(a.pieces[last]))
		a.drop(last - 1)
	}
	p := a.pieces[last]
	at := len(p)
	p = append(binary.AppendUvarint(p, uint64(len(b))), b...)
	for len(p)%(1<<unitBits) != 0 {
		p = append(p, 0)
	}
	a.held += int64(cap(p) - cap(a.pieces[last]))
	a.pieces[last] = p
	a.needed[last]++
	return uint32(last<<(pieceBits-unitBits) + at>>unitBits)
}

func (a *arena) get(off uint32) []byte {
	p := a.pieces[off>>(pieceBits-unitBits)][off<<unitBits&(1<<pieceBits-1):]
	n, size := binary.Uvarint(p)
	return p[size : size+int(n)]
}

// release says that the string at off is needed no more.
func (a *arena) release(off uint32) {
	i := int(off >> (pieceBits - unitBits))
	a.needed[i]--
	if i < len(a.pieces)-1 {
		a.drop(i)
	}
}

// drop gives piece i back if nothing in it is needed.
func (a *arena) drop(i int) {
	if i >= 0 && a.needed[i] == 0 && a.pieces[i] != nil {
		a.held -= int64(cap(a.pieces[i]))
		a.pieces[i] = nil
	}
}
