package reports

import (
	"fmt"
	"math"
	"testing"
)

// rgb is a colour in linear light, each channel from 0 to 1.
type rgb [3]float64

func parseColor(t *testing.T, s string) (c rgb) {
	t.Helper()
	var v [3]int
	if n, err := fmt.Sscanf(s, "#%02X%02X%02X", &v[0], &v[1], &v[2]); n != 3 || err != nil {
		t.Fatalf("%q is no colour", s)
	}
	for i := range c {
		c[i] = float64(v[i]) / 255
		if c[i] <= 0.04045 {
			c[i] /= 12.92
		} else {
			c[i] = math.Pow((c[i]+0.055)/1.055, 2.4)
		}
	}
	return c
}

// luminance and contrast are those of WCAG 2.2.
func (c rgb) luminance() float64 { return 0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2] }

func contrast(a, b rgb) float64 {
	x, y := a.luminance(), b.luminance()
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// deficiencies are the matrices of full severity of Machado, Oliveira, Fernandes:
// "A Physiologically-based Model for Simulation of Color Vision Deficiency", IEEE
// TVCG 15(6), 2009, table 1. They apply to linear light.
var deficiencies = map[string][3]rgb{
	"full colour vision": {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanopia":         {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deuteranopia":       {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"tritanopia":         {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

func (c rgb) seenBy(m [3]rgb) (out rgb) {
	for i := range out {
		out[i] = min(max(m[i][0]*c[0]+m[i][1]*c[1]+m[i][2]*c[2], 0), 1)
	}
	return out
}

// lab returns CIE L*a*b* under D65.
func (c rgb) lab() rgb {
	f := func(v float64) float64 {
		if v > 216.0/24389 {
			return math.Cbrt(v)
		}
		return (24389.0/27*v + 16) / 116
	}
	x := f((0.4124564*c[0] + 0.3575761*c[1] + 0.1804375*c[2]) / 0.95047)
	y := f(0.2126729*c[0] + 0.7151522*c[1] + 0.0721750*c[2])
	z := f((0.0193339*c[0] + 0.1191920*c[1] + 0.9503041*c[2]) / 1.08883)
	return rgb{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// apart is the distance of two colours (CIE 1976).
func apart(a, b rgb) float64 {
	p, q := a.lab(), b.lab()
	return math.Sqrt((p[0]-q[0])*(p[0]-q[0]) + (p[1]-q[1])*(p[1]-q[1]) + (p[2]-q[2])*(p[2]-q[2]))
}

// grounds are the two pictures' colours: of the ground and of each ink.
func grounds(t *testing.T) map[string]map[string]rgb {
	out := map[string]map[string]rgb{
		"light": {"ground": parseColor(t, groundLight)},
		"dark":  {"ground": parseColor(t, groundDark)},
	}
	for _, i := range inks {
		out["light"][i.class], out["dark"][i.class] = parseColor(t, i.light), parseColor(t, i.dark)
	}
	return out
}

func TestBlackOnWhiteIsMeasuredRight(t *testing.T) {
	black, white := parseColor(t, "#000000"), parseColor(t, "#FFFFFF")
	if got := contrast(black, white); math.Abs(got-21) > 1e-9 {
		t.Errorf("contrast %v, want 21", got)
	}
	if got := apart(black, white); math.Abs(got-100) > 0.01 {
		t.Errorf("distance %v, want 100", got)
	}
}

func TestEachColourStandsOutFromItsGround(t *testing.T) {
	for ground, colors := range grounds(t) {
		for class, c := range colors {
			if got := contrast(c, colors["ground"]); class != "ground" && got < 4.5 {
				t.Errorf("%s on %s has a contrast of %.2f:1, want 4.5", class, ground, got)
			}
		}
	}
}

// The figure is far beyond 2.3, from which two colours are told apart at all
// (Mahy, Van Eycken, Oosterlinck 1994).
func TestColoursAreToldApartByEveryEye(t *testing.T) {
	const least = 20
	for ground, colors := range grounds(t) {
		smallest := math.Inf(1)
		for eye, matrix := range deficiencies {
			for a, x := range colors {
				for b, y := range colors {
					if a >= b {
						continue
					}
					d := apart(x.seenBy(matrix), y.seenBy(matrix))
					smallest = min(smallest, d)
					if d < least {
						t.Errorf("on %s, %s and %s are %.1f apart under %s, want %d", ground, a, b, d, eye, least)
					}
				}
			}
		}
		t.Logf("%s: the two nearest colours are %.1f apart", ground, smallest)
	}
}

func TestEveryTintHasItsColour(t *testing.T) {
	for i := range inks {
		if inks[i].tint != tint(i) {
			t.Errorf("inks[%d] is of tint %d", i, inks[i].tint)
		}
	}
	if len(inks) != len(sgr) {
		t.Errorf("%d colours in pictures, %d in terminals", len(inks), len(sgr))
	}
}
