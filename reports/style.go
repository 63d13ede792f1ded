package reports

import (
	"strings"
	"unicode/utf8"
)

// Style says how a text report is written. The zero Style is Unicode without
// colour.
type Style struct {
	ASCII bool // only ASCII, with every rune in the same column as in Unicode
	Color bool // ANSI colours; they repeat what shapes and words say
	Full  bool // every row and every process, however many
	Width int  // columns of the terminal, into which diagrams and prose are fitted; 0 is as wide as they come
	Brief bool // without the table of properties: what broke is said above it
}

// tint is the role that a colour plays: never a meaning of its own.
type tint uint8

const (
	plain tint = iota
	delivery
	ack
	bad
	refused
	effect
	dim
)

// sgr holds the ANSI parameters of each tint.
var sgr = [...]string{plain: "", delivery: "34", ack: "32", bad: "1;31", refused: "35", effect: "1", dim: "2"}

// The marks that stand on a lifeline.
const (
	markEffect   = '◆' // the outside ledger changed
	markAbsorbed = '◇' // a step that changed nothing outside
	markTime     = '◷' // a period ran out
	markDone     = '■' // the job is settled for good
	markRefused  = '⊘'
	markCrash    = '†'
	markPause    = '‖'
	markAlive    = '○' // restarted, woke, was told
	markFailed   = '×'
	markLost     = '╳'
)

// twins pairs each drawn rune with its ASCII form. One rune becomes one byte,
// which is why both forms of a report line up.
var twins = [...]struct {
	r rune
	a byte
}{
	{'│', '|'}, {'╮', '+'}, {'├', '|'}, {'┤', '|'}, {'┼', '+'}, {'─', '-'}, {'╌', '~'}, {'▶', '>'}, {'◀', '<'},
	{'╎', '!'}, {'·', '.'}, {'⋮', ':'}, {'…', '~'},
	{markEffect, '*'}, {markAbsorbed, 'o'}, {markTime, '@'}, {markDone, '#'}, {markRefused, '%'},
	{markCrash, '&'}, {markPause, '='}, {markAlive, '^'}, {markFailed, 'x'}, {markLost, 'X'},
}

// toASCII returns the ASCII twin of r, and a question mark for a rune of a name
// that has none.
func toASCII(r rune) byte {
	if r < utf8.RuneSelf {
		return byte(r)
	}
	for _, t := range twins {
		if t.r == r {
			return t.a
		}
	}
	return '?'
}

// page collects the bytes of a report in one style. Spaces wait until something
// follows them, so that no line ends with a space.
type page struct {
	b      []byte
	style  Style
	spaces int
	dated  bool // instants are of the calendar, not of a run
}

// put appends s, which must be safe and without line breaks.
func (p *page) put(t tint, s string) {
	s = shown(s)
	word := strings.TrimLeft(s, " ")
	p.spaces += len(s) - len(word)
	word = strings.TrimRight(word, " ")
	if word == "" {
		return
	}
	p.flushSpaces()
	p.spaces = len(strings.TrimLeft(s, " ")) - len(word)
	if !p.style.Color || t == plain {
		p.putRunes(word)
		return
	}
	p.b = append(append(append(p.b, "\x1b["...), sgr[t]...), 'm')
	p.putRunes(word)
	p.b = append(p.b, "\x1b[0m"...)
}

func (p *page) flushSpaces() {
	for ; p.spaces > 0; p.spaces-- {
		p.b = append(p.b, ' ')
	}
}

func (p *page) putRunes(s string) {
	if !p.style.ASCII {
		p.b = append(p.b, s...)
		return
	}
	for _, r := range s {
		p.b = append(p.b, toASCII(r))
	}
}

// left appends s and fills it up to n columns.
func (p *page) left(t tint, s string, n int) {
	p.put(t, s)
	p.spaces += max(0, n-width(s))
}

// right appends s so that it ends at the nth column from here.
func (p *page) right(t tint, s string, n int) {
	p.spaces += max(0, n-width(s))
	p.put(t, s)
}

// line appends s and ends the line.
func (p *page) line(t tint, s string) {
	p.put(t, s)
	p.end()
}

// end ends the line.
func (p *page) end() {
	p.b = append(p.b, '\n')
	p.spaces = 0
}
