package generals

import (
	"fmt"
	"hash/fnv"
	"strings"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
)

// AppendText appends the chain link by link: each run with what was sent and what
// arrived, and between two runs who cannot tell them apart.
func (c *Chain) AppendText(b []byte) []byte {
	b = c.Protocol.appendTitle(b)
	b = append(b, '\n')
	b = c.appendHeader(b)
	for i := range c.Runs {
		if i > 0 {
			b = c.appendLink(b, i-1)
		}
		b = c.appendRun(b, i)
	}
	b = append(b, '\n')
	b = appendTerm(b, "BROKEN", c.verdict())
	return appendTerm(b, "WHY", c.why())
}

// AppendSafe appends what there is to say of a protocol that never attacks.
func (p *Protocol) AppendSafe(b []byte) []byte {
	b = p.appendTitle(b)
	return appendTerm(append(b, '\n'), "SAFE", fmt.Sprintf(
		"It never attacks, in none of its %s: so nobody attacks alone. A protocol that ever attacks is not safe.", script.Count(2<<len(p.Senders), "run")))
}

func (p *Protocol) appendTitle(b []byte) []byte {
	b = appendTerm(b, "TWO GENERALS", model.Safe(p.Name))
	b = appendTerm(b, "", model.Safe(p.About))
	return appendTerm(b, "", "Only A is told whether to attack. Any message may be lost. Each message says all that its sender knows, and who waits in vain for one knows that it did not come.")
}

// appendHeader appends the titles of the columns.
func (c *Chain) appendHeader(b []byte) []byte {
	line := "  run  order  "
	for i := range c.Protocol.Senders {
		line += fmt.Sprintf(" %2d", i+1)
	}
	return append(b, line+"   A        B\n"...)
}

func (c *Chain) appendRun(b []byte, i int) []byte {
	run := &c.Runs[i]
	line := fmt.Sprintf("%5d  %-5s  ", i, orderWord(run.Ordered))
	for m := 1; m <= len(c.Protocol.Senders); m++ {
		line += "  " + c.mark(run, m)
	}
	line += fmt.Sprintf("   %-7s  %s", act(run.Attacks[A]), act(run.Attacks[B]))
	return append(append(b, line...), '\n')
}

func orderWord(ordered bool) string {
	if ordered {
		return "given"
	}
	return "none"
}

func act(attacks bool) string {
	if attacks {
		return "attacks"
	}
	return "waits"
}

// mark draws message m: in its direction, lost, or not sent.
func (c *Chain) mark(run *Played, m int) string {
	switch {
	case !run.Sent.Has(m):
		return "·"
	case !run.Arrives.Has(m):
		return "╳"
	case c.Protocol.Senders[m-1] == A:
		return "▶"
	}
	return "◀"
}

// appendLink appends who cannot tell the run i from the next.
func (c *Chain) appendLink(b []byte, i int) []byte {
	l := c.Links[i]
	what := fmt.Sprintf("%d is lost; %s, who sent it, cannot tell", l.Lost, l.Blind)
	if l.Lost == 0 {
		what = fmt.Sprintf("no order; %s, who heard nothing, cannot tell", l.Blind)
	}
	views := fmt.Sprintf("view %s = %s", digest(c.Runs[i].Views[l.Blind]), digest(c.Runs[i+1].Views[l.Blind]))
	return fmt.Appendf(b, "    │  %s: %s\n", what, views)
}

// digest is a view as a short number: what is compared is its whole text.
func digest(v View) string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(v.Text)) // a hash takes all
	return fmt.Sprintf("%08x", h.Sum32())
}

// verdict says what the last run breaks, and how.
func (c *Chain) verdict() string {
	run, last := c.last(), len(c.Runs)-1
	who := "both attack"
	if run.Attacks[A] != run.Attacks[B] {
		who = A.String() + " attacks alone"
		if run.Attacks[B] {
			who = B.String() + " attacks alone"
		}
	}
	if c.Breach == Validity {
		return fmt.Sprintf("validity: in run %d %s, and there was no order.", last, who)
	}
	return fmt.Sprintf("agreement: in run %d %s.", last, who)
}

// why says what the chain shows, which does not depend on the rules.
func (c *Chain) why() string {
	if len(c.Links) == 0 {
		return "No link is needed: a run is broken by itself."
	}
	return strings.Join([]string{
		"Who cannot tell two runs apart does the same in both.",
		"So either somebody attacks alone on the way down, or the attack of run 0 is carried to the run in which nobody was ordered to.",
		"One more message is one more link.",
	}, " ")
}
