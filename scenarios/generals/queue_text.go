package generals

import (
	"fmt"

	"github.com/ackgap/ackgap/faults/script"
)

// AppendCensus appends the table of the worlds of which every rule was tried.
func AppendCensus(b []byte, all []Census) []byte {
	b = appendTerm(b, "THE QUEUE", "every rule of redelivery")
	b = appendTerm(b, "", "One job. The queue delivers it, and at each instant from then on sees what the delivery before sent back, and delivers it again or not. What has not come after one instant never comes. At most as many deliveries go wrong as there are instants; a queue can make one more.")
	b = append(b, '\n')
	b = append(b, "                                                naive consumer            marker\n"...)
	b = append(b, "  instants                   views  rules   lose double   both neither    once\n"...)
	var sum Census
	for _, c := range all {
		b = fmt.Appendf(b, "  %d of %-21s  %5d %6d  %5d %6d %6d %7d  %6d\n", c.World.Instants, c.World.signalWords(),
			c.World.Views(), c.Rules, c.LoseOnly, c.DoubleOnly, c.Both, c.Neither, c.WithMarker)
		sum.Rules, sum.Neither, sum.Refuted = sum.Rules+c.Rules, sum.Neither+c.Neither, sum.Refuted+c.Refuted
	}
	b = append(b, '\n')
	b = appendTerm(b, "", "lose: 0 effects in some run of the world, never 2. double: 2 or more in some run, never 0. once: with a marker, 1 effect in every run.")
	b = append(b, '\n')
	return appendTerm(b, "TRIED", fmt.Sprintf("%s: %d of them neither lose the job nor double its effect. %d are refuted by two runs that look the same to the queue, and the work of one delivery ran in one of the two. The marker saves those that never lose, and no other.",
		script.Count(sum.Rules, "rule"), sum.Neither, sum.Refuted))
}

// AppendText appends the pair: what happened and what the queue saw, twice.
func (p *Pair) AppendText(b []byte) []byte {
	b = appendTerm(b, "RULE", fmt.Sprintf("%d of 0 to %d, %s%s", p.Rule, p.World.Rules()-1, p.World, ruleName(p.World, p.Rule)))
	b = append(b, '\n')
	b = p.appendSide(b, p.Lost, p.InLost)
	b = p.appendSide(b, p.Done, p.InDone)
	b = append(b, '\n')
	b = appendTerm(b, "VIEW", "in both, byte for byte: "+p.InLost.View())
	return appendTerm(b, "REFUTED", fmt.Sprintf("%d and %d. A rule that leaves n effects in the first leaves n+1 in the second: both cannot be 1.", p.InLost.Effects, p.InDone.Effects))
}

func ruleName(w World, r Rule) string {
	switch r {
	case AtLeastOnce(w):
		return ": redeliver until an ACK comes"
	case 0:
		return ": never redeliver"
	}
	return ""
}

// appendSide appends one run of the pair: each delivery that was made, its fate,
// and how many effects there are.
func (p *Pair) appendSide(b []byte, fates Fates, c Course) []byte {
	made := []int{0}
	for i := range c.Length {
		if c.Again[i] {
			made = append(made, i+1)
		}
	}
	for n, at := range made {
		b = fmt.Appendf(b, "  instant %d   J#%d %s\n", at, n+1, fates[at])
	}
	return fmt.Appendf(b, "              %s%s\n", script.Count(c.Effects, "effect"), effectNote(c.Effects))
}

func effectNote(n int) string {
	switch n {
	case 0:
		return "  <- LOST"
	case 1:
		return ""
	}
	return "  <- DOUBLED"
}

// AppendInstead appends what can be had instead, and in how many runs of Worlds it
// was had just now.
func AppendInstead(b []byte) []byte {
	passed, runs := 0, 0
	for _, w := range Worlds() {
		for _, f := range w.Runs() {
			runs++
			if w.Play(AtLeastOnce(w), f, true).Effects == 1 {
				passed++
			}
		}
	}
	return appendTerm(b, "INSTEAD", fmt.Sprintf("Deliver at least once, to a consumer that writes a marker and its effect in one transaction: one effect in %d of %s of the worlds in which all rules were tried. Exactly-once delivery cannot be had. Exactly-once effect can.",
		passed, script.Count(runs, "run")))
}
