package sim

import (
	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
)

// counter tells the first, second, ... point of one address apart. The points of a
// job are a short list, those of its last delivery first, for nearly all that is
// asked is about that one; and jobs that are alive at one time lie side by side. A
// hash table of all points of a long run would miss the cache at every message.
type counter struct {
	jobs  []int32 // by job: the first of its list; 0 is none
	procs []int32 // likewise, of what is about no job, by process
	list  []counted
}

// counted is one address and how often it was asked about.
type counted struct {
	about uint32 // family, what, side, process: the low 24 bits of a point's address
	n     int32  // the delivery
	count int32
	next  int32 // of the same job, of this delivery or an earlier one
}

const aboutBits = 24

func (c *counter) reset() {
	c.jobs, c.procs = c.jobs[:0], c.procs[:0]
	c.list = append(c.list[:0], counted{})
}

// next returns how often p has been asked for, this time included.
func (c *counter) next(p *faults.Point) int32 {
	a, _ := p.Address()
	about, last := uint32(a)&(1<<aboutBits-1), int32(0) // without the Nth, which p may have already
	first := c.first(p)
	for i := *first; i != 0 && c.list[i].n >= p.N; i = c.list[i].next {
		if s := &c.list[i]; s.n == p.N && s.about == about {
			s.count++
			return s.count
		}
		last = i
	}
	if last != 0 {
		first = &c.list[last].next
	}
	fresh := counted{about, p.N, 1, *first}
	*first = int32(len(c.list))
	c.list = append(model.RoomForOne(c.list), fresh)
	return 1
}

// first returns where the list of p's job begins.
func (c *counter) first(p *faults.Point) *int32 {
	heads, i := &c.jobs, int(p.Job)
	if i == 0 {
		heads, i = &c.procs, int(p.Proc)
	}
	for len(*heads) <= i {
		*heads = append(model.RoomForOne(*heads), 0)
	}
	return &(*heads)[i]
}
