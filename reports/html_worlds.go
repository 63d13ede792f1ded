package reports

import (
	"strconv"
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
	held := ""
	for i := range w.List {
		x, y, one := i%worldsInRow*worldWide, i/worldsInRow*worldWide, &w.List[i]
		if len(one.Broken)+len(one.May)+len(one.Open) == 0 {
			held += "M" + itoa(x+4) + " " + itoa(y+4) + "h4v4h-4z"
			continue
		}
		h.world(one, x, y)
	}
	h.raw(`<path class="ack f" d="`, held, `"/>`)
	h.raw(`</svg></figure>`)
	h.failing(w)
	h.end()
}

// says counts the worlds in a sentence.
func (w *Worlds) says() string {
	var broken, may, open int
	for i := range w.List {
		switch one := &w.List[i]; {
		case len(one.Broken) > 0:
			broken++
		case len(one.Open) > 0:
			open++
		case len(one.May) > 0:
			may++
		}
	}
	n := len(w.List)
	return "Seeds " + utoa(w.List[0].Seed) + " to " + utoa(w.List[n-1].Seed) + " of " + model.Safe(w.Story) + ", " + script.Count(n, "world") + ": " +
		strconv.Itoa(n-broken-may-open) + " held (dot), " + strconv.Itoa(may) + " broke what they may (half), " +
		strconv.Itoa(broken) + " broke what must hold (full, crossed), " + strconv.Itoa(open) + " left something unknown (empty)."
}

// world draws the cell of a world that did not hold everything.
func (h *html) world(w *World, x, y int) {
	h.raw(`<g transform="translate(`, itoa(x), " ", itoa(y), `)"><title>seed `, utoa(w.Seed), `: `)
	h.safe(w.words())
	h.raw(`</title>`)
	switch {
	case len(w.Broken) > 0:
		h.raw(`<path class="bad f" d="M1 1h10v10h-10z"/><path class="g" d="M3 4l1-1l5 5l-1 1zM8 3l1 1l-5 5l-1-1z"/>`)
	case len(w.Open) > 0:
		h.raw(`<path class="refused s" d="M2 2h8v8h-8z"/>`)
	default:
		h.raw(`<path class="bad f" d="M1 6h10v5h-10z"/>`)
	}
	h.raw(`</g>`)
}

func (w *World) words() string {
	var parts []string
	for _, p := range []struct {
		did  string
		list []string
	}{{"broke ", w.Broken}, {"broke as it may ", w.May}, {"left unknown ", w.Open}} {
		if len(p.list) > 0 {
			parts = append(parts, p.did+strings.Join(p.list, ", "))
		}
	}
	return model.Safe(strings.Join(parts, "; "))
}

// failing lists the seeds that broke what must hold, which a picture alone would hide.
func (h *html) failing(w *Worlds) {
	h.raw(`<ul>`)
	for i := range w.List {
		if one := &w.List[i]; len(one.Broken)+len(one.Open) > 0 {
			h.element(`<li>seed `+utoa(one.Seed)+` `, one.words(), `</li>`)
		}
	}
	h.raw(`</ul>`)
}
