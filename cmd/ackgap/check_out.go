package main

import (
	"slices"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/reports"
	"github.com/ackgap/ackgap/scenarios"
)

// tell writes what --out asks for: every story as a case, and the report of what failed
// first, if anything did, in the forms that are of one run.
func (c *checker) tell() error {
	out := &c.flags.out
	if c.failure == nil {
		out.unwritten(c.streams)
	} else if err := c.around(); err != nil {
		return err
	} else if err := out.one(c.streams, c.failure.told(), c.style); err != nil {
		return err
	}
	if !out.needsCases() {
		return nil
	}
	for i := range c.done {
		row := &c.done[i]
		one := reports.CaseOfChecked(row, c.flags.hunt.check(&c.args[i]))
		if c.args[i].disk {
			one.File = c.args[i].file
		}
		if c.failure != nil && c.failure.row == i {
			found, shown := c.failure.cases()
			one.Seed, one.Digest, one.Again, one.Text, one.Diagram = found.Seed, found.Digest, found.Again, shown.Text, shown.Diagram
			one.Line += "; the first failure: " + found.Line
		}
		out.cases = append(out.cases, one)
	}
	return out.end(c.streams)
}

// told is what is shown, which says of the smallest story how to see it as it was found.
func (f *failure) told() *reports.Run {
	r := *f.run
	if f.small != nil {
		r.Title += " As found: " + f.found() + "."
	}
	return &r
}

// cases are it as it was found, which has the seed and the command that anybody can type,
// and what is shown of it at length.
func (f *failure) cases() (found, shown reports.Case) {
	shown = reports.CaseOf(f.told())
	if f.small == nil {
		return shown, shown
	}
	return reports.CaseOf(reports.Of(f.out, f.title(), f.found())), shown
}

// So many worlds a page shows about the first that failed, and so many of them before it.
const (
	worldsShown  = 200
	worldsBefore = 150
)

// around runs the worlds about the first that failed once more, for a page that shows
// each of them: a tally remembers counts and few seeds.
func (c *checker) around() error {
	f := c.failing
	if !c.flags.out.has("html") || f.own != nil {
		return nil
	}
	runs := uint64(c.done[f.row].Worlds.Runs)
	first := max(f.seed-c.flags.seed, worldsBefore) - worldsBefore
	runner := scenarios.NewRunner()
	defer c.streams.close(runner)
	page := &reports.Worlds{Story: f.source.told()}
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
