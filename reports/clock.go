package reports

import (
	"strings"

	"github.com/ackgap/ackgap/model"
)

// clock tells the instants of a column, each to as many places of a second as the finest
// of them has, so that their points stand below each other.
type clock struct{ places int }

// sees takes an instant into the column.
func (c *clock) sees(t model.Time) { c.places = max(c.places, len(fraction(t.String()))) }

// tell returns an instant as the column has it.
func (c clock) tell(t model.Time) string {
	s := t.String()
	if t == model.Never {
		return s
	}
	return s[:len(s)-1] + strings.Repeat("0", max(c.places-len(fraction(s)), 0)) + "s"
}

// fraction is what stands between the point and the unit.
func fraction(s string) string {
	_, after, _ := strings.Cut(strings.TrimSuffix(s, "s"), ".")
	return after
}
