package scenarios

import (
	"fmt"
	"hash/fnv"
	"strings"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
)

// Judged tells what was made of the history of a run, one thing a line, in an order
// that depends on the story alone: how the run ended, each verdict with the whole
// records and the words of its witness, what became of each expectation, and what it all
// comes to. Two runs that left one history and differ in a line were judged in two
// ways. A line says what it is about, a colon, and what was said.
func (o *Outcome) Judged() []string {
	lines := []string{fmt.Sprintf("end: %v, after %d steps", o.End, o.Steps)}
	for _, list := range [][]model.Verdict{o.Verdicts, o.Reach} {
		for i := range list {
			lines = append(lines, "verdict of "+list[i].Property+": "+o.verdictText(&list[i]))
		}
	}
	for _, r := range o.Results {
		lines = append(lines, strings.TrimRight(fmt.Sprintf("expectation of line %d: %v, %s", r.Expect.Line, r.Met, r.Got), ", "))
	}
	for _, e := range o.Unfired {
		lines = append(lines, "never fired: "+o.Story.FaultText(e))
	}
	for _, m := range o.Missing {
		lines = append(lines, fmt.Sprintf("no delivery for line %d: #%d of %d", m.Line, m.N, m.Have))
	}
	return append(lines, fmt.Sprintf("outcome: %v; vacuous %v, broken and unnamed %v, open %v, another history %t",
		o.Met, o.Vacuous, o.Unnamed, o.Open, o.HistoryDiffers != ""))
}

// verdictText says of a verdict what two runs must agree on. Of a queue that was lost
// that is not the text of its server.
func (o *Outcome) verdictText(v *model.Verdict) string {
	text := fmt.Sprintf("%v, %s", v.Value, script.Count(v.Evaluations, "evaluation"))
	if v.Witness.Says == "" || o.Lost != nil {
		return text
	}
	if v.Witness.Job != model.NoJob {
		text += ", of " + model.Safe(o.History.Names.Job(v.Witness.Job))
	}
	for i := range v.Witness.Events {
		e := v.Witness.Events[i]
		text += fmt.Sprintf(", e%d is record %d (%s)", i+1, e.Seq, o.recordText(e))
	}
	return text + ": " + model.Safe(v.Witness.Says)
}

// recordText is all of the record e, as a line of a history: a witness holds a copy, which
// could say something else than the history does.
func (o *Outcome) recordText(e model.Event) string {
	alone := model.History{Names: o.History.Names, Events: []model.Event{e}}
	return strings.Join(strings.Fields(string(alone.AppendText(nil))), " ")
}

// judged is the digest of what Judged tells.
func (o *Outcome) judged() model.Digest {
	h := fnv.New64a()
	for _, line := range o.Judged() {
		_, _ = h.Write([]byte(line + "\n")) // a hash takes all
	}
	return model.Digest(h.Sum64())
}

// sameOutcome is Same of all that two runs left: what was judged of one history, too.
func sameOutcome(first, then *Outcome) error {
	if err := Same(first.History, then.History); err != nil {
		return err
	}
	about, a, b := JudgedApart(first.Judged(), then.Judged())
	if about == "" {
		return nil
	}
	return &Diverged{First: first.History.Digest, Then: then.History.Digest, About: about, A: a, B: b}
}

// JudgedApart returns what the first line is about in which two lists of Judged differ,
// and what each says of it; "" where they are the same.
func JudgedApart(first, then []string) (about, a, b string) {
	n := partAt(first, then)
	if n == 0 {
		return "", "", ""
	}
	about, a = cutJudged(first, n)
	other, b := cutJudged(then, n)
	switch {
	case about == "":
		about = other
	case other != about: // a line is there and in the other list none of its kind
		b = ""
	}
	return about, a, b
}

func cutJudged(lines []string, n int) (about, says string) {
	if n > len(lines) {
		return "", ""
	}
	about, says, _ = strings.Cut(lines[n-1], ": ")
	return about, says
}
