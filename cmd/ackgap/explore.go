package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/exhaust"
	"github.com/ackgap/ackgap/sim/explore"
)

// maxMemory is the most MiB that --memory can name, so that their bytes can be
// counted: 4 TiB.
const maxMemory = 4 << 20

// exploreFlags are the flags of `ackgap explore`.
type exploreFlags struct {
	jobs, workers, claims    int
	kinds, acts, write       string
	save, resume             string
	properties               []string
	all, json, drains        bool
	symmetry, partial, sleep bool
	compact                  bool
	faults, cores, memory    int
	states                   int
	depthFirst               bool
	saveEvery                time.Duration
}

func newExplore(s *streams) *cobra.Command {
	var f exploreFlags
	c := &cobra.Command{
		Use:   "explore STORY|FILE",
		Short: "Visit every schedule of a story's world, with up to so many faults",
		Long: `Explore visits every state that the world of a story can reach: its queue, jobs,
workers and consumers, with time as an adversary and at most so many faults. It
ends with a certificate (no violation: all so many states) or with the shortest
way to a violation, as a story that the simulator has replayed. What the story
itself says will go wrong, and what it expects, is not read.

Kinds of faults: drop, drop-reply, delay, duplicate, crash, pause, error, and on
demand clock (the server's clock jumps forward) and lose-writes. Acts, on
demand, are what somebody beside the workers may say: enqueue, claim, complete,
retry, delay, extend, remove, reprocess, pause, resume, drain, reap, sweep,
promote, or all; each costs a fault. They are said with the queue line's own
max-attempts, max-stalled and retry-delay, and with the token of a delivery that
there was: no max=, delay= or token= that a do line of a story can have.

A certificate adds what its faults were not, where that matters: the clock
jumping forward only, no answer late but in time (and so without drop-reply no
answer late at all), a crashed queue back at once, no act enqueue before the
job's producer.

Drains speaks of what follows once faults stop: paused workers wake then,
crashed ones come back, and an operator who paused the queue resumes it. A job
claimed as often as --claims allows is at the edge: what would follow is not
judged.

Exit status: 0 no violation, 1 a violation, 3 not every state was visited,
drains was not judged in all of them, or what is not explored could break more
(it says so): messages that jitter lets overtake others of the same sender, and
without pause grants that are late until a lease lapses.`,
		Example: `  ackgap explore reference --jobs 2 --workers 2 --faults 2
  ackgap explore lost-ack --property no-duplicate-effect
  ackgap explore reference --jobs 1 --workers 2 --acts remove,extend --all
  ackgap explore reference --faults 3 --memory 500 --save search
  ackgap explore reference --faults 3 --memory 1000 --resume search`,
		Args: named(1, 1, "one story or file"),
		RunE: func(c *cobra.Command, args []string) error { return s.explore(c.Context(), &f, args[0]) },
	}
	f.flags(c)
	return c
}

func (f *exploreFlags) flags(c *cobra.Command) {
	c.Flags().IntVar(&f.faults, "faults", 2, "at most `N` faults")
	c.Flags().IntVar(&f.jobs, "jobs", -1, "`N` jobs: the first, or more like the last one (-1: as the story has)")
	c.Flags().IntVar(&f.workers, "workers", -1, "`N` workers, likewise")
	c.Flags().IntVar(&f.claims, "claims", 3, "at most `N` claims of a job")
	c.Flags().StringVar(&f.kinds, "kinds", exhaust.DefaultKinds.String(), "the `KINDS` of faults, with commas between them")
	c.Flags().Lookup("kinds").DefValue = "all but the last two"
	c.Flags().StringVar(&f.acts, "acts", "", "`VERBS` that somebody beside the workers may say, with commas between them")
	c.Flags().StringSliceVar(&f.properties, "property", nil, "look for a violation of this `PROPERTY` (default: any), or for what a saw-... claims to see")
	c.Flags().BoolVar(&f.all, "all", false, "find every violation, by property, verb and state of the job")
	c.Flags().StringVar(&f.write, "write", "", "write each story that was found into this `FOLDER`")
	c.Flags().BoolVar(&f.json, "json", false, "one JSON document")
	c.Flags().BoolVar(&f.drains, "drains", false, "judge drains too: from every state, once faults stop, an end is reachable, and no fair run avoids it (--property drains: judge it alone)")
	c.Flags().BoolVar(&f.symmetry, "symmetry", false, "count states as one that differ in which of several alike workers or finished jobs is which")
	c.Flags().BoolVar(&f.partial, "partial-order", false, "let a worker go first whom nothing else can meet")
	c.Flags().BoolVar(&f.sleep, "sleep-sets", false, "leave out steps whose other order is taken")
	c.Flags().BoolVar(&f.compact, "compact", false, "keep 64 bits of a state instead of the state")
	c.Flags().BoolVar(&f.depthFirst, "depth-first", false, "go deep first, on one core: trails are not the shortest")
	coresVar(c, &f.cores, runtime.NumCPU(), "expand states on `N` cores")
	c.Flags().IntVar(&f.memory, "memory", 2048, "stop beyond this many `MiB` of states")
	c.Flags().IntVar(&f.states, "max-states", 0, "stop beyond `N` states; 0: no limit")
	c.Flags().StringVar(&f.save, "save", "", "save the search in this `FILE`: now and then, and when it stops before its end")
	c.Flags().DurationVar(&f.saveEvery, "save-every", time.Minute, "save at most once in this `DURATION` while it goes on")
	c.Flags().StringVar(&f.resume, "resume", "", "go on with the search that was saved in this `FILE` (the file of --save need not be there yet)")
}

// explore explores the world of the story that arg names.
func (s *streams) explore(ctx context.Context, f *exploreFlags, arg string) error {
	story, err := s.exploredStory(ctx, f, arg)
	if err != nil {
		return err
	}
	scope, err := f.scope()
	if err != nil {
		return err
	}
	world, err := exhaust.New(story, scope)
	if err != nil {
		return err
	}
	progress := newExploring(ctx, s.errs)
	o := explore.Options{
		Faults: f.faults, Compact: f.compact, DepthFirst: f.depthFirst, Cores: f.cores, Drains: f.drains, Sleep: f.sleep,
		MaxBytes: int64(f.memory) << 20, MaxStates: f.states, Progress: progress.tell,
		Identity: buildVersion() + " " + buildID() + "\n", Checkpoint: f.keeper(s.errs),
	}
	forget, err := f.resumed(&o)
	if err != nil {
		return err
	}
	defer forget()
	var r *exhaust.Report
	if f.all {
		r, err = world.ExploreAll(o)
	} else {
		r, err = world.Explore(o, f.properties...)
	}
	progress.end()
	if err != nil {
		return fmt.Errorf("explore: %w", err)
	}
	if err := f.saved(s.errs, r.Result); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return s.tellExplored(f, story, r)
}

func (s *streams) exploredStory(ctx context.Context, f *exploreFlags, arg string) (*scenarios.Story, error) {
	_, stories, err := s.stories(ctx, []string{arg})
	if err != nil {
		return nil, err
	}
	if len(stories) != 1 {
		return nil, errors.New("explore: name one story or file")
	}
	return f.resize(stories[0])
}

// resize gives the story as many jobs and workers as are asked for.
func (f *exploreFlags) resize(story *scenarios.Story) (*scenarios.Story, error) {
	if f.jobs < -1 || f.workers < -1 {
		return nil, errors.New("--jobs and --workers must be 0 or more, or -1 for as many as the story has")
	}
	return exhaust.Resize(story, f.jobs, f.workers)
}

func (f *exploreFlags) scope() (exhaust.Scope, error) {
	scope := exhaust.Scope{Claims: f.claims, Symmetry: f.symmetry, PartialOrder: f.partial}
	if f.memory < 1 || f.memory > maxMemory || f.states < 0 {
		return scope, fmt.Errorf("--memory must be from 1 to %d, and --max-states not negative", maxMemory)
	}
	if f.all && (f.save != "" || f.resume != "") {
		return scope, errors.New("explore: --all is several searches, which cannot be saved; leave --save and --resume out")
	}
	var err error
	if scope.Kinds, err = exhaust.ParseKinds(f.kinds); err != nil {
		return scope, fmt.Errorf("--kinds: %w", err)
	}
	if f.acts != "" {
		if scope.Acts, err = exhaust.ParseActs(f.acts); err != nil {
			return scope, fmt.Errorf("--acts: %w", err)
		}
	}
	f.tidy(&scope)
	if f.all && len(f.properties) > 0 {
		return scope, errors.New("explore: --all looks for violations of every property; leave --property out")
	}
	return scope, nil
}

// tidy makes the flags say each kind and each act once, as the scope has them.
func (f *exploreFlags) tidy(scope *exhaust.Scope) {
	f.kinds = scope.Kinds.String()
	if f.acts == "" || f.acts == "all" {
		return
	}
	var words []string
	for _, op := range scope.Acts {
		words = append(words, op.String())
	}
	f.acts = strings.Join(words, ",")
}

// tellExplored writes the report and the stories, and sets the exit status.
func (s *streams) tellExplored(f *exploreFlags, story *scenarios.Story, r *exhaust.Report) error {
	text := exploredText(f, story, r)
	if f.json {
		text = exploredJSON(f, story, r)
	}
	if _, err := s.out.Write(text); err != nil {
		return err
	}
	if err := writeStories(f.write, r); err != nil {
		return err
	}
	switch {
	case f.isViolated(r):
		return status(exitNotMet)
	case f.isWitness(r):
		return nil
	case r.Result.Ending != explore.Exhausted, r.World.Unexplored(f.faults) != "", r.Result.Drained != nil && r.Result.Drained.IsOpen():
		return status(exitInconclusive)
	}
	return nil
}

// isViolated reports whether anything broke that was looked for. What a reach claim
// looks for breaks nothing.
func (f *exploreFlags) isViolated(r *exhaust.Report) bool {
	return r.Stuck != nil || r.Round != nil || slices.ContainsFunc(r.Sought, func(f exhaust.Finding) bool { return !f.Reach })
}

// isWitness reports whether the search may leave states unvisited: it saw all that it was
// to look for, and there was nothing else.
func (f *exploreFlags) isWitness(r *exhaust.Report) bool {
	return len(r.Sought) > 0 && len(r.Sought) == len(f.named()) && !f.isViolated(r)
}

// named are the properties that are looked for, each once.
func (f *exploreFlags) named() []string {
	return slices.Compact(slices.Sorted(slices.Values(f.properties)))
}

// writeStories writes the story of each finding into a folder, if one is named.
func writeStories(folder string, r *exhaust.Report) error {
	if folder == "" {
		return nil
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("%s: %w", printable(folder), cause(err))
	}
	write := func(name string, c *exhaust.Concrete) error {
		if c == nil {
			return nil
		}
		return writeStory(filepath.Join(folder, name+".story"), c.Story)
	}
	for i, finding := range r.Sought {
		if err := write(fmt.Sprintf("%02d-%s", i+1, finding.Property), finding.Concrete); err != nil {
			return err
		}
	}
	if r.Stuck != nil {
		if err := write("drains-stuck", r.Stuck.Concrete); err != nil {
			return err
		}
	}
	if r.Round != nil {
		return write("drains-round", r.Round.Concrete)
	}
	return nil
}

// exploring is the meter of an exploration, which nobody knows the end of.
type exploring struct {
	meter
	ctx context.Context
}

func newExploring(ctx context.Context, w io.Writer) *exploring {
	return &exploring{newMeter(w), ctx}
}

func (p *exploring) tell(at explore.Progress) bool {
	if now := time.Now(); p.isDue(now) {
		rate := float64(at.States) / now.Sub(p.began).Seconds()
		p.meter.tell(float64(at.States), 0, fmt.Sprintf("faults %d  depth %d  %d states  %d waiting  %d transitions  %d MiB  %.0f states/s",
			at.Faults, at.Depth, at.States, at.Queue, at.Transitions, at.Bytes>>20, rate))
	}
	return p.ctx.Err() == nil
}
