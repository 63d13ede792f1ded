package reports

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios/argue"
)

// fixes writes what came of each change that might help, on the small story and in
// the random worlds: those that fix it first.
func (p *page) fixes(e *argue.Explanation) {
	t := fixTable{page: p, e: e, column: len("as it is")}
	for i := range e.Fixes {
		t.column = max(t.column, width(e.Fixes[i].Change))
	}
	p.section("WHAT FIXES IT", "each change tried: on the story above, and in "+thousands(int(e.Runs))+" worlds")
	t.row("as it is", &e.AsIs)
	p.end()
	t.list("FIX: nothing breaks in any of these worlds", e.Fixes, true)
	t.pairs()
	t.list("NO FIX", e.Fixes, false)
	t.legend()
}

// fixTable is the table of changes.
type fixTable struct {
	*page
	e      *argue.Explanation
	column int // the width of the column of changes
}

// list writes those trials that are fixes, or those that are not.
func (t *fixTable) list(heading string, trials []argue.Trial, fix bool) {
	begun := false
	for i := range trials {
		if trials[i].Fix != fix {
			continue
		}
		if !begun {
			t.line(effect, heading)
			begun = true
		}
		t.row(trials[i].Change, &trials[i])
	}
}

// pairs writes which two changes fix together what no single one does.
func (t *fixTable) pairs() {
	tried := thousands(t.e.PairsTried) + " pairs"
	switch {
	case t.e.PairsTried == 0:
	case len(t.e.Pairs) == 0:
		t.wrap("", "NO single change fixes it, and none of "+tried+" does.")
	default:
		t.wrap("", "NO single change fixes it. Of "+tried+" these do:")
	}
	column := 0
	for i := range t.e.Pairs {
		column = max(column, width(t.e.Pairs[i].Change))
	}
	for i := range t.e.Pairs {
		t.put(plain, "  ")
		t.left(plain, t.e.Pairs[i].Change, column+2)
		t.line(plain, smallCell(&t.e.Pairs[i].Small))
	}
}

// row writes one change: what it does to the small story, and to the worlds.
func (t *fixTable) row(word string, trial *argue.Trial) {
	lead := "  " + word + strings.Repeat(" ", max(0, t.column-width(word))) + "  "
	lead += smallCell(&trial.Small)
	lead += strings.Repeat(" ", max(0, t.column+4+len("no place  ")-width(lead)))
	text := t.worldsText(trial)
	if trial.Fix {
		text = trial.Means
	}
	t.wrap(lead, text)
}

// smallCell says in a word what a change does to the small story.
func smallCell(r *argue.Result) string {
	if r.Answer == argue.Holds && r.Unfired > 0 {
		return "no place"
	}
	if r.Relieved && r.Answer == argue.Holds {
		return "holds +"
	}
	return r.Answer.String()
}

// worldsText counts the worlds in which something broke, and says what became of
// the property at stake.
func (t *fixTable) worldsText(trial *argue.Trial) string {
	property := t.e.Small.Property
	list := append([]string{countText(property, trial.Of(property))}, othersTexts(trial, property)...)
	if trial.Open > 0 {
		list = append(list, thousands(trial.Open)+" unknown")
	}
	text := strings.Join(list, ", ")
	switch {
	case trial.Bad+trial.Open+trial.Of(property) == 0 && !trial.Judged:
		text = "nothing breaks: " + property + " is never judged"
	case trial.Bad+trial.Open+trial.Of(property) == 0:
		text = "nothing breaks"
	case trial.Moved(&t.e.AsIs, property):
		text += ": it moves the failure"
	}
	if trial.Small.Answer == argue.Moves {
		text += " (above: " + strings.Join(trial.Small.Properties, ", ") + ")"
	}
	switch {
	case trial.Worlds == 0:
		text = "not tried in any world"
	case uint64(trial.Worlds) < t.e.Runs:
		text += " (in " + thousands(trial.Worlds) + " worlds)"
	}
	return text
}

// othersShown is how many properties besides the one at stake a row names: those
// that break in the most worlds.
const othersShown = 2

func othersTexts(trial *argue.Trial, property string) (list []string) {
	others := slices.DeleteFunc(slices.Clone(trial.Broken), func(c argue.Count) bool { return c.Property == property || c.Worlds == 0 })
	slices.SortStableFunc(others, func(a, b argue.Count) int { return b.Worlds - a.Worlds })
	for i, c := range others {
		if i == othersShown {
			return append(list, "and "+itoa(len(others)-i)+" more break")
		}
		list = append(list, countText(c.Property, c.Worlds))
	}
	return list
}

// nouns are the words for a world that breaks one of the mission's properties.
var nouns = []struct{ property, one, many string }{
	{"no-loss", "loss", "losses"},
	{"no-duplicate-effect", "duplicate", "duplicates"},
}

// countText says how many worlds break a property.
func countText(property string, n int) string {
	one, many := "breaks "+property, "break "+property
	for _, noun := range nouns {
		if noun.property == property {
			one, many = noun.one, noun.many
		}
	}
	if n == 1 {
		return "1 " + one
	}
	return thousands(n) + " " + many
}

// thousands writes n with a comma before each group of three digits.
func thousands(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// legend says what the worlds are and what the table does not.
func (t *fixTable) legend() {
	t.end()
	for _, line := range t.legendLines() {
		t.wrap("  ", line)
	}
}

func (t *fixTable) legendLines() []string {
	e := t.e
	chaos := "its chaos lines"
	if e.Lent {
		chaos = "the chaos of the story reference"
	}
	lines := []string{"The worlds are the seeds 1 to " + thousands(int(e.Runs)) + " of " + model.Safe(e.World) + ", drawn from " + chaos +
		". A world counts once for each property that breaks in it. That nothing breaks in so many is no proof."}
	if e.AsIs.Of(e.Small.Property) == 0 {
		lines = append(lines, "The failure came up in none of these worlds, so that they can refute no change: nothing is called a fix.")
	}
	if e.Cut {
		lines = append(lines, "The search was cut: what was tried in fewer worlds is not called a fix, and not every pair was tried.")
	}
	if t.any(func(r *argue.Result) bool { return r.Answer == argue.Moves }) {
		lines = append(lines, "moves: with the change the story above breaks another property, in brackets.")
	}
	if t.any(func(r *argue.Result) bool { return r.Answer == argue.Holds && r.Unfired > 0 }) {
		lines = append(lines, "no place: with the change a fault of the story above finds no place to strike.")
	}
	if t.any(func(r *argue.Result) bool { return r.Answer == argue.Holds && r.Relieved }) {
		lines = append(lines, "holds +: with one more worker, since all those of the story above are dead in the end.")
	}
	return lines
}

// any reports whether a trial's result on the small story is such.
func (t *fixTable) any(is func(*argue.Result) bool) bool {
	for _, list := range [][]argue.Trial{t.e.Fixes, t.e.Pairs} {
		for i := range list {
			if is(&list[i].Small) {
				return true
			}
		}
	}
	return false
}
