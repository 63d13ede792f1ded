// Package explore tries the exemption of a file: some kinds are allowed in it,
// the others are not.
package explore

import "sync"

func deals(f func()) {
	var all sync.WaitGroup
	done := make(chan bool)
	go f()
	select {
	case <-done:
	}
	all.Wait()
	_ = 0.5 // want "float: 0.5"
}
