package reports

import (
	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// Case is what a machine that collects tests is told of one story: whether it went
// as expected, in a line and at length.
type Case struct {
	Story   string
	File    string // where it is written; empty where that is no file of the reader's
	At      int    // the first line of File that is not met, from 1; 0 where no line is to blame
	Outcome scenarios.Met
	Line    string // what came of it; safe
	Again   string // the command that runs it again; may be empty
	Seed    uint64
	Digest  string // of the history; empty where the case stands for many runs
	Text    string // the report; empty where it is not kept
	Diagram string // as Mermaid; empty where there is none
}

// CaseOf is the case of one run.
func CaseOf(r *Run) Case {
	return Case{Story: r.Story, At: r.unmetAt(), Outcome: r.Outcome, Line: r.gist(), Again: r.Again, Seed: r.Seed,
		Digest: r.History.Digest.String(), Text: string(AppendText(nil, r, Style{})), Diagram: string(AppendMermaid(nil, r, Style{}))}
}

// CaseOfChecked is the case of a story that was checked: as it is written, and in its
// random worlds. Again is the command that checks it again.
func CaseOfChecked(c *Checked, again string) Case {
	line := join("as it is written: "+c.Own.String(), ", ", c.Why)
	if w := c.Worlds; w != nil {
		line += "; " + script.Count(w.Runs, "random world") + ", " + itoa(w.Unexpected) + " broke what must hold"
	}
	for _, v := range c.Vacuous {
		line += "; " + model.Safe(v)
	}
	if c.Left > 0 {
		line += "; " + c.left()
	}
	return Case{Story: c.Story, At: c.At, Outcome: c.Met(), Line: line, Again: again}
}

// titlesOf names each case by its story, and by its file too where others go by that name.
func titlesOf(cases []Case) []string {
	named := map[string]int{}
	for i := range cases {
		named[cases[i].Story]++
	}
	titles := make([]string, len(cases))
	for i := range cases {
		c := &cases[i]
		titles[i] = model.Safe(c.Story)
		if named[c.Story] > 1 && c.File != "" {
			titles[i] += " (" + model.Safe(c.File) + ")"
		}
	}
	return titles
}

// says is the one-line verdict of a case that did not go as expected, with the
// command that shows it again.
func (c *Case) says() string {
	return join(c.Outcome.String()+": "+shown(c.Line), ". Run again: ", shown(model.Safe(c.Again)))
}

// tallyOf counts the cases that were not met and those that are inconclusive.
func tallyOf(cases []Case) (not, open int) {
	for i := range cases {
		switch cases[i].Outcome {
		case scenarios.No:
			not++
		case scenarios.Inconclusive:
			open++
		}
	}
	return not, open
}
