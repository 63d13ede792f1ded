package reports

import (
	"strings"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios/argue"
)

// AppendExplanation appends what was found out about a failure: the smallest story
// that fails so, with its picture and its proof, whether the queue could have known,
// what the failure needs and what fixes it. Again is the command that runs the small story again.
func AppendExplanation(b []byte, e *argue.Explanation, again string, s Style) []byte {
	s.Brief = true
	r := SmallRun(e, "")
	p := &page{b: AppendText(b, r, s), style: s}
	p.known(r)
	p.needs(e)
	p.fixes(e)
	p.end()
	p.line(plain, "RUN AGAIN  "+model.Safe(again))
	return p.b
}

// SmallRun is the report of the small story, which says once what is broken. Again is
// the command that runs it again, or empty.
func SmallRun(e *argue.Explanation, again string) *Run {
	title := "The smallest story that was found to break " + e.Small.Property + "."
	r := Of(e.Small.Outcome, title, again)
	r.Reasons = nil
	return r
}

// section writes a heading and, at its right, how what follows was found out.
func (p *page) section(word, how string) {
	p.end()
	p.put(bad, word)
	p.right(dim, how, textWidth-width(word))
	p.end()
}

// needs writes what came of the small story without each of its lines, and with
// other options.
func (p *page) needs(e *argue.Explanation) {
	p.section("WHAT THIS FAILURE NEEDS", "each line found by running: "+script.Count(e.Tried, "run"))
	names := &e.Small.Outcome.History.Names
	for i := range e.Needs {
		p.need(names, &e.Needs[i], e.Small.Property)
	}
	if len(e.Needs) == 0 {
		p.line(plain, "  no fault: it fails by itself")
	}
	p.anyValue(e.Knobs)
	width := knobWidth(e.Knobs)
	for i := range e.Knobs {
		if !e.Knobs[i].AlwaysFails() {
			p.knob(&e.Knobs[i], width)
		}
	}
}

// need writes one line of the small story: whether it is needed, and what changes
// first without it.
func (p *page) need(names *model.Names, n *argue.Need, property string) {
	word := "needed"
	if !n.Needed() {
		word = "not needed"
	}
	p.wrap("  "+n.Name+" ", model.Safe(n.Text)+": "+word)
	p.wrap("     without it  ", resultText(&n.Without, property))
	if !n.Changes {
		p.line(plain, "     and no record of the history is another")
		return
	}
	p.wrap("     first new   ", momentText(names, &n.Is))
	p.wrap("     instead of  ", momentText(names, &n.Was))
}

// resultText says in a sentence what a changed story came to.
func resultText(r *argue.Result, property string) string {
	list := strings.Join(r.Properties, ", ")
	switch r.Answer {
	case argue.Fails:
		return property + " is broken all the same"
	case argue.Moves:
		return property + " is not broken so, but " + list + " instead"
	case argue.Open:
		return "nothing is broken, and unknown is: " + list
	}
	return "every default property holds"
}

// momentText says what happened at one record, and when.
func momentText(names *model.Names, e *model.Event) string {
	if e.Seq == 0 {
		return "the end of the history"
	}
	return e.At.String() + "  " + deedText(names, e)
}

// deedText says what e was, as a sentence.
func deedText(names *model.Names, e *model.Event) string {
	who, what := model.Safe(names.Proc(e.Proc)), e.Op.String()
	if e.Job != model.NoJob {
		what += " " + names.Delivery(e)
	}
	switch e.Kind {
	case model.Lost:
		if e.Has(model.IsReply) {
			return "the answer to " + what + " is lost"
		}
		return what + " is lost"
	case model.TimedOut:
		return who + " gets no answer to " + what
	case model.Sent:
		return who + " sends " + what
	case model.Crashed, model.Restarted, model.Paused, model.Woke, model.Stalled, model.Cut, model.Healed, model.ClockSet:
		return join(who, " ", e.Kind.String())
	}
	return describe(names, e)
}

// anyValue writes on one line all options that make no difference.
func (p *page) anyValue(knobs []argue.Knob) {
	var list []string
	for i := range knobs {
		if k := &knobs[i]; k.AlwaysFails() {
			list = append(list, k.Name+" "+rangeText(&k.Spans[0]))
		}
	}
	if len(list) > 0 {
		p.wrap("  any value   ", strings.Join(list, ", ")+": all fail")
	}
}

// knobWidth is the width of the column of options that make a difference.
func knobWidth(knobs []argue.Knob) int {
	most := len("any value")
	for i := range knobs {
		if !knobs[i].AlwaysFails() {
			most = max(most, width(knobText(&knobs[i])))
		}
	}
	return most
}

func knobText(k *argue.Knob) string { return join(k.Name, " ", k.Own) }

// knob writes where the answer changes as one option is turned.
func (p *page) knob(k *argue.Knob, column int) {
	var list []string
	for i := range k.Spans {
		list = append(list, rangeText(&k.Spans[i])+" "+verbText(&k.Spans[i]))
	}
	lead := "  " + knobText(k)
	p.wrap(lead+strings.Repeat(" ", max(0, column+3-width(knobText(k)))), strings.Join(list, "; "))
}

func rangeText(s *argue.Span) string {
	if s.From == s.To {
		return s.From
	}
	return s.From + " .. " + s.To
}

// verbText says what a stretch of values does.
func verbText(s *argue.Span) string {
	one := s.From == s.To
	verb := func(singular, plural string) string {
		if one {
			return singular
		}
		return plural
	}
	list := strings.Join(s.Result.Properties, ", ")
	switch s.Result.Answer {
	case argue.Fails:
		return verb("fails", "fail")
	case argue.Moves:
		return verb("breaks ", "break ") + list + " instead"
	case argue.Open:
		return verb("is unknown", "are unknown")
	}
	return verb("holds", "hold")
}
