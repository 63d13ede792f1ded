package exhaust

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
)

// Scope bounds a world: what may go wrong in it, and how long it goes on.
type Scope struct {
	Claims int // of each job; a claim beyond them is not made, and nothing is said of what would follow
	Kinds  Kinds
	// Acts are what an operator, or a speaker beside the workers, may say once more: each is a
	// fault. They are said with the queue's own max-attempts, max-stalled and retry-delay, and
	// with the token of some delivery: not with the max=, delay= and token= of a `do` line.
	Acts []model.Op

	Symmetry     bool // count states as one that differ in which of several equal workers, or of several finished jobs, is which
	PartialOrder bool // let a worker go first whom nothing else can meet
}

// Kinds are the faults that may happen, as a set.
type Kinds uint16

// The kinds of faults. Each happening of one costs one.
const (
	Drop       Kinds = 1 << iota // a request of enqueue, claim, complete, retry, extend or an outside call is lost
	DropReply                    // its answer is lost
	Delay                        // it arrives at any time after its speaker has given up waiting
	Duplicate                    // and a copy of it arrives at any time later
	Crash                        // a worker loses all; it may come back at any time
	Pause                        // a worker stands still between two steps, and wakes at any time
	Refuse                       // the store refuses an effect
	Jump                         // the server's clock jumps forward, past as many deadlines as it likes
	LoseWrites                   // the queue crashes and forgets its last write, or its last two
)

var kindWords = []string{"drop", "drop-reply", "delay", "duplicate", "crash", "pause", "error", "clock", "lose-writes"}

// EveryKind is all that may go wrong besides acts; Reference is what the claim of
// the reference envelope speaks of: losses among requests, answers and crashes.
const (
	EveryKind = 1<<9 - 1
	Reference = Drop | DropReply | Crash
)

// DefaultKinds is what the explorer may do unless it is told: all but lost writes,
// under which no queue can hold no-loss, and clocks that jump.
const DefaultKinds = EveryKind &^ (LoseWrites | Jump)

// ParseKinds reads kinds as their words, separated by commas.
func ParseKinds(text string) (k Kinds, err error) {
	for word := range strings.SplitSeq(text, ",") {
		i := slices.Index(kindWords, word)
		if i < 0 {
			return 0, fmt.Errorf("%s", script.Unknown("kind of fault", word, kindWords))
		}
		k |= 1 << i
	}
	return k, nil
}

// String returns the words of k, separated by commas.
func (k Kinds) String() string {
	var words []string
	for i, w := range kindWords {
		if k&(1<<i) != 0 {
			words = append(words, w)
		}
	}
	return strings.Join(words, ",")
}

// acts are the verbs that may be spoken beside the workers.
var acts = []model.Op{
	model.OpEnqueue, model.OpClaim, model.OpComplete, model.OpRetry, model.OpDelay, model.OpExtend,
	model.OpRemove, model.OpReprocess, model.OpPause, model.OpResume, model.OpDrain,
	model.OpReap, model.OpSweep, model.OpPromote,
}

// ParseActs reads verbs separated by commas, of which each counts once; "all" is every one
// that there is.
func ParseActs(text string) (list []model.Op, err error) {
	if text == "all" {
		return slices.Clone(acts), nil
	}
	var names []string
	for _, op := range acts {
		names = append(names, op.String())
	}
	for word := range strings.SplitSeq(text, ",") {
		i := slices.Index(names, word)
		if i < 0 {
			return nil, fmt.Errorf("%s", script.Unknown("act", word, names))
		}
		if !slices.Contains(list, acts[i]) {
			list = append(list, acts[i])
		}
	}
	return list, nil
}

func (s *Scope) has(k Kinds) bool { return s.Kinds&k != 0 }

// forgets reports whether a state has to remember what the queue was before.
func (s *Scope) forgets() bool { return s.has(LoseWrites) }

// check refuses a scope that a state has no room for.
func (s *Scope) check() error {
	if s.Claims < 1 || s.Claims > MaxClaims {
		return fmt.Errorf("a job can be claimed 1 to %d times in a world that is explored, not %d", MaxClaims, s.Claims)
	}
	if s.Kinds&^EveryKind != 0 {
		return fmt.Errorf("a kind of fault is none of %s", Kinds(EveryKind))
	}
	return nil
}

// kindOf is how a plan calls a kind that has a word there.
func kindOf(k Kinds) faults.Kinds {
	switch k {
	case Drop, DropReply:
		return faults.Drop
	case Delay:
		return faults.Delay
	case Duplicate:
		return faults.Duplicate
	case Crash, LoseWrites:
		return faults.Crash
	case Pause:
		return faults.Pause
	case Refuse:
		return faults.Refuse
	case Jump:
		return faults.Clock
	}
	return 0
}
