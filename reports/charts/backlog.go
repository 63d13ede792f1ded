package charts

import (
	"time"

	"gonum.org/v1/plot/plotter"

	"github.com/ackgap/ackgap/model"
)

// Line is how many jobs were open, from each instant on until the next.
type Line struct{ points plotter.XYs }

// Backlog reads off a history how many jobs are open, that is pending, active or
// scheduled, from 0 to end.
func Backlog(h *model.History, end time.Duration) Line {
	line, open := plotter.XYs{{}}, 0
	for i := range h.Events {
		e := &h.Events[i]
		if e.Kind != model.Applied && e.Kind != model.Restarted {
			continue
		}
		before := open
		for _, t := range h.TouchedBy(e.Seq) {
			open += isOpen(t.After) - isOpen(t.Before)
		}
		if open != before {
			line = append(line, plotter.XY{X: seconds(e.At), Y: float64(open)})
		}
	}
	return Line{append(line, plotter.XY{X: end.Seconds(), Y: float64(open)})}
}

func isOpen(s model.Standing) int {
	if s.Sets&(model.InPending|model.InActive|model.InSchedule) != 0 {
		return 1
	}
	return 0
}

func (l Line) most() int {
	most := 0.0
	for _, p := range l.points {
		most = max(most, p.Y)
	}
	return int(most)
}

// How many steps of a line a chart shows apart, and a small one.
const fine, coarse = 300, 100

// thinned keeps of many points the highest of each part of the time, so that a chart
// of a long run stays small.
func thinned(points plotter.XYs, end time.Duration, fine int) plotter.XYs {
	if len(points) <= fine {
		return points
	}
	part, kept, last := end.Seconds()/float64(fine), points[:0:0], -1
	for _, p := range points {
		k := int(p.X / part)
		switch {
		case k != last:
			kept, last = append(kept, p), k
		case p.Y > kept[len(kept)-1].Y:
			kept[len(kept)-1].Y = p.Y
		}
	}
	return append(kept, points[len(points)-1])
}
