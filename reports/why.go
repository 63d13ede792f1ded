package reports

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
)

// factLimit is how many pieces of evidence a proof cites.
const factLimit = 6

// why writes the witness of each property that is broken or unknown as a short
// proof: let these be, then this follows.
func (p *page) why(r *Run) {
	for _, value := range []model.Value{model.Broken, model.Unknown} {
		for _, v := range r.withValue(value) {
			p.end()
			p.put(bad, "WHY")
			p.line(plain, "  "+model.Safe(v.Property)+" is "+v.Value.String())
			p.proof(&r.History.Names, v)
		}
	}
}

func (p *page) proof(names *model.Names, v *model.Verdict) {
	events := v.Witness.Events
	for i := range events {
		if i == factLimit {
			p.line(plain, "        and "+script.Count(len(events)-factLimit, "event")+" more")
			break
		}
		lead := "        "
		if i == 0 {
			lead = "  Let   "
		}
		e := &events[i]
		p.wrap(lead, "e"+itoa(i+1)+" = "+describe(names, e)+", event "+itoa(e.Seq)+" ("+p.when(e.At)+")")
	}
	lead := "  Then  "
	if len(events) == 0 {
		lead = "        "
	}
	p.wrap(lead, witnessText(v))
}

// witnessText is what follows from the evidence of v.
func witnessText(v *model.Verdict) string {
	says := model.Safe(v.Witness.Says)
	if says == "" {
		says = "the judge gives no reason"
	}
	return says + conclusion(v.Value)
}

func conclusion(v model.Value) string {
	if v == model.Broken {
		return ": a contradiction."
	}
	return "."
}

// describe says what e was, as the subject of a proof.
func describe(names *model.Names, e *model.Event) string {
	who, job := model.Safe(names.Proc(e.Proc)), ""
	if e.Job != model.NoJob {
		job = names.Delivery(e)
	}
	what := join(e.Op.String(), " ", job)
	if e.Op == model.OpNone {
		what = job
	}
	switch e.Kind {
	case model.Effected:
		return "effect " + itoa(e.Effect) + " of " + job + " by " + who + withToken(e)
	case model.Applied:
		return what + " by " + who + withToken(e) + ", answered " + e.Answer.String()
	case model.Admitted:
		return who + " was told that " + job + " is " + e.Answer.String()
	case model.Answered:
		return who + " read the answer " + e.Answer.String() + " to " + what
	case model.Ended:
		return "the end of the run (" + e.Cause.String() + ")"
	}
	return join(e.Kind.String(), " ", what) + " by " + who
}

func withToken(e *model.Event) string {
	if e.Token == 0 {
		return ""
	}
	return " with token " + itoa(e.Token)
}

// headline is what v's witness says, for readers who have not seen the proof: it
// names the job, and events by their number in the history.
func headline(r *Run, v *model.Verdict) string {
	w := &v.Witness
	says := numbered(model.Safe(w.Says), w.Events)
	if w.Job == model.NoJob {
		return says
	}
	return join(model.Safe(r.History.Names.Job(w.Job)), ": ", says)
}

// numbered replaces the words e1, e2 and so on by "event N". A word is what
// stands between two runes that are neither letters nor digits.
func numbered(says string, events []model.Event) string {
	isBreak := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	var out strings.Builder
	for says != "" {
		end := strings.IndexFunc(says, isBreak)
		if end < 0 {
			end = len(says)
		}
		word := says[:end]
		if k, err := strconv.Atoi(strings.TrimPrefix(word, "e")); err == nil && word[0] == 'e' && k >= 1 && k <= len(events) {
			word = "event " + itoa(events[k-1].Seq)
		}
		_, size := utf8.DecodeRuneInString(says[end:])
		out.WriteString(word)
		out.WriteString(says[end : end+size])
		says = says[end+size:]
	}
	return out.String()
}
