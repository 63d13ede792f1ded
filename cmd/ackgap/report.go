package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/ackgap/ackgap/scenarios"
)

func newReport(s *streams) *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "report STORY|TOKEN|FILE",
		Short: "Write what came of a story as a page, or in any other form",
		Long: `Report runs a story, or what a token or the JSON of a run (FILE.json) holds, and
writes it in the forms that --out names; without one, as a page (HTML) to
standard output. The page needs no network and no JavaScript. The exit status
says whether it was written, not whether the story was met.`,
		Example: `  ackgap report lost-ack > lost-ack.html
  ackgap report failing.story --out html=failing.html --out trace=failing.json
  ackgap report failing.token --out svg=-`,
		Args: named(1, 1, "one story, file or token"),
		RunE: func(c *cobra.Command, args []string) error { return s.report(c.Context(), &f, args[0]) },
	}
	f.flags(c)
	f.out.flags(c)
	c.Flags().BoolVar(&f.json, "json", false, "the same as --out json=-")
	return c
}

// report runs what arg names and writes it.
func (s *streams) report(ctx context.Context, f *runFlags, arg string) error {
	style, err := f.style(s.out)
	if err != nil {
		return err
	}
	if f.json {
		f.out.asked = append(f.out.asked, "json=-")
	}
	if len(f.out.asked) == 0 {
		f.out.asked = []string{"html=-"}
	}
	if err := f.out.open("report", false); err != nil {
		return err
	}
	token, src, err := s.tokenOf(ctx, "report", arg)
	if err != nil {
		return err
	}
	out, err := token.Story.Run(scenarios.Options{})
	if err != nil {
		return err
	}
	f.replays = token.Build != ""
	s.sayOther(src, token, out)
	if err := f.out.run(s, f.reported(src, out), src, style); err != nil {
		return err
	}
	return f.out.end(s)
}
