package simtest

import (
	"errors"
	"runtime"
	"slices"
	"strings"
)

// errStray is what a call comes back with that somebody else makes than the handler.
// It would cross to the simulator from a goroutine that this cannot give the turn to.
var errStray = errors.New("simtest: a Job was called from a goroutine other than its handler's own, after the handler had returned, or within a step of Job.Do: let the handler make the calls, one after the other")

// strayed reports whether a call is none of the handler's. Others may ask at once.
func (c *course) strayed() bool {
	return !c.runs.Load() || !c.on.isMine()
}

// isMine reports whether the caller is in the goroutine of the stage.
func (s *stage) isMine() bool {
	if g := goroutine(); g != 0 {
		return g == s.g
	}
	return isHandlers()
}

// isHandlers reports whether the caller is in the goroutine of some handler, where the
// processor is one whose goroutines nobody has told apart here. That costs as much as a
// whole call. All that a handler does is called by body.
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
