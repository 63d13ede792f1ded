package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/reports"
	"github.com/ackgap/ackgap/scenarios"
)

// openFlags are the flags of `ackgap open`.
type openFlags struct {
	run  runFlags
	with string
}

func newOpen(s *streams) *cobra.Command {
	var f openFlags
	c := &cobra.Command{
		Use:   "open PAGE|STORY|TOKEN|FILE",
		Short: "Look at a report in the browser",
		Long: `Open shows a page or a picture that a report was written to (FILE.html,
FILE.svg), or runs a story, or what a token or the JSON of a run holds, writes
its page into the folder for temporary files (TMPDIR) and shows that; the same
page has the same name there, and nobody deletes it.
Either is a file on this machine: no server is started, and no network is used.
Where the page is stands on standard output, and behind it what the program
says.

The exit status is 0 when the page was handed to the program that shows it.`,
		Example: `  ackgap open lost-ack
  ackgap open failure.html
  ackgap open failing.story --with firefox
  ackgap open lost-ack --with w3m`,
		Args: named(1, 1, "one page, story, token or file"),
		RunE: func(c *cobra.Command, args []string) error { return s.openPage(c.Context(), &f, args[0]) },
	}
	f.run.flags(c)
	f.run.out.flags(c)
	for _, name := range []string{"color", "ascii", "out", "github"} {
		c.Flags().Lookup(name).Hidden = true
	}
	c.Flags().StringVar(&f.with, "with", opener(), "the `PROGRAM` that shows a page, with its arguments if it takes any")
	return c
}

// opener is what shows a file on this system as its user wants it.
func opener() string {
	switch runtime.GOOS {
	case "darwin":
		return "open"
	case "windows":
		return "explorer"
	}
	return "xdg-open"
}

func (s *streams) openPage(ctx context.Context, f *openFlags, arg string) error {
	page, err := s.pageOf(ctx, f, arg)
	if err != nil {
		return err
	}
	if page, err = filepath.Abs(page); err != nil {
		return fmt.Errorf("open: %w", err)
	}
	if _, err := fmt.Fprintln(s.out, page); err != nil {
		return err
	}
	words := strings.Fields(f.with)
	if len(words) == 0 {
		return errors.New("open: --with names no program")
	}
	c := exec.CommandContext(ctx, words[0], append(words[1:], page)...)
	c.Stdin, c.Stdout, c.Stderr = s.in, s.out, s.errs // it may be one that shows pages in a terminal
	if err := c.Run(); err != nil {
		return fmt.Errorf("open: %s: %w; open the page by hand, or name another program by --with", script.Quote(words[0]), cause(err))
	}
	return nil
}

// pageOf is the file of the page: arg itself, or one that is written now.
func (s *streams) pageOf(ctx context.Context, f *openFlags, arg string) (string, error) {
	if ext := strings.ToLower(filepath.Ext(arg)); ext == ".html" || ext == ".htm" || ext == ".svg" {
		info, err := os.Stat(arg)
		switch {
		case err != nil:
			return "", fmt.Errorf("open: %s: %w", script.Quote(arg), cause(err))
		case info.IsDir():
			return "", fmt.Errorf("open: %s is a folder; name a page", script.Quote(arg))
		case info.Size() == 0:
			return "", fmt.Errorf("open: %s is empty; was it written to its end? `ackgap open STORY` makes a page", script.Quote(arg))
		}
		return arg, nil
	}
	token, src, err := s.tokenOf(ctx, "open", arg)
	if err != nil {
		return "", err
	}
	out, err := token.Story.Run(scenarios.Options{})
	if err != nil {
		return "", err
	}
	f.run.replays = token.Build != ""
	s.sayOther(src, token, out)
	r := f.run.reported(src, out)
	text := reports.AppendHTML(nil, r, pageOf(r), reports.Style{Full: f.run.full})
	page := temporaryName(text)
	if err := writeBeside(page, text, 0o644); err != nil {
		return "", fmt.Errorf("open: %s: %w; set TMPDIR to a folder that can be written, or `ackgap report %s --out html=FILE`",
			script.Quote(filepath.Dir(page)), cause(err), shellWord(arg))
	}
	return page, nil
}

// temporaryName is the file of a page: the same for the same page, so that looking again
// leaves nothing new, and another one for each user of a machine.
func temporaryName(page []byte) string {
	sum := sha256.Sum256(page)
	return filepath.Join(os.TempDir(), fmt.Sprintf("ackgap-%d-%x.html", os.Getuid(), sum[:8]))
}
