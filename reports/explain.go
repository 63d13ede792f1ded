package reports

import "github.com/ackgap/ackgap/model"

// AppendExplain appends what one property claims and why: when it is broken, at
// which events it is judged, a history in which it holds and one in which it
// does not, and the source of the idea.
func AppendExplain(b []byte, m *model.Property, s Style) []byte {
	p := &page{b: b, style: s}
	p.line(effect, model.Safe(m.Name))
	p.term("claim", claimText(m))
	p.term(docTerm(m), m.Doc)
	p.term("judged at", m.Column)
	p.term("holds in", m.Holds)
	p.term(counterTerm(m), m.Breaks)
	p.term("source", m.Source)
	return p.b
}

const termWidth = 15

// term writes one word and its explanation, and nothing for an empty one.
func (p *page) term(word, text string) {
	lead := "  " + word
	for width(lead) < termWidth {
		lead += " "
	}
	p.wrap(lead, model.Safe(text))
}

func claimText(m *model.Property) string {
	text := "always: it holds at every moment"
	switch m.Claim {
	case model.Eventually:
		text = "eventually: it has come true by the end of the run"
	case model.Sometimes:
		text = "sometimes: in some run it is seen at all"
	}
	if m.Optional {
		text += "; judged only where the queue declares it"
	}
	return text
}

func docTerm(m *model.Property) string {
	if m.Claim == model.Sometimes {
		return "seen when"
	}
	return "broken when"
}

func counterTerm(m *model.Property) string {
	if m.Claim == model.Sometimes {
		return "not in"
	}
	return "breaks in"
}
