package reports

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// AppendText appends the report of r for a person: the verdict first, then the
// space-time diagram, the proof of what broke, whether the queue could have known, the table of properties, what
// was not met and, last, the command that runs it again.
func AppendText(b []byte, r *Run, s Style) []byte {
	p := &page{b: b, style: s}
	p.verdict(r)
	p.diagram(r)
	p.why(r)
	if !s.Brief {
		p.known(r)
		p.properties(r)
	}
	p.unmet(r)
	if r.Again != "" {
		p.end()
		p.line(plain, "RUN AGAIN  "+model.Safe(r.Again))
	}
	return p.b
}

const (
	textWidth = 80 // prose is wrapped here
	leadWidth = 14 // "INCONCLUSIVE" and two spaces
	notJudged = "not judged"
)

// verdict writes whether the story is met, what was broken or is unknown, and what
// was run.
func (p *page) verdict(r *Run) {
	leads := r.unmetLeads()
	if leads {
		p.outcome(r)
		p.about(r)
	}
	for _, value := range []model.Value{model.Broken, model.Unknown} {
		for _, v := range r.withValue(value) {
			p.left(bad, strings.ToUpper(v.Value.String()), leadWidth)
			p.line(plain, model.Safe(v.Property)+r.asNamed(v))
			p.wrap(strings.Repeat(" ", leadWidth), headline(r, v))
		}
	}
	if len(r.withValue(model.Broken)) == 0 {
		p.held(r)
	}
	if !leads {
		p.outcome(r)
		p.about(r)
	}
}

// unmetLeads reports whether a report begins with what came of the story: where it is
// not met, all its properties may have held, or broken as it expects. Where one broke that
// should not have, that is the news, and where one is unknown and nothing is not met.
func (r *Run) unmetLeads() bool {
	switch r.Outcome {
	case scenarios.Yes:
		return false
	case scenarios.Inconclusive:
		return len(r.withValue(model.Unknown)) == 0
	}
	return !slices.ContainsFunc(r.withValue(model.Broken), r.unlooked)
}

// unlooked reports whether nobody expected v to come out so.
func (r *Run) unlooked(v *model.Verdict) bool {
	want, named := r.expected(v.Property)
	return !named || want != v.Value
}

// outcome writes whether the story is met.
func (p *page) outcome(r *Run) {
	p.left(outcomeTint(r.Outcome), strings.ToUpper(r.Outcome.String()), leadWidth)
	text := model.Safe(r.Story) + ": " + r.tally()
	if p.style.Width == 0 {
		p.line(plain, text)
		return
	}
	for i, line := range Fold(text, max(p.style.Width-leadWidth, 10)) {
		if i > 0 {
			p.left(plain, "", leadWidth)
		}
		p.line(plain, line)
	}
}

// held writes how many properties held.
func (p *page) held(r *Run) {
	word, line := heldLine(r)
	tint := ack
	if word != model.Held.String() {
		tint = bad
	}
	p.left(tint, strings.ToUpper(word), leadWidth)
	p.line(plain, line)
}

// asNamed says what the story made of v: "" when v is what nobody spoke of and
// nothing is wrong with it.
func (r *Run) asNamed(v *model.Verdict) string {
	expect, named := r.expected(v.Property)
	switch {
	case named && expect == v.Value && v.Value == model.Held:
		return ""
	case named && expect == v.Value:
		return ", as expected"
	case named:
		return ", expected " + expect.String()
	case v.Value == model.Held || isReach(v) || len(r.Named) == 0:
		return ""
	}
	return ", not named by the story"
}

// heldLine counts the properties that held, after the word for them: where nothing was
// there to judge, none is called held.
func heldLine(r *Run) (word, line string) {
	judged, vacuous := 0, 0
	for _, v := range r.withValue(model.Held) {
		if isVacuous(v) {
			vacuous++
			continue
		}
		judged++
	}
	of := " of " + itoa(r.claims()) + " properties"
	if judged == 0 {
		return notJudged, itoa(r.claims()) + of
	}
	line = itoa(judged) + of
	if vacuous > 0 {
		line += ", " + itoa(vacuous) + " had nothing to judge"
	}
	return model.Held.String(), line
}

func outcomeTint(o scenarios.Met) tint {
	if o == scenarios.Yes {
		return ack
	}
	return bad
}

// tally counts what the story expected: "9 of 9 expectations".
func (r *Run) tally() string {
	line := "no expect lines: every default property must hold"
	switch {
	case len(r.MayBreak) > 0:
		line = strings.Join(r.MayBreak, ", ") + " may break here, every other default property must hold"
	case len(r.Expectations) > 0:
		line = itoa(r.metCount()) + " of " + script.Count(len(r.Expectations), "expectation")
	}
	if n := len(r.Unfired); n > 0 {
		line += ", " + script.Count(n, "fault") + " never fired"
	}
	return line
}

// about writes the story in a few lines: title, world, seed.
func (p *page) about(r *Run) {
	indent := strings.Repeat(" ", leadWidth)
	p.wrap(indent, model.Safe(strings.Join(strings.Fields(r.Title), " ")))
	world := join(model.Safe(r.Queue), "; ", model.Safe(r.Consumers))
	p.wrap(indent, join(world, "; ", "seed "+strconv.FormatUint(r.Seed, 10)))
}

// diagram writes the space-time diagram and what it leaves out.
func (p *page) diagram(r *Run) {
	if len(r.History.Events) == 0 {
		return
	}
	p.end()
	d := layOut(r, p.style.Full)
	drawDiagram(p, &d)
	if len(d.undrawn) > 0 {
		c := newCast(r.History)
		p.line(dim, "     not drawn, --full: "+d.undrawnNames(&c))
	}
}

// properties writes one line a property: what it is, its value, how often there
// was something to judge, and what the story made of it.
func (p *page) properties(r *Run) {
	if len(r.Verdicts) == 0 {
		return
	}
	names := len("PROPERTIES")
	for i := range r.Verdicts {
		names = max(names, width(model.Safe(r.Verdicts[i].Property)))
	}
	p.end()
	p.left(plain, "PROPERTIES", names+4)
	p.line(plain, "value    judged")
	for i := range r.Verdicts {
		p.property(r, &r.Verdicts[i], names)
	}
}

func (p *page) property(r *Run, v *model.Verdict, names int) {
	value, tint := valueWord(v), plain
	if v.Value != model.Held && !isReach(v) {
		tint = bad
	}
	p.put(plain, "  ")
	p.left(plain, model.Safe(v.Property), names+2)
	p.left(tint, value, len("unknown"))
	p.right(plain, itoa(v.Evaluations), len("  judged"))
	p.line(plain, strings.Replace(r.asNamed(v), ",", "  ", 1))
}

// valueWord is the value of v as the table shows it: nothing is called held that
// nothing was seen of, and a claim of reach is seen or it is not.
func valueWord(v *model.Verdict) string {
	switch {
	case isReach(v) && v.Value == model.Held:
		return "seen"
	case isReach(v):
		return "unseen"
	case isVacuous(v):
		return "-"
	}
	return v.Value.String()
}

// unmet writes each expectation that was not met and each fault that never
// fired, with its line, and what else stands in the way.
func (p *page) unmet(r *Run) {
	reasons := r.unmetTexts()
	if len(reasons) == 0 {
		return
	}
	p.end()
	heading := scenarios.No
	if r.Outcome == scenarios.Inconclusive {
		heading = scenarios.Inconclusive
	}
	p.line(bad, strings.ToUpper(heading.String()))
	for _, reason := range reasons {
		p.wrap("  ", reason)
	}
}

// unmetTexts says, one sentence each, what stands in the way of the story.
func (r *Run) unmetTexts() []string {
	var out []string
	for i := range r.Expectations {
		if e := &r.Expectations[i]; !e.Met {
			out = append(out, unmetText(e))
		}
	}
	for _, f := range r.Unfired {
		out = append(out, "line "+itoa(f.Line)+": fault "+model.Safe(f.Text)+" never fired")
	}
	for _, f := range r.Missing {
		out = append(out, "line "+itoa(f.Line)+": "+model.Safe(f.Text))
	}
	for _, reason := range r.Reasons {
		out = append(out, model.Safe(reason))
	}
	return out
}

// unmetAt is the line of the first of unmetTexts, or 0 where that is of no line.
func (r *Run) unmetAt() int {
	for i := range r.Expectations {
		if e := &r.Expectations[i]; !e.Met {
			return e.Line
		}
	}
	for _, faults := range [][]Fault{r.Unfired, r.Missing} {
		if len(faults) > 0 {
			return faults[0].Line
		}
	}
	return 0
}

// unmetText is one unmet expectation in words.
func unmetText(e *Expectation) string {
	text := "line " + itoa(e.Line) + ": expect " + model.Safe(e.Text)
	if e.Inconclusive {
		text += " could not be judged"
	}
	return join(text, ", got ", model.Safe(e.Got))
}

// wrap writes text after lead, and further lines under its first word. Nothing
// is written for an empty text.
func (p *page) wrap(lead, text string) {
	for _, line := range Fold(shown(text), p.wide()-width(lead)) {
		p.line(plain, lead+line)
		lead = strings.Repeat(" ", width(lead))
	}
}

// wide is how many columns prose takes.
func (p *page) wide() int {
	if w := p.style.Width; w > 0 {
		return max(leadWidth+10, min(w, textWidth))
	}
	return textWidth
}

// Fold breaks text between words into lines of at most n columns. A longer word has
// a line of its own.
func Fold(text string, n int) (lines []string) {
	words := strings.Fields(text)
	for len(words) > 0 {
		line := words[0]
		words = words[1:]
		for len(words) > 0 && width(line)+1+width(words[0]) <= n {
			line += " " + words[0]
			words = words[1:]
		}
		lines = append(lines, line)
	}
	return lines
}
