package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/reports"
	"github.com/ackgap/ackgap/scenarios"
)

// checkFlags are the flags of `ackgap check`.
type checkFlags struct {
	look
	json, keepGoing bool
	runs            uint64
	seed            uint64
	time            time.Duration
	cores           int
	story           string
}

func newCheck(s *streams) *cobra.Command {
	f := checkFlags{}
	c := &cobra.Command{
		Use:   "check [STORY|FILE|FOLDER|PATTERN...]",
		Short: "Run stories as written, and then hundreds of random worlds of each",
		Long: `Check runs each story as it is written, strictly, and then random worlds of it:
the same queue, workers and jobs, and instead of the story's own faults what its
chaos lines (or those of the story "reference") let a seed draw. Every default
property must hold in every world, but those that the story says may break.

Without a name it checks the whole catalogue. The result does not depend on the
number of cores.`,
		Example: `  ackgap check
  ackgap check reference --runs 100000
  ackgap check my.story --time 30s --keep-going`,
		RunE: func(c *cobra.Command, args []string) error { return s.check(c.Context(), &f, args) },
	}
	f.flags(c)
	c.Flags().Uint64Var(&f.runs, "runs", 1000, "random worlds of each story")
	c.Flags().Uint64Var(&f.seed, "seed", 1, "the first seed")
	c.Flags().DurationVar(&f.time, "time", 0, "begin no further worlds after this long (0: no limit)")
	c.Flags().BoolVar(&f.keepGoing, "keep-going", false, "go on with the other stories after an unexpected failure")
	c.Flags().Bool("fail-fast", true, "stop at the first story with an unexpected failure (the default)")
	c.Flags().BoolVar(&f.json, "json", false, "one JSON document instead of the table")
	c.Flags().IntVar(&f.cores, "cores", runtime.GOMAXPROCS(0), "how many worlds are run at once")
	c.Flags().StringVar(&f.story, "write", "", "write the first failing world as a story to this file")
	c.MarkFlagsMutuallyExclusive("fail-fast", "keep-going")
	return c
}

// check checks the stories that args name, and answers by its exit status.
func (s *streams) check(ctx context.Context, f *checkFlags, args []string) error {
	style, err := f.style(s.out)
	if err != nil {
		return err
	}
	if f.cores < 1 || f.runs < 1 {
		return fmt.Errorf("check: --cores and --runs must be 1 or more")
	}
	if len(args) == 0 {
		args = scenarios.Catalogue()
	}
	sources, err := s.open(args)
	if err != nil {
		return err
	}
	stories, err := (&runFlags{}).parse(sources)
	if err != nil {
		return err
	}
	c := &checker{flags: f, streams: s, style: style, progress: newProgress(s.errs, len(stories), f)}
	for i, story := range stories {
		if err = c.story(ctx, sources[i], story); err != nil {
			break
		}
	}
	c.progress.end()
	return c.finish(err)
}

// checker is one run of `ackgap check`.
type checker struct {
	flags    *checkFlags
	streams  *streams
	style    reports.Style
	progress *progress
	done     []reports.Checked
	failing  *failing
}

// failing is the first world that broke something unexpectedly.
type failing struct {
	source   source
	campaign *scenarios.Campaign
	seed     uint64
}

// errStop ends a check after a failure.
var errStop = errors.New("stopped at the first unexpected failure")

func (c *checker) story(ctx context.Context, src source, story *scenarios.Story) error {
	out, err := story.Run(scenarios.Options{Strict: true})
	if err != nil {
		return err
	}
	campaign, err := scenarios.NewCampaign(story)
	if err != nil {
		return err
	}
	row := reports.Checked{Story: story.Name, Own: out.Met, MayBreak: story.MayBreak}
	if campaign != nil {
		row.Worlds, err = c.worlds(ctx, campaign)
		row.Vacuous = row.Worlds.Vacuous(campaign)
	}
	c.done = append(c.done, row)
	c.progress.story(&row)
	if row.Worlds != nil && len(row.Worlds.Failures) > 0 && c.failing == nil {
		c.failing = &failing{src, campaign, row.Worlds.Failures[0].Seed}
	}
	if err == nil && row.Met() == scenarios.No && !c.flags.keepGoing {
		return errStop
	}
	return err
}

// finish writes the table, and the first failing world as its report.
func (c *checker) finish(cause error) error {
	if cause != nil && !errors.Is(cause, errStop) && !errors.Is(cause, context.Canceled) {
		return cause
	}
	if err := c.write(); err != nil {
		return err
	}
	if c.failing != nil && !c.flags.json {
		if err := c.showFailure(); err != nil {
			return err
		}
	}
	if errors.Is(cause, context.Canceled) {
		return cause
	}
	worst := exitMet
	for i := range c.done {
		worst = worse(worst, exitOf(c.done[i].Met()))
	}
	if worst != exitMet {
		return status(worst)
	}
	return nil
}

func (c *checker) write() error {
	var b []byte
	if c.flags.json {
		b = reports.AppendCampaignsJSON(b, c.done)
	} else {
		b = reports.AppendCampaigns(b, c.done, c.style)
	}
	_, err := c.streams.out.Write(b)
	return err
}

// showFailure runs the first failing world again, as a story that stands alone,
// and shows its report, its text and its token.
func (c *checker) showFailure() error {
	f := c.failing
	told, world, err := tell(f.campaign, f.seed)
	if err != nil {
		return err
	}
	out, err := told.Run(scenarios.Options{})
	if err != nil {
		return err
	}
	again := fmt.Sprintf("ackgap run %s --seed %d", shellWord(f.source.arg), f.seed)
	b := []byte("\nTHE FIRST FAILURE\n\n")
	b = reports.AppendText(b, reports.Of(out, fmt.Sprintf("World %d of %s.", f.seed, f.source.arg), again), c.style)
	b = append(append(b, "\nAS A STORY\n\n"...), told.Text()...)
	b = append(b, "\nTOKEN  ackgap replay "+scenarios.NewToken(buildID(), world.Outcome.History.Digest, told)+"\n"...)
	if _, err := c.streams.out.Write(b); err != nil {
		return err
	}
	if c.flags.story == "" {
		return nil
	}
	if err := os.WriteFile(c.flags.story, told.Text(), 0o644); err != nil {
		return fmt.Errorf("%s: %w", c.flags.story, cause(err))
	}
	return nil
}

// tell runs one random world and tells it as a story.
func tell(campaign *scenarios.Campaign, seed uint64) (*scenarios.Story, *scenarios.World, error) {
	world, err := scenarios.NewRunner().World(campaign, seed, true)
	if err != nil {
		return nil, nil, err
	}
	return campaign.Tell(world), world, nil
}

// chunk is how many worlds a core takes at a time. A check that stops does so
// between chunks, so that what it counts does not depend on the cores.
const chunk = 250

// worlds runs the random worlds of one story on all cores. The tally counts the
// same chunks whatever their number: all up to the first that failed, or all
// that were begun when the time was up.
func (c *checker) worlds(ctx context.Context, campaign *scenarios.Campaign) (*scenarios.Tally, error) {
	last := c.flags.seed + c.flags.runs
	jobs := make(chan uint64)
	results := make(chan part, c.flags.cores)
	for range c.flags.cores {
		go func() {
			runner := scenarios.NewRunner()
			for from := range jobs {
				t, err := campaign.Count(runner, from, min(from+chunk, last), nil)
				results <- part{from, t, err}
			}
		}()
	}
	total, err := c.gather(ctx, campaign, jobs, results, last)
	close(jobs)
	return total, err
}

type part struct {
	from  uint64
	tally *scenarios.Tally
	err   error
}

// gather hands out chunks and adds up what comes back, in the order of seeds.
func (c *checker) gather(ctx context.Context, campaign *scenarios.Campaign, jobs chan<- uint64, results <-chan part, last uint64) (*scenarios.Tally, error) {
	total := campaign.NewTally()
	waiting := map[uint64]part{}
	begun, counted, open := c.flags.seed, c.flags.seed, 0
	for counted < last {
		next := jobs
		if begun >= last || open >= c.flags.cores || c.timeIsUp() || ctx.Err() != nil {
			next = nil
		}
		if next == nil && open == 0 {
			break
		}
		select {
		case next <- begun:
			begun, open = begun+chunk, open+1
		case p := <-results:
			open--
			waiting[p.from] = p
		}
		for {
			p, ok := waiting[counted]
			if !ok {
				break
			}
			delete(waiting, counted)
			if p.err != nil {
				return total, p.err
			}
			total.Add(p.tally)
			counted += chunk
			c.progress.worlds(p.tally)
			if total.Unexpected > 0 && !c.flags.keepGoing {
				drain(results, open)
				return total, nil
			}
		}
	}
	return total, ctx.Err()
}

func drain(results <-chan part, open int) {
	for range open {
		<-results
	}
}

func (c *checker) timeIsUp() bool {
	return c.flags.time > 0 && time.Since(c.progress.began) > c.flags.time
}

// seedWorld shows the random world of one seed: `ackgap run --seed`.
func (s *streams) seedWorld(f *runFlags, style reports.Style, src source, story *scenarios.Story) (int, error) {
	campaign, err := scenarios.NewCampaign(story)
	if err != nil {
		return exitUsage, err
	}
	if campaign == nil {
		return exitUsage, fmt.Errorf("%s says `chaos off`: it has no random worlds", src.file)
	}
	told, world, err := tell(campaign, f.seed)
	if err != nil {
		return exitUsage, err
	}
	out, err := told.Run(scenarios.Options{})
	if err != nil {
		return exitUsage, err
	}
	if out.History.Digest != world.Outcome.History.Digest {
		return exitDiverged, diverged(world.Outcome.History.Digest, out.History.Digest)
	}
	out.Met, out.Unnamed, out.Open = world.Outcome.Met, world.Unexpected, world.Open
	if f.asStory {
		_, err = s.out.Write(told.Text())
		return exitOf(out.Met), err
	}
	return exitOf(out.Met), s.show(f, style, src, out, false, 0)
}

func diverged(want, got model.Digest) error {
	return fmt.Errorf("the same story left another history: digest %s at first and %s then; this is a defect of ackgap (or of the queue behind it)", want, got)
}
