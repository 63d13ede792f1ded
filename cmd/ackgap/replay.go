package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/ackgap/ackgap/reports"
	"github.com/ackgap/ackgap/scenarios"
)

func newReplay(s *streams) *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "replay TOKEN|FILE",
		Short: "Run exactly what a token holds, twice, and compare its digest",
		Long: `Replay runs the story, seed and plan that a token holds (FILE holds a token, or is
a story). It runs twice before it shows anything. Where the history is another
than the token's, made by this very build, that is non-determinism: exit status
4. A token of another build is judged by what comes of it: the faults whose
points no longer occur are listed.

Exit status: 0 every default property holds, 1 one is broken, 3 inconclusive,
4 the digests differ.`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return s.replay(&f, args[0]) },
	}
	f.flags(c)
	c.Flags().BoolVar(&f.json, "json", false, "one JSON document instead of the report")
	c.Flags().BoolVar(&f.history, "history", false, "the history, one record a line, instead of the report")
	c.Flags().BoolVar(&f.asStory, "story", false, "print the token's story and run nothing")
	return c
}

func (s *streams) replay(f *runFlags, arg string) error {
	style, err := f.style(s.out)
	if err != nil {
		return err
	}
	token, err := s.token(arg)
	if err != nil {
		return err
	}
	if f.asStory {
		_, err := s.out.Write(token.Story.Text())
		return err
	}
	first, err := token.Story.Run(scenarios.Options{})
	if err != nil {
		return err
	}
	second, err := token.Story.Run(scenarios.Options{})
	if err != nil {
		return err
	}
	if a, b := first.History.Digest, second.History.Digest; a != b {
		fmt.Fprintln(s.errs, "ackgap:", diverged(a, b))
		return status(exitDiverged)
	}
	return s.judgeReplay(f, style, arg, token, second)
}

// judgeReplay compares the digest with the token's and shows what came of it.
func (s *streams) judgeReplay(f *runFlags, style reports.Style, arg string, token *scenarios.Token, out *scenarios.Outcome) error {
	code := exitOf(out.Met)
	got := out.History.Digest.String()
	if token.Digest != "" && token.Digest != got {
		if token.Build == buildID() {
			fmt.Fprintf(s.errs, "ackgap: the token says digest %s, and this run of the same build left %s: not deterministic\n", token.Digest, got)
			code = exitDiverged
		} else {
			fmt.Fprintf(s.errs, "ackgap: the token is of another build: its digest was %s, this run's is %s\n", token.Digest, got)
			if out.Met == scenarios.No && len(out.Unnamed) == 0 {
				code = exitMet // faults that no longer occur are no verdict
			}
		}
	}
	src := source{arg: arg, file: arg}
	f.replays = true
	if err := s.show(f, style, src, out, false, 0); err != nil {
		return err
	}
	if code != exitMet {
		return status(code)
	}
	return nil
}

// token reads a token from the command line or from a file, or makes one of a
// story's file, without a digest to hold it against.
func (s *streams) token(arg string) (*scenarios.Token, error) {
	if scenarios.IsToken(arg) {
		if _, err := os.Stat(arg); err != nil {
			return scenarios.ParseToken(arg)
		}
	}
	sources, err := s.open([]string{arg})
	if err != nil {
		return nil, fmt.Errorf("replay: neither a token nor a file: %w", err)
	}
	text := strings.TrimSpace(string(sources[0].text))
	if scenarios.IsToken(text) {
		return scenarios.ParseToken(text)
	}
	story, err := scenarios.Parse(sources[0].file, sources[0].text)
	if err != nil {
		return nil, err
	}
	return &scenarios.Token{Story: story}, nil
}

// buildID tells this program from others: the hash of its file. It is empty
// where the file cannot be read (as in a browser), and then no build is like it.
var buildID = sync.OnceValue(func() string {
	name, err := os.Executable()
	if err != nil {
		return "-"
	}
	f, err := os.Open(name)
	if err != nil {
		return "-"
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "-"
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
})
