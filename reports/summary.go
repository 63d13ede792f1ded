package reports

import (
	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
)

// AppendSummary appends r as one line, for a run of many stories:
//
//	met           lost-ack  2 deliveries, 2 effects, broken as expected: no-duplicate-effect
//
// Names is the width of the column of stories, in runes: that of the longest.
func AppendSummary(b []byte, r *Run, names int, s Style) []byte {
	p := &page{b: b, style: s}
	p.left(outcomeTint(r.Outcome), r.Outcome.String(), len("inconclusive")+2)
	p.left(plain, model.Safe(r.Story), names)
	p.spaces += 2
	p.line(plain, r.gist())
	return p.b
}

// gist tells a run in a line: what was done, what broke, what was not met.
func (r *Run) gist() string {
	deliveries, effects := r.counts()
	text := script.Count(deliveries, "delivery") + ", " + script.Count(effects, "effect")
	var expected, others string
	for _, v := range r.withValue(model.Broken) {
		if want, named := r.expected(v.Property); named && want == model.Broken {
			expected = join(expected, " ", model.Safe(v.Property))
			continue
		}
		others = join(others, " ", model.Safe(v.Property))
	}
	text = join(text, ", broken as expected: ", expected)
	text = join(text, ", broken: ", others)
	return join(text, "; ", r.firstUnmet())
}

// firstUnmet is the first of unmetTexts, and how many there are besides; "" where there
// is none.
func (r *Run) firstUnmet() string {
	switch unmet := r.unmetTexts(); len(unmet) {
	case 0:
		return ""
	case 1:
		return unmet[0]
	default:
		return unmet[0] + ", and " + itoa(len(unmet)-1) + " more"
	}
}

// counts returns how many claims the queue granted and how many effects came
// of them.
func (r *Run) counts() (deliveries, effects int) {
	for i := range r.History.Events {
		e := &r.History.Events[i]
		switch {
		case e.Kind == model.Effected:
			effects++
		case e.Kind == model.Applied && e.Op == model.OpClaim && e.Answer == model.OK:
			deliveries++
		}
	}
	return deliveries, effects
}
