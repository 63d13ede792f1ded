package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/reports"
	"github.com/ackgap/ackgap/reports/charts"
	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/actors"
	"github.com/ackgap/ackgap/scenarios/exhaust"
	"github.com/ackgap/ackgap/sim/explore"
)

// toleranceWorld is the world of the table unless a story is named. Its two jobs show
// who is served first, one of them fails once, and all that can be sent again is.
const toleranceWorld = `story    tolerance
queue    echomq
producer p retries=1
workers  2 consumer=atomic heartbeat=10s settle-retries=1
job      J1 fails=1 payload=200
job      J2 payload=200
`

// toleranceKinds is all that may go wrong in the table unless it is told: all but
// lost writes.
const toleranceKinds = exhaust.EveryKind &^ exhaust.LoseWrites

// toleranceFlags are the flags of `ackgap tolerance`.
type toleranceFlags struct {
	look
	explore exploreFlags
	only    []string
	out     chartFlag
}

func newTolerance(s *streams) *cobra.Command {
	var f toleranceFlags
	c := &cobra.Command{
		Use:   "tolerance [STORY|FILE]",
		Short: "Find how many faults break each promise, queue by queue",
		Long: `Tolerance explores one world again and again, each time with another queue (as
built, hardened, and each broken variant) or another consumer (with a late and
with an early ACK), and says for each property the fewest faults that break it,
or that none of up to --faults do. Behind every number is a story that the
simulator has replayed: --write puts them into a folder.

Without a story the world has two jobs, of which one fails once, and two workers
with a heartbeat that send everything again. The clock jumps forward only, and
an act enqueue comes behind the job's producer.
Drains is not in the table: it is a promise about the end of a run, see explore
--drains. Nor are the variants prefetch-expires, rescue-overwrites and
two-clock-reads: what can happen with them is a matter of spans, which no state
knows.

Exit status: 0, or 3 if some world was too large, or has what is not explored:
messages that jitter lets overtake others of the same sender, and without pause
grants that are late until a lease lapses.`,
		Example: `  ackgap tolerance
  ackgap tolerance --only as-built,hardened --faults 3
  ackgap tolerance reference --acts enqueue,remove --write found`,
		Args: named(0, 1, "one story or file, or none"),
		RunE: func(c *cobra.Command, args []string) error { return s.tolerance(c.Context(), &f, args) },
	}
	f.flags(c)
	return c
}

func (f *toleranceFlags) flags(c *cobra.Command) {
	e := &f.explore
	c.Flags().StringSliceVar(&f.only, "only", nil, "only rows with one of these `WORDS`, with commas between them, or as-built")
	c.Flags().IntVar(&e.faults, "faults", 2, "at most `N` faults")
	c.Flags().IntVar(&e.jobs, "jobs", -1, "`N` jobs: the first, or more like the last one (-1: as the story has)")
	c.Flags().IntVar(&e.workers, "workers", -1, "`N` workers, likewise")
	c.Flags().IntVar(&e.claims, "claims", 4, "at most `N` claims of a job")
	c.Flags().StringVar(&e.kinds, "kinds", toleranceKinds.String(), "the `KINDS` of faults, with commas between them")
	c.Flags().Lookup("kinds").DefValue = "all but lose-writes"
	c.Flags().StringVar(&e.acts, "acts", "", "`VERBS` that somebody beside the workers may say, with commas between them")
	c.Flags().StringVar(&e.write, "write", "", "write the story behind each number into this `FOLDER`")
	c.Flags().BoolVar(&e.json, "json", false, "one JSON document")
	coresVar(c, &e.cores, runtime.NumCPU(), "expand states on `N` cores")
	c.Flags().IntVar(&e.memory, "memory", 2048, "stop a world beyond this many `MiB` of states")
	f.out.flag(c, "the table as a heat map")
	f.look.flags(c)
	c.Flags().Lookup("full").Hidden = true
}

// config is one configuration: what differs from the world as it is.
type config struct {
	name    string
	variant model.Variant
	set     func(*scenarios.Story)
}

// configs lists the queues first, each with the world's own consumers, and then the
// consumers, each with the queue as the story has it. Variants that the search refuses,
// since it knows no spans, have no row.
func configs(s *scenarios.Story) (list []config) {
	body, _ := model.FindBody(s.Queue.Protocol, "go")
	for _, v := range append([]model.Variant{{}}, body.Variants...) {
		other := *s
		other.Queue.Variant = v.Name
		if _, err := exhaust.New(&other, exhaust.Scope{Claims: 1}); errors.Is(err, exhaust.ErrSpans) {
			continue
		}
		name := "as-built"
		if v.Name != "" {
			name = "variant=" + v.Name
		}
		list = append(list, config{name, v, func(s *scenarios.Story) { s.Queue.Variant = v.Name }})
	}
	own, _ := body.Variant(s.Queue.Variant)
	for _, name := range actors.ConsumerNames() {
		consumer, _ := actors.ParseConsumer(name)
		life := time.Duration(0)
		if consumer == actors.TTLMarker {
			life = 5 * time.Minute
		}
		for _, early := range []bool{false, true} {
			words := "consumer=" + name
			if early {
				words += " ack=early"
			}
			list = append(list, config{words, own, func(s *scenarios.Story) { employ(s, consumer, life, early) }})
		}
	}
	return list
}

// employ gives every worker the consumer.
func employ(s *scenarios.Story, c actors.Consumer, life time.Duration, early bool) {
	for i := range s.Workers {
		w := &s.Workers[i]
		w.Consumer, w.MarkerLife, w.Handler, w.EarlyAck = c, life, "", early
	}
}

// keeps reports whether the row is asked for.
func (f *toleranceFlags) keeps(name string) bool {
	return len(f.only) == 0 || slices.ContainsFunc(f.only, func(word string) bool { return strings.Contains(name, word) })
}

func (s *streams) tolerance(ctx context.Context, f *toleranceFlags, args []string) error {
	style, err := f.style(s.out)
	if err != nil {
		return err
	}
	if err := f.out.open("tolerance"); err != nil {
		return err
	}
	story, err := s.toleranceStory(ctx, f, args)
	if err != nil {
		return err
	}
	scope, err := f.explore.scope()
	if err != nil {
		return err
	}
	scope.Symmetry = true
	t := f.table(story)
	for _, c := range configs(story) {
		if !f.keeps(c.name) {
			continue
		}
		row, err := s.toleranceRow(ctx, f, t, story, scope, c)
		if err != nil {
			return fmt.Errorf("tolerance: %s: %w", c.name, err)
		}
		t.Rows = append(t.Rows, row)
	}
	if len(t.Rows) == 0 {
		return fmt.Errorf("--only: no row contains %s; leave it out to see which there are", model.Safe(strings.Join(f.only, " or ")))
	}
	return s.tellTolerance(f, t, style)
}

func (s *streams) toleranceStory(ctx context.Context, f *toleranceFlags, args []string) (*scenarios.Story, error) {
	if len(args) == 1 {
		return s.exploredStory(ctx, &f.explore, args[0])
	}
	story, err := scenarios.Parse("tolerance", []byte(toleranceWorld))
	if err != nil {
		return nil, err
	}
	return f.explore.resize(story)
}

// table is the table without its rows.
func (f *toleranceFlags) table(story *scenarios.Story) *reports.Tolerance {
	t := &reports.Tolerance{
		World: story.Name, Jobs: len(story.Jobs), Workers: len(story.Workers), Claims: f.explore.claims,
		Faults: f.explore.faults, Kinds: f.explore.kinds, Acts: f.explore.acts,
	}
	for _, p := range model.Properties() {
		if p.Claim == model.Always {
			t.Properties = append(t.Properties, p.Name)
		}
	}
	return t
}

// toleranceRow explores one configuration.
func (s *streams) toleranceRow(ctx context.Context, f *toleranceFlags, t *reports.Tolerance, story *scenarios.Story, scope exhaust.Scope, c config) (row reports.ToleranceRow, err error) {
	other := *story
	other.Workers = slices.Clone(story.Workers)
	c.set(&other)
	again, err := exhaust.Resize(&other, -1, -1)
	if err != nil {
		return row, err
	}
	world, err := exhaust.New(again, scope)
	if err != nil {
		return row, err
	}
	progress := newExploring(ctx, s.errs)
	r, err := world.ExploreEach(explore.Options{
		Faults: f.explore.faults, Compact: true, Cores: f.explore.cores, MaxBytes: int64(f.explore.memory) << 20, Progress: progress.tell,
	})
	progress.end()
	if err != nil {
		return row, err
	}
	if ctx.Err() != nil {
		return row, ctx.Err()
	}
	row = reports.ToleranceRow{Config: c.name, States: r.Result.States, Open: r.Result.Ending != explore.Exhausted || world.Unexplored(f.explore.faults) != ""}
	for _, p := range t.Properties {
		row.Cells = append(row.Cells, toleranceCell(r, c, p))
	}
	return row, nil
}

func toleranceCell(r *exhaust.Report, c config, property string) (cell reports.ToleranceCell) {
	if p, ok := model.FindProperty(property); ok && p.Optional {
		cell.Idle = !c.variant.BoundsDeliveries
	}
	for _, found := range r.Sought {
		if found.Property != property {
			continue
		}
		cell.Broken, cell.Faults = true, found.Faults
		if found.Concrete != nil {
			cell.Story, cell.Digest = found.Concrete.Story.Text(), found.Concrete.Outcome.History.Digest.String()
		}
	}
	return cell
}

// tellTolerance writes the table and the stories, and sets the exit status.
func (s *streams) tellTolerance(f *toleranceFlags, t *reports.Tolerance, style reports.Style) error {
	text := reports.AppendTolerance(nil, t, style)
	if f.explore.json {
		text = reports.AppendToleranceJSON(nil, t)
	}
	if _, err := s.out.Write(text); err != nil {
		return err
	}
	if err := writeTolerance(f.explore.write, t); err != nil {
		return err
	}
	if err := f.out.write(s, func() (reports.Drawing, error) { return charts.OfTolerance(t), nil }); err != nil {
		return err
	}
	if slices.ContainsFunc(t.Rows, func(r reports.ToleranceRow) bool { return r.Open }) {
		return status(exitInconclusive)
	}
	return nil
}

// writeTolerance writes the story behind each number into a folder, if one is named:
// variant-no-fence.settled-once.story.
func writeTolerance(folder string, t *reports.Tolerance) error {
	if folder == "" {
		return nil
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("%s: %w", printable(folder), cause(err))
	}
	for i := range t.Rows {
		r := &t.Rows[i]
		for k := range r.Cells {
			if r.Cells[k].Story == nil {
				continue
			}
			name := strings.NewReplacer("=", "-", " ", "-").Replace(r.Config) + "." + t.Properties[k] + ".story"
			if err := os.WriteFile(filepath.Join(folder, name), r.Cells[k].Story, 0o644); err != nil {
				return fmt.Errorf("%s: %w", printable(name), cause(err))
			}
		}
	}
	return nil
}
