package scenarios

import "github.com/ackgap/ackgap/model"

// Facts returns what the judge of the run was told of its world: with the history,
// enough to judge it again.
func (o *Outcome) Facts() model.Facts {
	body, _ := findBody(o.Story.Queue.Protocol, o.Story.Queue.Backend)
	variant, _ := body.Variant(o.Story.Queue.Variant)
	w := &world{story: o.Story}
	return w.facts(o.tells(), variant.BoundsDeliveries)
}

// tells reports whether the queue told what it touched. One-place is left open if
// and only if it did not.
func (o *Outcome) tells() bool {
	for _, v := range o.Verdicts {
		if v.Property == "one-place" {
			return v.Value != model.Unknown
		}
	}
	return false
}
