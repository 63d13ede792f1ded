package main

import (
	"slices"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/reports"
	"github.com/ackgap/ackgap/scenarios"
)

// tell writes what --out asks for: every story as a case, and the report of the first
// failing world, where there is one, in the forms that are of one run.
func (c *checker) tell() error {
	out := &c.flags.out
	if c.failure == nil {
		out.unwritten(c.streams)
	} else if err := c.around(); err != nil {
		return err
	} else if err := out.one(c.streams, c.failure, c.style); err != nil {
		return err
	}
	if !out.needsCases() {
		return nil
	}
	shown := false
	for i := range c.done {
		row := &c.done[i]
		one := reports.CaseOfChecked(row, c.flags.hunt.check(c.args[i].arg))
		if c.args[i].disk {
			one.File = c.args[i].file
		}
		if fails := row.Worlds != nil && len(row.Worlds.Failures) > 0; fails && !shown && c.failure != nil {
			shown = true
			f := reports.CaseOf(c.failure)
			one.Seed, one.Digest, one.Text, one.Diagram, one.Again = f.Seed, f.Digest, f.Text, f.Diagram, f.Again
			one.Line += "; the first failure: " + f.Line
		}
		out.cases = append(out.cases, one)
	}
	return out.end(c.streams)
}

// So many worlds a page shows about the first that failed, and so many of them before it.
const (
	worldsShown  = 200
	worldsBefore = 150
)

// around runs the worlds about the first that failed once more, for a page that shows
// each of them: a tally remembers counts and few seeds.
func (c *checker) around() error {
	if !c.flags.out.has("html") {
		return nil
	}
	f, runs := c.failing, uint64(0)
	for i := range c.done {
		if row := &c.done[i]; c.args[i].arg == f.source.arg && row.Worlds != nil {
			runs = uint64(row.Worlds.Runs)
		}
	}
	first := max(f.seed-c.flags.seed, worldsBefore) - worldsBefore
	runner := scenarios.NewRunner()
	defer c.streams.close(runner)
	page := &reports.Worlds{Story: f.source.arg}
	begun := f.hunt.begin(c.flags.seed, c.flags.seed+first) - c.flags.seed
	next := f.hunt.worlds(f.campaign, runner, c.flags.seed+begun, false)
	for n := begun; n < min(runs, first+worldsShown); n++ {
		w, err := next(c.flags.seed + n)
		if err != nil {
			return err
		}
		if n < first {
			continue // it was run for what those behind it learn from it
		}
		page.List = append(page.List, reports.World{Seed: w.Seed, Broken: slices.Clone(w.Unexpected), May: mayOf(w), Open: slices.Clone(w.Open)})
	}
	c.flags.out.worlds = page
	return nil
}

// mayOf names what broke in a world as its story says it may.
func mayOf(w *scenarios.World) (names []string) {
	for i := range w.Outcome.Verdicts {
		v := &w.Outcome.Verdicts[i]
		if v.Value == model.Broken && w.Outcome.IsDefault(v.Property) && !slices.Contains(w.Unexpected, v.Property) {
			names = append(names, v.Property)
		}
	}
	return names
}
