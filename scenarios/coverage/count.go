package coverage

import (
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// Map counts worlds: in how many each fault struck at each phase, among those that
// held every default property of their queue and among those that broke one. Maps
// of disjoint worlds add up to the same, however the worlds were split. The zero Map
// is of no world.
type Map struct {
	Held, Broken int // worlds
	Open         int // worlds in which something is unknown and nothing broken: in no cell
	cells        [FaultCount][PhaseCount]Count
}

// Count is of one cell.
type Count struct{ Held, Broken int }

// At returns in how many worlds f struck at p.
func (m *Map) At(f Fault, p Phase) Count { return m.cells[f][p] }

// Runs returns how many worlds were counted.
func (m *Map) Runs() int { return m.Held + m.Broken + m.Open }

// Draw runs the world of a seed: (*scenarios.Runner).World, or its PrioritisedWorld.
type Draw func(c *scenarios.Campaign, seed uint64, keep bool) (*scenarios.World, error)

// Explore runs the worlds of n seeds from the seed first on and counts what struck.
// It begins no further world once stop, if it is not nil, says so. An error comes
// with the map of the worlds before it.
func Explore(draw Draw, c *scenarios.Campaign, first, n uint64, stop func() bool) (*Map, error) {
	m := &Map{}
	for i := uint64(0); i < n && (stop == nil || !stop()); i++ {
		w, err := draw(c, first+i, true)
		if err != nil {
			return m, err
		}
		m.count(Of(c.Story, w.Plan, w.Outcome.History), verdict(w.Outcome))
	}
	return m, nil
}

// verdict returns broken when a default property is, else unknown when one is.
func verdict(o *scenarios.Outcome) model.Value {
	worst := model.Held
	for _, v := range o.Verdicts {
		switch {
		case v.Value == model.Held || !o.IsDefault(v.Property):
		case v.Value == model.Broken:
			return model.Broken
		default:
			worst = model.Unknown
		}
	}
	return worst
}

func (m *Map) count(s Strikes, v model.Value) {
	one := Map{}
	switch v {
	case model.Held:
		one.Held = 1
	case model.Broken:
		one.Broken = 1
	default:
		m.Open++
		return
	}
	for f := range FaultCount {
		for p := range PhaseCount {
			if s[f].Has(p) {
				one.cells[f][p] = Count{one.Held, one.Broken}
			}
		}
	}
	m.Add(&one)
}

// Add adds the worlds of o, which are others.
func (m *Map) Add(o *Map) {
	m.Held += o.Held
	m.Broken += o.Broken
	m.Open += o.Open
	for f := range m.cells {
		for p, n := range o.cells[f] {
			m.cells[f][p].Held += n.Held
			m.cells[f][p].Broken += n.Broken
		}
	}
}

// in returns in how many worlds the cell was reached.
func (m *Map) in(c Cell) int {
	n := m.cells[c.Fault][c.Phase]
	if c.Broken {
		return n.Broken
	}
	return n.Held
}

// Reached returns how many of the Goals were reached.
func (m *Map) Reached() int { return len(Goals()) - len(m.Empty()) }

// Empty returns the Goals that no world reached, in their order.
func (m *Map) Empty() (list []Cell) {
	for _, c := range Goals() {
		if m.in(c) == 0 {
			list = append(list, c)
		}
	}
	return list
}
