package lessons

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/ackgap/ackgap/reports"
)

const textWidth = 80 // columns

// AppendText appends all of the lesson: the answers to its bets, what is said to
// each, and the result of its games.
func (l *Lesson) AppendText(b []byte, s reports.Style) []byte {
	b = l.AppendTitle(b, s)
	for i := range l.Beats {
		beat := &l.Beats[i]
		b = beat.AppendText(b, s)
		if beat.Bet == nil {
			continue
		}
		for o := range beat.Bet.Options {
			b = beat.Bet.AppendOption(b, o)
			b = beat.Bet.AppendAnswer(b, o, s)
		}
		b = gap(b)
	}
	return l.AppendEnd(b, s)
}

// AppendTitle appends the title.
func (l *Lesson) AppendTitle(b []byte, s reports.Style) []byte {
	b = paint(b, bold, "LESSON "+itoa(l.Number)+" of "+itoa(Count)+"  "+l.Title, s)
	return append(b, "\n\n"...)
}

// AppendText appends what the beat shows before anybody answers: a sentence and the
// meaning of its new word, a figure, or what is asked. It looks at the end of b, so
// that there is one empty line where one is due.
func (t *Beat) AppendText(b []byte, s reports.Style) []byte {
	switch {
	case t.Figure != nil:
		return gap(t.Figure(gap(b), s))
	case t.Bet != nil:
		return appendAsk(b, t.Bet.Ask, s)
	case t.Game != nil:
		return appendAsk(b, "For each of "+number(len(t.Game.Answers))+" rounds: "+t.Game.Ask+" "+t.Game.options(), s)
	}
	b = wrap(b, "", t.Says)
	if t.Word == "" {
		return b
	}
	b = paint(append(b, "    "...), bold, t.Word, s)
	return append(append(b, ": "+t.Means...), '\n')
}

// appendAsk appends what is asked.
func appendAsk(b []byte, ask string, s reports.Style) []byte {
	b = paint(gap(b), bold, "BET", s)
	return gap(below(append(b, "  "...), len("BET  "), ask))
}

// gap ends the last paragraph of b, if it is not ended yet.
func gap(b []byte) []byte {
	if bytes.HasSuffix(b, []byte("\n\n")) {
		return b
	}
	return append(b, '\n')
}

// options are the answers to a game in one line.
func (g *Game) options() string {
	var list []string
	for i, o := range g.Options {
		list = append(list, itoa(i+1)+" "+o)
	}
	return "(" + strings.Join(list, ", ") + ")"
}

// AppendOption appends the option with the index i, numbered from 1.
func (t *Bet) AppendOption(b []byte, i int) []byte {
	return wrap(b, "  "+itoa(i+1)+"  ", t.Options[i].Text)
}

// AppendAnswer appends what is said to whoever chose option i.
func (t *Bet) AppendAnswer(b []byte, i int, s reports.Style) []byte {
	o := &t.Options[i]
	word, ink := "No", red
	if o.Right {
		word, ink = "Yes", green
	}
	const indent = len("  1  ")
	text := below(nil, indent, word+": "+o.Says)
	return append(paint(pad(b, indent), ink, word, s), text[len(word):]...)
}

// AppendScore appends what the guesses came to, and that it was luck: every round of a
// game looks like every other.
func (g *Game) AppendScore(b []byte, guesses []int) []byte {
	score := g.Score(guesses)
	b = wrap(b, "", "You were right "+times(score)+" in "+number(len(guesses))+" rounds.")
	luck := "That was luck"
	switch rest := len(guesses) - score; {
	case score == rest:
		luck = "So is a coin, on average"
	case score < rest:
		luck = "That was bad luck"
	}
	return wrap(b, "", luck+": nothing that you saw told one round from another.")
}

// AppendEnd appends what stands below a lesson: the myths that it ends, what to
// try, and what comes next.
func (l *Lesson) AppendEnd(b []byte, s reports.Style) []byte {
	b = gap(b)
	for _, m := range l.Myths {
		b = append(append(paint(b, bold, "MYTH", s), `  "`+m+`"`...), '\n')
	}
	for _, t := range l.Try {
		b = append(append(paint(b, bold, "TRY", s), "   "+t.Line...), '\n')
		b = append(append(b, "      and look for: "+t.Look...), '\n')
	}
	next := "map"
	if l.Number < Count {
		next = itoa(l.Number + 1)
	}
	return append(paint(b, bold, "NEXT", s), "  ackgap teach "+next+"\n"...)
}

// AppendContents appends the list of lessons and how to begin.
func AppendContents(b []byte, s reports.Style) []byte {
	b = wrap(b, "", "What does a job queue do when the acknowledgement never arrives? "+
		"Here are "+number(Count)+" short lessons: each asks you first, and then shows you runs.")
	b = append(b, '\n')
	for i, c := range chapters {
		b = appendEntry(b, itoa(i+1), c.title, c.about, s)
	}
	b = appendEntry(b, "map", "The map of guarantees", "what each needs, and what it lets through", s)
	b = appendEntry(b, "words", "The words", "all that the lessons introduce", s)
	b = append(append(paint(append(b, '\n'), bold, "BEGIN", s), "  ackgap teach 1\n"...), '\n')
	return wrap(b, "", "Type the number of an answer; q leaves. With --no-input a lesson is printed with all its answers.")
}

// appendEntry appends a line of the contents.
func appendEntry(b []byte, name, title, about string, s reports.Style) []byte {
	b = append(pad(b, len("  words")-len(name)), name+"  "...)
	return append(pad(paint(b, bold, title, s), len("The harmless second time  ")-len(title)), about+"\n"...)
}

func pad(b []byte, n int) []byte { return append(b, strings.Repeat(" ", max(n, 0))...) }

// wrap appends lead and text in lines of textWidth; further lines stand under the
// text.
func wrap(b []byte, lead, text string) []byte {
	return below(append(b, lead...), utf8.RuneCountInString(lead), text)
}

// below appends text to a line that is filled up to a column, and puts further lines
// under its beginning.
func below(b []byte, column int, text string) []byte {
	for i, line := range reports.Fold(text, textWidth-column) {
		if i > 0 {
			b = pad(append(b, '\n'), column)
		}
		b = append(b, line...)
	}
	return append(b, '\n')
}

// The inks of a lesson repeat what its words and shapes say.
const (
	bold  = "1"
	red   = "1;31"
	green = "32"
)

func paint(b []byte, ink, text string, s reports.Style) []byte {
	if !s.Color {
		return append(b, text...)
	}
	return append(b, "\x1b["+ink+"m"+text+"\x1b[0m"...)
}
