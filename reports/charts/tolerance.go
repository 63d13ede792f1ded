package charts

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/reports"
)

// OfTolerance draws the table configuration by property as a heat map: the fewer faults
// break a promise, the larger the square, with their number in it. What holds is a dot,
// what is not promised is empty.
func OfTolerance(t *reports.Tolerance) reports.Drawing {
	const cell, left, rest, heads = 24, 250, 50, 4 // heads: the rows that the names of properties take
	rows, columns := len(t.Rows), len(t.Properties)
	p := newPlot("", "")
	p.Title.Text = model.Safe(t.World) + ": the fewest faults that break a promise. Dot: up to " + strconv.Itoa(t.Faults) + " do not; empty: not promised"
	names := make([]string, rows)
	for i := range t.Rows {
		names[rows-1-i] = model.Safe(t.Rows[i].Config)
		for k, c := range t.Rows[i].Cells {
			heat(p, float64(k), float64(rows-1-i), t.Faults, c, t.Rows[i].Open)
		}
	}
	p.NominalY(nominal(names)...)
	for k, name := range t.Properties {
		p.Add(written{float64(k), float64(rows) - 0.4, name, ink, 11, draw.XRight, -math.Pi / 4})
	}
	p.HideX()
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -0.6, float64(columns)-0.4, -0.6, float64(rows+heads)-0.4
	p.Y.Width, p.Y.Tick.Width, p.Y.Tick.Length = 0, 0.5, 4
	return drawn("faults that it takes, by configuration and property", "", vg.Length(left+columns*cell), vg.Length(rest+(rows+heads)*cell), [][]*plot.Plot{{p}})
}

// heat draws one cell: its square is the smaller the more faults it takes.
func heat(p *plot.Plot, x, y float64, most int, c reports.ToleranceCell, open bool) {
	switch {
	case c.Broken:
		half := 0.46 - 0.2*float64(c.Faults)/float64(max(most, 1))
		p.Add(box{x - half, x + half, y - half, y + half, bad}, written{x, y, strconv.Itoa(c.Faults), "on", 11, draw.XCenter, 0})
	case c.Idle:
	case open:
		p.Add(written{x, y, "?", refused, 11, draw.XCenter, 0})
	default:
		p.Add(box{x - 0.07, x + 0.07, y - 0.07, y + 0.07, dim})
	}
}
