package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/ackgap/ackgap/reports"
	"github.com/ackgap/ackgap/scenarios"
)

// checkFlags are the flags of `ackgap check`.
type checkFlags struct {
	look
	hunt
	backend                   backend
	out                       outputs
	json, keepGoing, noShrink bool
	runs                      uint64
	seed                      uint64
	time                      time.Duration
	cores                     int
	write, resume             string
}

func newCheck(s *streams) *cobra.Command {
	f := checkFlags{}
	c := &cobra.Command{
		Use:   "check [STORY|FILE|FOLDER|PATTERN...]",
		Short: "Run stories as written, and then random worlds of each",
		Long: `Check runs each story as it is written, strictly, and then random worlds of it:
the same queue, workers and jobs, and instead of the story's own faults what its
chaos lines (or those of the story "reference") let a seed draw. Every default
property must hold in every world, but those that the story says may break.

Without a name it checks the whole catalogue. A story that is named twice is
checked once. The result does not depend on the number of cores.

It ends at the first failure: after the chunk of 250 worlds that this is in, and
without the stories behind it. With --keep-going it runs all worlds of all.
What failed first is shrunk and shown, a story that is not met as it is written
before its worlds: so --out and --write have it, too. With --no-shrink all of
them have it as it was found.

With --steer chaos lines strike three of four worlds besides what a seed draws,
whatever their rates, and what befell a world that reached something new befalls
later ones as well: nearly all is found in fewer worlds. With --priorities a
seed picks one to three points of the run and strikes there: it finds sooner
what one rare fault breaks, and much later some of what takes two.`,
		Example: `  ackgap check
  ackgap check reference --runs 100000
  ackgap check my.story --time 30s --keep-going
  ackgap check my.story --steer --runs 100000
  ackgap check reference --runs 100000000 --resume night.progress
  ackgap check my.story --out junit=ackgap.xml --out html=failure.html`,
		RunE: func(c *cobra.Command, args []string) error { return s.check(c.Context(), &f, args) },
	}
	f.look.flags(c)
	f.hunt.flags(c, "strike besides what seeds draw, by aim and by what was new in earlier worlds")
	f.backend.flags(c)
	f.out.flags(c)
	c.Flags().Uint64Var(&f.runs, "runs", 1000, "`N` random worlds of each story")
	c.Flags().Uint64Var(&f.seed, "seed", 1, "`SEED` of the first random world")
	c.Flags().DurationVar(&f.time, "time", 0, "begin no further worlds after this `DURATION`, such as 90s (0: no limit)")
	c.Flags().BoolVar(&f.keepGoing, "keep-going", false, "after an unexpected failure run the other worlds of its story, and the other stories")
	c.Flags().Bool("fail-fast", true, "end at the first unexpected failure, which it does unless told otherwise: it takes back the keep-going of a --config file")
	c.Flags().BoolVar(&f.json, "json", false, "one JSON document instead of the table")
	coresVar(c, &f.cores, runtime.GOMAXPROCS(0), "run `N` worlds at once")
	c.Flags().BoolVar(&f.noShrink, "no-shrink", false, "leave what failed first as large as it was found")
	c.Flags().StringVar(&f.write, "write", "", "write what failed first as a story to this `FILE`, headed by how to see it as it was found")
	c.Flags().StringVar(&f.resume, "resume", "", "keep the progress in this `FILE`, and go on from it: a check that was killed counts nothing twice")
	c.MarkFlagsMutuallyExclusive("fail-fast", "keep-going")
	return c
}

// check checks the stories that args name, and answers by its exit status.
func (s *streams) check(ctx context.Context, f *checkFlags, args []string) error {
	style, err := f.style(s.out)
	if err != nil {
		return err
	}
	if f.runs < 1 || f.time < 0 {
		return errors.New("check: --runs must be 1 or more, and --time not negative")
	}
	if err := f.refused("check"); err != nil {
		return err
	}
	if err := mayWriteStory(f.write); err != nil {
		return err
	}
	if f.json && f.out.takesStdout() {
		return errors.New("check: --json and --out exclude each other on standard output; give one a file")
	}
	if err := f.out.open("check", false); err != nil {
		return err
	}
	sources, stories, err := s.stories(ctx, args)
	if err != nil {
		return err
	}
	sources, stories = eachOnce(sources, stories)
	if err := f.backend.put(s, stories); err != nil {
		return err
	}
	kept, err := keepCheck(f, sources)
	if err != nil {
		return err
	}
	c := &checker{flags: f, streams: s, style: style, args: sources, kept: kept, progress: newProgress(s.errs, len(stories), f.runs)}
	if err := c.stories(ctx, sources, stories); err != nil {
		return err
	}
	return c.finish(ctx)
}

// eachOnce leaves out every story that came before: one that two arguments name is
// no two.
func eachOnce(sources []source, stories []*scenarios.Story) (once []source, told []*scenarios.Story) {
	seen := map[string]bool{}
	for i, src := range sources {
		where := src.file
		if src.disk {
			where, _ = filepath.Abs(src.file) // a folder that is gone leaves the name, which tells as much
		}
		if !seen[where] {
			seen[where], once, told = true, append(once, src), append(told, stories[i])
		}
	}
	return once, told
}

// checker is one run of `ackgap check`.
type checker struct {
	flags    *checkFlags
	streams  *streams
	style    reports.Style
	progress *progress
	kept     *keptCheck
	done     []reports.Checked
	failing  *failing
	failure  *failure // the same, once it was run again
	args     []source // of the stories, parallel to done as far as that goes

	opened []string // the backends on which a story has run
	lost   error    // one of them was there and is no more: the check ends
}

// stories checks one story after the other, until ctx is done or, unless it is to
// keep going, one is not met. When the time is up no more worlds are begun, but
// each story still runs as it is written.
func (c *checker) stories(ctx context.Context, sources []source, stories []*scenarios.Story) error {
	defer c.progress.end()
	timed := ctx
	if c.flags.time > 0 {
		limited, stop := context.WithTimeout(ctx, c.flags.time)
		defer stop()
		timed = limited
	}
	for i, story := range stories {
		if ctx.Err() != nil {
			return nil
		}
		row, err := c.story(timed, sources[i], story, c.kept.part(i))
		if err != nil && !c.isLoss(err) {
			return err
		}
		c.done = append(c.done, row)
		if c.lost != nil {
			return nil
		}
		c.progress.story(row.Worlds != nil)
		if row.Met() == scenarios.No && !c.flags.keepGoing {
			c.done[i].Left = len(stories) - len(c.done)
			return nil
		}
	}
	return nil
}

// story runs one story as it is written, and its random worlds. Of a story that was
// begun before, part says how far it is.
func (c *checker) story(ctx context.Context, src source, story *scenarios.Story, part *checkedPart) (reports.Checked, error) {
	row := reports.Checked{Story: story.Name, MayBreak: story.MayBreak, Own: scenarios.Inconclusive, Drawn: c.flags.drawn()}
	if err := c.own(&row, story, part); err != nil {
		return row, err
	}
	c.fails(src, story, &row, nil)
	c.opened = append(c.opened, story.Queue.Backend)
	campaign, err := scenarios.NewCampaign(story)
	if err != nil {
		return row, err
	}
	if campaign == nil {
		return row, c.kept.end(true)
	}
	if row.Worlds, err = c.worlds(ctx, campaign, part); err != nil {
		return row, err
	}
	if row.Vacuous, err = c.vacuous(ctx, campaign, row.Worlds); err != nil {
		return row, err
	}
	if row.Worlds.Unexpected > 0 && !c.flags.keepGoing {
		row.Asked = int(c.flags.runs)
	}
	c.fails(src, story, &row, campaign)
	return row, nil
}

// own runs a story as it is written, unless that was done and there is nothing to say
// of it.
func (c *checker) own(row *reports.Checked, story *scenarios.Story, part *checkedPart) error {
	if part != nil && part.Own == scenarios.Yes {
		row.Own = part.Own
		return nil
	}
	runner := scenarios.NewRunner()
	out, err := runner.Run(story, scenarios.Options{Strict: true})
	c.streams.close(runner)
	if err != nil {
		return err
	}
	if row.Judge(out); part == nil {
		c.kept.own(row.Own)
	}
	return nil
}

// worlds adds up the random worlds of one story: all of them, or those up to the
// chunk with the first failure, or those that were begun before ctx was done.
func (c *checker) worlds(ctx context.Context, campaign *scenarios.Campaign, part *checkedPart) (*scenarios.Tally, error) {
	f := c.flags
	total, err := resumed(part, campaign, f.runs)
	if err != nil || part != nil && part.Done {
		return total, err
	}
	before := uint64(total.Runs)
	c.progress.all -= float64(before)
	all := sweep{campaign: campaign, first: f.seed + before, runs: f.runs - before, cores: f.cores, hunt: f.hunt}
	whole, stopped := true, false
	for t, err := range all.tallies(ctx) {
		whole = whole && err == nil && isNext(t, uint64(total.Runs), f.runs)
		total.Add(t)
		if err != nil {
			return total, err
		}
		stopped = t.Unexpected > 0 && !f.keepGoing
		if whole {
			if err := c.kept.worlds(total); err != nil {
				return total, err
			}
		}
		if c.progress.worlds(t); stopped {
			break
		}
	}
	return total, c.kept.end(whole && (stopped || uint64(total.Runs) == f.runs))
}

// isLoss reports whether err is of a queue that cannot be opened where one was
// open before, which ends the check: the server is lost.
func (c *checker) isLoss(err error) bool {
	var u *scenarios.Unopened
	if !errors.As(err, &u) || !slices.Contains(c.opened, u.Backend) {
		return false
	}
	c.lost = err
	return true
}

// finish writes the table and what failed first. A check that was interrupted, or has
// lost its server, shows what was done until then.
func (c *checker) finish(ctx context.Context) error {
	if err := c.writeTable(); err != nil {
		return err
	}
	if c.failing != nil && c.lost == nil {
		if err := c.runFailure(); err != nil && !c.isLoss(err) {
			return errors.Join(err, c.writeJSON())
		}
	}
	if err := errors.Join(c.writeJSON(), c.tell()); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	worst := exitMet
	if c.lost != nil {
		fmt.Fprintf(c.streams.errs, "ackgap: the server is lost, and the check ends: %v\n", c.lost)
		worst = exitInconclusive
	}
	for i := range c.done {
		worst = worse(worst, exitOf(c.done[i].Met()))
	}
	if worst != exitMet {
		return status(worst)
	}
	return nil
}

// shows reports whether standard output is for a person.
func (c *checker) shows() bool { return !c.flags.json && !c.flags.out.takesStdout() }

func (c *checker) writeTable() error {
	if !c.shows() {
		return nil
	}
	_, err := c.streams.out.Write(reports.AppendCampaigns(nil, c.done, c.style))
	return err
}

// writeJSON writes the document, which tells of the first failure, too.
func (c *checker) writeJSON() error {
	if !c.flags.json {
		return nil
	}
	_, err := c.streams.out.Write(reports.AppendCampaignsJSON(nil, c.done, c.failure.document()))
	return err
}
