package sim

import (
	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
)

// counter tells the first, second, ... point of one address apart: a hash table
// with linear probing, since a Go map of points costs an allocation to empty.
type counter struct {
	slots []counted
	used  int
	round uint32 // slots of another round are free: emptying costs nothing
}

type counted struct {
	point faults.Point
	n     int32
	round uint32
}

func (c *counter) reset() {
	c.used = 0
	c.round++
	if c.round == 0 { // wrapped: what is left of round 0 would come alive
		clear(c.slots)
		c.round = 1
	}
}

// next returns how often p has been asked for, this time included.
func (c *counter) next(p faults.Point) int32 {
	if 2*c.used >= len(c.slots) {
		c.grow()
	}
	p.Nth = 0
	s := c.find(p)
	if s.round != c.round {
		*s = counted{p, 0, c.round}
		c.used++
	}
	s.n++
	return s.n
}

func (c *counter) find(p faults.Point) *counted {
	mask := uint64(len(c.slots) - 1)
	a, b := address(p)
	extra := uint64(p.Step) | uint64(p.Slot)<<8
	if p.After {
		extra |= 1 << 16
	}
	for i := model.Mix(model.Mix(a^extra<<40) ^ b); ; i++ {
		s := &c.slots[i&mask]
		if s.round != c.round || s.point == p {
			return s
		}
	}
}

func (c *counter) grow() {
	old := c.slots
	c.slots = make([]counted, max(64, 2*len(old)))
	for i := range old {
		if old[i].round == c.round {
			*c.find(old[i].point) = old[i]
		}
	}
}
