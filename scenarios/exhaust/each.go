package exhaust

import (
	"slices"

	"github.com/ackgap/ackgap/sim/explore"
)

// ExploreEach visits all of the world and looks for the breach of each property that
// takes the fewest faults. What was found is made concrete; where that is impossible
// for the first trail, another one with as few faults is taken.
func (w *World) ExploreEach(o explore.Options) (*Report, error) {
	r, err := w.explore(o)
	if err != nil {
		return nil, err
	}
	for p := range sawRedelivery {
		w.cheapest(r, propertyNames[p])
	}
	return r, nil
}

// cheapest adds the breach of property with the fewest faults to what was sought.
func (w *World) cheapest(r *Report, property string) {
	first := slices.IndexFunc(r.Findings, func(f Finding) bool { return f.Property == property })
	if first < 0 {
		return
	}
	best := r.Findings[first]
	for _, f := range r.Findings[first:] {
		if f.Property != property || f.Faults > best.Faults {
			continue
		}
		f.Concrete, f.Why = w.concrete(f.path, property)
		if best = f; f.Concrete != nil {
			break
		}
	}
	r.Sought = append(r.Sought, best)
}
