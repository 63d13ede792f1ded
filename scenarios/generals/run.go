package generals

import "strconv"

// Run is what the world decides: whether A is ordered to attack, and which
// messages the link lets through if they are sent. Protocol and Run together
// determine all that happens.
type Run struct {
	Ordered bool
	Arrives Set
}

// Played is a run of a protocol and what came of it. The link's Arrives is cut
// down to the messages that did arrive.
type Played struct {
	Run
	Sent    Set
	Views   [2]View // of A and B, when all hours are over
	Attacks [2]bool // by A and B
}

// Breach is what a run breaks.
type Breach uint8

// The breaches. Agreement: one general attacks alone. Validity: somebody attacks
// though no order was given.
const (
	NoBreach Breach = iota
	Agreement
	Validity
)

// String returns the word that is printed.
func (b Breach) String() string { return [...]string{"nothing", "agreement", "validity"}[b] }

// Breach returns what the run breaks. An attack of one general without an order
// breaks both, and counts as Validity.
func (p *Played) Breach() Breach {
	switch {
	case !p.Ordered && p.anyAttacks():
		return Validity
	case p.Attacks[A] != p.Attacks[B]:
		return Agreement
	}
	return NoBreach
}

func (p *Played) anyAttacks() bool { return p.Attacks[A] || p.Attacks[B] }

// play lets p go through the run r.
func (p *Protocol) play(r Run) Played {
	views := [2]View{
		{Party: A, Order: r.Ordered, Text: firstText(r.Ordered)},
		{Party: B, Text: "B"},
	}
	out := Played{Run: Run{Ordered: r.Ordered}}
	for i, from := range p.Senders {
		m := i + 1
		sender, receiver := &views[from], &views[from.Other()]
		said := *sender
		sent := p.Send(said, m)
		sender.send(m, sent)
		if sent {
			out.Sent = out.Sent.with(m)
		}
		if !sent || !r.Arrives.Has(m) {
			receiver.write(m, "silence")
			continue
		}
		out.Arrives = out.Arrives.with(m)
		receiver.hear(m, said)
	}
	out.Views = views
	out.Attacks = [2]bool{p.Attack(views[A]), p.Attack(views[B])}
	return out
}

func firstText(ordered bool) string {
	if ordered {
		return "A ordered"
	}
	return "A not ordered"
}

func (v *View) send(m int, sent bool) {
	if !sent {
		v.write(m, "unsent")
		return
	}
	v.Sent = v.Sent.with(m)
	v.write(m, "sent")
}

// hear takes message m, which says all that its sender had.
func (v *View) hear(m int, said View) {
	v.Heard = v.Heard.with(m)
	v.Knows |= said.Knows.with(m)
	v.Order = v.Order || said.Order
	v.write(m, "["+said.Text+"]")
}

func (v *View) write(m int, what string) {
	v.Text += " " + strconv.Itoa(m) + " " + what
}
