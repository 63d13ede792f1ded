package main

import (
	"fmt"
	"io"
	"math"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/ackgap/ackgap/scenarios"
)

// meter tells on standard error how far something is that takes long: on a terminal by a
// bar, elsewhere by a line every ten seconds. What is soon done has neither.
type meter struct {
	w           io.Writer
	terminal    bool
	began, told time.Time
	bar         *progressbar.ProgressBar // nil until it is shown
}

const (
	tellTerminal = 200 * time.Millisecond
	tellElse     = 10 * time.Second
	quietAtFirst = time.Second
	farAway      = 999 * time.Hour // beyond it no estimate is of use
	barWidth     = 24
)

func newMeter(w io.Writer) meter {
	now := time.Now()
	return meter{w: w, terminal: isTerminal(w), began: now, told: now}
}

// isDue reports whether it is time to tell, and counts it as told.
func (m *meter) isDue(now time.Time) bool {
	every := tellElse
	if m.terminal {
		every = tellTerminal
	}
	if now.Sub(m.began) < quietAtFirst || now.Sub(m.told) < every {
		return false
	}
	m.told = now
	return true
}

// tell says that done of all is finished, and more in words. All is 0 where nobody
// knows it: then the bar only moves.
func (m *meter) tell(done, all float64, words string) {
	if !m.terminal {
		fmt.Fprintln(m.w, words)
		return
	}
	if m.bar == nil {
		m.bar = newBar(m.w, all, words)
	}
	if all > 0 {
		done = math.Floor(999 * min(1, done/all)) // a full one is cleared, and there is more to tell
	}
	_ = m.bar.Set64(int64(done)) // a bar that cannot be drawn stops nothing
	m.bar.Describe(words)
}

// newBar makes a bar of thousandths, or one that only moves.
func newBar(w io.Writer, all float64, words string) *progressbar.ProgressBar {
	of := int64(1000)
	if all == 0 {
		of = -1
	}
	return progressbar.NewOptions64(of, progressbar.OptionSetWriter(w), progressbar.OptionSetWidth(barWidth), progressbar.OptionSetDescription(words),
		progressbar.OptionSetPredictTime(false), progressbar.OptionSetElapsedTime(false), progressbar.OptionShowDescriptionAtLineEnd(),
		progressbar.OptionUseANSICodes(true), progressbar.OptionClearOnFinish())
}

// end clears the bar.
func (m *meter) end() {
	if m.bar != nil {
		_ = m.bar.Clear() // as above
	}
}

// progress is the meter of worlds, of one story or change after the other.
type progress struct {
	meter
	of       string // what is finished one after the other: stories
	stories  int
	finished int
	runs     int64
	broken   int
	each     float64 // worlds of one story
	all      float64 // worlds of all stories, at most
}

func newProgress(w io.Writer, stories int, runs uint64) *progress {
	return &progress{meter: newMeter(w), of: "stories", stories: stories, each: float64(runs), all: float64(stories) * float64(runs)}
}

func (p *progress) worlds(t *scenarios.Tally) {
	p.runs += int64(t.Runs)
	p.broken += t.Unexpected
	if now := time.Now(); p.isDue(now) {
		p.say(now)
	}
}

// story notes that a story is finished. One without random worlds leaves fewer
// to come.
func (p *progress) story(random bool) {
	p.finished++
	if !random {
		p.all -= p.each
	}
}

func (p *progress) say(now time.Time) {
	took := now.Sub(p.began)
	rate := float64(p.runs) / took.Seconds()
	seconds := max(0, p.all-float64(p.runs)) / max(rate, 1)
	left := time.Duration(min(seconds, farAway.Seconds())) * time.Second
	p.tell(float64(p.runs), max(p.all, 1), fmt.Sprintf("%d/%d %s  %d worlds  %d violated  %.0f worlds/s  about %s left",
		p.finished, p.stories, p.of, p.runs, p.broken, rate, left))
}
