package generals

import (
	"fmt"
	"slices"
)

// World bounds what a queue with one job goes through. It delivers J#1 at instant
// 0. At each instant 1 to Instants it sees what the delivery made at the instant
// before sent back, if one was made, and delivers the job again or does not. What
// does not arrive within an instant never will, which is more than a queue can
// count on: no late ACK spoils its view, and no lease is too short.
//
// At most Instants deliveries go wrong, and a queue can make one more: what is
// lost, a bolder rule would have saved.
type World struct {
	Instants int  // 1 to 3, or to 2 with Alive: then all rules can be tried
	Alive    bool // a worker says that it has begun; the ACK says that it is done
}

// Worlds returns the worlds of which every rule is tried, the smallest first.
func Worlds() []World {
	return []World{{Instants: 1}, {Instants: 2}, {Instants: 3}, {Instants: 1, Alive: true}, {Instants: 2, Alive: true}}
}

// Fate is what becomes of one delivery.
type Fate uint8

// The fates. In Fine the work is done and the ACK arrives. Two pairs send back the
// same: NeverRan and AckLost nothing, Died and DoneUnheard that work has begun.
const (
	Fine        Fate = iota
	NeverRan         // the job did not reach the worker, or the worker died at once
	AckLost          // the work was done, and the ACK was lost
	Died             // the worker said that it had begun, and died before the effect
	DoneUnheard      // the worker said that it had begun and did the work; the ACK was lost
)

// String returns the words that are printed.
func (f Fate) String() string {
	return [...]string{"ran, ACK arrives", "never ran", "ran, ACK lost", "began, died before the effect", "began, ran, ACK lost"}[f]
}

// Ran reports whether the delivery came to its effect.
func (f Fate) Ran() bool { return f == Fine || f == AckLost || f == DoneUnheard }

// Twin returns the fate that sends back the same as f while the work ran in one
// and not in the other; Fine has none and is its own.
func (f Fate) Twin() Fate { return [...]Fate{Fine, AckLost, NeverRan, DoneUnheard, Died}[f] }

// Signal is what the queue sees at one instant.
type Signal uint8

// The signals.
const (
	Silence Signal = iota
	Ack
	Begun
)

// String returns the word that is printed.
func (s Signal) String() string { return [...]string{"silence", "ACK", "begun"}[s] }

// signal returns what the delivery sends back.
func (f Fate) signal() Signal { return [...]Signal{Ack, Silence, Silence, Begun, Begun}[f] }

// Signals returns how many signals the queue tells apart.
func (w World) Signals() int {
	if w.Alive {
		return 3
	}
	return 2
}

func (w World) fates() int {
	if w.Alive {
		return 5
	}
	return 3
}

// Views returns how many views a queue can have when it decides: what it saw so
// far, one signal an instant. Its own deliveries are no part of the count: a
// deterministic queue made them because of what it saw before.
func (w World) Views() int {
	n, all := 1, 0
	for range w.Instants {
		n *= w.Signals()
		all += n
	}
	return all
}

// Rules returns how many deterministic rules of redelivery there are: functions
// from Views to yes or no.
func (w World) Rules() int { return 1 << w.Views() }

// check refuses a world of which not all rules can be tried.
func (w World) check() error {
	if !slices.Contains(Worlds(), w) {
		return fmt.Errorf("a world of %d instants is out of bounds: 1 to 3, or 1 to 2 where the queue hears that work has begun", w.Instants)
	}
	return nil
}

// Fates is a run of a World: the fate of each delivery, by the instant at which it
// is made. The fate of one that the rule does not make counts for nothing.
type Fates []Fate

// Runs returns all runs of w: those in which less goes wrong first, and of those
// the ones in which it goes wrong sooner.
func (w World) Runs() []Fates {
	all := []Fates{nil}
	for range w.Instants + 1 {
		var longer []Fates
		for f := range w.fates() {
			for _, s := range all {
				longer = append(longer, append(slices.Clone(s), Fate(f)))
			}
		}
		all = longer
	}
	all = slices.DeleteFunc(all, func(s Fates) bool { return s.faults() > w.Instants })
	slices.SortStableFunc(all, func(a, b Fates) int { return a.faults() - b.faults() })
	return all
}

func (s Fates) faults() int {
	n := 0
	for _, f := range s {
		if f != Fine {
			n++
		}
	}
	return n
}

// Rule is a deterministic rule of redelivery: bit i says whether the queue
// delivers again in its view i. Views are numbered by instant, then by what was
// seen, the last signal counting least: 0 is silence at instant 1.
type Rule uint32

// AtLeastOnce returns the rule that delivers again until an ACK came.
func AtLeastOnce(w World) Rule {
	var r Rule
	first, n := 0, 1
	for range w.Instants {
		n *= w.Signals()
		for seen := range n {
			if !hasAck(seen, w.Signals()) {
				r |= 1 << (first + seen)
			}
		}
		first += n
	}
	return r
}

// hasAck reports whether an ACK is among the signals that seen stands for.
func hasAck(seen, signals int) bool {
	for ; seen > 0; seen /= signals {
		if Signal(seen%signals) == Ack {
			return true
		}
	}
	return false
}

// Course is what a rule does in a run.
type Course struct {
	Effects int // changes of the outside ledger; 1 is right
	Length  int // instants that Saw and Again hold
	Saw     [3]Signal
	Again   [3]bool // the queue delivered again at instant i+1
}

// View returns all that the queue saw and did, as bytes.
func (c Course) View() string {
	b := []byte("J#1")
	for i := range c.Length {
		b = append(append(b, ", "...), c.Saw[i].String()...)
		if c.Again[i] {
			b = append(b, " -> redeliver"...)
		}
	}
	return string(b)
}

// Play lets rule go through the run s of w. With an atomic marker an effect is
// applied and marked in one transaction, which does nothing where the mark stands.
// w must be one of Worlds, and s one of its Runs.
func (w World) Play(rule Rule, s Fates, marker bool) Course {
	c := Course{Length: w.Instants}
	saw := c.deliver(s[0], marker)
	first, seen, n := 0, 0, 1
	for i := range w.Instants {
		seen, n = seen*w.Signals()+int(saw), n*w.Signals()
		c.Saw[i], c.Again[i] = saw, rule>>(first+seen)&1 == 1
		saw = Silence
		if c.Again[i] {
			saw = c.deliver(s[i+1], marker)
		}
		first += n
	}
	return c
}

// deliver makes one delivery and returns what it sends back.
func (c *Course) deliver(f Fate, marker bool) Signal {
	if f.Ran() && (!marker || c.Effects == 0) {
		c.Effects++
	}
	return f.signal()
}
