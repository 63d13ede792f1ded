package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/ackgap/ackgap/reports"
	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/coverage"
)

// coverageFlags are the flags of `ackgap coverage`.
type coverageFlags struct {
	look
	hunt
	json       bool
	runs, seed uint64
	cores      int
	tells      meter // how far it is
}

func newCoverage(s *streams) *cobra.Command {
	var f coverageFlags
	c := &cobra.Command{
		Use:   "coverage [STORY|FILE|FOLDER|PATTERN...]",
		Short: "Map which fault struck at which phase, and what never did",
		Long: `Coverage runs random worlds of stories and counts them: in how many each kind of
fault struck at each phase of the protocol, among those that held every default
property and among those that broke one. What cannot occur is marked, and --json
says why. What can and never did is a hole, and named.

Without a story it runs those that are made to reach every cell between them.
The map does not depend on the number of cores. With --steer chaos lines strike
besides what seeds draw, whatever their rates, what befell a world that reached
something new befalls later ones as well, and every fourth world aims at a cell
that is still empty.
With --priorities a seed picks one to three points of the run beforehand and
strikes there for certain, whatever the rates of the chaos lines are.

Exit status: 0, or 3 if a cell that can occur is empty.`,
		Example: `  ackgap coverage
  ackgap coverage reference --runs 10000
  ackgap coverage my.story --steer
  ackgap coverage my/*.story --json | jq .empty`,
		RunE: func(c *cobra.Command, args []string) error { return s.coverage(c.Context(), &f, args) },
	}
	f.look.flags(c)
	f.hunt.flags(c, "strike besides what seeds draw, by aim and by what was new in earlier worlds (on one core)")
	c.Flags().Uint64Var(&f.runs, "runs", 1000, "`N` random worlds of each story")
	c.Flags().Uint64Var(&f.seed, "seed", 1, "`SEED` of the first random world")
	c.Flags().BoolVar(&f.json, "json", false, "one JSON document instead of the table")
	coresVar(c, &f.cores, runtime.GOMAXPROCS(0), "run `N` worlds at once")
	c.Flags().Lookup("full").Hidden = true
	return c
}

func (s *streams) coverage(ctx context.Context, f *coverageFlags, args []string) error {
	style, err := f.style(s.out)
	if err != nil {
		return err
	}
	if f.runs < 1 {
		return errors.New("coverage: --runs must be 1 or more")
	}
	if err := f.refused("coverage"); err != nil {
		return err
	}
	stories, err := s.coverageStories(ctx, args)
	if err != nil {
		return err
	}
	f.tells = newMeter(s.errs)
	defer f.tells.end()
	report := &reports.Coverage{}
	for _, story := range stories {
		campaign, err := scenarios.NewCampaign(story)
		if err != nil {
			return err
		}
		row := reports.CoverageStory{Name: story.Name}
		if campaign != nil {
			if row.Map, err = f.campaign(ctx, campaign, report.Total()); err != nil {
				return err
			}
		}
		report.Stories = append(report.Stories, row)
	}
	text := reports.AppendCoverage(nil, report, style)
	if f.json {
		text = reports.AppendCoverageJSON(nil, report)
	}
	if _, err := s.out.Write(text); err != nil {
		return err
	}
	total := report.Total()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case len(total.Empty()) > 0:
		return status(exitInconclusive)
	}
	return nil
}

// coverageStories parses the stories that args name, or those of package coverage.
func (s *streams) coverageStories(ctx context.Context, args []string) ([]*scenarios.Story, error) {
	if len(args) > 0 {
		sources, stories, err := s.stories(ctx, args)
		if err != nil {
			return nil, err
		}
		_, stories = eachOnce(sources, stories)
		return stories, nil
	}
	var sources []source
	names, texts := coverage.Stories()
	for i, name := range names {
		sources = append(sources, source{arg: name, file: "coverage/" + name + ".story", text: texts[i]})
	}
	return (&runFlags{}).parse(sources)
}

// campaign maps the worlds of one story, beside what those before it have reached.
func (f *coverageFlags) campaign(ctx context.Context, c *scenarios.Campaign, before *coverage.Map) (coverage.Map, error) {
	if !f.steer {
		return f.explore(ctx, c)
	}
	runner := scenarios.NewRunner()
	defer func() { _ = runner.Close() }() // what was counted stands
	steered := coverage.Steer(c, runner, f.seed)
	steered.Seek(before)
	for n := uint64(0); n < f.runs && ctx.Err() == nil; n++ {
		if _, err := steered.Next(); err != nil {
			return *steered.Map(), err
		}
	}
	return *steered.Map(), nil
}

// mapped is what some worlds came to.
type mapped struct {
	one    *coverage.Map
	err    error
	defect any // what their core panicked with
}

// explore maps the worlds of one campaign on all cores. No chunk is begun once ctx
// is done or one has failed.
func (f *coverageFlags) explore(ctx context.Context, campaign *scenarios.Campaign) (coverage.Map, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	chunks, done := make(chan uint64), make(chan mapped)
	var cores sync.WaitGroup
	for range f.cores {
		cores.Go(func() { f.work(ctx, campaign, chunks, done) })
	}
	go func() {
		for begun := uint64(0); begun < f.runs && ctx.Err() == nil; begun += chunk {
			chunks <- begun
		}
		close(chunks)
		cores.Wait()
		close(done)
	}()
	var total coverage.Map
	var failed error
	var defect any
	counted := uint64(0)
	for m := range done {
		total.Add(m.one)
		if counted = min(counted+chunk, f.runs); f.tells.isDue(time.Now()) {
			f.tells.tell(float64(counted), float64(f.runs), fmt.Sprintf("%d/%d worlds of this story", counted, f.runs))
		}
		if m.err != nil || m.defect != nil {
			failed, defect = m.err, m.defect
			stop()
		}
	}
	if defect != nil {
		panic(defect)
	}
	return total, failed
}

func (f *coverageFlags) work(ctx context.Context, c *scenarios.Campaign, chunks <-chan uint64, done chan<- mapped) {
	runner := scenarios.NewRunner()
	defer func() { _ = runner.Close() }() // what was counted stands
	for begun := range chunks {
		done <- f.count(ctx, runner, c, begun)
	}
}

// count maps one chunk. What it panics with is the main goroutine's to report.
func (f *coverageFlags) count(ctx context.Context, r *scenarios.Runner, c *scenarios.Campaign, begun uint64) (m mapped) {
	m.one = &coverage.Map{}
	defer func() {
		if p := recover(); p != nil {
			m.defect = fmt.Sprintf("in one of the worlds from seed %d on: %v\n%s", f.seed+begun, p, debug.Stack())
		}
	}()
	draw := r.World
	if f.priorities {
		draw = r.PrioritisedWorld
	}
	one, err := coverage.Explore(draw, c, f.seed+begun, min(chunk, f.runs-begun), func() bool { return ctx.Err() != nil })
	m.one, m.err = one, err
	return m
}
