package simtest

import (
	"hash/maphash"

	"github.com/ackgap/ackgap/model"
)

// cells are what stands under each key: a hash table with open addressing. A cell stays
// where it is, so that a transaction which has read it need not look for it again, where a
// map is asked four times.
type cells struct {
	slots []slot // a power of two, at most half of them taken
	taken int
	fresh slab[cell]
}

// slot is where the cell of a key with this hash is, if one is.
type slot struct {
	hash uint64
	cell *cell
}

// cell is a key's own.
type cell struct {
	key string
	value
}

// value is what stands under a key. Version tells one from the next; 0 is none.
type value struct {
	text    string
	until   model.Time // 0: for ever
	version int64
}

// hashSeed is another in each process. It orders the slots, which nobody sees.
var hashSeed = maphash.MakeSeed()

// of returns the cell of a key, an empty one if it is new.
func (c *cells) of(key string) *cell {
	if 2*c.taken >= len(c.slots) {
		c.grow()
	}
	hash := maphash.String(hashSeed, key)
	s := c.slot(hash, key)
	if s.cell == nil {
		*s = slot{hash, c.fresh.take()}
		s.cell.key = key
		c.taken++
	}
	return s.cell
}

// slot returns where the cell of a key is, or belongs.
func (c *cells) slot(hash uint64, key string) *slot {
	for i := hash; ; i++ {
		s := &c.slots[i&uint64(len(c.slots)-1)]
		if s.cell == nil || s.hash == hash && s.cell.key == key {
			return s
		}
	}
}

func (c *cells) grow() {
	old := c.slots
	c.slots = make([]slot, max(fewSlots, 2*len(old)))
	for _, s := range old {
		if s.cell != nil {
			*c.slot(s.hash, s.cell.key) = s
		}
	}
}

// fewSlots are kept from one run to the next.
const fewSlots = 64

// reset forgets all keys.
func (c *cells) reset() {
	if c.taken = 0; len(c.slots) > fewSlots {
		c.slots = nil
	}
	clear(c.slots)
}
