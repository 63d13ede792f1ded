package sim

import (
	"math/bits"
	"slices"

	"github.com/ackgap/ackgap/model"
)

// crowd is how many entries are worth sorting at once, and perBucket how many a bucket
// is meant to have.
const crowd, perBucket = 48, 8

// ladder holds what comes later, in no order within a bucket: an entry is put down
// a few times by its instant alone and compared with others when it is near, so
// that its cost does not grow with how many there are (Tang, Goh and Thng, "Ladder
// Queue", ACM TOMACS 15(3), 2005). Each rung divides one bucket of the rung above;
// what comes after all rungs is far.
type ladder struct {
	rungs []rung // the latest first; those from depth on are spare
	depth int
	far   []entry
	taken []entry // the memory of what was taken last
	size  int     // of all
}

// rung divides the instants from one to another, the end not included, among
// buckets of one width. The last one has what the others leave.
type rung struct {
	from, end model.Time
	shift     uint // a bucket is 1<<shift nanoseconds wide
	next      int  // the first bucket that was not taken
	last      int  // the last bucket; the others are spare
	buckets   [maxBuckets][]entry
}

// maxBuckets is how many buckets a rung has for a large crowd. One that is to be
// divided has fewer if that is enough for a few entries in each.
const maxBuckets = 256

func (l *ladder) reset() {
	for i := range l.rungs[:l.depth] {
		r := &l.rungs[i]
		for b := r.next; b <= r.last; b++ {
			r.buckets[b] = r.buckets[b][:0]
		}
	}
	l.depth, l.size, l.far = 0, 0, l.far[:0]
}

// push adds e, which is not before what was taken last.
func (l *ladder) push(e entry) {
	l.size++
	for i := l.depth - 1; i >= 0; i-- {
		if r := &l.rungs[i]; e.at < r.end {
			r.add(e)
			return
		}
	}
	l.far = append(l.far, e)
}

// add puts e into its bucket. Both remainders change nothing: they tell the compiler that a
// shift is no wider than a word and that the index is in bounds, so that it checks neither.
func (r *rung) add(e entry) {
	b := &r.buckets[min(uint64(e.at-r.from)>>(r.shift%64), uint64(r.last))%maxBuckets]
	*b = append(*b, e)
}

// put adds entries that come before all others here, and before end.
func (l *ladder) put(list []entry, end model.Time) {
	if l.size == 0 {
		l.depth = 0 // of empty rungs
		l.far = append(l.far, list...)
	} else {
		l.divide(list, list[0].at, list[len(list)-1].at, end)
	}
	l.size += len(list)
}

// next takes out what comes first, in no order, and tells the instant before which
// nothing is left. The list is good until the next take.
func (l *ladder) next() ([]entry, model.Time) {
	for {
		list, end := l.take()
		if len(list) > crowd {
			if first, last := span(list); first < last {
				l.divide(list, first, last, end)
				continue
			}
		}
		l.size -= len(list)
		return list, end
	}
}

// take returns the first bucket that is not empty, and its end. It is good until
// the next take.
func (l *ladder) take() ([]entry, model.Time) {
	for l.depth > 0 {
		r := &l.rungs[l.depth-1]
		for r.next <= r.last {
			b := r.next
			if r.next++; r.next > r.last {
				l.depth-- // its place is free for those who divide the last bucket
			}
			if len(r.buckets[b]) > 0 {
				l.taken, r.buckets[b] = r.buckets[b], l.taken[:0]
				return l.taken, r.endOf(b)
			}
		}
	}
	l.taken, l.far = l.far, l.taken[:0]
	return l.taken, model.Never
}

// endOf returns where bucket b ends.
func (r *rung) endOf(b int) model.Time {
	width := uint64(b+1) << r.shift
	if b == r.last || width >= uint64(r.end-r.from) {
		return r.end
	}
	return r.from + model.Time(width)
}

// divide puts a list, whose instants are those from first to last, into the buckets of
// a new rung, which ends at end.
func (l *ladder) divide(list []entry, first, last, end model.Time) {
	if l.depth == len(l.rungs) {
		l.rungs = append(l.rungs, rung{})
	}
	r := &l.rungs[l.depth]
	l.depth++
	if end == model.Never {
		end = last + 1
	}
	r.from, r.end, r.next = first, end, 0
	count := min(bits.Len(maxBuckets-1), bits.Len(uint(len(list)/perBucket)+1)) // of buckets, in bits
	r.shift = uint(max(0, bits.Len64(uint64(last-first))-count))
	r.last = int(uint64(last-first) >> r.shift)
	for _, e := range list {
		r.add(e)
	}
}

// span returns the first and the last instant of a list.
func span(list []entry) (first, last model.Time) {
	first, last = list[0].at, list[0].at
	for i := range list {
		first, last = min(first, list[i].at), max(last, list[i].at)
	}
	return first, last
}

// sortEntries sorts a crowd, which is mostly in order if it is large.
func sortEntries(list []entry) {
	if len(list) > crowd {
		slices.SortFunc(list, func(a, b entry) int {
			if a.before(b) {
				return -1
			}
			return 1
		})
		return
	}
	for i := 1; i < len(list); i++ {
		e := list[i]
		k := i
		for k > 0 && e.before(list[k-1]) {
			list[k] = list[k-1]
			k--
		}
		list[k] = e
	}
}
