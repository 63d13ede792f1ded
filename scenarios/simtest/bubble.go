package simtest

import (
	"testing/synctest"
	"time"

	"github.com/ackgap/ackgap/model"
)

// bubble ties the clock of a testing/synctest bubble to the simulator's: what a
// handler sleeps by time.Sleep passes for its worker as well. The option Bubble
// says what stays reproducible.
type bubble struct {
	on   bool
	base time.Time // the bubble's clock at the beginning of the run
}

// inBubble reports whether the caller's goroutine is in a bubble: outside of one,
// synctest.Wait panics.
func inBubble() (in bool) {
	defer func() { in = recover() == nil }()
	synctest.Wait()
	return
}

func (b *bubble) reset() {
	if b.on {
		b.base = time.Now()
	}
}

// catchUp lets the bubble's clock come up to the true time of the run, if it is
// behind, and returns its reading.
func (b *bubble) catchUp(at model.Time) time.Time {
	if !b.on {
		return time.Time{}
	}
	time.Sleep(time.Until(b.base.Add(time.Duration(at))))
	return time.Now()
}

// since returns how long the handler slept.
func (b *bubble) since(from time.Time) time.Duration {
	if !b.on {
		return 0
	}
	return time.Since(from)
}
