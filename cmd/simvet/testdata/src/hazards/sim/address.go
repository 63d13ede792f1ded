package sim

import (
	"errors"
	"fmt"
)

type node struct {
	next *node
	when fmt.Stringer
}

type named struct{ inner *word }

type word string

func (w *word) String() string { return string(*w) }

func addresses(n *node, s *string, f func(), ns []*node, w named) {
	_ = map[*node]int{}         // want "address: map keyed by *sim.node"
	_ = map[[1]*node]int{}      // want "address: map keyed by [1]*sim.node"
	_ = map[node]int{}          // want "address: map keyed by sim.node"
	_ = fmt.Sprintf("%p", n)    // want "address: format with %p"
	_ = fmt.Sprintf("%[1]p", n) // want "address: format with %p"
	_ = fmt.Sprint(s)           // want "address: printing *string"
	_ = fmt.Sprint(f)           // want "address: printing func()"
	_ = fmt.Sprint(ns)          // want "address: printing []*sim.node"
	_ = fmt.Errorf("at %v", n)  // want "address: printing *sim.node"
	_ = fmt.Sprint(w)           // want "address: printing sim.named"
	_ = uintptr(0)              // want "address: uintptr"
	_ = errors.New("%p is no format here")
}
