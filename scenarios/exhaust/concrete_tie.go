package exhaust

import (
	"slices"
	"time"
)

// tries is how often the works of two workers are shifted until they end together: each
// may have done several.
const tries = 6

// toTheEnd returns path with the rest of each program that it ends within: that comes at
// the very same instant, so that what does not may come before or behind it.
func (w *World) toTheEnd(path []deed) []deed {
	s, path := w.Initial(), slices.Clone(path)
	for _, d := range path {
		w.carryOut(&s, d, nil)
	}
	for {
		k, ok := w.hasty(&s)
		if !ok || s.workers[k].phase != stepping {
			return path
		}
		d := deed{what: doStep, who: k, job: s.workers[k].job}
		w.carryOut(&s, d, nil)
		path = append(path, d)
	}
}

// tied returns the first step of the program of another that moment i, the first of its own,
// comes within, or -1: the other goes on with its program behind it.
func (w *World) tied(moments []moment, i int) int {
	m := &moments[i]
	if m.what != doStep || m.step != w.workers[m.who].program[0] {
		return -1
	}
	for k := i - 1; k >= 0; k-- {
		o := &moments[k]
		if o.what != doStep || o.job != m.job || o.who == m.who {
			continue
		}
		next := slices.IndexFunc(moments[k+1:], func(p moment) bool { return p.who == o.who && p.isOfWorker() })
		if k+1+next > i && moments[k+1+next].what == doStep {
			return w.firstStep(moments, k)
		}
	}
	return -1
}

// firstStep returns the first step of the program that moment i belongs to.
func (w *World) firstStep(moments []moment, i int) int {
	return slices.IndexFunc(moments[:i+1], func(o moment) bool {
		return o.what == doStep && o.who == moments[i].who && o.job == moments[i].job && o.n == moments[i].n
	})
}

// tie lets the work of two workers be over at the very same instant, which moment i needs:
// whose is over first, by work or by pause, is put off.
func (s *solver) tie(i, other int) {
	for range tries {
		if s.run(); s.err != nil {
			return
		}
		mine, ok := s.seen(&s.moments[i])
		its, okToo := s.seen(&s.moments[other])
		if s.isStuck = !ok || !okToo; s.isStuck || mine == its {
			return
		}
		if mine < its {
			s.putBack(i, its.Sub(mine))
		} else {
			s.putBack(other, mine.Sub(its))
		}
	}
	s.isStuck = true
}

// putBack lets moment i, the first step of a program, come so much later.
func (s *solver) putBack(i int, later time.Duration) {
	if slept := s.slept(i); slept != nil {
		slept.For += later
		return
	}
	claim := s.claimOf(&s.moments[i])
	if claim == nil {
		s.isStuck = true
		return
	}
	k := s.worker(claim.Proc)
	w := &s.story.Workers[k]
	w.Work += later
	s.set.own[s.own(k)].work = w.Work
}

// isTied reports whether the delivery that a worker is struck in at moment i is one of two
// whose works are to be over at the very same instant.
func (s *solver) isTied(i int) bool {
	m := &s.moments[i]
	for k := i + 1; k < len(s.moments); k++ {
		other := s.w.tied(s.moments, k)
		if other < 0 {
			continue
		}
		for _, o := range []*moment{&s.moments[k], &s.moments[other]} {
			if o.who == m.who && o.job == m.job && o.n == m.n {
				return true
			}
		}
	}
	return false
}
