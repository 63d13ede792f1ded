package explore

// store keeps the states that were seen, as numbers from 0 in the order in which
// they were first seen. What it keeps of each lies in columns.
type store struct {
	compact bool
	table   table
	parents column[int32]  // the state before, on the best path that is known; -1 of the first
	choices column[uint16] // which of its actions led from there
	places  column[place]
	prints  column[uint64] // compact: fingerprints
	last    place          // no state stands behind it
	done    int32          // all states below it were expanded; while a search is at it, it was not
	arena   arena
}

// place is where the best path to a state that is known ends: its faults, its steps,
// and whether the state was expanded. Of two that were not, the better is the lesser.
type place uint32

const (
	expandedBit = 1 << 31
	layerShift  = 23
	maxDepth    = 1<<layerShift - 1
)

func newPlace(layer, depth int) place { return place(layer)<<layerShift | place(depth) }

func (p place) isExpanded() bool { return p&expandedBit != 0 }
func (p place) layer() int       { return int(p &^ expandedBit >> layerShift) }
func (p place) depth() int       { return int(p & maxDepth) }

func newStore(compact bool) *store {
	return &store{compact: compact, table: newTable()}
}

func (s *store) len() int { return s.parents.len }

// bytesKept returns what is kept, as far as it grows with the states. What has room
// to grow counts with it.
func (s *store) bytesKept() int64 {
	columns := s.parents.room()*4 + s.choices.room()*2 + s.places.room()*4 + s.prints.room()*8
	return s.table.bytesKept() + columns + s.arena.bytesKept()
}

// find returns the number of the state with this record, or -1.
func (s *store) find(hash uint64, record []byte) int32 {
	t := &s.table
	for at := t.bucket(hash); ; at = t.after(at) {
		b := t.buckets.at(at)
		for having := b.having(tag(hash)); having != 0; having &= having - 1 {
			if i := b.numbers[slot(having)]; s.is(i, hash, record) {
				return i
			}
		}
		if !b.isFull() {
			return -1
		}
	}
}

// is reports whether state i has this record.
func (s *store) is(i int32, hash uint64, record []byte) bool {
	if s.compact {
		return *s.prints.at(i) == hash
	}
	return s.arena.holds(i, record)
}

// fetch reads the buckets of the spawns. Nothing waits for what was read just before, so that
// the processor can wait for many at a time. What is returned means nothing: see table.fetch.
//
//go:noinline
func (s *store) fetch(spawns []spawn) (sum uint64) {
	for k := range spawns {
		sum += s.table.first(spawns[k].hash).low
	}
	return sum
}

// add enters a state that is new, and returns its number.
func (s *store) add(hash uint64, record []byte, parent int32, choice uint16, p place) int32 {
	i := int32(s.len())
	s.parents.add(parent)
	s.choices.add(choice)
	s.places.add(p)
	s.last = max(s.last, p)
	s.arena.add(record)
	if s.compact {
		s.prints.add(hash)
	}
	s.table.add(hash, i, s.hashOf)
	return i
}

func (s *store) hashOf(i int32) uint64 {
	if s.compact {
		return *s.prints.at(i)
	}
	return Fingerprint(s.bytes(i))
}

// bytes returns the bytes of state i; compact, only until it was expanded.
func (s *store) bytes(i int32) []byte { return s.arena.get(i) }

func (s *store) isExpanded(i int32) bool { return i < s.done || s.place(i).isExpanded() }

func (s *store) place(i int32) place { return *s.places.at(i) }

// improve makes the path to i over parent the best one, if it has fewer faults or
// as many and fewer steps, and reports whether it did. Mostly no state stands behind p,
// and nothing else is asked.
func (s *store) improve(i, parent int32, choice uint16, p place) bool {
	return p < s.last && s.replace(i, parent, choice, p)
}

// replace is improve where some state stands behind p.
func (s *store) replace(i, parent int32, choice uint16, p place) bool {
	if s.isExpanded(i) || p >= s.place(i) {
		return false
	}
	*s.parents.at(i), *s.choices.at(i), *s.places.at(i) = parent, choice, p
	return true
}

// expanded notes that nothing more will be asked of the bytes of i but whether
// others are the same.
func (s *store) expanded(i int32) {
	*s.places.at(i) |= expandedBit
	for int(s.done) < s.len() && s.place(s.done).isExpanded() {
		s.done++
	}
	if s.compact {
		s.arena.release(i)
	}
}

// path returns the choices that lead to i.
func (s *store) path(i int32) []uint16 {
	list := make([]uint16, s.place(i).depth())
	at := len(list)
	for ; *s.parents.at(i) >= 0; i = *s.parents.at(i) {
		at--
		list[at] = *s.choices.at(i)
	}
	return list[at:]
}
