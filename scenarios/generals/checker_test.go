package generals_test

import (
	"fmt"
	"slices"

	"github.com/ackgap/ackgap/scenarios/generals"
)

// checker plays a protocol again, from its rules and a run alone. It shares no
// code with what builds a chain: it asks what a general saw before a message, which
// asks what was said in it, and so on back to the order, where the builder goes
// forward in time; and it reads tables by itself.
type checker struct {
	p       *generals.Protocol
	ordered bool
	arrives []bool // by message; [0] is unused
	memo    map[string]sight
}

// sight is what a general saw before a message.
type sight struct {
	words       string
	order       bool
	heard, sent []int
	knows       []int // sorted, each once
}

func newChecker(p *generals.Protocol, r generals.Run) *checker {
	c := &checker{p: p, ordered: r.Ordered, arrives: make([]bool, len(p.Senders)+1), memo: map[string]sight{}}
	for m := range c.arrives {
		c.arrives[m] = m > 0 && r.Arrives&(1<<(m-1)) != 0
	}
	return c
}

// before returns what who saw before message m was due.
func (c *checker) before(who generals.Party, m int) sight {
	key := fmt.Sprint(who, m)
	if s, ok := c.memo[key]; ok {
		return s
	}
	s := sight{order: who == generals.A && c.ordered}
	if who == generals.A {
		s.words = fmt.Sprint("order:", c.ordered)
	}
	for j := 1; j < m; j++ {
		from := c.p.Senders[j-1]
		switch {
		case from == who:
			s.words += fmt.Sprintf("; %d I sent: %v", j, c.sends(j))
			if c.sends(j) {
				s.sent = append(s.sent, j)
			}
		case c.sends(j) && c.arrives[j]:
			said := c.before(from, j)
			s.words += fmt.Sprintf("; %d said {%s}", j, said.words)
			s.heard, s.order = append(s.heard, j), s.order || said.order
			s.knows = append(append(s.knows, said.knows...), j)
		default:
			s.words += fmt.Sprintf("; %d did not come", j)
		}
	}
	slices.Sort(s.knows)
	s.knows = slices.Compact(s.knows)
	c.memo[key] = s
	return s
}

// after returns what who saw of the whole run.
func (c *checker) after(who generals.Party) sight { return c.before(who, len(c.p.Senders)+1) }

func (c *checker) sends(m int) bool {
	from := c.p.Senders[m-1]
	s := c.before(from, m)
	if c.p.Table == nil {
		return c.p.Send(s.view(from), m)
	}
	return slices.ContainsFunc(c.p.Table.Sends, func(r generals.Row) bool { return r.Message == m && s.meets(r.When) })
}

func (c *checker) attacks(who generals.Party) bool {
	s := c.after(who)
	if c.p.Table == nil {
		return c.p.Attack(s.view(who))
	}
	return slices.ContainsFunc(c.p.Table.Attacks, func(r generals.Row) bool { return r.Party == who && s.meets(r.When) })
}

func (s sight) meets(w generals.When) bool {
	if w.Order && !s.order || len(s.heard) < w.Least {
		return false
	}
	for m := 1; m <= generals.MaxMessages; m++ {
		bit := generals.Set(1) << (m - 1)
		heard := slices.Contains(s.heard, m)
		if w.Heard&bit != 0 && !heard || w.Silent&bit != 0 && heard || w.Knows&bit != 0 && !slices.Contains(s.knows, m) {
			return false
		}
	}
	return true
}

// view is s as a rule in Go is given it.
func (s sight) view(who generals.Party) generals.View {
	return generals.View{Party: who, Order: s.order, Sent: setOf(s.sent), Heard: setOf(s.heard), Knows: setOf(s.knows), Text: s.words}
}

func setOf(list []int) generals.Set {
	var s generals.Set
	for _, m := range list {
		s |= 1 << (m - 1)
	}
	return s
}

// check returns what is wrong with a chain, or nil: each run must be as played,
// each link must change one thing and hide it from the one it names, and the last
// run, no other, must break what is said.
func check(c *generals.Chain) error {
	if len(c.Runs) == 0 || len(c.Links) != len(c.Runs)-1 {
		return fmt.Errorf("%d runs and %d links", len(c.Runs), len(c.Links))
	}
	for i, run := range c.Runs {
		if err := checkRun(c.Protocol, run); err != nil {
			return fmt.Errorf("run %d: %w", i, err)
		}
		if last := i == len(c.Runs)-1; last != (breaks(run) != generals.NoBreach) || last && breaks(run) != c.Breach {
			return fmt.Errorf("run %d breaks %v, the chain says %v of its last", i, breaks(run), c.Breach)
		}
	}
	for i, l := range c.Links {
		if err := checkLink(c.Protocol, l, c.Runs[i], c.Runs[i+1]); err != nil {
			return fmt.Errorf("link %d: %w", i, err)
		}
	}
	return nil
}

func checkRun(p *generals.Protocol, run generals.Played) error {
	c := newChecker(p, run.Run)
	for _, who := range []generals.Party{generals.A, generals.B} {
		if c.attacks(who) != run.Attacks[who] {
			return fmt.Errorf("%v attacks: %v, the chain says %v", who, c.attacks(who), run.Attacks[who])
		}
	}
	for m := 1; m <= len(p.Senders); m++ {
		if c.sends(m) != (run.Sent&(1<<(m-1)) != 0) || c.arrives[m] && !c.sends(m) {
			return fmt.Errorf("message %d: sent %v, arrives %v", m, c.sends(m), c.arrives[m])
		}
	}
	return nil
}

func breaks(run generals.Played) generals.Breach {
	a, b := run.Attacks[0], run.Attacks[1]
	if (a || b) && !run.Ordered {
		return generals.Validity
	}
	if a != b {
		return generals.Agreement
	}
	return generals.NoBreach
}

func checkLink(p *generals.Protocol, l generals.Link, from, to generals.Played) error {
	want := from.Run
	if l.Lost == 0 {
		want.Ordered = false
	} else {
		want.Arrives &^= 1 << (l.Lost - 1)
	}
	if want != to.Run || want == from.Run {
		return fmt.Errorf("from %v to %v is not the loss of %d", from.Run, to.Run, l.Lost)
	}
	a, b := newChecker(p, from.Run).after(l.Blind), newChecker(p, to.Run).after(l.Blind)
	if a.words != b.words {
		return fmt.Errorf("%v sees\n%s\nand then\n%s", l.Blind, a.words, b.words)
	}
	if from.Views[l.Blind] != to.Views[l.Blind] {
		return fmt.Errorf("the views of %v that the chain holds differ", l.Blind)
	}
	return nil
}
