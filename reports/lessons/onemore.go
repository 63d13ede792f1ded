package lessons

import (
	"strings"

	"github.com/ackgap/ackgap/scenarios/generals"
)

// staircase builds the chain of each protocol of 1 to 12 confirmations.
func (a *author) staircase() []*generals.Chain {
	var list []*generals.Chain
	for n := 1; n <= generals.MaxMessages; n++ {
		p, err := generals.Builtin("rounds-" + itoa(n))
		if a.fail(err); err != nil {
			return nil
		}
		chain, err := generals.Build(p)
		if a.fail(err); err != nil {
			return nil
		}
		list = append(list, chain)
	}
	return list
}

// stair draws the run in which a chain ends: its messages, and who attacks.
func stair(c *generals.Chain) []string {
	run := &c.Runs[len(c.Runs)-1]
	arrows := ""
	for m, sender := range c.Protocol.Senders {
		switch {
		case !run.Arrives.Has(m + 1):
			arrows += "╳ "
		case sender == generals.A:
			arrows += "▶ "
		default:
			arrows += "◀ "
		}
	}
	return []string{itoa(len(c.Protocol.Senders)), strings.TrimSpace(arrows), attacks(run.Attacks[generals.A]), attacks(run.Attacks[generals.B])}
}

func attacks(yes bool) string {
	if yes {
		return "attacks"
	}
	return "waits"
}

func oneMoreACK(a *author) {
	rows := [][]string{{"messages", "of A ▶ and B ◀", "A", "B"}}
	chains := a.staircase()
	for _, c := range chains {
		rows = append(rows, stair(c))
	}
	perfect := a.shipped("crash-before-effect")
	a.say("If an ACK can be lost, why not acknowledge the ACK?")
	a.say("Here are two *generals*, A and B.")
	a.say("If both attack they win, and whoever attacks alone is lost.")
	a.say("A has the order; each message confirms the one before, and any of them can be lost.")
	a.say("A general attacks when the last message meant for it has come.")
	a.bet("After how many messages can both be sure?",
		no("two: the order and its ACK", "then B does not know whether its ACK came, and A waits for it."),
		no(itoa(len(chains)), "the last of %d is lost as easily as the first.", len(chains)),
		yes("never", "whoever sends the last message cannot know whether it came."))
	a.show(table(rows...))
	a.say("In each row the last message is lost, and %s general attacks alone.", number(alone(chains)))
	a.say("Its sender sees the same whether it arrives or not, and so has to do the same.")
	a.say("So nobody can need that message; leave it out, and you are in the row above.")
	a.say("TCP is no way out: it acknowledges that bytes came, and not that work was done.")
	a.say("Nor is it the network alone: in crash-before-effect no message is lost, and %s work had run when the lease ran out.", haveRun(perfect))
	a.ends(mythConfirm, mythTCP)
	a.try(0, "ackgap generals rounds-"+itoa(len(chains)), "attacks alone")
}

func haveRun(t *trial) string {
	if t.hadRun() {
		return "the"
	}
	return "no"
}

// alone is how many generals attack in the last run of each chain, 0 where the chains
// differ.
func alone(chains []*generals.Chain) int {
	for _, c := range chains {
		run := &c.Runs[len(c.Runs)-1]
		if run.Attacks[generals.A] == run.Attacks[generals.B] {
			return 0
		}
	}
	return 1
}
