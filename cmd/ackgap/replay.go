package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/reports"
	"github.com/ackgap/ackgap/scenarios"
)

func newReplay(s *streams) *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "replay TOKEN|FILE",
		Short: "Run exactly what a token holds, twice, and compare its digest",
		Long: `Replay runs the story, seed and plan that a token holds (FILE holds a token, or
is a story). It runs twice before it shows anything; where the two histories
differ, it names the first differing record of both. Where the history is
another than the token's, made by this very build, that is non-determinism too.
A token of another build is judged by what comes of it: the faults whose points
no longer occur are listed.

Exit status: 0 every default property holds, 1 one is broken, 3 inconclusive,
4 the digests differ.`,
		Example: `  ackgap replay "$TOKEN"                 as check, shrink and explain print it
  ackgap replay failing.token --out html=failing.html
  ackgap replay lost-ack`,
		Args: named(1, 1, "one token, or a file that holds one"),
		RunE: func(c *cobra.Command, args []string) error { return s.replay(c.Context(), &f, args[0]) },
	}
	f.flags(c)
	f.out.flags(c)
	c.Flags().BoolVar(&f.json, "json", false, "one JSON document instead of the report")
	c.Flags().BoolVar(&f.history, "history", false, "the history, one record a line, instead of the report")
	c.Flags().BoolVar(&f.asStory, "story", false, "print the token's story and run nothing")
	c.Flags().BoolVar(&f.strict, "strict", false, "a broken default property that no expect line names is a failure too")
	return c
}

func (s *streams) replay(ctx context.Context, f *runFlags, arg string) error {
	style, err := f.style(s.out)
	if err != nil {
		return err
	}
	if err := f.oneOutput("replay"); err != nil {
		return err
	}
	if err := f.out.open("replay", false); err != nil {
		return err
	}
	token, src, err := s.tokenOf(ctx, "replay", arg)
	if err != nil {
		return err
	}
	if f.asStory {
		_, err := s.out.Write(token.Story.Text())
		return err
	}
	first, err := token.Story.Run(scenarios.Options{Strict: f.strict})
	if err != nil {
		return err
	}
	second, err := token.Story.Run(scenarios.Options{Strict: f.strict})
	if err != nil {
		return err
	}
	if err := scenarios.Same(first.History, second.History); err != nil {
		return err
	}
	code := s.compare(token, second)
	f.replays = true
	if err := s.show(f, style, src, second, false, 0); err != nil {
		return err
	}
	if err := f.out.end(s); err != nil {
		return err
	}
	if code != exitMet {
		return status(code)
	}
	return nil
}

// compare holds the digest of out against the token's and returns the exit
// status. Another history of the same build is non-determinism. Another build may
// well leave another: then the verdicts alone count, and not that a fault finds
// its point no more.
func (s *streams) compare(token *scenarios.Token, out *scenarios.Outcome) int {
	got := out.History.Digest.String()
	switch {
	case token.Digest == "" || token.Digest == got:
	case sameBuild(token.Build, buildID()):
		fmt.Fprintf(s.errs, "ackgap: the token says digest %s, and this run of the same build left %s: not deterministic, or the token was forged\n"+
			"  (a token holds no history: to see the first differing record, compare what `ackgap replay TOKEN --history` prints here and there)\n", token.Digest, got)
		return exitDiverged
	default:
		whose := "the token is of another build"
		if token.Build == unknownBuild { // a report does not say which
			whose = "the report is of another build, or it was changed"
		}
		fmt.Fprintf(s.errs, "ackgap: %s: its digest was %s, this run's is %s\n", whose, token.Digest, got)
		for _, e := range out.Unfired {
			fmt.Fprintf(s.errs, "ackgap: no longer occurs: %s\n", model.Safe(out.Story.FaultText(e)))
		}
		out.Met = verdictsAlone(out)
	}
	return exitOf(out.Met)
}

// verdictsAlone is what out comes to, whether its faults fired or not.
func verdictsAlone(out *scenarios.Outcome) scenarios.Met {
	worst := scenarios.Yes
	if len(out.Open) > 0 {
		worst = scenarios.Inconclusive
	}
	for _, r := range out.Results {
		if worst == scenarios.Yes || r.Met == scenarios.No {
			worst = r.Met
		}
	}
	if len(out.Unnamed) > 0 || out.HistoryDiffers != "" {
		worst = scenarios.No
	}
	return worst
}

// token reads a token from the command line or from a file, or makes one of a
// story's file, without a digest to hold it against.
func (s *streams) token(ctx context.Context, verb, arg string) (*scenarios.Token, error) {
	token, _, err := s.tokenOf(ctx, verb, arg)
	return token, err
}

// tokenOf is token, and where it comes from. A token has no text that a report could
// quote.
func (s *streams) tokenOf(ctx context.Context, verb, arg string) (*scenarios.Token, source, error) {
	src := source{arg: arg, file: arg}
	if scenarios.IsToken(arg) {
		if _, err := os.Stat(arg); err != nil {
			token, err := scenarios.ParseToken(arg)
			return token, src, err
		}
	}
	sources, err := s.open(ctx, []string{arg})
	if err != nil {
		return nil, src, fmt.Errorf("%s: not a token, and %w", verb, err)
	}
	text := strings.TrimSpace(string(sources[0].text))
	if scenarios.IsToken(text) {
		token, err := scenarios.ParseToken(text)
		return token, src, err
	}
	if formatOf([]byte(text)) == reports.Format {
		return runOf(sources[0])
	}
	story, err := parseStory(sources[0])
	if err != nil {
		return nil, src, err
	}
	return &scenarios.Token{Story: story}, sources[0], nil
}

// unknownBuild is the build of a program that cannot read its own file. No other
// is known to be the same.
const unknownBuild = "-"

func sameBuild(a, b string) bool { return a == b && a != unknownBuild }

// buildID tells this program from others: the hash of its file.
var buildID = sync.OnceValue(func() string {
	name, err := os.Executable()
	if err != nil {
		return unknownBuild
	}
	f, err := os.Open(name)
	if err != nil {
		return unknownBuild
	}
	defer func() { _ = f.Close() }() // it was only read
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return unknownBuild
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
})
