package queuetest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ackgap/ackgap/model"
)

// Capability is something that a queue may do or not, and that it is held to once
// it is claimed: by Run, call by call, and by simtest.CheckQueue, which judges the
// properties that the claims call for. What is not claimed is not judged: a queue
// that settles by id, whatever the token, claims neither ByToken nor Fence, and one
// whose clients reckon the deadlines does not claim ServerClock.
type Capability string

// The capabilities.
const (
	// Exclusive: nobody else is handed a job while its lease runs.
	Exclusive Capability = "exclusive"
	// ByToken: a settlement with a token that was never handed out is refused.
	ByToken Capability = "by-token"
	// Fence: once there is a later delivery of a job, whatever an earlier one says
	// of it is refused and changes nothing (Kleppmann, "How to do distributed
	// locking", 2016).
	Fence Capability = "fence"
	// TokensRise: each claim of a job is given a token above all earlier ones.
	TokensRise Capability = "tokens-rise"
	// SettlesOnce: a second settlement of one delivery is refused, be it another verb.
	// EchoMQ as built has it not: after a retry the token is good until the next claim.
	SettlesOnce Capability = "settles-once"
	// Dedup: an id that the queue holds is not let in again, and is answered
	// duplicate; one that it does not hold is.
	Dedup Capability = "dedup"
	// Ordered: of what is pending the smallest id is served.
	Ordered Capability = "ordered"
	// Conserving: no claim is answered empty while a job is pending.
	Conserving Capability = "conserving"
	// Extends: a holder can extend its lease, and no extension shortens it.
	Extends Capability = "extends"
	// Schedules: an enqueue for later and a retry are not served before their time,
	// to the millisecond.
	Schedules Capability = "schedules"
	// DeadLetters: a retry at max attempts is answered dead, none below is, and a
	// dead job is not served.
	DeadLetters Capability = "dead-letters"
	// Bounded: a job is handed out at most three times, whatever became of it: the
	// default of max-attempts. Of a queue that is no model.Toucher nobody sees that it
	// buries such a job: drains believes it.
	Bounded Capability = "bounded"
	// ServerClock: leases run by the instant that Apply is given, and not by
	// Request.Clock, the clock of whoever asks.
	ServerClock Capability = "server-clock"
	// EchoMQ: the queue does what EchoMQ does, by its own conformance scenarios, and can
	// do what EchoMQ as built can: all of the above but SettlesOnce and Bounded.
	EchoMQ Capability = "echomq"

	windowed = "dedup-window="
)

// DedupWindow is the capability of a queue that calls an id duplicate for that long
// after it was let in, be it completed meanwhile, and lets it in again afterwards.
// It stands in place of Dedup. The window is at least a second.
func DedupWindow(window time.Duration) Capability {
	return Capability(windowed + window.String())
}

// Window returns how long the window of c is, if it is a DedupWindow of a second or
// more.
func (c Capability) Window() (time.Duration, bool) {
	text, ok := strings.CutPrefix(string(c), windowed)
	if !ok {
		return 0, false
	}
	d, err := time.ParseDuration(text)
	return d, err == nil && d >= time.Second
}

// claims is what each capability is held to: the properties that CheckQueue judges,
// and what Run asks the queue.
var claims = []struct {
	capability Capability
	properties []string
	ask        func(*probe)
}{
	{Exclusive, []string{"single-holder"}, exclusive},
	{ByToken, nil, byToken},
	{Fence, []string{"stale-token-rejected"}, fence},
	{TokensRise, []string{"tokens-rise"}, tokensRise},
	{SettlesOnce, []string{"settled-once"}, settlesOnce},
	{Dedup, []string{"admission-honest"}, dedup},
	{Ordered, []string{"mint-order"}, ordered},
	{Conserving, []string{"work-conserving"}, conserving},
	{Extends, []string{"deadline-monotone"}, extends},
	{Schedules, nil, schedules},
	{DeadLetters, []string{"attempts-bounded"}, deadLetters},
	{Bounded, []string{"deliveries-bounded"}, bounded},
	{ServerClock, nil, serverClock},
}

// basic are the properties that every queue is judged by.
var basic = []string{"no-loss", "no-duplicate-effect", "one-place", "no-ghost", "terminal-absorbing", "drains"}

// builtIn is what EchoMQ as built claims.
var builtIn = []Capability{
	Exclusive, ByToken, Fence, TokensRise, Dedup, Ordered, Conserving, Extends, Schedules, DeadLetters, ServerClock,
}

// Capabilities returns all capabilities that can be claimed, but for DedupWindow,
// which takes a time.
func Capabilities() []Capability {
	var list []Capability
	for _, c := range claims {
		list = append(list, c.capability)
	}
	return append(list, EchoMQ)
}

// CheckClaims reports the first of caps that there is not, or that contradicts another.
func CheckClaims(caps ...Capability) error {
	for _, c := range caps {
		_, hasWindow := c.Window()
		switch {
		case !hasWindow && !slices.Contains(Capabilities(), c):
			return fmt.Errorf("there is no capability %q; there are %s and DedupWindow of a second or more", model.Safe(string(c)), listed())
		case hasWindow && Has(caps, Dedup):
			return fmt.Errorf("%s and %s contradict each other: is an id let in again when it is completed, or when its window is over?", deduping(caps), c)
		}
	}
	return nil
}

// deduping is what of caps claims Dedup: itself, or EchoMQ.
func deduping(caps []Capability) Capability {
	if slices.Contains(caps, Dedup) {
		return Dedup
	}
	return EchoMQ
}

func listed() string {
	var names []string
	for _, c := range Capabilities() {
		names = append(names, string(c))
	}
	return strings.Join(names, ", ")
}

// Has reports whether caps claim c, by itself or as part of EchoMQ.
func Has(caps []Capability, c Capability) bool {
	return slices.Contains(caps, c) || slices.Contains(caps, EchoMQ) && slices.Contains(builtIn, c)
}

// claimed returns caps, and behind them what else they claim as part of EchoMQ.
func claimed(caps []Capability) []Capability {
	list := slices.Clone(caps)
	for _, c := range builtIn {
		if Has(caps, c) && !slices.Contains(caps, c) {
			list = append(list, c)
		}
	}
	return list
}

// Properties returns the names of the properties that a queue with these
// capabilities is judged by, in the order of model.Properties. The basic ones are
// always among them: no loss, no duplicate effect, one place for each job, an end
// that is one, and that each job comes to it.
func Properties(caps ...Capability) []string {
	var names []string
	for _, p := range model.Properties() {
		wanted := slices.Contains(basic, p.Name)
		for _, c := range claims {
			wanted = wanted || Has(caps, c.capability) && slices.Contains(c.properties, p.Name)
		}
		if wanted {
			names = append(names, p.Name)
		}
	}
	return names
}
