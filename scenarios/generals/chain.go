package generals

import (
	"errors"
	"fmt"
)

// Chain is why a protocol fails: runs of which each is like the one before it to
// one general, from one in which both attack to one that breaks agreement or
// validity. It has a single run when that run is broken by itself.
type Chain struct {
	Protocol *Protocol
	Runs     []Played
	Links    []Link // between Runs[i] and Runs[i+1]
	Breach   Breach // of the last run, and of no other
}

// Link is what changes from a run to the next, and who cannot see it.
type Link struct {
	Lost  int   // the message that no longer arrives; 0: the order is no longer given
	Blind Party // whose views of both runs are equal, byte for byte
}

// ErrNeverAttacks is returned for the protocols that are safe: those that never
// attack, whatever is ordered and whatever arrives.
var ErrNeverAttacks = errors.New("the protocol never attacks: it is safe, and of no use")

// Build builds the chain of p. The error is ErrNeverAttacks, or says what is
// wrong with p: too many messages, a missing rule, or a rule that answers
// differently for equal views.
func Build(p *Protocol) (*Chain, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	start, ok := p.start()
	if !ok {
		return nil, ErrNeverAttacks
	}
	c := &Chain{Protocol: p, Runs: []Played{start}}
	for c.last().Breach() == NoBreach {
		if err := c.extend(); err != nil {
			return nil, err
		}
	}
	c.Breach = c.last().Breach()
	return c, nil
}

func (c *Chain) last() *Played { return &c.Runs[len(c.Runs)-1] }

// start returns the run to begin with: the first in which both attack, else the
// first in which anybody does. Runs with an order come first, and those in which
// more of the late messages arrive.
func (p *Protocol) start() (found Played, ok bool) {
	for _, ordered := range []bool{true, false} {
		for arrives := int(UpTo(len(p.Senders))); arrives >= 0; arrives-- {
			run := p.play(Run{Ordered: ordered, Arrives: Set(arrives)})
			if run.Attacks[A] && run.Attacks[B] {
				return run, true
			}
			if run.anyAttacks() && !ok {
				found, ok = run, true
			}
		}
	}
	return found, ok
}

// extend adds the run in which the last message that arrived is lost. Whoever
// sent it hears nothing afterwards in either run, and cannot tell. Where nothing
// arrived, the order goes: B, who heard nothing, cannot tell.
//
// In the last run both attack and an order was given, else it would be broken.
func (c *Chain) extend() error {
	run, link := c.last().Run, Link{Blind: B}
	if last := run.Arrives.Last(); last > 0 {
		link = Link{Lost: last, Blind: c.Protocol.Senders[last-1]}
		run.Arrives &= UpTo(last - 1)
	} else {
		run.Ordered = false
	}
	next := c.Protocol.play(run)
	if err := sameTo(link.Blind, c.last(), &next); err != nil {
		return err
	}
	c.Runs, c.Links = append(c.Runs, next), append(c.Links, link)
	return nil
}

// sameTo checks that two runs look the same to p, who then does the same. A rule
// written in Go can fail to.
func sameTo(p Party, a, b *Played) error {
	if a.Views[p].Text != b.Views[p].Text || a.Attacks[p] != b.Attacks[p] {
		return fmt.Errorf("a rule of %s is no function of its view: it answers differently for equal views; let it read nothing else", p)
	}
	return nil
}
