package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/reports"
	"github.com/ackgap/ackgap/reports/lessons"
)

// teachFlags are the flags of `ackgap teach`.
type teachFlags struct {
	look
	noInput bool
	story   string
}

// The pages that ask nothing.
const (
	guaranteeMap = "map"
	glossary     = "words"
)

func newTeach(s *streams) *cobra.Command {
	var f teachFlags
	c := &cobra.Command{
		Use:   "teach [1-" + strconv.Itoa(lessons.Count) + " | " + guaranteeMap + " | " + glossary + "]",
		Short: "Learn why exactly-once delivery cannot be had, in ten lessons",
		Long: `Teach gives a lesson: it asks before it shows, and what it shows was counted in
runs that were made just now. Without a number it lists the lessons.

An answer is its number and Enter; q, or the end of input, leaves.`,
		Example: `  ackgap teach
  ackgap teach 1
  ackgap teach 4 --no-input      all of it, with what is said to each answer
  ackgap teach --story stopwatch | ackgap run - --set queue.lease=1m`,
		Args: named(0, 1, "one lesson, or none for the list of them"),
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("story") {
				return s.lessonStory(&f, args)
			}
			return s.teach(c.Context(), &f, args)
		},
	}
	f.flags(c)
	c.Flags().BoolVar(&f.noInput, "no-input", false, "ask nothing: print the whole lesson, with what is said to each answer")
	c.Flags().StringVar(&f.story, "story", "", "print this `STORY` of the lessons: "+strings.Join(lessons.Stories(), ", "))
	return c
}

// lessonStory prints a story of the lessons, for a file or for `ackgap run -`.
func (s *streams) lessonStory(f *teachFlags, args []string) error {
	if len(args) > 0 {
		return errors.New("teach: --story prints a story; name no lesson with it")
	}
	text, err := lessons.Story(f.story)
	if err != nil {
		return fmt.Errorf("teach: --story: %w", err)
	}
	_, err = s.out.Write(text)
	return err
}

// teach gives the lesson that args name, shows the map, or lists what there is.
func (s *streams) teach(ctx context.Context, f *teachFlags, args []string) error {
	style, err := f.style(s.out)
	if err != nil {
		return err
	}
	text, lesson, err := openLesson(args, style)
	switch {
	case err != nil:
		return err
	case lesson != nil && !f.noInput:
		return s.play(ctx, lesson, style)
	case lesson != nil:
		text = lesson.AppendText(nil, style)
	}
	_, err = s.out.Write(text)
	return err
}

// openLesson returns a lesson, or the text of a page that asks nothing.
func openLesson(args []string, style reports.Style) (text []byte, lesson *lessons.Lesson, err error) {
	switch {
	case len(args) == 0:
		return lessons.AppendContents(nil, style), nil, nil
	case args[0] == guaranteeMap:
		text, err = lessons.AppendMap(nil, style)
		return text, nil, err
	case args[0] == glossary:
		return lessons.AppendWords(nil, style), nil, nil
	}
	n, err := strconv.Atoi(args[0])
	if err != nil || n < 1 || n > lessons.Count {
		return nil, nil, fmt.Errorf("teach: there is no lesson %s; they go from 1 to %d, and there are the pages %s and %s (`ackgap teach` lists them)",
			script.Quote(args[0]), lessons.Count, guaranteeMap, glossary)
	}
	lesson, err = lessons.Open(n)
	return nil, lesson, err
}

// errLeft is what ends a lesson when the learner leaves it.
var errLeft = errors.New("left")

// player gives one lesson at a prompt.
type player struct {
	ctx     context.Context
	answers <-chan answer
	out     io.Writer
	echoes  bool // what is typed does not show by itself
	style   reports.Style
	text    []byte // all that was said, of which the first sent bytes are written
	sent    int
}

// answer is a line that was typed, or why there is none.
type answer struct {
	text string
	err  error
}

// play gives a lesson beat by beat, and waits for an answer where it asks.
func (s *streams) play(ctx context.Context, l *lessons.Lesson, style reports.Style) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	p := &player{ctx: ctx, answers: readAnswers(ctx, s.in), out: s.out, echoes: true, style: style}
	if f, ok := s.in.(*os.File); ok {
		p.echoes = !isTerminal(f)
	}
	p.text = l.AppendTitle(p.text, style)
	for i := range l.Beats {
		err := p.beat(&l.Beats[i])
		if errors.Is(err, errLeft) {
			p.say("\n\nLeft. `ackgap teach " + strconv.Itoa(l.Number) + "` begins again, and with --no-input it prints all of it.\n")
			return p.flush()
		}
		if err != nil {
			return err
		}
	}
	p.text = l.AppendEnd(p.text, style)
	return p.flush()
}

// readAnswers reads lines until ctx is done. A terminal may never come to its end,
// which is why nobody waits for the reader.
func readAnswers(ctx context.Context, in io.Reader) <-chan answer {
	answers := make(chan answer)
	go func() {
		lines := bufio.NewScanner(in)
		for {
			a := answer{}
			if !lines.Scan() {
				a.err = cmp.Or(lines.Err(), io.EOF)
			}
			a.text = strings.TrimSpace(lines.Text())
			select {
			case answers <- a:
			case <-ctx.Done():
				return
			}
		}
	}()
	return answers
}

func (p *player) beat(b *lessons.Beat) error {
	p.text = b.AppendText(p.text, p.style)
	switch {
	case b.Bet != nil:
		return p.bet(b.Bet)
	case b.Game != nil:
		return p.game(b.Game)
	}
	return nil
}

func (p *player) bet(b *lessons.Bet) error {
	for i := range b.Options {
		p.text = b.AppendOption(p.text, i)
	}
	p.say("\n")
	i, err := p.ask("Your answer", len(b.Options))
	if err != nil {
		return err
	}
	p.text = append(b.AppendAnswer(p.text, i, p.style), '\n')
	return nil
}

func (p *player) game(g *lessons.Game) error {
	var guesses []int
	for range g.Answers {
		i, err := p.ask(fmt.Sprintf("Round %d", len(guesses)+1), len(g.Options))
		if err != nil {
			return err
		}
		guesses = append(guesses, i)
	}
	p.text = g.AppendScore(append(p.text, '\n'), guesses)
	return nil
}

// ask asks until it is given a number from 1 to n, and returns the place that the
// number stands for. The error is errLeft at q and at the end of input.
func (p *player) ask(what string, n int) (int, error) {
	for {
		p.say(fmt.Sprintf("%s (1-%d, or q): ", what, n))
		if err := p.flush(); err != nil {
			return 0, err
		}
		var a answer
		select {
		case a = <-p.answers:
		case <-p.ctx.Done():
			return 0, p.ctx.Err()
		}
		switch {
		case a.err == io.EOF || strings.EqualFold(a.text, "q"):
			return 0, errLeft
		case a.err != nil:
			return 0, fmt.Errorf("teach: standard input: %w", a.err)
		}
		if i, err := strconv.Atoi(a.text); err == nil && i >= 1 && i <= n {
			p.typed(a.text)
			return i - 1, nil
		}
		p.typed(script.Quote(a.text))
		p.say(fmt.Sprintf("Please type a number from 1 to %d, or q to leave.\n", n))
	}
}

// typed notes what a terminal shows already, and shows it where there is none.
func (p *player) typed(text string) {
	p.text = append(p.text, text+"\n"...)
	if !p.echoes {
		p.sent = len(p.text)
	}
}

func (p *player) say(text string) { p.text = append(p.text, text...) }

// flush writes what was said since the last time.
func (p *player) flush() error {
	_, err := p.out.Write(p.text[p.sent:])
	p.sent = len(p.text)
	return err
}
