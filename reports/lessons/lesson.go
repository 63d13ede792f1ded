package lessons

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ackgap/ackgap/reports"
)

// Lesson is one lesson with all that was found out by running its stories.
type Lesson struct {
	Number int // from 1 to Count
	Title  string
	About  string // one line, for a list of lessons
	Beats  []Beat
	Myths  []string // what people say and will say no more
	Try    []Try
}

// Beat is one step of a lesson: exactly one of Says, Figure, Bet and Game is
// there.
type Beat struct {
	Says   string // one sentence; a word in stars is new, and Word and Means tell it
	Word   string
	Means  string
	Figure Figure
	Bet    *Bet
	Game   *Game
}

// Figure appends a picture, a table or a strip of at most 80 columns.
type Figure func(b []byte, s reports.Style) []byte

// Bet is a question that is asked before its answer is shown.
type Bet struct {
	Ask     string
	Options []Option
}

// Option is one answer to a bet, and what is said to whoever gives it.
type Option struct {
	Text, Says string
	Right      bool
}

// Game is one question that is asked for several rounds, without a word about the
// answers in between.
type Game struct {
	Ask     string
	Options []string
	Answers []int // by round: the place in Options of the right one
}

// Score returns how many of the guesses, places in Options, are right.
func (g *Game) Score(guesses []int) int {
	n := 0
	for i, guess := range guesses {
		if guess == g.Answers[i] {
			n++
		}
	}
	return n
}

// Try is a command line that shows the same facts.
type Try struct {
	Line string // commands of ackgap, joined by pipes
	Look string // what to look for in the output
	Exit int    // its exit status
}

// chapter is how a lesson comes about.
type chapter struct {
	title, about string
	write        func(*author)
}

var chapters = [...]chapter{
	{"The silence", "four mishaps, and one record of them", silence},
	{"Did it run?", "you are the queue: guess, ten times", didItRun},
	{"One more ACK", "confirm the confirmation, and so on", oneMoreACK},
	{"Choose your poison", "say it before the work, or after it", poison},
	{"The stopwatch lies", "look for the lease that is right", stopwatch},
	{"The harmless second time", "a marker, an effect, and three orders", harmless},
	{"Keys that forget", "how long is long enough", memory},
	{"The zombie and the fence", "where the token must be looked at", zombie},
	{"Where does once end?", "three moments that are called exactly-once", moments},
	{"Find it and shrink it", "tests pass; random worlds do not", haystack},
}

// Count is how many lessons there are.
const Count = len(chapters)

// Open runs the stories of lesson n, from 1 to Count, and returns the lesson.
func Open(n int) (*Lesson, error) {
	if n < 1 || n > Count {
		return nil, fmt.Errorf("there is no lesson %d: they go from 1 to %d", n, Count)
	}
	c := chapters[n-1]
	a := author{lesson: &Lesson{Number: n, Title: c.title, About: c.about}}
	c.write(&a)
	if a.err != nil {
		return nil, fmt.Errorf("lesson %d: %w", n, a.err)
	}
	return a.lesson, nil
}

// author writes a lesson, from top to bottom. Its first error is kept, and what is
// written after it is void.
type author struct {
	lesson *Lesson
	bench
}

// say adds a sentence. A word in stars is explained behind it.
func (a *author) say(format string, args ...any) {
	beat := Beat{Says: fmt.Sprintf(format, args...)}
	if _, after, ok := strings.Cut(beat.Says, "*"); ok {
		beat.Word, _, _ = strings.Cut(after, "*")
		if beat.Means, ok = meaning(beat.Word); !ok {
			a.fail(errors.New("no meaning is known of the word " + beat.Word))
		}
	}
	a.lesson.Beats = append(a.lesson.Beats, beat)
}

func (a *author) show(f Figure) { a.lesson.Beats = append(a.lesson.Beats, Beat{Figure: f}) }

// bet adds a question; no makes a wrong option and yes the right one.
func (a *author) bet(ask string, options ...Option) {
	a.lesson.Beats = append(a.lesson.Beats, Beat{Bet: &Bet{Ask: ask, Options: options}})
}

func yes(text, format string, args ...any) Option {
	return Option{Text: text, Says: fmt.Sprintf(format, args...), Right: true}
}

func no(text, format string, args ...any) Option {
	return Option{Text: text, Says: fmt.Sprintf(format, args...)}
}

func (a *author) ends(myths ...string) { a.lesson.Myths = append(a.lesson.Myths, myths...) }

// try adds a command line that leaves the exit status and prints what to look for.
func (a *author) try(exit int, line, look string) {
	a.lesson.Try = append(a.lesson.Try, Try{Line: line, Look: look, Exit: exit})
}
