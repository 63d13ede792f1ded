package explore

import (
	"io"
	"math/big"
)

// Options bound a search and say what it keeps.
type Options struct {
	Faults     int  // at most so many; >= 0
	DepthFirst bool // in each layer; the default is breadth first
	Compact    bool // keep fingerprints in place of states
	Cores      int  // how many expand; 0 is 1, and so is any number depth first
	Sleep      bool // leave out transitions whose other order is taken: the model a Sleeper, neither Compact nor Drains
	Drains     bool // judge drains: breadth first, and the model an Ender

	MaxStates int   // stop beyond so many; 0 is no limit but memory
	MaxBytes  int64 // stop when what is kept is larger; 0 is 2 GiB

	// Stop ends the search at the first Hit, in the order of faults and steps,
	// for which it answers true. Nil: the search goes on to the bound.
	Stop func(Hit) bool
	// Cut says which hits end a path: what follows is not explored. Nil: none
	// does. With it every trail to such a hit is one to a first of them.
	Cut func(Hit) bool
	// Progress is told now and then how far the search is, and ends it by
	// answering false. It may be nil.
	Progress func(Progress) bool

	// Checkpoint is called between two batches with what saves the search as it stands
	// then, as Result.Save does one that has stopped. It says when that is worth its
	// time. It may be nil.
	Checkpoint func(save func(io.Writer) error)

	// Resume goes on with a search that Result.Save has written, instead of from the
	// initial state. It must be of the same model with the same options, but for cores
	// and limits; one that is not is refused, as is one that is damaged.
	Resume io.ReadSeeker
	// Identity tells the model, and what Stop and Cut ask for, from others: any text,
	// which is compared line by line. It is needed for Save and Resume alone.
	Identity string
}

const defaultMaxBytes = 2 << 30

// Progress says how far a search is.
type Progress struct {
	States      int // different ones
	Transitions int64
	Faults      int // the layer at hand
	Depth       int // the depth at hand
	Queue       int // states seen and not yet expanded
	Bytes       int64
}

// Ending says why a search ended.
type Ending uint8

// The endings. All but the first leave states unvisited.
const (
	Exhausted   Ending = iota // every state within the bound was visited
	Stopped                   // at the first hit that was asked for
	Full                      // a limit of states or bytes was reached, or a path had 8,388,608 steps: inconclusive
	Interrupted               // Progress said so: inconclusive
)

// String returns the word that is printed.
func (e Ending) String() string {
	return [...]string{"exhausted", "stopped", "full", "interrupted"}[e]
}

// Layer is what is reached with one number of faults and no fewer.
type Layer struct {
	States int
	Depth  int // of its deepest state
}

// Trail is a path of actions from the initial state to something found.
type Trail struct {
	Hit     Hit
	Faults  int
	Actions []Action // the last one made the hit
}

// Result is what a search came to.
type Result struct {
	Ending      Ending
	States      int // different ones that were visited
	Transitions int64
	Slept       int64 // Sleep: how many more there would have been
	Depth       int
	Layers      []Layer // by number of faults
	Found       []Trail // one for each Hit: fewest faults first, then fewest steps, then as found
	Bytes       int64   // kept for all states, at the end
	Compact     bool

	save    func(io.Writer) error // nil: it has come to its end
	Drained *Drained              // nil unless drains was judged: it was asked for, and every state was visited
}

// OneIn returns how unlikely it is that the search lost a state: it did with a
// chance of at most one in so many. Nil says that it cannot have: the mode was
// exact. The chance that any two of n fingerprints of 64 bits are equal is at most
// n(n-1)/2^65.
func (r *Result) OneIn() *big.Int {
	if !r.Compact || r.States < 2 {
		return nil
	}
	n := big.NewInt(int64(r.States))
	pairs := new(big.Int).Mul(n, big.NewInt(int64(r.States-1)))
	return new(big.Int).Div(new(big.Int).Lsh(big.NewInt(1), 65), pairs)
}
