package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/scenarios/generals"
)

// generalsFlags are what `ackgap generals` may be told.
type generalsFlags struct {
	ascii, list, begun bool
	instants           int
	rule               uint32
	story              string
	json               bool
}

const (
	protocolExt   = ".generals"
	shownProtocol = "threshold-2-of-6" // where none is named
)

// The sides of a pair, as --story names them.
var pairSides = []string{"never-ran", "ran"}

func newGenerals(s *streams) *cobra.Command {
	var f generalsFlags
	patterns, about := generals.Patterns()
	c := &cobra.Command{
		Use:   "generals [PROTOCOL | FILE" + protocolExt + " | -]",
		Short: "Show why no protocol and no rule of redelivery closes the gap",
		Long: `Generals shows, link by link, that a protocol of two generals who can lose
messages fails, and tries every rule by which a queue may deliver a job again.

Protocols, with a number for each of N and T (up to 12 messages):

` + protocolList(patterns, about) + `
A file of your own:

  protocol mine
  messages A B A            # who sends 1, 2, 3
  send 1 order              # if A was ordered to attack
  send 2 heard=1            # if B heard 1
  send 3 heard=2
  attack A heard=2          # at the end
  attack B heard=3

Conditions: order, heard=1,3 (all of them), silent=1,3 (none of them), knows=2
(heard, or told by a later one), least=2 (so many heard). Those of a line must
all hold; of several lines for one message or general, any.`,
		Example: `  ackgap generals                      a protocol, the queue, what can be had
  ackgap generals rounds-12            twelve confirmations do not help
  ackgap generals --rule 5             why rule 5 fails
  ackgap generals --rule 5 --story ran | ackgap run -`,
		Args: named(0, 1, "one protocol (hour, or another that --help lists), a file that ends in .generals, or - for standard input"),
		RunE: func(c *cobra.Command, args []string) error { return s.generals(c, &f, args) },
	}
	c.Flags().BoolVar(&f.ascii, "ascii", false, "draw with ASCII only")
	c.Flags().BoolVar(&f.list, "list", false, "list the protocols that are built in")
	c.Flags().Uint32Var(&f.rule, "rule", 0, "refute this `RULE` of redelivery, a number: bit i says whether the queue delivers again in its view i, numbered by instant and then by what it saw; 0 is silence")
	c.Flags().IntVar(&f.instants, "instants", 3, "of --rule: the queue decides `N` times, 1 to 3, or to 2 with --begun")
	c.Flags().BoolVar(&f.begun, "begun", false, "of --rule: the queue hears that work has begun")
	c.Flags().BoolVar(&f.json, "json", false, "what became of every rule of redelivery, as one JSON document")
	c.Flags().StringVar(&f.story, "story", "", "of --rule: print one `SIDE` of its pair as a story: never-ran or ran")
	return c
}

func protocolList(patterns, about []string) string {
	var b strings.Builder
	for i, name := range patterns {
		fmt.Fprintf(&b, "  %-17s %s\n", name, about[i])
	}
	return b.String()
}

func (s *streams) generals(c *cobra.Command, f *generalsFlags, args []string) error {
	text, sound, err := s.generalsText(c, f, args)
	if err != nil {
		return err
	}
	if f.ascii {
		text = generals.ToASCII(text)
	}
	if _, err := s.out.Write(text); err != nil {
		return err
	}
	if !sound {
		return status(exitNotMet)
	}
	return nil
}

// generalsText returns what was asked for. sound is false if a rule was found
// that neither loses nor doubles: the argument would have a hole.
func (s *streams) generalsText(c *cobra.Command, f *generalsFlags, args []string) (text []byte, sound bool, err error) {
	wantsRule := c.Flags().Changed("rule")
	switch {
	case f.json && (f.list || wantsRule || len(args) > 0):
		return nil, false, errors.New("generals: --json is the count of all rules; a protocol, the list and the proof about one rule are told as text alone")
	case f.json:
		return generalsJSON()
	case f.list:
		return []byte(protocolList(generals.Patterns())), true, nil
	case wantsRule && len(args) > 0:
		return nil, false, errors.New("generals: --rule is about the queue; name no protocol with it")
	case wantsRule:
		return f.ruleText()
	case f.story != "" || c.Flags().Changed("instants") || f.begun:
		return nil, false, errors.New("generals: --story, --instants and --begun are about one rule; give --rule N with them")
	case len(args) > 0:
		text, err = s.chainText(args[0])
		return generals.AppendInstead(append(text, '\n')), true, err
	}
	return s.wholeText()
}

// wholeText is the argument in one piece: a protocol, every rule, one of them
// refuted, and what can be had.
func (s *streams) wholeText() (text []byte, sound bool, err error) {
	if text, err = s.chainText(shownProtocol); err != nil {
		return nil, false, err
	}
	var all []generals.Census
	sound = true
	for _, w := range generals.Worlds() {
		c, err := generals.TakeCensus(w)
		if err != nil {
			return nil, false, err
		}
		sound = sound && c.Shown()
		all = append(all, c)
	}
	text = generals.AppendCensus(append(text, '\n'), all)
	w := generals.World{Instants: 3}
	pair, ok, err := generals.Refute(w, generals.AtLeastOnce(w))
	if err != nil || !ok {
		return text, false, err
	}
	text = pair.AppendText(append(text, '\n'))
	return generals.AppendInstead(append(text, '\n')), sound, nil
}

// ruleText refutes one rule, or tells one side of what refutes it as a story.
func (f *generalsFlags) ruleText() (text []byte, sound bool, err error) {
	w := generals.World{Instants: f.instants, Alive: f.begun}
	pair, ok, err := generals.Refute(w, generals.Rule(f.rule))
	switch {
	case err != nil:
		return nil, false, fmt.Errorf("generals: %w", err)
	case !ok:
		return fmt.Appendf(nil, "rule %d neither loses nor doubles\n", f.rule), false, nil
	case f.story == pairSides[0] || f.story == pairSides[1]:
		return pair.AppendStory(nil, f.story == pairSides[1]), true, nil
	case f.story != "":
		return nil, false, fmt.Errorf("generals: --story: %s", script.Unknown("side", f.story, pairSides))
	}
	return generals.AppendInstead(append(pair.AppendText(nil), '\n')), true, nil
}

// chainText shows why the protocol that arg names fails.
func (s *streams) chainText(arg string) ([]byte, error) {
	p, err := s.openProtocol(arg)
	if err != nil {
		return nil, err
	}
	chain, err := generals.Build(p)
	switch {
	case errors.Is(err, generals.ErrNeverAttacks):
		return p.AppendSafe(nil), nil
	case err != nil:
		return nil, fmt.Errorf("generals: %w", err)
	}
	return chain.AppendText(nil), nil
}

// openProtocol reads a protocol from standard input or a file, or takes one that
// is built in.
func (s *streams) openProtocol(arg string) (*generals.Protocol, error) {
	if arg == "-" {
		text, err := readAll(s.in, "standard input")
		if err != nil {
			return nil, err
		}
		return generals.Parse("<stdin>", text)
	}
	if filepath.Ext(arg) != protocolExt {
		p, err := generals.Builtin(arg)
		if err != nil {
			return nil, fmt.Errorf("generals: %w (or name a file that ends in %s)", err, protocolExt)
		}
		return p, nil
	}
	f, err := os.Open(arg)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", script.Quote(arg), cause(err))
	}
	text, err := readAll(f, arg)
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	return generals.Parse(arg, text)
}
