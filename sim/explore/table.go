package explore

import (
	"encoding/binary"
	"math/bits"

	"github.com/ackgap/ackgap/model"
)

// table finds a state by its fingerprint: hashing into buckets of twelve slots, each of
// which is a line of the cache. A bucket holds the numbers of states and, before them, a
// byte of each one's fingerprint, its tag, so that few numbers need a second look. Who
// finds a bucket full goes on to the next. Slots are taken in their order.
type table struct {
	buckets column[bucket] // a power of two
	used    int
}

type bucket struct {
	low     uint64 // the tags of the first eight; 0 is an empty slot
	high    uint32 // of the other four
	numbers [bucketSlots]int32
}

const (
	bucketSlots  = 12
	bucketBytes  = 64
	firstBuckets = 1 << 6
)

func newTable() (t table) {
	t.widen(firstBuckets)
	return t
}

func (t *table) bytesKept() int64 { return t.buckets.room() * bucketBytes }

// bucket returns where to begin, by the lower bits of a fingerprint.
func (t *table) bucket(hash uint64) int32 { return int32(hash & uint64(t.buckets.len-1)) }

// first returns the bucket where to begin.
func (t *table) first(hash uint64) *bucket { return t.buckets.at(t.bucket(hash)) }

// after returns the bucket after one, which the first is after the last.
func (t *table) after(at int32) int32 { return (at + 1) & int32(t.buckets.len-1) }

// tag returns the tag of a fingerprint, which is not 0.
func tag(hash uint64) uint8 { return uint8(max(1, hash>>56)) }

const (
	ones    = 0x0101010101010101
	highest = 0x8080808080808080
)

// having returns the slots that have the tag, which is not 0, as bits: see slot.
func (b *bucket) having(tag uint8) uint64 {
	all := ones * uint64(tag)
	return none(b.low^all)>>7 | none(uint64(b.high)^all)>>6
}

// none returns the bytes of v that are 0, each by its highest bit, and no others (Warren,
// Hacker's Delight, 2002, 6-1).
func none(v uint64) uint64 { return ^((v&^highest + ^uint64(highest)) | v | ^uint64(highest)) }

// slot returns the first of the slots that are told by having: the bits of the first eight
// are the lowest of their bytes, and those of the other four come next to them.
func slot(having uint64) uint {
	at := uint(bits.TrailingZeros64(having))
	return at/8 + at%2*8
}

// isFull reports whether the last slot is taken.
func (b *bucket) isFull() bool { return b.high>>24 != 0 }

// put takes the first empty slot, which there must be.
func (b *bucket) put(tag uint8, i int32) {
	if at := uint(bits.Len64(b.low)+7) / 8; at < 8 {
		b.low |= uint64(tag) << (8 * at)
		b.numbers[at] = i
	} else {
		at := uint(bits.Len32(b.high)+7) / 8
		b.high |= uint32(tag) << (8 * at)
		b.numbers[8+at] = i
	}
}

// add enters state i, which find must not have found.
func (t *table) add(hash uint64, i int32, hashOf func(i int32) uint64) {
	if t.used >= t.buckets.len*bucketSlots/16*13 {
		t.grow(hashOf)
	}
	t.put(hash, i)
	t.used++
}

func (t *table) put(hash uint64, i int32) {
	at := t.bucket(hash)
	for t.buckets.at(at).isFull() {
		at = t.after(at)
	}
	t.buckets.at(at).put(tag(hash), i)
}

// grow doubles the table, in its place. The states are those from 0.
func (t *table) grow(hashOf func(i int32) uint64) {
	for _, piece := range t.buckets.pieces {
		clear(piece)
	}
	t.widen(t.buckets.len)
	var hashes [atOnce]uint64
	for i := 0; i < t.used; i += atOnce {
		some := hashes[:min(atOnce, t.used-i)]
		for k := range some {
			some[k] = hashOf(int32(i + k))
		}
		t.fetch(some)
		for k, hash := range some {
			t.put(hash, int32(i+k))
		}
	}
}

// fetch reads the buckets of some fingerprints: see store.fetch. It returns what it read,
// which means nothing: the compiler drops a read that nothing comes of. Inlined, its caller
// would be seen to ignore it, and nothing be read.
//
//go:noinline
func (t *table) fetch(hashes []uint64) (sum uint64) {
	for _, hash := range hashes {
		sum += t.first(hash).low
	}
	return sum
}

// widen adds n empty buckets.
func (t *table) widen(n int) {
	for range n {
		t.buckets.add(bucket{})
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
