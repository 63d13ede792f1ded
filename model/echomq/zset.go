package echomq

import (
	"math/bits"
	"slices"

	"github.com/ackgap/ackgap/model"
)

// member is an id in a set, with its score: an instant of the server's clock in
// active, an instant of the server's or the caller's in schedule, else 0.
type member struct {
	score model.Time
	id    model.ID
	slot  int32 // where the id's entry is; no part of the order
}

// precedes returns 1 if a comes before b, and 0 else: what is left to borrow when all of
// b is subtracted from all of a. No branch decides it.
func precedes(a, b *member) int {
	const sign = 1 << 63 // which puts the negative instants first
	_, less := bits.Sub64(a.id.Value, b.id.Value, 0)
	_, less = bits.Sub64(namespace(&a.id), namespace(&b.id), less)
	_, less = bits.Sub64(uint64(a.score)^sign, uint64(b.score)^sign, less)
	return int(less)
}

func namespace(id *model.ID) uint64 {
	return uint64(id.NS[0])<<16 | uint64(id.NS[1])<<8 | uint64(id.NS[2])
}

// zset is a set ordered by (score, id), as Valkey orders its sorted sets. It is
// a sorted slice with a gap at the front, so that both ends are cheap: jobs
// enter pending at the back and leave it at the front. Who adds must know that
// the member is absent, and who removes which score it has: the entry knows.
type zset struct {
	buf  []member
	head int // buf[:head] is the gap
}

// members returns all members in order. The slice is the set's own.
func (z *zset) members() []member { return z.buf[z.head:] }

// find returns where m is or belongs. It looks at both ends first, for there
// most members come and go, and halves the rest by moves that no branch decides: where
// m belongs would be guessed wrongly every other time.
func (z *zset) find(m *member) int {
	live := z.members()
	n := len(live)
	if n == 0 || precedes(&live[n-1], m) != 0 {
		return n
	}
	if precedes(&live[0], m) == 0 {
		return 0
	}
	i := 0
	for n > 1 {
		half := n / 2
		i += half & -precedes(&live[i+half-1], m)
		n -= half
	}
	return i
}

// add puts m in its place, by moving the shorter side.
func (z *zset) add(m *member) {
	i := z.find(m)
	if z.head > 0 && i < len(z.members())/2 {
		z.head--
		copy(z.members()[:i], z.members()[1:i+1])
		z.members()[i] = *m
		return
	}
	z.closeGap()
	z.buf = append(model.RoomForOne(z.buf), member{})
	live := z.members()
	copy(live[i+1:], live[i:])
	live[i] = *m
}

// closeGap reuses the gap before the slice would grow. It waits until the gap is
// half of the slice, which keeps the cost of a move constant on average.
func (z *zset) closeGap() {
	if len(z.buf) == cap(z.buf) && z.head > 0 && z.head >= len(z.buf)/2 {
		z.buf = z.buf[:copy(z.buf, z.members())]
		z.head = 0
	}
}

// remove takes m out, by moving the shorter side.
func (z *zset) remove(m *member) {
	i := z.find(m)
	live := z.members()
	if i < len(live)/2 {
		copy(live[1:i+1], live[:i])
		z.head++
	} else {
		copy(live[i:], live[i+1:])
		z.buf = z.buf[:len(z.buf)-1]
	}
	if z.head == len(z.buf) {
		z.buf, z.head = z.buf[:0], 0
	}
}

// first returns the member with the lowest score, and of those the smallest id; nil if
// there is none. It is good until the next change.
func (z *zset) first() *member {
	if z.head == len(z.buf) {
		return nil
	}
	return &z.buf[z.head]
}

// last returns the member at the other end, likewise.
func (z *zset) last() *member {
	if z.head == len(z.buf) {
		return nil
	}
	return &z.buf[len(z.buf)-1]
}

func (z *zset) clear() { z.buf, z.head = z.buf[:0], 0 }

func (z *zset) clone() zset { return zset{buf: slices.Clone(z.members())} }
