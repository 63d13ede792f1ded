package reports

import (
	"strings"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
)

// Worlds are the random worlds about the one that a page is of, in the order of their
// seeds.
type Worlds struct {
	Story string
	List  []World
}

// World is what came of one random world.
type World struct {
	Seed   uint64
	Broken []string // the properties that broke and must not
	May    []string // those that broke, as the story says they may
	Open   []string // those that are unknown
}

// Each world is a cell, so many in a row.
const (
	worldWide   = 12
	worldsInRow = 30 // which a narrow window has room for
)

// worlds writes the runs as a strip of cells: a dot where all held, a half where something
// broke that may, a full cell with a cross where it must not, an open one where something
// is unknown.
func (h *html) worlds() {
	w := h.more.Worlds
	if w == nil || len(w.List) == 0 {
		return
	}
	h.section("worlds", "The random worlds about it")
	h.element("<p>", w.says(), "</p>")
	rows := (len(w.List) + worldsInRow - 1) / worldsInRow
	wide, high := itoa(min(len(w.List), worldsInRow)*worldWide), itoa(rows*worldWide)
	h.raw(`<figure class="scroll" tabindex="0" role="region" aria-label="A cell for each random world, in the order of their seeds"><svg viewBox="0 0 `,
		wide, " ", high, `" width="`, wide, `" height="`, high, `" role="img" aria-label="`)
	h.safe(w.says())
	h.raw(`">`)
	h.cells(w)
	h.raw(`</svg></figure>`)
	h.grouped(w)
	h.end()
}

// says counts the worlds in a sentence.
func (w *Worlds) says() string {
	var count [len(cellShapes)]int
	for i := range w.List {
		count[w.List[i].shape()]++
	}
	n := len(w.List)
	text := "Seeds " + utoa(w.List[0].Seed) + " to " + utoa(w.List[n-1].Seed) + " of " + model.Safe(w.Story) + ", " + script.Count(n, "world") + ": "
	for k, s := range cellShapes {
		if k > 0 {
			text += ", "
		}
		text += itoa(count[k]) + " " + s.words
	}
	return text + "."
}

// cellShape is how a cell looks, and what that means.
type cellShape struct{ class, path, words string }

// The shapes: where all held, where something broke that may, where it must not, and where
// something is unknown.
const (
	shapeHeld = iota
	shapeMay
	shapeBroken
	shapeOpen
)

var cellShapes = [...]cellShape{
	{"ack f", "m4 4h4v4h-4z", "held (dot)"},
	{"bad f", "m1 6h10v5h-10z", "broke what they may (half)"},
	{"bad f", "m1 1h10v10h-10zm2 3l5 5l1-1l-5-5zm5-1l1 1l-5 5l-1-1z", "broke what must hold (full, crossed)"},
	{"refused s", "m2 2h8v8h-8z", "left something unknown (empty)"},
}

func (w *World) shape() int {
	switch {
	case len(w.Broken) > 0:
		return shapeBroken
	case len(w.Open) > 0:
		return shapeOpen
	case len(w.May) > 0:
		return shapeMay
	}
	return shapeHeld
}

// cells draws all worlds of one shape as one path, which keeps the page small.
func (h *html) cells(w *Worlds) {
	var paths [len(cellShapes)]string
	for i := range w.List {
		k := w.List[i].shape()
		paths[k] += "M" + itoa(i%worldsInRow*worldWide) + " " + itoa(i/worldsInRow*worldWide) + cellShapes[k].path
	}
	for k, d := range paths {
		if d != "" {
			h.raw(`<path class="`, cellShapes[k].class, `" fill-rule="evenodd" d="`, d, `"/>`)
		}
	}
}

func (w *World) words() string {
	var parts []string
	for _, p := range []struct {
		did, how string
		list     []string
	}{{"broke ", "", w.Broken}, {"broke ", ", as the story says it may", w.May}, {"left ", " unknown", w.Open}} {
		if len(p.list) > 0 {
			parts = append(parts, p.did+strings.Join(p.list, ", ")+p.how)
		}
	}
	return model.Safe(strings.Join(parts, "; "))
}

// grouped says in words which seeds did what, which a picture alone would hide.
func (h *html) grouped(w *Worlds) {
	var order []string
	seeds := map[string]string{}
	for i := range w.List {
		did := w.List[i].words()
		if did == "" {
			continue
		}
		if seeds[did] == "" {
			order = append(order, did)
		}
		seeds[did] = join(seeds[did], ", ", utoa(w.List[i].Seed))
	}
	h.raw(`<ul>`)
	for _, did := range order {
		word := ": seed "
		if strings.Contains(seeds[did], ",") {
			word = ": seeds "
		}
		h.element(`<li>`, did+word+seeds[did], `</li>`)
	}
	h.raw(`</ul>`)
}
