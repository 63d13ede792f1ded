package generals

import (
	"errors"
	"fmt"
	"math/bits"
)

// MaxMessages is the most messages that a protocol may have. All 2·2^12 runs of
// the longest are played to find one that attacks.
const MaxMessages = 12

// Party is one of the two generals. A may be ordered to attack; B learns of the
// order from messages alone.
type Party uint8

// The generals.
const (
	A Party = iota
	B
)

// String returns the name of p.
func (p Party) String() string { return [...]string{"A", "B"}[p] }

// Other returns the general who is not p.
func (p Party) Other() Party { return 1 - p }

// Set is a set of messages, which are numbered from 1 to MaxMessages.
type Set uint16

// Messages returns the set of those messages; 0 stands for no message.
func Messages(list ...int) Set {
	var s Set
	for _, m := range list {
		if m > 0 {
			s = s.with(m)
		}
	}
	return s
}

// UpTo returns the set of the messages 1 to n.
func UpTo(n int) Set { return 1<<n - 1 }

// Has reports whether m, which is 1 or more, is in s.
func (s Set) Has(m int) bool { return s>>(m-1)&1 == 1 }

// Len returns how many messages are in s.
func (s Set) Len() int { return bits.OnesCount16(uint16(s)) }

// Last returns the greatest message of s, or 0 when s is empty.
func (s Set) Last() int { return bits.Len16(uint16(s)) }

func (s Set) with(m int) Set { return s | 1<<(m-1) }

// View is all that one general has of a run at some moment. Messages have their
// hours: whoever waits for one that does not come knows so, which is more than a
// network without clocks would tell.
type View struct {
	Party Party
	Order bool // A: it was ordered to attack. B: it was told that A was.
	Sent  Set  // what it sent
	Heard Set  // what reached it
	Knows Set  // what it knows to have arrived: it heard it, or was told of it
	Text  string
	// Text is all of the above and what each message said, word for word: two
	// views are equal when their texts are. A message says everything that its
	// sender knows, so no wording of messages could tell more.
}

// Protocol is a deterministic protocol of two generals. Its two rules may depend
// on the view alone.
type Protocol struct {
	Name    string
	About   string  // one sentence for the reader
	Senders []Party // who sends each message, at most MaxMessages

	// Send reports whether the sender of message m, which has the view v when its
	// hour comes, sends it.
	Send func(v View, m int) bool
	// Attack reports whether a general attacks who has the view v when the hours
	// of all messages are over.
	Attack func(v View) bool

	Table *Table // what the rules were made from; nil where they are Go functions
}

// check returns what keeps p from being played.
func (p *Protocol) check() error {
	switch n := len(p.Senders); {
	case n > MaxMessages:
		return fmt.Errorf("the protocol has %d messages; at most %d are played", n, MaxMessages)
	case p.Send == nil || p.Attack == nil:
		return errors.New("the protocol lacks a rule; give it both Send and Attack")
	}
	return nil
}
