package explore

import (
	"fmt"
	"runtime/debug"
	"sync"
)

// each calls f with 0 to n-1 at the same time, and returns when all have returned.
// It is the only place of the package that starts a goroutine: what is found is
// entered by one, in an order that does not depend on who was faster. A panic of one of
// them is the caller's, who can recover it: in a goroutine it would end the program.
func each(n int, f func(i int)) {
	var all sync.WaitGroup
	panics := make([]any, n)
	for i := range n {
		all.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					panics[i] = fmt.Sprintf("%v\n\nin a search that several cores share:\n%s", p, debug.Stack())
				}
			}()
			f(i)
		})
	}
	all.Wait()
	for _, p := range panics {
		if p != nil {
			panic(p)
		}
	}
}
