package charts

import (
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/reports"
)

// Mutant is a queue or consumer that is broken on purpose, and after how many random
// worlds it was caught.
type Mutant struct {
	Name         string
	Median, Most int // over hunts; 1 or more
}

// OfMutants draws for each mutant a bar up to the median and a line up to the most, on a
// scale of powers.
func OfMutants(all []Mutant) reports.Drawing {
	const row, rest, wide = 20, 70, 760
	const least = 0.8 // so that a bar up to 1 is seen
	p := newPlot("random worlds until it is caught: the median (bar), the most of all hunts (line)", "")
	names, most := make([]string, len(all)), 10
	for i, m := range all {
		y := float64(len(all) - 1 - i)
		names[len(all)-1-i] = model.Safe(m.Name)
		most = max(most, m.Most)
		p.Add(box{least, float64(m.Most), y - 0.06, y + 0.06, bad}, box{least, float64(m.Median), y - 0.3, y + 0.3, bad},
			written{float64(max(m.Most, m.Median)) * 1.1, y, strconv.Itoa(m.Median) + ", " + strconv.Itoa(m.Most), ink, 11, draw.XLeft, 0})
	}
	p.NominalY(nominal(names)...)
	p.Y.Min, p.Y.Max = -0.6, float64(len(all))-0.4
	p.Y.Width, p.Y.Tick.Width = 0.5, 0
	p.X.Scale = plot.LogScale{}
	p.X.Min, p.X.Max = least, float64(most)*1.6
	p.X.Tick.Marker = powers
	return drawn("random worlds until a mutant is caught", "", wide, vg.Length(rest+row*len(all)), [][]*plot.Plot{{p}})
}

// powers has a tick at each 1, 2 and 5 of a power of ten.
var powers = plot.TickerFunc(func(_, most float64) (ticks []plot.Tick) {
	for _, n := range cycle(1, 2, 5) {
		if float64(n) > most {
			break
		}
		ticks = append(ticks, plot.Tick{Value: float64(n), Label: strconv.Itoa(n)})
	}
	return ticks
})
