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
	// OpenAt, where it is not nil, makes an empty queue on a server that the
	// backend's name is followed by: "valkey=spawn" is the backend "valkey" at
	// the address "spawn".
	OpenAt func(variant, address string) (Queue, error)
	// Unlisted bodies can be named and are not offered: those of tests.
	Unlisted bool
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

// Bodies returns what is registered and offered, by protocol and backend.
func Bodies() []Body {
	return slices.DeleteFunc(slices.Clone(bodies), func(b Body) bool { return b.Unlisted })
}

// FindBody returns the body of protocol on backend, whose address, if it has
// one, does not count.
func FindBody(protocol, backend string) (Body, bool) {
	backend, _, _ = strings.Cut(backend, "=")
	i, ok := slices.BinarySearchFunc(bodies, Body{Protocol: protocol, Backend: backend}, compareBodies)
	if !ok {
		return Body{}, false
	}
	return bodies[i], true
}

// OpenOn makes an empty queue of the variant on backend, a name or NAME=ADDRESS.
// An address is an error where the body takes none, and so is an empty one.
func (b *Body) OpenOn(backend, variant string) (Queue, error) {
	_, address, hasAddress := strings.Cut(backend, "=")
	switch {
	case !hasAddress:
		return b.Open(variant)
	case b.OpenAt == nil:
		return nil, fmt.Errorf("backend %s of %s runs in this process and has no address; write backend=%s", b.Backend, b.Protocol, b.Backend)
	case address == "":
		return nil, fmt.Errorf("backend %s= has no address behind the =; leave it out or name one", b.Backend)
	}
	return b.OpenAt(variant, address)
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
