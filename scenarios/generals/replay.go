package generals

import (
	"fmt"
	"slices"
)

// AppendStory appends one side of p as a story that `ackgap run` runs against
// EchoMQ, whose queue is told by `do reap` lines when to deliver again: done is
// the side in which the work of J#1 ran. An instant is a minute. The story goes up
// to the second delivery, which EchoMQ settles for good: that is as far as the
// pair needs to go, since it fails by then.
func (p *Pair) AppendStory(b []byte, done bool) []byte {
	name, fault, truth := "never-ran", "drop-reply claim", "never ran"
	if done {
		name, fault, truth = "ran", "drop complete", "ran, and its ACK was lost"
	}
	again := slices.Index(p.InLost.Again[:], true) + 1 // 0: never
	b = fmt.Appendf(b, "# Rule %d of %s: the work of J1#1\n# %s. %s.\n", p.Rule, p.World, truth, doesAt(again))
	b = fmt.Appendf(b, "# The queue's view is that of its twin, in which it %s.\n", twinTruth(done))
	b = fmt.Appendf(b, "story  rule-%d-%s\nqueue  echomq lease=30s reap-every=off\nworker w1 consumer=naive\njob    J1\n\n", p.Rule, name)
	if again > 0 {
		b = fmt.Appendf(b, "do     reap time=%dm\n", again)
	}
	b = fmt.Appendf(b, "fault  %s J1#1\n\n", fault)
	return appendExpect(b, done, again > 0)
}

func doesAt(again int) string {
	if again == 0 {
		return "The rule stays silent"
	}
	return fmt.Sprintf("The rule redelivers at instant %d", again)
}

func twinTruth(done bool) string {
	if done {
		return "never ran"
	}
	return "ran and its ACK was lost"
}

// appendExpect appends what must come of a side: how often the work was done, and
// that there is a twin.
func appendExpect(b []byte, done, again bool) []byte {
	deliveries, state := 1, "active"
	if again {
		deliveries, state = 2, "completed"
	}
	effects := deliveries - 1
	if done {
		effects++
	}
	b = fmt.Appendf(b, "expect effects J1 = %d\nexpect deliveries J1 = %d\nexpect state J1 = %s\nexpect twin J1#1\n", effects, deliveries, state)
	switch {
	case again && done:
		return append(b, "expect broken no-duplicate-effect\n"...)
	case !again:
		return append(b, "expect broken drains\n"...)
	}
	return append(b, "expect held no-loss no-duplicate-effect\n"...)
}
