package charts

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/reports"
)

// OfTolerance draws the table configuration by property as a heat map: the fewer faults
// break a promise, the larger the square, with their number in it. What holds is a dot,
// what is not promised is empty.
func OfTolerance(t *reports.Tolerance) reports.Drawing {
	const cell, left, low = 24, 250, 190
	rows, columns := len(t.Rows), len(t.Properties)
	p := newPlot("", "")
	p.Title.Text = model.Safe(t.World) + ": how few faults break a promise (dot: up to " + strconv.Itoa(t.Faults) + " do not)"
	names := make([]string, rows)
	for i := range t.Rows {
		names[rows-1-i] = model.Safe(t.Rows[i].Config)
		for k, c := range t.Rows[i].Cells {
			heat(p, float64(k), float64(rows-1-i), t.Faults, c, t.Rows[i].Open)
		}
	}
	p.NominalY(nominal(names)...)
	p.NominalX(nominal(t.Properties)...)
	turned := &p.X.Tick.Label
	turned.Rotation, turned.XAlign, turned.YAlign = math.Pi/4, text.XRight, text.YCenter
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -0.6, float64(columns)-0.4, -0.6, float64(rows)-0.4
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Width, axis.Tick.Width, axis.Tick.Length = 0.5, 0.5, 4
	}
	return drawn("faults that it takes, by configuration and property", vg.Length(left+columns*cell), vg.Length(low+rows*cell), [][]*plot.Plot{{p}})
}

// heat draws one cell: its square is the smaller the more faults it takes.
func heat(p *plot.Plot, x, y float64, most int, c reports.ToleranceCell, open bool) {
	switch {
	case c.Broken:
		half := 0.46 - 0.2*float64(c.Faults)/float64(max(most, 1))
		p.Add(box{x - half, x + half, y - half, y + half, bad}, written{x, y, strconv.Itoa(c.Faults), "on", 11, draw.XCenter})
	case c.Idle:
	case open:
		p.Add(written{x, y, "?", refused, 11, draw.XCenter})
	default:
		p.Add(box{x - 0.07, x + 0.07, y - 0.07, y + 0.07, dim})
	}
}
