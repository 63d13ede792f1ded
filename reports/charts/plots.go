package charts

import (
	"cmp"
	"strconv"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/ackgap/ackgap/reports"
)

// margin is what stays empty around a chart.
const margin = 10

// newPlot is a plot with our fonts and tones, and without a title.
func newPlot(x, y string) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	p.X.Label.Text, p.Y.Label.Text = x, y
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Color, axis.Tick.Color = dim, dim
		axis.Label.TextStyle.Font, axis.Label.TextStyle.Color = sans(12), dim
		axis.Tick.Label.Font, axis.Tick.Label.Color = sans(11), ink
	}
	p.Title.TextStyle.Font, p.Title.TextStyle.Color = sans(13), ink
	p.Legend.TextStyle.Font, p.Legend.TextStyle.Color = sans(11), ink
	p.Title.Padding, p.X.Padding, p.Y.Padding = 4, 0, 0
	return p
}

func sans(size font.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
}

// counted makes the axis one of whole numbers, from 0 to the first tick that is at least
// most: charts beside each other have their titles at one height then.
func counted(axis *plot.Axis, most int) {
	most, step := max(most, 1), 1
	for _, by := range cycle(1, 2, 5) {
		if step = by; most <= 6*step {
			break
		}
	}
	var ticks plot.ConstantTicks
	for n := 0; n < most+step; n += step {
		ticks = append(ticks, plot.Tick{Value: float64(n), Label: strconv.Itoa(n)})
	}
	axis.Min, axis.Max, axis.Tick.Marker = 0, ticks[len(ticks)-1].Value, ticks
}

// cycle yields the numbers, then ten times each, and so on.
func cycle(base ...int) func(func(int, int) bool) {
	return func(yield func(int, int) bool) {
		for i, power := 0, 1; i < 30; i++ {
			if !yield(i, base[i%len(base)]*power) {
				return
			}
			if i%len(base) == len(base)-1 {
				power *= 10
			}
		}
	}
}

// timed makes the axis one of virtual time, from 0 to end, with some five ticks at round
// spans.
func timed(axis *plot.Axis, end time.Duration) {
	axis.Min, axis.Max = 0, max(end, time.Millisecond).Seconds()
	axis.Tick.Marker = plot.TickerFunc(func(_, most float64) []plot.Tick {
		step := roundSpan(time.Duration(most * float64(time.Second) / 5))
		var ticks []plot.Tick
		for at := time.Duration(0); at.Seconds() <= most; at += step {
			ticks = append(ticks, plot.Tick{Value: at.Seconds(), Label: span(at)})
		}
		return ticks
	})
}

// roundSpan is the least round span that is not shorter than d.
func roundSpan(d time.Duration) time.Duration {
	for unit := time.Millisecond; unit < time.Second; unit *= 10 {
		for _, n := range []time.Duration{1, 2, 5} {
			if d <= n*unit {
				return n * unit
			}
		}
	}
	for _, unit := range []time.Duration{time.Second, time.Minute, time.Hour} {
		for _, n := range []time.Duration{1, 2, 5, 10, 20, 30} {
			if d <= n*unit {
				return n * unit
			}
		}
	}
	return max(d.Round(time.Hour), time.Hour)
}

// span writes a round span as people do: 1m30s, 2h.
func span(d time.Duration) string {
	text := ""
	for _, unit := range []struct {
		d    time.Duration
		name string
	}{{time.Hour, "h"}, {time.Minute, "m"}, {time.Second, "s"}, {time.Millisecond, "ms"}} {
		if n := d / unit.d; n > 0 {
			text += strconv.Itoa(int(n)) + unit.name
			d -= n * unit.d
		}
	}
	return cmp.Or(text, "0")
}

// nominal is a list of names as an axis takes it, which wants one at least.
func nominal(names []string) []string {
	if len(names) == 0 {
		return []string{""}
	}
	return names
}

// stairs is a line that keeps its height until the next point.
func stairs(points plotter.XYs, t tone, wide vg.Length, dash ...vg.Length) *plotter.Line {
	return &plotter.Line{XYs: points, StepStyle: plotter.PostStep, LineStyle: draw.LineStyle{Color: t, Width: wide, Dashes: dash}}
}

// drawn draws the plots below each other or in a grid, rows first, on one canvas, and a
// key above them that says what is seen, if there is one.
func drawn(title, key string, wide, high vg.Length, grid [][]*plot.Plot) reports.Drawing {
	const line = 24
	face := font.DefaultCache.Lookup(sans(13), 13)
	if key != "" {
		high, wide = high+line, max(wide, face.Width(key)+2*margin)
	}
	c := newCanvas(wide, high)
	tiles := draw.Tiles{Rows: len(grid), Cols: len(grid[0]), PadTop: margin, PadBottom: margin, PadLeft: margin, PadRight: margin, PadX: 14, PadY: 16}
	if key != "" {
		tiles.PadTop += line
	}
	for row, list := range plot.Align(grid, tiles, draw.New(c)) {
		for col, part := range list {
			if p := grid[row][col]; p != nil {
				p.Draw(part)
			}
		}
	}
	if key != "" {
		c.SetColor(ink)
		c.FillString(face, vg.Point{X: margin, Y: high - line + 6}, key)
	}
	return reports.Drawing{Title: title, Wide: int(wide), High: int(high), Body: c.b}
}
