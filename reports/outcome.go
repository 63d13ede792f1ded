package reports

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// Of puts what a run came to into the words of a report. Title is what the
// story says of itself, again the exact command that runs it again.
func Of(o *scenarios.Outcome, title, again string) *Run {
	s := o.Story
	r := &Run{
		Story: s.Name, Title: title, Seed: s.Seed, Queue: queueLine(s), Consumers: consumersLine(s),
		History: o.History, Outcome: o.Met, Again: again, Reasons: reasons(o), Known: knownOf(o, again),
		Text: string(s.Text()), Facts: o.Facts(), Late: lateOf(s, o.History),
	}
	for _, v := range o.Verdicts {
		if o.IsDefault(v.Property) || s.Names(v.Property) {
			r.Verdicts = append(r.Verdicts, v)
		}
	}
	for i := range o.Results {
		r.expect(s, &o.Results[i])
	}
	r.mayBreak(s)
	for _, e := range o.Unfired {
		r.Unfired = append(r.Unfired, Fault{Line: e.Line, Text: s.FaultText(e)})
	}
	for _, m := range o.Missing {
		r.Missing = append(r.Missing, Fault{Line: int(m.Line), Text: missingText(s, m.Job, m.N, m.Have)})
	}
	return r
}

// reasons puts into words what else keeps a story from being met.
func reasons(o *scenarios.Outcome) []string {
	var list []string
	why := "every default property must hold"
	if len(o.Results) > 0 {
		why = "no expect line names it"
	}
	for _, name := range o.Unnamed {
		list = append(list, name+" is broken, and "+why)
	}
	for _, name := range o.Open {
		list = append(list, name+" is unknown, and "+why)
	}
	if o.End == model.Limit {
		list = append(list, "the run was cut after "+script.Count(int(o.Steps), "step")+": fewer workers or jobs, or a shorter horizon, and it can be judged")
	}
	if o.Idle {
		list = append(list, "nothing happens: the story has no job and no do line")
	}
	if o.HistoryDiffers != "" {
		list = append(list, "the history is not the one behind ----: "+o.HistoryDiffers)
	}
	return list
}

func (r *Run) expect(s *scenarios.Story, res *scenarios.Result) {
	e := res.Expect
	r.Expectations = append(r.Expectations, Expectation{
		Line: e.Line, Text: s.ExpectText(e), Met: res.Met == scenarios.Yes,
		Inconclusive: res.Met == scenarios.Inconclusive, Got: res.Got,
	})
	if e.Kind != scenarios.ExpectVerdict {
		return
	}
	for _, name := range e.Properties {
		r.Named = append(r.Named, Named{Property: name, Expect: e.Verdict})
	}
}

// mayBreak names what is broken and may be, where the story, which is a random world
// that was told, expects nothing else.
func (r *Run) mayBreak(s *scenarios.Story) {
	if len(s.Expects) > 0 {
		return
	}
	for _, v := range r.withValue(model.Broken) {
		if slices.Contains(s.MayBreak, v.Property) {
			r.MayBreak = append(r.MayBreak, v.Property)
			r.Named = append(r.Named, Named{Property: v.Property, Expect: model.Broken})
		}
	}
}

func queueLine(s *scenarios.Story) string {
	q := &s.Queue
	line := fmt.Sprintf("%s lease=%s max-attempts=%d", q.Protocol, script.FormatDuration(q.Lease), q.MaxAttempts)
	if q.Variant != "" {
		line += " variant=" + q.Variant
	}
	return line
}

// consumersLine groups the workers by what they do with a job: "w1, w2: naive".
func consumersLine(s *scenarios.Story) string {
	var groups []string
	for i := 0; i < len(s.Workers); {
		first := i
		for i++; i < len(s.Workers) && s.Workers[i].Consumer == s.Workers[first].Consumer; i++ {
		}
		groups = append(groups, workerNames(s.Workers[first:i])+": "+s.Workers[first].Consumer.String())
	}
	return strings.Join(groups, "; ")
}

func workerNames(ws []scenarios.Worker) string {
	switch n := len(ws); n {
	case 1:
		return ws[0].Name
	case 2:
		return ws[0].Name + ", " + ws[1].Name
	default:
		return fmt.Sprintf("%s..%s (%d)", ws[0].Name, ws[n-1].Name, n)
	}
}

func missingText(s *scenarios.Story, j model.Job, n, have int32) string {
	name := s.Cast().Names.Job(j)
	return fmt.Sprintf("%s#%d did not exist by then: %s had %s", name, n, name, script.Count(int(have), "delivery"))
}
