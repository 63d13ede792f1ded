package reports

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ackgap/ackgap/model"
)

// lifelineRunes may stand in the column of a lifeline: itself, a message that
// leaves, arrives or passes, and the marks.
const lifelineRunes = "│├┤┼╎·⋮◆◇◷■⊘†‖○×"

// Whoever looks at a diagram follows lines down the page, so every row must
// have every lifeline in its column.
func TestEveryLifelineRunsInItsColumn(t *testing.T) {
	for _, s := range stories {
		for _, full := range []bool{false, true} {
			if at := strayLifeline(s.run(), full); at != "" {
				t.Errorf("%s: %s", s.name, at)
			}
		}
	}
}

// strayLifeline describes the first place at which a lifeline should stand and
// does not.
func strayLifeline(r *Run, full bool) string {
	d := layOut(r, full)
	rows := diagramRows(text(r, Style{Full: full}))
	if len(rows) < 5 {
		return fmt.Sprintf("a diagram of %d lines", len(rows))
	}
	for _, line := range rows[1:] {
		runes := []rune(line)
		for _, l := range d.lanes {
			at := start(rows) + l.col
			if at >= len(runes) || !strings.ContainsRune(lifelineRunes, runes[at]) {
				return fmt.Sprintf("no lifeline of %s in column %d of\n%s", l.title, at, line)
			}
		}
	}
	return ""
}

// start is the column at which the lifelines begin.
func start(rows []string) int { return strings.Index(rows[0], "time") + len("time  ") }

func TestEveryTitleStandsAboveItsLifeline(t *testing.T) {
	for _, s := range stories {
		d := layOut(s.run(), false)
		rows := diagramRows(text(s.run(), Style{}))
		header := []rune(rows[0])
		for _, l := range d.lanes {
			from := start(rows) + l.col - width(l.title)/2
			if got := string(header[from : from+width(l.title)]); got != l.title {
				t.Errorf("%s: above column %d stands %q, not %q", s.name, l.col, got, l.title)
			}
		}
	}
}

// diagramRows returns the lines of a report that have lifelines, after their
// header.
func diagramRows(report string) []string {
	blocks := strings.Split(report, "\n\n")
	i := slices.IndexFunc(blocks, func(b string) bool { return strings.HasPrefix(strings.TrimLeft(b, " "), "time ") })
	rows := strings.Split(blocks[i], "\n")
	return slices.DeleteFunc(rows, func(l string) bool {
		return strings.Contains(l, "not shown, --full") || strings.Contains(l, "not drawn, --full")
	})
}

// One layout drives both forms: each rune has its twin in the same column.
func TestASCIIHasTheColumnsOfUnicode(t *testing.T) {
	for _, s := range stories {
		uni := strings.Split(string(AppendText(nil, s.run(), Style{})), "\n")
		asc := strings.Split(string(AppendText(nil, s.run(), Style{ASCII: true})), "\n")
		if len(uni) != len(asc) {
			t.Fatalf("%s: %d lines in Unicode, %d in ASCII", s.name, len(uni), len(asc))
		}
		for i := range uni {
			runes := []rune(uni[i])
			if len(runes) != len(asc[i]) {
				t.Fatalf("%s: widths %d and %d\n%s\n%s", s.name, len(runes), len(asc[i]), uni[i], asc[i])
			}
			for col, r := range runes {
				if asc[i][col] != toASCII(r) || asc[i][col] >= utf8.RuneSelf {
					t.Errorf("%s, line %d, column %d: %q became %q", s.name, i+1, col, r, asc[i][col])
				}
			}
		}
	}
}

// Two marks that look alike in ASCII could not be told apart.
func TestMarksDifferInASCII(t *testing.T) {
	marks := []rune{markEffect, markAbsorbed, markTime, markDone, markRefused, markCrash, markPause, markAlive,
		markFailed, markLost, rune(alive), rune(paused), rune(isDead), rune(crossed)}
	seen := ""
	for _, m := range marks {
		a := string(toASCII(m))
		if a == "?" || strings.Contains(seen, a) {
			t.Errorf("%q is written %s, which is taken or means nothing", m, a)
		}
		seen += a
	}
}

var ansi = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// Colour repeats what shapes and words say: without it nothing is lost.
func TestColourIsNeverAlone(t *testing.T) {
	for _, s := range stories {
		bare := AppendText(nil, s.run(), Style{})
		coloured := AppendText(nil, s.run(), Style{Color: true})
		if string(bare) == string(coloured) {
			t.Errorf("%s: no colour was used", s.name)
		}
		if got := ansi.ReplaceAll(coloured, nil); string(got) != string(bare) {
			t.Errorf("%s: without its colours the report reads\n%s\nnot\n%s", s.name, got, bare)
		}
	}
}

func TestNoLineEndsWithASpace(t *testing.T) {
	for _, s := range stories {
		r := s.run()
		r.Again += "  "
		for i, line := range strings.Split(text(r, Style{}), "\n") {
			if strings.HasSuffix(line, " ") {
				t.Errorf("%s, line %d ends with a space: %q", s.name, i+1, line)
			}
		}
	}
}

// A process that stories reserve a name for has one lifeline, whoever speaks of
// it; the pump shares the queue's.
func TestReservedNamesHaveTheirPlaces(t *testing.T) {
	h := &model.History{Names: model.Names{Procs: []string{"", "queue", "pump", "store", "w1"}}}
	c := newCast(h)
	want := []station{nowhere, atQueue, atQueue, atStore, 4, nowhere}
	for p, at := range want {
		if got := c.station(model.Proc(p)); got != at {
			t.Errorf("%s stands at %d, want %d", h.Names.Proc(model.Proc(p)), got, at)
		}
	}
}
