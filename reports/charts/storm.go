package charts

import (
	"strconv"
	"time"

	"gonum.org/v1/plot"

	"gonum.org/v1/plot/vg"

	"github.com/ackgap/ackgap/reports"
)

// Storm is what is drawn of a storm: for each lease and load how many jobs were open with
// the fault and without it.
type Storm struct {
	World      string
	Loads      []int           // in percent
	Leases     []time.Duration // rising, as Loads
	Horizon    time.Duration   // of each run
	Begin, End time.Duration   // of the fault
	With, Calm []Line          // by lease, then by load
}

// OfStorm draws the backlog and its drain: a small chart for each lease and load, the
// longest lease on top. The line is the run with the fault, which lasts as long as the
// bar below it; the dotted one is without.
func OfStorm(s *Storm) reports.Drawing {
	const wide, high = 170, 130
	var grid [][]*plot.Plot
	for i := len(s.Leases) - 1; i >= 0; i-- {
		var row []*plot.Plot
		for k := range s.Loads {
			row = append(row, s.small(i, k))
		}
		grid = append(grid, row)
	}
	return drawn("backlog after a fault of "+span(s.End-s.Begin)+", by lease and load: "+s.World,
		"jobs open over time, with a fault of "+span(s.End-s.Begin)+" (the line; the bar is the fault) and without it (dotted)",
		vg.Length(len(s.Loads)*wide), vg.Length(len(s.Leases)*high), grid)
}

func (s *Storm) small(lease, load int) *plot.Plot {
	p := newPlot("", "")
	p.Title.Text = "lease " + span(s.Leases[lease]) + ", load " + strconv.Itoa(s.Loads[load]) + "%"
	p.Title.TextStyle.Font = sans(11)
	with, calm := s.With[lease*len(s.Loads)+load], s.Calm[lease*len(s.Loads)+load]
	most := max(with.most(), calm.most(), 10)
	mark := 0.04 * float64(most)
	p.Add(box{s.Begin.Seconds(), s.End.Seconds(), -mark, 0, refused})
	p.Add(stairs(thinned(calm.points, s.Horizon, coarse), dim, 1, 3, 2), stairs(thinned(with.points, s.Horizon, coarse), delivery, 1.5))
	counted(&p.Y, most)
	p.Y.Min = -mark
	timed(&p.X, s.Horizon)
	p.X.Tick.Marker = plot.ConstantTicks{{Value: 0, Label: "0"}, {Value: s.Horizon.Seconds(), Label: span(s.Horizon)}}
	return p
}
