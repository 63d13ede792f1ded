package scenarios

import (
	"slices"
	"strings"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
)

// expectations is the table of what an expect line can speak about.
var expectations = []struct {
	word string
	read func(*parser, *script.Args, *Expect)
}{
	{"held", (*parser).verdict},
	{"broken", (*parser).verdict},
	{"unknown", (*parser).verdict},
	{"effects", (*parser).counted},
	{"deliveries", (*parser).counted},
	{"refused", (*parser).answer},
	{"answer", (*parser).answer},
	{"twin", (*parser).twin},
	{"no", (*parser).noTwin},
	{"state", (*parser).state},
	{"chaos", (*parser).mayBreak},
}

func expectWords() []string {
	var words []string
	for _, e := range expectations {
		words = append(words, e.word)
	}
	return words
}

// expect reads `expect WHAT ...`.
func (p *parser) expect(a *script.Args) {
	words := expectWords()
	word, ok := a.Choose("expectation", words)
	if !ok {
		a.Stop()
		return
	}
	a.Title += " " + word
	e := Expect{Line: a.Line.No}
	expectations[slices.Index(words, word)].read(p, a, &e)
	if word != "chaos" {
		p.story.Expects = append(p.story.Expects, e)
	}
}

// verdict reads `held P...` and its like.
func (p *parser) verdict(a *script.Args, e *Expect) {
	word := verdictWord(a)
	for v := model.Held; v <= model.Unknown; v++ {
		if v.String() == word {
			e.Verdict = v
		}
	}
	names := propertyNames(model.Properties())
	reach := propertyNames(model.Reach())
	for _, name := range p.properties(a, append(names, reach...)) {
		if first := p.judged[name]; first > 0 {
			a.Fail("%s is expected at line %d already", name, first)
			continue
		}
		if e.Verdict == model.Broken && slices.Contains(reach, name) {
			a.Fail("%s says that something happens in some run; it is unknown when it does not, never broken", name)
		}
		p.judged[name] = a.Line.No
		e.Properties = append(e.Properties, name)
	}
}

func verdictWord(a *script.Args) string { return a.Line.Words[0].Text }

func propertyNames(list []*model.Property) []string {
	var names []string
	for _, q := range list {
		names = append(names, q.Name)
	}
	return names
}

// properties reads all operands that are left, one at least, as names of allowed
// properties.
func (p *parser) properties(a *script.Args, allowed []string) []string {
	var names []string
	for more := true; more; more = a.Left() > 0 {
		if name, ok := a.Choose("property", allowed); ok {
			names = append(names, name)
		}
	}
	return names
}

// mayBreak reads `chaos may-break P...`.
func (p *parser) mayBreak(a *script.Args, _ *Expect) {
	if _, ok := a.Choose("word", []string{"may-break"}); !ok {
		a.Stop()
		return
	}
	for _, name := range p.properties(a, propertyNames(model.Properties())) {
		p.story.MayBreak = addOnce(a, p.story.MayBreak, name, name)
	}
}

var comparisons = []string{Equal: "=", AtLeast: ">=", AtMost: "<="}

// counted reads `effects J = N` and `deliveries J = N`.
func (p *parser) counted(a *script.Args, e *Expect) {
	e.Kind = ExpectEffects
	if verdictWord(a) == "deliveries" {
		e.Kind = ExpectDeliveries
	}
	e.Job, _ = p.subject(a, takesJob)
	if word, ok := a.Choose("comparison", comparisons); ok {
		e.Cmp = Cmp(slices.Index(comparisons, word))
	}
	word, ok := a.Operand("number", "J1 = 2")
	if !ok {
		return
	}
	if e.Count, ok = count(word); !ok {
		a.Fail("%s must be a whole number, 0 or more", script.Quote(word))
	}
}

// answered are the verbs whose answers a story may speak about.
var answered = []struct {
	op    model.Op
	takes takes
}{
	{model.OpEnqueue, takesJob}, {model.OpRemove, takesJob}, {model.OpReprocess, takesJob},
	{model.OpClaim, takesDelivery}, {model.OpComplete, takesDelivery}, {model.OpRetry, takesDelivery},
	{model.OpExtend, takesDelivery}, {model.OpDelay, takesDelivery},
}

// answers are those that reports/docs/stories.md lists.
var answers = []string{
	"enqueued", "duplicate", "kind", "empty", "ok", "scheduled", "dead", "stale", "gone", "locked", "not-dead",
	"lost-request", "lost-reply",
}

// answer reads `refused VERB J#N` and `answer VERB J#N = A`.
func (p *parser) answer(a *script.Args, e *Expect) {
	e.Kind, e.Answer, e.Refused = ExpectAnswer, model.Stale, verdictWord(a) == "refused"
	var words []string
	for _, v := range answered {
		if !e.Refused || v.op.Settles() || v.op == model.OpExtend {
			words = append(words, v.op.String())
		}
	}
	word, ok := a.Choose("verb", words)
	if !ok {
		a.Stop()
		return
	}
	for _, v := range answered {
		if v.op.String() == word {
			e.Op = v.op
			e.Job, e.N = p.subject(a, v.takes)
		}
	}
	if e.Refused {
		return
	}
	if word, ok := p.equals(a, "answer", answers); ok {
		e.Answer, _ = model.ParseAnswer(word)
	}
}

// equals reads `= WORD`.
func (p *parser) equals(a *script.Args, what string, words []string) (string, bool) {
	if _, ok := a.Choose("comparison", comparisons[:1]); !ok {
		a.Stop()
		return "", false
	}
	return a.Choose(what, words)
}

// twin reads `twin [J#N]`.
func (p *parser) twin(a *script.Args, e *Expect) {
	e.Kind = ExpectTwin
	if a.Left() > 0 {
		e.Job, e.N = p.subject(a, takesDelivery)
	}
}

// noTwin reads `no twin`.
func (p *parser) noTwin(a *script.Args, e *Expect) {
	e.Kind = ExpectNoTwin
	a.Choose("word", []string{"twin"})
}

// sets are those that a job can be in, in the order of a pair's name; states are
// the other ends of a job.
var (
	sets   = []string{"pending", "active", "scheduled", "dead"}
	states = []string{"ghost", "removed", "completed", "lost", "absent"}
)

// state reads `state J = S`.
func (p *parser) state(a *script.Args, e *Expect) {
	e.Kind = ExpectState
	e.Job, _ = p.subject(a, takesJob)
	if _, ok := a.Choose("comparison", comparisons[:1]); !ok {
		a.Stop()
		return
	}
	word, ok := a.Operand("state", "J1 = completed")
	if !ok {
		return
	}
	if e.State, ok = stateName(word); !ok {
		a.Fail("%s; or several sets joined by +, as pending+active", script.Unknown("state", word, append(slices.Clone(sets), states...)))
	}
}

// stateName returns the canonical form of a state: of several sets, in order.
func stateName(word string) (string, bool) {
	if slices.Contains(states, word) {
		return word, true
	}
	parts := strings.Split(word, "+")
	var in []string
	for _, s := range sets {
		if slices.Contains(parts, s) {
			in = append(in, s)
		}
	}
	return strings.Join(in, "+"), len(in) == len(parts)
}
