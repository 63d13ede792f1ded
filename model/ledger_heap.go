package model

// heapKey orders the members of a minHeap: by hi, then by lo.
type heapKey struct{ hi, lo uint64 }

// idKey orders ids as ID.Compare does.
func idKey(id ID) heapKey {
	ns := uint64(id.NS[0])<<16 | uint64(id.NS[1])<<8 | uint64(id.NS[2])
	return heapKey{ns, id.Value}
}

// timeKey orders instants; flipping the sign bit puts the negative ones first.
func timeKey(at Time) heapKey { return heapKey{hi: uint64(at) ^ 1<<63} }

func (k heapKey) time() Time { return Time(k.hi ^ 1<<63) }

func (k heapKey) less(o heapKey) bool {
	if k.hi != o.hi {
		return k.hi < o.hi
	}
	return k.lo < o.lo
}

// minHeap is a binary heap of record numbers, each of which is in it at most
// once. It knows where each stands, so that a member which leaves is taken out
// and not left to rot: the heap is never longer than its set.
type minHeap struct {
	items []heapItem
	place []int32 // by record number: its position in items plus 1, 0 when out
}

type heapItem struct {
	key    heapKey
	member int32
}

func (h *minHeap) reset() { h.items, h.place = h.items[:0], h.place[:0] }

// min returns the smallest member.
func (h *minHeap) min() (member int32, key heapKey, ok bool) {
	if len(h.items) == 0 {
		return 0, heapKey{}, false
	}
	return h.items[0].member, h.items[0].key, true
}

// put makes member stand in the heap under key, whether or not it was there.
func (h *minHeap) put(member int32, key heapKey) {
	for len(h.place) <= int(member) {
		h.place = append(h.place, 0)
	}
	i := int(h.place[member]) - 1
	if i < 0 {
		i = len(h.items)
		h.items = append(h.items, heapItem{})
	}
	h.set(i, heapItem{key, member})
	h.down(h.up(i))
}

// drop takes member out if it is in.
func (h *minHeap) drop(member int32) {
	if int(member) >= len(h.place) || h.place[member] == 0 {
		return
	}
	i, last := int(h.place[member])-1, len(h.items)-1
	moved := h.items[last]
	h.items, h.place[member] = h.items[:last], 0
	if i < last {
		h.set(i, moved)
		h.down(h.up(i))
	}
}

func (h *minHeap) set(i int, it heapItem) {
	h.items[i] = it
	h.place[it.member] = int32(i + 1)
}

// up lets the item at i rise and returns where it came to rest.
func (h *minHeap) up(i int) int {
	for i > 0 {
		parent := (i - 1) / 2
		if !h.items[i].key.less(h.items[parent].key) {
			break
		}
		h.swap(i, parent)
		i = parent
	}
	return i
}

func (h *minHeap) down(i int) {
	for {
		child := 2*i + 1
		if child >= len(h.items) {
			return
		}
		if right := child + 1; right < len(h.items) && h.items[right].key.less(h.items[child].key) {
			child = right
		}
		if !h.items[child].key.less(h.items[i].key) {
			return
		}
		h.swap(i, child)
		i = child
	}
}

func (h *minHeap) swap(i, k int) {
	a, b := h.items[i], h.items[k]
	h.set(i, b)
	h.set(k, a)
}
