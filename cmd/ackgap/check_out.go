package main

import (
	"github.com/ackgap/ackgap/reports"
)

// tell writes what --out asks for: every story as a case, and the report of the first
// failing world, where there is one, in the forms that are of one run.
func (c *checker) tell() error {
	out := &c.flags.out
	if c.failure == nil {
		out.unwritten(c.streams)
	} else if err := out.one(c.streams, c.failure, c.style); err != nil {
		return err
	}
	if !out.needsCases() {
		return nil
	}
	shown := false
	for i := range c.done {
		row := &c.done[i]
		one := reports.CaseOfChecked(row, "ackgap check "+shellWord(c.args[i].arg))
		if c.args[i].disk {
			one.File = c.args[i].file
		}
		if fails := row.Worlds != nil && len(row.Worlds.Failures) > 0; fails && !shown && c.failure != nil {
			shown = true
			f := reports.CaseOf(c.failure)
			one.Seed, one.Digest, one.Text, one.Diagram, one.Again = f.Seed, f.Digest, f.Text, f.Diagram, f.Again
			one.Line += ", the first: " + f.Line
		}
		out.cases = append(out.cases, one)
	}
	return out.end(c.streams)
}
