package charts

import (
	"fmt"
	"html"
	"image"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"

	"github.com/ackgap/ackgap/model"
)

// canvas writes what a plot draws as SVG. A plot counts from the bottom left in points,
// a picture from the top left: a point is a pixel here.
type canvas struct {
	wide, high vg.Length
	b          []byte
	now        pen
	saved      []pen
}

// pen is how the next stroke looks, and where its origin is.
type pen struct {
	class string
	wide  vg.Length
	dash  []vg.Length
	at    matrix
}

// matrix takes a point of a plot to one of the canvas: x*a + y*c + e, x*b + y*d + f.
type matrix struct{ a, b, c, d, e, f float64 }

func newCanvas(wide, high vg.Length) *canvas {
	return &canvas{wide: wide, high: high, now: pen{class: "ink", wide: 1, at: matrix{1, 0, 0, 1, 0, 0}}}
}

// tone is a colour by its class in the style sheet of pictures.
type tone string

// RGBA makes a tone a colour to plot, which only hands it on.
func (tone) RGBA() (r, g, b, a uint32) { return 0, 0, 0, math.MaxUint16 }

// The tones that charts are drawn in.
const (
	ink      tone = "ink"
	dim      tone = "dim"
	bad      tone = "bad"
	delivery tone = "delivery"
	ack      tone = "ack"
	refused  tone = "refused"
)

func (c *canvas) Size() (x, y vg.Length) { return c.wide, c.high }

func (c *canvas) SetLineWidth(w vg.Length)                     { c.now.wide = w }
func (c *canvas) SetLineDash(pattern []vg.Length, _ vg.Length) { c.now.dash = pattern }

// SetColor takes the class of a tone; every other colour is ink.
func (c *canvas) SetColor(col color.Color) {
	c.now.class = string(ink)
	if t, ok := col.(tone); ok {
		c.now.class = string(t)
	}
}

func (c *canvas) Rotate(rad float64) {
	sin, cos := math.Sincos(rad)
	c.now.at = c.now.at.after(matrix{cos, sin, -sin, cos, 0, 0})
}

func (c *canvas) Translate(p vg.Point) {
	c.now.at = c.now.at.after(matrix{1, 0, 0, 1, float64(p.X), float64(p.Y)})
}

func (c *canvas) Scale(x, y float64) { c.now.at = c.now.at.after(matrix{x, 0, 0, y, 0, 0}) }

func (c *canvas) Push() { c.saved = append(c.saved, c.now) }

func (c *canvas) Pop() {
	c.now = c.saved[len(c.saved)-1]
	c.saved = slices.Delete(c.saved, len(c.saved)-1, len(c.saved))
}

// after returns the matrix that does n first, and then m.
func (m matrix) after(n matrix) matrix {
	return matrix{
		m.a*n.a + m.c*n.b, m.b*n.a + m.d*n.b,
		m.a*n.c + m.c*n.d, m.b*n.c + m.d*n.d,
		m.a*n.e + m.c*n.f + m.e, m.b*n.e + m.d*n.f + m.f,
	}
}

// place writes where p lies in the picture.
func (c *canvas) place(p vg.Point) string {
	m, x, y := &c.now.at, float64(p.X), float64(p.Y)
	return tenths(m.a*x+m.c*y+m.e) + " " + tenths(float64(c.high)-(m.b*x+m.d*y+m.f))
}

// tenths writes a length with a digit behind the point at most.
func tenths(x float64) string {
	n := math.Round(10 * x)
	if n == 0 {
		return "0" // and not -0
	}
	return strconv.FormatFloat(n/10, 'f', -1, 64)
}

// data is a path as SVG writes it.
func (c *canvas) data(path vg.Path) string {
	var b strings.Builder
	x, y := "", ""
	for _, comp := range path {
		lastX, lastY := x, y
		x, y, _ = strings.Cut(c.place(comp.Pos), " ")
		switch comp.Type {
		case vg.MoveComp:
			b.WriteString("M" + x + " " + y)
		case vg.LineComp:
			b.WriteString(lineTo(lastX, lastY, x, y))
		case vg.CloseComp:
			b.WriteString("z")
		default:
			panic("charts: a plot draws a curve, and no chart of ours has one")
		}
	}
	return b.String()
}

// lineTo is the shortest way to say so: most lines of a chart are level or upright.
func lineTo(lastX, lastY, x, y string) string {
	switch {
	case x == lastX && y == lastY:
		return ""
	case y == lastY:
		return "H" + x
	case x == lastX:
		return "V" + y
	}
	return "L" + x + " " + y
}

func (c *canvas) Stroke(path vg.Path) {
	if c.now.wide <= 0 {
		return
	}
	c.printf(`<path class="%s s" d="%s"`, c.now.class, c.data(path))
	if c.now.wide != 1 {
		c.printf(` stroke-width="%s"`, tenths(float64(c.now.wide)))
	}
	if len(c.now.dash) > 0 {
		var all []string
		for _, d := range c.now.dash {
			all = append(all, tenths(float64(d)))
		}
		c.printf(` stroke-dasharray="%s"`, strings.Join(all, " "))
	}
	c.printf("/>")
}

func (c *canvas) Fill(path vg.Path) {
	c.printf(`<path class="%s f" d="%s"/>`, c.now.class, c.data(path))
}

// FillString writes text, held to the width for which the plot made room: a reader's
// font is not the one that was measured.
func (c *canvas) FillString(f font.Face, at vg.Point, text string) {
	text = strings.TrimSpace(model.Safe(text))
	if text == "" || f.Font.Size <= 0 {
		return
	}
	c.printf(`<text class="%s" font-size="%s"`, c.now.class, tenths(float64(f.Font.Size)))
	if f.Font.Weight > 0 {
		c.printf(` font-weight="bold"`)
	}
	xy := c.place(at)
	x, y, _ := strings.Cut(xy, " ")
	c.printf(` x="%s" y="%s" textLength="%s" lengthAdjust="spacingAndGlyphs"`, x, y, tenths(float64(f.Width(text))))
	if turn := math.Atan2(c.now.at.b, c.now.at.a); turn != 0 {
		c.printf(` transform="rotate(%s %s)"`, tenths(-turn*180/math.Pi), xy)
	}
	c.printf(">%s</text>", html.EscapeString(text))
}

// DrawImage is for plots of pixels, of which there is none here.
func (c *canvas) DrawImage(vg.Rectangle, image.Image) {
	panic("charts: a plot draws an image, and no chart of ours has one")
}

func (c *canvas) printf(format string, args ...any) { c.b = fmt.Appendf(c.b, format, args...) }
