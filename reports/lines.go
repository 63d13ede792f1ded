package reports

import (
	"time"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
)

// pauseShown is the least time between two rows that a cut marks.
const pauseShown = model.Time(time.Second)

// line is one line of a diagram from top to bottom: a row, or, where row is nil,
// what lies between two of them: rows that are not shown, or idle time that is
// cut.
type line struct {
	row      *row
	isHidden bool       // the row is not drawn; its lifeline goes on all the same
	hidden   int        // so many rows are not shown
	later    model.Time // so much time is cut
}

// lines puts what is drawn in order. It is the same on every surface.
func (d *diagram) lines() []line {
	var out []line
	var last *row // the last one that is shown
	hidden := 0
	for i := range d.rows {
		r := &d.rows[i]
		if !d.shown[i] {
			out = append(out, line{row: r, isHidden: true})
			hidden++
			continue
		}
		switch {
		case hidden > 0:
			out = append(out, line{hidden: hidden})
		case last != nil && r.at-last.at >= pauseShown:
			out = append(out, line{later: r.at - last.at})
		}
		out = append(out, line{row: r})
		last, hidden = r, 0
	}
	return out
}

// gapText says what a line without a row leaves out.
func (l *line) gapText() string {
	if l.hidden > 0 {
		return script.Count(l.hidden, "row") + " not shown, --full"
	}
	return l.later.String() + " later"
}
