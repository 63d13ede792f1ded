package coverage

import (
	"slices"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// Seek makes the cells that are empty, in the map of s and in beside, steer the next
// seeds. In every fourth world one of the corpus runs again, with its own seed, and at an
// instant at which somebody was at the phase of an empty cell a window of its fault
// opens besides: one such as some world of the corpus had. Up to there the two are the same, so
// that the fault finds that phase. Messages and steps are left to the dice: they strike
// at their phase whenever they strike. Beside is what other campaigns have reached; it
// is read until the last Next.
func (s *Steered) Seek(beside *Map) { s.beside = beside }

// moment is an instant at which somebody was at a phase.
type moment struct {
	who model.Proc
	at  model.Time
}

// momentsOf draws one moment of each phase, where there is one: the instant of an event
// before which somebody was there. What a window does at an instant comes first.
func (s *Steered) momentsOf(w *scenarios.World) (drawn [PhaseCount]moment) {
	var seen [PhaseCount]int
	h := w.Outcome.History
	r := newReading(s.campaign.Story, w.Plan, &Strikes{})
	for i := range h.Events {
		e := &h.Events[i]
		for who := faults.Pump; i > 0 && e.At > h.Events[i-1].At && int(who) < len(r.parties); who++ {
			at := r.at(who, e.At)
			for p := range PhaseCount {
				if !at.Has(p) {
					continue
				}
				if seen[p]++; s.pick(s.runs, uint64(i+1)<<8|uint64(p), seen[p]) == 0 {
					drawn[p] = moment{who, e.At}
				}
			}
		}
		r.read(e, h.TouchedBy(e.Seq))
	}
	return drawn
}

// aim returns a world of the corpus and what it had, with a window besides that strikes
// at an empty cell: at one that is drawn, or else at the next that can be had so. It is
// nil where none can.
func (s *Steered) aim(n uint64) (again *kept, plan faults.Plan) {
	all := s.total
	all.Add(s.beside)
	cells := all.Empty()
	for i := range cells {
		c := cells[(s.pick(n, 0, len(cells))+i)%len(cells)]
		if again = s.pickAt(n, c); again == nil {
			continue
		}
		there := again.moments[c.Phase]
		if window, ok := s.window(n, c.Fault, there.who); ok {
			window.Outcome.At = there.at
			return again, s.moved(append(slices.Clone(again.plan), window), func(uint64, *faults.Entry) {})
		}
	}
	return nil, nil
}

// pickAt picks a world of the corpus in which somebody was at the phase of c; one that
// went as those of c do, if there is any.
func (s *Steered) pickAt(n uint64, c Cell) *kept {
	var alike, others []*kept
	for i := range s.corpus {
		switch k := &s.corpus[i]; {
		case k.moments[c.Phase].who == model.NoProc:
		case k.verdict == c.Verdict():
			alike = append(alike, k)
		default:
			others = append(others, k)
		}
	}
	if len(alike) == 0 {
		alike = others
	}
	if len(alike) == 0 {
		return nil
	}
	return alike[s.pick(n, 1, len(alike))]
}

// window picks a window of f, of who or of the queue, that some world of the corpus had.
func (s *Steered) window(n uint64, f Fault, who model.Proc) (faults.Entry, bool) {
	slots := [FaultCount]faults.SlotKind{Crash: faults.SlotCrash, ServerRestart: faults.SlotCrash, Pause: faults.SlotPause,
		Partition: faults.SlotPartition, Clock: faults.SlotClock}
	if f == Clock || f == ServerRestart {
		who = faults.Queue // nobody else's clock steps
	}
	var had []faults.Entry
	for i := range s.corpus {
		for _, e := range s.corpus[i].plan {
			if e.Point.Family == faults.Slot && e.Point.Slot == slots[f] && e.Point.Proc == who {
				had = append(had, e)
			}
		}
	}
	if len(had) == 0 {
		return faults.Entry{}, false
	}
	return had[s.pick(n, 2, len(had))], true
}
