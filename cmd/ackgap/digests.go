package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/ackgap/ackgap/scenarios"
)

// maxDigestSeeds bounds the random worlds of a story that are held against
// themselves: their digests are kept until the way back.
const maxDigestSeeds = 10_000_000

// digestsFlags are the flags of `ackgap digests`. The command is listed with the
// others: whether two machines agree is a question that users have, and what it
// prints is the file that the repository pins.
type digestsFlags struct {
	seeds int
	each  bool
	json  bool
}

func newDigests(s *streams) *cobra.Command {
	var f digestsFlags
	c := &cobra.Command{
		Use:   "digests [STORY|FILE|FOLDER|PATTERN...]",
		Short: "Print 16 digits for every run, to compare machines and builds",
		Long: `Digests runs each story as it is written and its random worlds from seed 1 on,
everything twice in this process, and prints a line a story: the digest of the
plain run, that of all random worlds in the order of their seeds (- where the
story has none), and its name. Two programs that print the same left the same
histories, record by record. Without a name it runs the whole catalogue.

With --each it prints a line a run instead: the digest of the history, that of
what was judged of it (` + "`ackgap run --judged`" + `: the verdicts with their witnesses,
the expectations, the end), and what ` + "`ackgap run`" + ` takes to show that run. Where
two machines differ, the first line that differs names the story and the seed.

Exit status: 0, or 4 where two runs in this process left different histories, or
one that was judged in two ways; what differs first in both is named then.`,
		Example: `  ackgap digests
  ackgap digests lost-ack --seeds 10 --each
  ackgap run lost-ack --seed 7 --history`,
		RunE: func(c *cobra.Command, args []string) error { return s.digests(c.Context(), &f, args) },
	}
	c.Flags().IntVar(&f.seeds, "seeds", 200, "`N` random worlds of each story")
	c.Flags().BoolVar(&f.each, "each", false, "a line a run instead of a line a story")
	c.Flags().BoolVar(&f.json, "json", false, "one JSON document instead of lines")
	return c
}

// digests prints the digests of the stories that args name.
func (s *streams) digests(ctx context.Context, f *digestsFlags, args []string) error {
	if err := checkSeeds("digests", f.seeds); err != nil {
		return err
	}
	sources, stories, err := s.stories(ctx, args)
	if err != nil {
		return err
	}
	all, err := digestAll(ctx, stories, f.seeds)
	if err != nil {
		return err
	}
	var b []byte
	if f.json {
		_, err := s.out.Write(digestsJSON(sources, all, f.each))
		return err
	}
	for i, d := range all {
		if f.each {
			b = appendEach(b, sources[i].arg, d)
		} else {
			b = appendDigests(b, sources[i].arg, d)
		}
	}
	_, err = s.out.Write(b)
	return err
}

func checkSeeds(verb string, n int) error {
	if n < 1 || n > maxDigestSeeds {
		return fmt.Errorf("%s: --seeds %d; it must be from 1 to %d", verb, n, maxDigestSeeds)
	}
	return nil
}

// digestAll digests the stories on all cores, a story at a time on each. What it
// returns, errors too, stands in the order of the stories.
func digestAll(ctx context.Context, stories []*scenarios.Story, seeds int) ([]*scenarios.Digests, error) {
	all := make([]*scenarios.Digests, len(stories))
	errs := make([]error, len(stories))
	var group sync.WaitGroup
	var taken atomic.Int64
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for i := taken.Add(1) - 1; i < int64(len(stories)) && ctx.Err() == nil; i = taken.Add(1) - 1 {
				all[i], errs[i] = stories[i].Digests(seeds)
			}
		})
	}
	group.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return all, errors.Join(errs...)
}

// appendDigests appends the line of one story.
func appendDigests(b []byte, name string, d *scenarios.Digests) []byte {
	worlds := "-"
	if len(d.Worlds) > 0 {
		worlds = d.Folded().String()
	}
	return fmt.Appendf(b, "%s %-16s %s\n", d.Plain, worlds, shellWord(name))
}

// appendEach appends a line for each run of one story.
func appendEach(b []byte, name string, d *scenarios.Digests) []byte {
	b = fmt.Appendf(b, "%s %s %s\n", d.Plain, d.Judged[0], shellWord(name))
	for i, w := range d.Worlds {
		b = fmt.Appendf(b, "%s %s %s --seed %d\n", w, d.Judged[i+1], shellWord(name), i+1)
	}
	return b
}
