package charts

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// box is a filled rectangle in the units of the axes.
type box struct {
	left, right, low, high float64
	tone                   tone
}

// Plot draws the box, unless it has no height.
func (b box) Plot(c draw.Canvas, p *plot.Plot) {
	if b.low == b.high {
		return
	}
	c.FillPolygon(b.tone, b.corners(c, p))
}

func (b box) corners(c draw.Canvas, p *plot.Plot) []vg.Point {
	x, y := p.Transforms(&c)
	return []vg.Point{{X: x(b.left), Y: y(b.low)}, {X: x(b.right), Y: y(b.low)}, {X: x(b.right), Y: y(b.high)}, {X: x(b.left), Y: y(b.high)}}
}

// written is a word in the middle of a place in the units of the axes.
type written struct {
	x, y  float64
	word  string
	tone  tone
	size  font.Length
	align text.XAlignment
	turn  float64 // counterclockwise, in radians
}

// Plot writes the word.
func (w written) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	style := text.Style{Color: w.tone, Font: sans(w.size), XAlign: w.align, YAlign: draw.YCenter, Rotation: w.turn, Handler: plot.DefaultTextHandler}
	const raised = 0.1 // of the size: digits, which do not reach below the line, are in the middle then
	c.FillText(style, vg.Point{X: x(w.x), Y: y(w.y) + raised*w.size}, w.word)
}
