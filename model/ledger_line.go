package model

import "sort"

// idLine is a set of records in the order of their ids, the smallest first: a sorted
// slice with a gap at its front, for most that wait enter it behind all others and
// leave it before them, which a heap would sift through all its levels.
type idLine struct {
	list []heapItem
	head int // what lies before it is gone
}

func (l *idLine) reset() { l.list, l.head = l.list[:0], 0 }

func (l *idLine) items() []heapItem { return l.list[l.head:] }

// min returns the member with the smallest id.
func (l *idLine) min() (member int32, ok bool) {
	if l.head == len(l.list) {
		return 0, false
	}
	return l.list[l.head].member, true
}

// find returns where the id of key is or belongs.
func (l *idLine) find(key heapKey) int {
	items := l.items()
	n := len(items)
	switch {
	case n == 0 || items[n-1].key.less(key):
		return n
	case !items[0].key.less(key):
		return 0
	}
	return sort.Search(n, func(i int) bool { return !items[i].key.less(key) })
}

// put lets member in, which is not in yet, by moving the shorter side.
func (l *idLine) put(member int32, key heapKey) {
	i := l.find(key)
	if items := l.items(); l.head > 0 && 2*i < len(items) {
		l.head--
		copy(l.items(), items[:i])
	} else {
		l.closeGap()
		l.list = append(RoomForOne(l.list), heapItem{})
		copy(l.items()[i+1:], l.items()[i:])
	}
	l.items()[i] = heapItem{key, member}
}

// closeGap uses the gap again before the slice would grow, once it is half of it.
func (l *idLine) closeGap() {
	if len(l.list) == cap(l.list) && 2*l.head > len(l.list) {
		l.list = l.list[:copy(l.list, l.items())]
		l.head = 0
	}
}

// drop takes the member with this key out, which is in, by moving the shorter side.
func (l *idLine) drop(key heapKey) {
	i, items := l.find(key), l.items()
	if 2*i < len(items) {
		copy(items[1:], items[:i])
		l.head++
		return
	}
	copy(items[i:], items[i+1:])
	l.list = l.list[:len(l.list)-1]
}

// renumber gives the members, all of which stay, their new numbers.
func (l *idLine) renumber(to numbers) {
	for i := range l.items() {
		it := &l.items()[i]
		it.member = to[it.member]
	}
}
