package sim

import (
	"math/bits"

	"github.com/ackgap/ackgap/model"
)

// seats is how many entries a tournament has room for. The rounds of play are written
// out for 16: the second line does not compile with another number.
const (
	seats = 16
	_     = uint(seats-16) + uint(16-seats)
)

// tournament holds a few entries, in no order, and knows the first: node 1 of a tree in
// which each node is the first of the two below it. An entry that takes the seat of
// another goes up by moves that no branch decides: in a sorted list, which takes no more
// instructions, where it belongs is guessed wrongly nearly every time, and a wrong guess
// costs as much as all these moves.
type tournament struct {
	ats   [2 * seats]model.Time // by node: the instants
	keys  [2 * seats]key        // by node: the keys, which end in the seat in place of what the entry is about
	whole [seats]key            // by seat: the keys as they came
	free  uint32                // the seats that are empty, as a bit set
}

func (t *tournament) reset() {
	t.free = 1<<seats - 1
	for i := range t.ats {
		e := vacant(key(i))
		t.ats[i], t.keys[i] = e.at, e.key
	}
}

// latest is the last instant that can be told from that of an empty seat.
const latest = model.Never - 1 - seats

// vacant is what stands for an empty seat. No two are alike: equal instants cost a branch
// that is guessed wrongly as often as not.
func vacant(seat key) entry { return entry{latest + 1 + model.Time(seat%seats), nothing.key} }

// hasRoom reports whether one more entry finds a seat.
func (t *tournament) hasRoom() bool { return t.isTaken() || t.free != 0 }

// fill gives the seats that are free to the first of a list, plays all at once, and returns
// those that found none. No seat may have been just left.
func (t *tournament) fill(list []entry) []entry {
	free := t.free
	room := min(len(list), bits.OnesCount32(free))
	for _, e := range list[:room] {
		seat := key(bits.TrailingZeros32(free)) % seats
		free &= free - 1
		t.whole[seat] = e.key
		t.ats[seat+seats], t.keys[seat+seats] = e.at, e.key>>seqShift<<seqShift|seat
	}
	t.free = free
	for i := 2*seats - 2; i > 0; i -= 2 {
		e := firstOf(entry{t.ats[i], t.keys[i]}, entry{t.ats[i+1], t.keys[i+1]})
		t.ats[i/2], t.keys[i/2] = e.at, e.key
	}
	return list[room:]
}

// seat returns a seat for one more entry: that which was just left, if one was.
func (t *tournament) seat() key {
	if t.isTaken() {
		return t.keys[1] % seats
	}
	seat := bits.TrailingZeros32(t.free)
	t.free &= t.free - 1
	return key(seat)
}

// first returns the first entry but for what it is about, or what is vacant. What was
// taken has to have left its seat before.
func (t *tournament) first() entry { return entry{t.ats[1], t.keys[1]} }

// pop takes the first entry out of a tournament that is not empty.
func (t *tournament) pop() entry {
	e := entry{t.ats[1], t.whole[t.keys[1]%seats]}
	t.ats[1] = model.Never
	return e
}

// isTaken reports whether the entry of node 1 is gone, and its seat not played again.
func (t *tournament) isTaken() bool { return t.ats[1] == model.Never }

// leave plays the seat that was taken from, if none came to take it.
func (t *tournament) leave() {
	seat := t.keys[1] % seats
	t.free |= 1 << seat
	t.play(seat, vacant(seat))
}

// replay puts e on the seat that was just left.
func (t *tournament) replay(e entry) {
	t.play(t.keys[1], e)
}

// play puts e on its seat and takes it up as far as it is the first. The loop over the
// rounds, as many as seats have bits, is written out, and so is what each does: that saves
// a third of it. Of node i the neighbour is i^1, and i/2 is above both.
func (t *tournament) play(seat key, e entry) {
	seat %= seats
	t.whole[seat] = e.key
	e.key = e.key>>seqShift<<seqShift | seat
	i := seat + seats
	t.ats[i], t.keys[i] = e.at, e.key
	i ^= 1
	e = firstOf(e, entry{t.ats[i], t.keys[i]})
	i /= 2
	t.ats[i], t.keys[i] = e.at, e.key
	i ^= 1
	e = firstOf(e, entry{t.ats[i], t.keys[i]})
	i /= 2
	t.ats[i], t.keys[i] = e.at, e.key
	i ^= 1
	e = firstOf(e, entry{t.ats[i], t.keys[i]})
	i /= 2
	t.ats[i], t.keys[i] = e.at, e.key
	i ^= 1
	e = firstOf(e, entry{t.ats[i], t.keys[i]})
	t.ats[1], t.keys[1] = e.at, e.key
}

// firstOf returns the first of two. It is before() in the form in which the compiler
// finds moves on condition, where instants differ.
func firstOf(e, o entry) entry {
	if o.at == e.at {
		e.key = min(e.key, o.key)
		return e
	}
	if o.at < e.at {
		e.key = o.key
	}
	e.at = min(e.at, o.at)
	return e
}
