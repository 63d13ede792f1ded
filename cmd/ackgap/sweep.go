package main

import (
	"context"
	"fmt"
	"iter"
	"runtime/debug"
	"sync"

	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/coverage"
)

// sweep is the random worlds of one campaign, which several cores run.
type sweep struct {
	campaign *scenarios.Campaign
	first    uint64 // the first seed
	runs     uint64
	cores    int
	hunt     hunt
}

// chunk is how many worlds a core takes at a time. It does not depend on the
// cores, so that whoever stops after a chunk has counted the same worlds.
const chunk = coverage.Chunk

// share is the worlds that a core takes at a time.
type share struct {
	first, n uint64
	done     chan counted // holds one
}

// counted is what a share came to.
type counted struct {
	tally  *scenarios.Tally
	err    error
	defect any // what its core panicked with
}

// tallies yields what each chunk came to, in the order of seeds. No world is
// begun once ctx is done. However the loop ends, no core is at work behind it.
func (s *sweep) tallies(ctx context.Context) iter.Seq2[*scenarios.Tally, error] {
	return func(yield func(*scenarios.Tally, error) bool) {
		ctx, stop := context.WithCancel(ctx)
		ahead := 2 * s.cores // so that none waits for the slowest
		shares := make(chan *share, ahead)
		var cores sync.WaitGroup
		for range s.cores {
			cores.Go(func() { s.work(ctx, shares) })
		}
		defer cores.Wait()
		defer close(shares)
		defer stop()
		s.handOut(ctx, shares, ahead, yield)
	}
}

// handOut keeps as many shares open as lie ahead, and takes back the first of
// them again and again.
func (s *sweep) handOut(ctx context.Context, shares chan<- *share, ahead int, yield func(*scenarios.Tally, error) bool) {
	var open []*share
	for begun := uint64(0); ; {
		for ; len(open) < ahead && begun < s.runs && ctx.Err() == nil; begun += open[len(open)-1].n {
			next := &share{s.first + begun, min(chunk, s.runs-begun), make(chan counted, 1)}
			shares <- next
			open = append(open, next)
		}
		if len(open) == 0 {
			return
		}
		c := <-open[0].done
		open = open[1:]
		if c.defect != nil {
			panic(c.defect)
		}
		if !yield(c.tally, c.err) {
			return
		}
	}
}

func (s *sweep) work(ctx context.Context, shares <-chan *share) {
	runner := scenarios.NewRunner()
	defer func() { _ = runner.Close() }() // what was counted stands
	for sh := range shares {
		sh.done <- s.count(ctx, runner, sh)
	}
}

// count runs the worlds of a share. What it panics with is the main goroutine's
// to report.
func (s *sweep) count(ctx context.Context, runner *scenarios.Runner, sh *share) (c counted) {
	defer func() {
		if p := recover(); p != nil {
			c.defect = fmt.Sprintf("in one of %d worlds from seed %d on: %v\n%s", sh.n, sh.first, p, debug.Stack())
		}
	}()
	next := s.hunt.worlds(s.campaign, runner, sh.first, false)
	c.tally, c.err = s.campaign.CountOf(next, sh.first, sh.n, func() bool { return ctx.Err() != nil })
	return c
}
