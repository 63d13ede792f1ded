package sim

import (
	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
)

// counter tells the first, second, ... point of one address apart: a hash table
// with linear probing and slots of 16 bytes, four to a cache line, for it is
// asked about every message that may be lost.
type counter struct {
	slots []counted
	used  int
	round uint64 // slots of another round are free, so that emptying costs nothing
}

// counted is one address and how often it was asked about. The round stands in
// the high byte of about.
type counted struct {
	about uint64 // round, family, what, side, process, job
	n     int32  // the delivery
	count int32
}

const (
	roundShift = 56
	lastRound  = 255
)

func (c *counter) reset() {
	c.used = 0
	if c.round++; c.round > lastRound {
		clear(c.slots)
		c.round = 1 // a slot of round 0 was never used
	}
}

// next returns how often p has been asked for, this time included.
func (c *counter) next(p faults.Point) int32 {
	if 2*c.used >= len(c.slots) {
		c.grow()
	}
	s := c.find(c.round<<roundShift|subject(p), p.N)
	if s.count == 0 {
		c.used++
	}
	s.count++
	return s.count
}

// find returns the slot of an address; a free one that it takes has count 0.
func (c *counter) find(about uint64, n int32) *counted {
	mask := uint64(len(c.slots) - 1)
	for i := model.Mix(about ^ uint64(uint32(n))<<24); ; i++ {
		s := &c.slots[i&mask]
		if s.about == about && s.n == n {
			return s
		}
		if s.about>>roundShift != c.round {
			*s = counted{about: about, n: n}
			return s
		}
	}
}

func (c *counter) grow() {
	old := c.slots
	c.slots = make([]counted, max(64, 2*len(old)))
	for _, s := range old {
		if s.about>>roundShift == c.round {
			*c.find(s.about, s.n) = s
		}
	}
}

// subject packs all of p but N and Nth into 56 bits: the low 24 bits of its
// address, and the job.
func subject(p faults.Point) uint64 {
	p.Nth = 0
	a, _ := p.Address()
	return a | uint64(uint32(p.Job))<<24
}
