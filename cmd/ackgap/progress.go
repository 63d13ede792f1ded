package main

import (
	"fmt"
	"io"
	"time"

	"github.com/ackgap/ackgap/scenarios"
)

// progress tells on standard error how far a check is: on a terminal one line
// that is written over, elsewhere a line every ten seconds.
type progress struct {
	w        io.Writer
	terminal bool
	began    time.Time
	told     time.Time
	of       string // what is finished one after the other: stories
	stories  int
	finished int
	runs     int64
	broken   int
	each     float64 // worlds of one story
	all      float64 // worlds of all stories, at most
}

const (
	tellTerminal = 200 * time.Millisecond
	tellElse     = 10 * time.Second
	quietAtFirst = time.Second
	farAway      = 999 * time.Hour // beyond it no estimate is of use
)

func newProgress(w io.Writer, stories int, runs uint64) *progress {
	now := time.Now()
	return &progress{
		w: w, terminal: isTerminal(w), began: now, told: now,
		of: "stories", stories: stories, each: float64(runs), all: float64(stories) * float64(runs),
	}
}

func (p *progress) worlds(t *scenarios.Tally) {
	p.runs += int64(t.Runs)
	p.broken += t.Unexpected
	every := tellElse
	if p.terminal {
		every = tellTerminal
	}
	now := time.Now()
	if now.Sub(p.began) < quietAtFirst || now.Sub(p.told) < every {
		return
	}
	p.told = now
	p.tell(now)
}

// story notes that a story is finished. One without random worlds leaves fewer
// to come.
func (p *progress) story(random bool) {
	p.finished++
	if !random {
		p.all -= p.each
	}
}

func (p *progress) tell(now time.Time) {
	took := now.Sub(p.began)
	rate := float64(p.runs) / took.Seconds()
	seconds := max(0, p.all-float64(p.runs)) / max(rate, 1)
	left := time.Duration(min(seconds, farAway.Seconds())) * time.Second
	line := fmt.Sprintf("%d/%d %s  %d worlds  %d violated  %.0f worlds/s  about %s left", p.finished, p.stories, p.of, p.runs, p.broken, rate, left)
	if p.terminal {
		fmt.Fprintf(p.w, "\r\x1b[K%s", line)
		return
	}
	fmt.Fprintln(p.w, line)
}

// end clears the line of a terminal.
func (p *progress) end() {
	if p.terminal {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
