package explore

import "sync"

// each calls f with 0 to n-1 at the same time, and returns when all have returned.
// It is the only place of the package that starts a goroutine: what is found is
// entered by one, in an order that does not depend on who was faster.
func each(n int, f func(i int)) {
	if n == 1 {
		f(0)
		return
	}
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { f(i) })
	}
	all.Wait()
}
