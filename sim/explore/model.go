package explore

// Model is a bounded world as an explicit-state system. Its methods are functions
// of their arguments alone. S is a state: a value, small, which a copy of does not
// share anything that changes.
type Model[S any] interface {
	// Initial returns the state in which every path begins.
	Initial() S

	// Actions appends the actions that are enabled in s to list, always in the
	// same order: at most 65,536.
	Actions(s *S, list []Action) []Action

	// Cost returns how many faults a is: 0 or 1.
	Cost(a Action) int

	// Apply changes s to what a leads to, and appends what is to be reported of
	// that step to hits. A must be enabled in s.
	Apply(s *S, a Action, hits []Hit) []Hit

	// AppendState appends the bytes of s: equal bytes for equal states, and for
	// no others.
	AppendState(b []byte, s *S) []byte

	// LoadState makes s the state whose bytes b are.
	LoadState(b []byte, s *S)
}

// Action is one thing that may happen, in the model's own coding.
type Action uint32

// Hit is something that a step did: it broke a property, or showed what a reach
// claim looks for. The first trail is kept for each different Hit.
type Hit struct {
	Property uint8  // the model's number for it
	Group    uint32 // the model's number for the root cause: hits of one group are one finding
}

// Ender is a Model that knows its ends. Without it drains cannot be judged.
type Ender[S any] interface {
	// Outlook says what is left to be done in s.
	Outlook(s *S) Outlook
}

// Outlook is what a state has before it.
type Outlook uint8

// The outlooks.
const (
	Open Outlook = iota // more is to be done
	End                 // nothing is
	Edge                // more is to be done that the bounds of the world forbid: what would follow is not judged
)

// Fair is an Ender that says which of its free actions are treated fairly. Without it
// drains is judged as if every run came to an end that can.
type Fair[S any] interface {
	Ender[S]

	// Class returns to which class a free action belongs, from 0 to 63: in a fair
	// run, no class is enabled from some state on for ever and never taken.
	Class(a Action) uint8

	// AppendShape appends the bytes of s but for what does no more than count up: two
	// states of one shape look alike to whoever goes on from there. The bytes of the
	// state itself are a shape.
	AppendShape(b []byte, s *S) []byte

	// Repeats reports whether the actions of cycle, which lead from the end of stem to
	// a state of the same shape, can be gone again from there, round by round, as far
	// as the world goes. Where shapes are states they can.
	Repeats(stem, cycle []Action) bool
}

// Sleeper is a Model that knows which of its actions are independent, for sleep sets.
//
// Two actions whose footprints share no bit must be independent wherever both are
// enabled: neither disables the other or changes what it is called, in either order they
// lead to the same state, and each makes the same hits whether or not the other came
// before.
type Sleeper[S any] interface {
	Model[S]

	// Footprint returns what a, which is enabled in s, reads or changes, as bits, and
	// the bit of a among those actions that can sleep, from 0 to 63: no other action
	// that is enabled in s has it. -1: a never sleeps.
	Footprint(s *S, a Action) (bit int, touches uint64)

	// Carry is asked right after Apply has led to s which of the actions asleep sleep on
	// there, by the bits that they have in s: where states that are alike count as one,
	// what is asleep changes places as they do. Alone says that s offers less than others
	// would, since one who is in it goes first: then the step is independent of nothing.
	Carry(s *S, asleep uint64) (kept uint64, alone bool)
}

// Forker is a Model that several cores can use at a time. Without it one core
// does all.
type Forker[S any] interface {
	Model[S]
	// Fork returns a model of the same world, to be used by one goroutine while
	// the original stands still.
	Fork() Model[S]
	// Join takes over what forks have learned since, in their order, while they
	// stand still. What they learn must not change what they answer.
	Join(forks []Model[S])
}
