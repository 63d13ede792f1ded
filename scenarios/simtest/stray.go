package simtest

import (
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
)

// errStray is what a call comes back with that somebody else makes than the handler.
// It would cross to the simulator from a goroutine that this cannot give the turn to.
var errStray = errors.New("simtest: a Job was called from a goroutine other than its handler's own, after the handler had returned, or within a step of Job.Do: let the handler make the calls, one after the other")

// coroutines is how many there are of handlers, in all tests together.
var coroutines atomic.Int64

// others is how many goroutines there are that are no handlers.
func others() int64 { return int64(runtime.NumGoroutine()) - coroutines.Load() }

// strayed reports whether a call is none of the handler's. Who asks costs as much as a
// whole call, so that it is asked only where there are goroutines that were not there
// when the handler began.
func (c *course) strayed() bool {
	return !c.runs.Load() || others() > c.others && !isHandlers()
}

// isHandlers reports whether the caller is in the goroutine of a handler. Go tells no
// package which goroutine it is in, but all that a handler does is called by body.
func isHandlers() bool {
	var pcs [64]uintptr
	for skip := 2; ; skip += len(pcs) {
		n := runtime.Callers(skip, pcs[:])
		for _, pc := range slices.Backward(pcs[:n]) { // body is among the last
			if f := runtime.FuncForPC(pc - 1); f != nil && strings.HasSuffix(f.Name(), "/simtest.(*course).body") {
				return true
			}
		}
		if n < len(pcs) {
			return false
		}
	}
}
