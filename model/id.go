package model

import (
	"cmp"
	"fmt"
	"slices"
)

// ID is a branded id: a namespace of three capitals and a 63-bit snowflake,
// written as 14 bytes ("JOB0NgWEfAEJfs"). It is a value: comparable, without
// pointers. The zero ID is no id.
//
// The snowflake holds, from the high end, 41 bits of milliseconds since
// 2024-01-01T00:00:00Z, 10 bits of node and 12 bits of sequence.
type ID struct {
	NS    [3]byte
	Value uint64
}

// JOB is the namespace that admission asks for.
var JOB = [3]byte{'J', 'O', 'B'}

const (
	idLen       = 14
	digitCount  = 11
	alphabet    = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	maxDigits   = "AzL8n0Y58m7" // 2^63-1; a larger payload is refused by comparing bytes
	idEpoch     = 1704067200000 // 2024-01-01T00:00:00Z in Unix milliseconds
	seqBits     = 12
	nodeBits    = 10
	msShift     = seqBits + nodeBits
	maxSequence = 1<<seqBits - 1

	// MaxNode is the largest node number of an id.
	MaxNode = 1<<nodeBits - 1
)

// IsZero reports whether id is no id.
func (id ID) IsZero() bool { return id == ID{} }

// Compare orders ids as their bytes are ordered, which within one namespace is
// the order of (milliseconds, node, sequence): -1, 0 or +1.
func (id ID) Compare(other ID) int {
	if id.NS != other.NS {
		return slices.Compare(id.NS[:], other.NS[:])
	}
	return cmp.Compare(id.Value, other.Value)
}

// Millis returns the Unix milliseconds at which the id says it was minted.
func (id ID) Millis() int64 { return int64(id.Value>>msShift) + idEpoch }

// Node returns the node that minted the id.
func (id ID) Node() int { return int(id.Value >> seqBits & MaxNode) }

// Sequence returns the id's number within its millisecond and node.
func (id ID) Sequence() int { return int(id.Value & maxSequence) }

// Hash32 is the 32-bit hash of the id's value: two rounds of xor-shift about a
// multiplication (the first half of MurmurHash3's 64-bit finaliser).
func (id ID) Hash32() uint32 {
	x := id.Value
	x ^= x >> 33
	x *= 0xFF51AFD7ED558CCD
	x ^= x >> 33
	return uint32(x)
}

// String returns the 14 bytes of the id, or "-" for no id.
func (id ID) String() string {
	if id.IsZero() {
		return "-"
	}
	return string(id.AppendText(make([]byte, 0, idLen)))
}

// AppendText appends the 14 bytes of the id to b.
func (id ID) AppendText(b []byte) []byte {
	var digits [digitCount]byte
	for i, v := digitCount-1, id.Value; i >= 0; i, v = i-1, v/62 {
		digits[i] = alphabet[v%62]
	}
	b = append(b, id.NS[:]...)
	return append(b, digits[:]...)
}

// ParseID reads the 14 bytes of a branded id. It refuses another length, a
// namespace that is not three capitals, a digit outside 0-9A-Za-z and a value
// above 2^63-1.
func ParseID(s string) (ID, error) {
	if len(s) != idLen {
		return ID{}, fmt.Errorf("id %q has %d bytes; a branded id has %d", s, len(s), idLen)
	}
	id := ID{NS: [3]byte{s[0], s[1], s[2]}}
	for _, c := range id.NS {
		if c < 'A' || c > 'Z' {
			return ID{}, fmt.Errorf("id %q does not begin with three capitals", s)
		}
	}
	for i := 3; i < idLen; i++ {
		d, ok := digit(s[i])
		if !ok {
			return ID{}, fmt.Errorf("id %q: %q is no base-62 digit (0-9A-Za-z)", s, s[i])
		}
		id.Value = id.Value*62 + d
	}
	if s[3:] > maxDigits {
		return ID{}, fmt.Errorf("id %q is above JOB%s, the largest", s, maxDigits)
	}
	return id, nil
}

func digit(c byte) (uint64, bool) {
	switch {
	case c >= '0' && c <= '9':
		return uint64(c - '0'), true
	case c >= 'A' && c <= 'Z':
		return uint64(c-'A') + 10, true
	case c >= 'a' && c <= 'z':
		return uint64(c-'a') + 36, true
	}
	return 0, false
}

// Mint makes ids of one namespace and node, each above the last: one cell holds
// milliseconds and sequence together, and the next id is the larger of now and
// last+1. A clock that steps back, or more than 4,096 ids in a millisecond,
// makes it run ahead of the clock instead of repeating itself.
type Mint struct {
	NS   [3]byte
	Node int // 0..MaxNode
	cell uint64
}

// Next mints an id at the instant now of the minting host's clock.
func (m *Mint) Next(now Time) ID {
	at := uint64(max(0, now.UnixMillis()-idEpoch)) << seqBits // no id is older than the ids' epoch
	m.cell = max(at, m.cell+1)
	ms, seq := m.cell>>seqBits, m.cell&maxSequence
	return ID{NS: m.NS, Value: ms<<msShift | uint64(m.Node&MaxNode)<<seqBits | seq}
}
