package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/ackgap/ackgap/reports"
	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/storm"
)

// stormWorld is the world of the grid unless a story is named. Its producer sends again
// for longer than a fault lasts, and its pump looks often.
const stormWorld = `story    storm
queue    echomq reap-every=100ms
producer p retries=100
workers  4 consumer=atomic work=exp:100ms
`

// stormFlags are the flags of `ackgap storm`.
type stormFlags struct {
	look
	loads            []int
	leases, lengths  []time.Duration
	fault            string
	horizon          time.Duration
	prefetch, cores  int
	json, failsStuck bool
	out              chartFlag
	tells            io.Writer // how far it is
	set              []string
}

func newStorm(s *streams) *cobra.Command {
	var f stormFlags
	c := &cobra.Command{
		Use:   "storm [STORY|FILE]",
		Short: "Find where a backlog outlives the fault that made it",
		Long: `Storm runs a story's queue and workers under jobs that come at random, with a
fault of some length and without it, for each load, lease and length, and tells
whether the backlog drains or keeps itself up when its cause is gone: a
metastable failure. The grid draws the boundary.

Of the story are taken the queue, the processes, the network and the seed, and
how its first job is made; its times, faults and expectations are not. The load
is in percent of what the workers can do if they do nothing twice and wait for
nothing.

With --prefetch the workers share a client that takes so many jobs at once,
whose leases run while they wait in its buffer.

Exit status: 0, or 3 if a run came to its limit of steps; with --strict 1 if a
backlog is stuck.`,
		Example: `  ackgap storm
  ackgap storm --set queue.variant=hardened --prefetch 32
  ackgap storm my.story --fault outage --load 50,80 --fault-length 5s,1m
  ackgap storm --out chart=storm.svg
  ackgap storm --json | jq '.cells[] | select(.outcome == "stuck")'`,
		Args: named(0, 1, "one story or file, or none"),
		RunE: func(c *cobra.Command, args []string) error { return s.storm(c.Context(), &f, args) },
	}
	f.flags(c)
	return c
}

func (f *stormFlags) flags(c *cobra.Command) {
	c.Flags().IntSliceVar(&f.loads, "load", []int{25, 50, 75, 90, 110}, "the loads, each in `PERCENT` of the workers' capacity, with commas between them")
	c.Flags().DurationSliceVar(&f.leases, "lease", []time.Duration{100 * time.Millisecond, 500 * time.Millisecond, time.Second, 5 * time.Second}, "the leases, each a `DURATION`")
	c.Flags().DurationSliceVar(&f.lengths, "fault-length", []time.Duration{time.Second, 5 * time.Second, 20 * time.Second}, "how long the fault lasts, each a `DURATION`")
	c.Flags().StringVar(&f.fault, "fault", storm.Workers.String(), "`WHO` is cut off: workers or producer; or outage: the queue's server is down")
	c.Flags().DurationVar(&f.horizon, "horizon", 4*time.Minute, "a run lasts this `DURATION`; the fault begins at its quarter")
	c.Flags().IntVar(&f.prefetch, "prefetch", 1, "the workers' client takes `N` jobs at once")
	c.Flags().StringArrayVar(&f.set, "set", nil, "change an `OPTION` of the story, as queue.variant=hardened (repeatable)")
	c.Flags().BoolVar(&f.failsStuck, "strict", false, "fail where a backlog is stuck")
	c.Flags().BoolVar(&f.json, "json", false, "one JSON document")
	coresVar(c, &f.cores, runtime.GOMAXPROCS(0), "run `N` worlds at once")
	f.out.flag(c, "each backlog and its drain, under the longest fault")
	f.look.flags(c)
	c.Flags().Lookup("full").Hidden = true
}

// storm draws the grid.
func (s *streams) storm(ctx context.Context, f *stormFlags, args []string) error {
	style, err := f.style(s.out)
	if err != nil {
		return err
	}
	if err := f.out.open("storm"); err != nil {
		return err
	}
	story, err := s.stormStory(ctx, f, args)
	if err != nil {
		return err
	}
	fault, err := storm.ParseFault(f.fault)
	if err != nil {
		return fmt.Errorf("--fault: %w", err)
	}
	worlds, err := storm.New(story, fault, f.horizon, f.prefetch)
	if err != nil {
		return fmt.Errorf("storm: %w", err)
	}
	defer worlds.Close()
	if err := f.order(worlds); err != nil {
		return fmt.Errorf("storm: %w", err)
	}
	f.tells = s.errs
	tides, err := f.tides(ctx, worlds)
	if err != nil {
		return err
	}
	if err := f.out.write(s, func() (reports.Drawing, error) { return f.drains(worlds, story.Name) }); err != nil {
		return err
	}
	return s.tellStorm(f, f.grid(story, worlds, tides), style)
}

func (s *streams) stormStory(ctx context.Context, f *stormFlags, args []string) (story *scenarios.Story, err error) {
	if len(args) == 1 {
		_, stories, err := s.stories(ctx, args)
		if err != nil {
			return nil, err
		}
		if len(stories) != 1 {
			return nil, errors.New("storm: name one story")
		}
		story = stories[0]
	} else if story, err = scenarios.Parse("storm", []byte(stormWorld)); err != nil {
		return nil, err
	}
	return changed(story, f.set)
}

// order puts the three axes in order, each value once, and checks every point.
func (f *stormFlags) order(w *storm.Worlds) error {
	slices.Sort(f.loads)
	slices.Sort(f.leases)
	slices.Sort(f.lengths)
	f.loads, f.leases, f.lengths = slices.Compact(f.loads), slices.Compact(f.leases), slices.Compact(f.lengths)
	for _, axis := range []struct {
		flag string
		n    int
	}{{"load", len(f.loads)}, {"lease", len(f.leases)}, {"fault-length", len(f.lengths)}} {
		if axis.n == 0 || axis.n > storm.MaxList {
			return fmt.Errorf("--%s takes 1 to %d values", axis.flag, storm.MaxList)
		}
	}
	if f.lengths[0] == 0 {
		return errors.New("--fault-length 0s is no fault; each world is run without one anyway")
	}
	for _, p := range f.points() {
		if err := w.Check(p); err != nil {
			return err
		}
	}
	return nil
}

// points lists the worlds: those without a fault, then by length, lease and load.
func (f *stormFlags) points() (list []storm.Point) {
	for _, length := range append([]time.Duration{0}, f.lengths...) {
		for _, lease := range f.leases {
			for _, load := range f.loads {
				list = append(list, storm.Point{Load: load, Lease: lease, Length: length})
			}
		}
	}
	return list
}

// tides runs every point, on several cores, each with a runner of its own. What comes of
// a point does not depend on them.
func (f *stormFlags) tides(ctx context.Context, w *storm.Worlds) ([]storm.Tide, error) {
	points := f.points()
	tides, errs := make([]storm.Tide, len(points)), make([]error, len(points))
	next := make(chan int)
	var cores sync.WaitGroup
	for range f.cores {
		cores.Go(func() {
			r := scenarios.NewRunner()
			defer func() { _ = r.Close() }() // what was measured stands
			for i := range next {
				tides[i], errs[i] = w.Run(r, points[i])
			}
		})
	}
	progress := newMeter(f.tells)
	for i := 0; i < len(points) && ctx.Err() == nil; i++ {
		next <- i
		if progress.isDue(time.Now()) {
			progress.tell(float64(i), float64(len(points)), fmt.Sprintf("%d/%d worlds", i, len(points)))
		}
	}
	progress.end()
	close(next)
	cores.Wait()
	return tides, errors.Join(append(errs, ctx.Err())...)
}

// grid judges each run with a fault against the one without.
func (f *stormFlags) grid(story *scenarios.Story, w *storm.Worlds, tides []storm.Tide) *reports.Storm {
	t := &reports.Storm{
		World: story.Name, Workers: len(story.Workers), Fault: w.Fault.String(), Horizon: w.Horizon, Prefetch: w.Prefetch,
		Loads: f.loads, Leases: f.leases, Lengths: f.lengths,
	}
	plane := len(f.loads) * len(f.leases)
	for i, with := range tides[plane:] {
		without := tides[i%plane]
		outcome, left := w.Judge(without, with)
		t.Cells = append(t.Cells, reports.StormCell{
			Outcome: outcome.String(), Left: left.Round(time.Second), Before: with.Before, Peak: with.Peak,
			End: with.End, CalmEnd: without.End, Deliveries: with.Deliveries, Completed: with.Completed,
			Dead: max(0, with.Dead-without.Dead),
		})
	}
	return t
}

// tellStorm writes the grid and sets the exit status.
func (s *streams) tellStorm(f *stormFlags, t *reports.Storm, style reports.Style) error {
	text := reports.AppendStorm(nil, t, style)
	if f.json {
		text = reports.AppendStormJSON(nil, t)
	}
	if _, err := s.out.Write(text); err != nil {
		return err
	}
	has := func(o storm.Outcome) bool {
		return slices.ContainsFunc(t.Cells, func(c reports.StormCell) bool { return c.Outcome == o.String() })
	}
	switch {
	case f.failsStuck && has(storm.Stuck):
		return status(exitNotMet)
	case has(storm.Unknown):
		return status(exitInconclusive)
	}
	return nil
}
