package model

import (
	"fmt"
	"slices"
	"strings"
)

// Body is one implementation of a queue protocol that stories can name: the
// protocol ("echomq"), the backend that runs it ("go", "valkey") and the
// variants it knows besides the one that is built.
type Body struct {
	Protocol string
	Backend  string
	Variants []Variant
	// Open makes an empty queue. It is called with a variant that is in
	// Variants, or "" for the protocol as built.
	Open func(variant string) (Queue, error)
}

// Variant is a hardened or a broken form of a protocol.
type Variant struct {
	Name string
	Doc  string // one line: what is different
	// BoundsDeliveries says that the variant promises at most max-attempts
	// claims in one incarnation, so that deliveries-bounded is judged.
	BoundsDeliveries bool
}

// bodies is filled by init functions and read afterwards. It is sorted, so that
// no message depends on the order of linking.
var bodies []Body

// Register makes b known under its protocol and backend. It is meant for init
// functions and panics when the pair is taken: two packages of one program
// claim the same name.
func Register(b Body) {
	i, taken := slices.BinarySearchFunc(bodies, b, compareBodies)
	if taken {
		panic(fmt.Sprintf("model: %s on %s is registered twice", b.Protocol, b.Backend))
	}
	bodies = slices.Insert(bodies, i, b)
}

// Bodies returns all that is registered, by protocol and backend.
func Bodies() []Body { return slices.Clone(bodies) }

// FindBody returns the body of protocol on backend.
func FindBody(protocol, backend string) (Body, bool) {
	i, ok := slices.BinarySearchFunc(bodies, Body{Protocol: protocol, Backend: backend}, compareBodies)
	if !ok {
		return Body{}, false
	}
	return bodies[i], true
}

func compareBodies(a, b Body) int {
	if c := strings.Compare(a.Protocol, b.Protocol); c != 0 {
		return c
	}
	return strings.Compare(a.Backend, b.Backend)
}

// Variant returns the variant called name.
func (b *Body) Variant(name string) (Variant, bool) {
	for _, v := range b.Variants {
		if v.Name == name {
			return v, true
		}
	}
	return Variant{}, false
}
