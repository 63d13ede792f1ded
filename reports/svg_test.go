package reports

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func TestAPictureIsXMLWithoutScriptsAndLinks(t *testing.T) {
	for _, s := range stories {
		svg := AppendSVG(nil, s.run(), Style{})
		elements := 0
		for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", s.name, err)
			}
			if e, ok := token.(xml.StartElement); ok {
				elements++
				if e.Name.Local == "script" || e.Name.Local == "a" || e.Name.Local == "image" {
					t.Errorf("%s: an element %s", s.name, e.Name.Local)
				}
			}
		}
		if elements < 30 {
			t.Errorf("%s: %d elements", s.name, elements)
		}
	}
}

// box is what a text covers, or a straight piece of a line, in pixels.
type box struct {
	x0, y0, x1, y1 int
	what           string
}

func (a box) meets(b box) bool { return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1 }

var (
	textForm = regexp.MustCompile(`<text class="([a-z ]+)"(?: font-size="11")? x="(-?\d+)" y="(-?\d+)" textLength="(\d+)">([^<]*)</text>`)
	pathForm = regexp.MustCompile(`<path class="([a-z ]+)"[^>]* d="([^"]*)"/>`)
	moveForm = regexp.MustCompile(`([MHVmhvlLaz])([-\d ]*)`)
	sizeForm = regexp.MustCompile(`viewBox="0 0 (\d+) (\d+)"`)
)

func num(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(err)
	}
	return n
}

// textBoxes are the texts of a picture, but for the numbers within diamonds. The
// height is that of the capitals and small letters with a tail; the width is what
// textLength holds a text to.
func textBoxes(svg string) (out []box) {
	for _, m := range textForm.FindAllStringSubmatch(svg, -1) {
		x, y, w := num(m[2]), num(m[3]), num(m[4])
		if m[1] != "on" {
			out = append(out, box{x, y - 10, x + w, y + 3, "text " + m[5]})
		}
	}
	return out
}

// lineBoxes are the pieces of all paths: each piece as the smallest box about it.
func lineBoxes(svg string) (out []box) {
	for _, m := range pathForm.FindAllStringSubmatch(svg, -1) {
		x, y := 0, 0
		for _, step := range moveForm.FindAllStringSubmatch(m[2], -1) {
			fromX, fromY := x, y
			x, y = moved(step[1], numbers(step[2]), x, y)
			if step[1] != "M" && step[1] != "m" {
				out = append(out, box{min(x, fromX) - 1, min(y, fromY) - 1, max(x, fromX) + 1, max(y, fromY) + 1, "path " + m[2]})
			}
		}
	}
	return out
}

// moved returns where a step of a path ends.
func moved(verb string, by []int, x, y int) (int, int) {
	n := len(by)
	switch verb {
	case "M":
		return by[0], by[1]
	case "L":
		return by[n-2], by[n-1]
	case "H":
		return by[0], y
	case "V":
		return x, by[0]
	case "h":
		return x + by[0], y
	case "v":
		return x, y + by[0]
	case "z":
		return x, y
	}
	for i := n % 2; verb != "a" && i+1 < n; i += 2 {
		x, y = x+by[i], y+by[i+1]
	}
	if verb == "a" {
		x, y = x+by[n-2], y+by[n-1]
	}
	return x, y
}

// numbers reads what follows a verb of a path: 8-9 is two of them.
func numbers(s string) (out []int) {
	for _, m := range regexp.MustCompile(`-?\d+`).FindAllString(s, -1) {
		out = append(out, num(m))
	}
	return out
}

// overlap describes the first text of a picture that meets another, a line, or the
// edge.
func overlap(svg string) string {
	texts, lines := textBoxes(svg), lineBoxes(svg)
	size := sizeForm.FindStringSubmatch(svg)
	w, h := num(size[1]), num(size[2])
	for i, a := range texts {
		if a.x0 < 0 || a.y0 < 0 || a.x1 > w || a.y1 > h {
			return a.what + " leaves the picture"
		}
		for _, b := range texts[i+1:] {
			if a.meets(b) {
				return a.what + " meets " + b.what
			}
		}
		for _, b := range lines {
			if a.meets(b) {
				return a.what + " meets " + b.what
			}
		}
	}
	return ""
}

func TestTheBoxesAreReadRight(t *testing.T) {
	frame := `viewBox="0 0 100 100"`
	for svg, want := range map[string]bool{
		`<text class="ink" x="10" y="20" textLength="16">ab</text><text class="ink" x="26" y="20" textLength="8">c</text>`: false,
		`<text class="ink" x="10" y="20" textLength="16">ab</text><text class="dim" x="25" y="20" textLength="8">c</text>`: true,
		`<text class="ink" x="10" y="20" textLength="16">ab</text><path class="bad s" d="M0 16H9"/>`:                       false,
		`<text class="ink" x="10" y="20" textLength="16">ab</text><path class="bad s" d="M0 16H30"/>`:                      true,
		`<text class="ink" x="10" y="20" textLength="16">ab</text><path class="bad s" stroke-width="2" d="M0 1m14-1v40"/>`: true,
		`<text class="ink" x="90" y="20" textLength="16">ab</text>`:                                                        true,
	} {
		if got := overlap(frame + svg); (got != "") != want {
			t.Errorf("%s: %q", svg, got)
		}
	}
}

func TestNoLabelMeetsAnotherOrALine(t *testing.T) {
	n := 0
	check := func(name string, r *Run) {
		for _, full := range []bool{false, true} {
			n++
			if at := overlap(string(AppendSVG(nil, r, Style{Full: full}))); at != "" {
				t.Errorf("%s: %s", name, at)
			}
		}
	}
	for _, s := range stories {
		check(s.name, s.run())
	}
	for _, r := range catalogue() {
		check(r.Story, r)
	}
	t.Logf("%d pictures", n)
}

// Both surfaces are drawn from one layout: what a row says stands in both.
func TestThePictureSaysWhatTheTextSays(t *testing.T) {
	for _, s := range stories {
		r := s.run()
		svg := string(AppendSVG(nil, r, Style{}))
		d := layOut(r, false)
		for _, l := range d.lines() {
			if l.isHidden {
				continue
			}
			words := []string{l.gapText()}
			if l.row != nil {
				words = []string{itoa(l.row.seq), l.row.at.String(), l.row.label, noteText(l.row)}
			}
			for _, w := range words {
				if w != "" && !strings.Contains(svg, ">"+escaped(w)+"<") {
					t.Errorf("%s: the picture lacks %q", s.name, w)
				}
			}
		}
	}
}

func TestALeaseIsABarOverItsTime(t *testing.T) {
	leases := leasesOf(lostAck().History)
	if len(leases) != 2 || !leases[0].isLapsed || leases[1].isLapsed || leases[0].to == 0 || leases[1].to == 0 {
		t.Errorf("%+v: want one that lapsed and one that was settled", leases)
	}
	if l := leasesOf(gallery().History)[0]; !l.isUnheard {
		t.Errorf("%+v: its answer was lost", l)
	}
	if svg := string(AppendSVG(nil, lostAck(), Style{})); strings.Count(svg, `class="delivery s l"`) != 3 {
		t.Error("want two bars, and one in the legend")
	}
	for _, words := range []string{leaseWords, unheardWords, "goes on, or is told"} {
		if svg := string(AppendSVG(nil, gallery(), Style{})); strings.Count(svg, ">"+words+"</text>") != 1 {
			t.Errorf("the legend of the gallery lacks %q", words)
		}
	}
}

// A refusal shows the two tokens beside its mark, at the queue and at the store.
func TestARefusalShowsBothTokens(t *testing.T) {
	svg := string(AppendSVG(nil, zombie(), Style{}))
	if n := strings.Count(svg, ">1 &lt; 2</text>"); n != 2 {
		t.Errorf("1 < 2 stands in it %d times, want 2", n)
	}
}
