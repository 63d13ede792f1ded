package reports

import (
	"time"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
)

// pauseShown is the least time between two rows that a cut marks.
const pauseShown = model.Time(time.Second)

// line is one line of a diagram from top to bottom: a row, or, where row is nil,
// what lies between two of them, or behind the last: rows that are not shown, or
// idle time that is cut.
type line struct {
	row      *row
	isHidden bool       // the row is not drawn; its lifeline goes on all the same
	hidden   []row      // these rows are not shown
	later    model.Time // so much time is cut
}

// lines puts what is drawn in order. It is the same on every surface.
func (d *diagram) lines() []line {
	var out []line
	var last *row // the last one that is shown
	from := 0     // where the rows begin that are not, since then
	for i := range d.rows {
		r := &d.rows[i]
		if !d.shown[i] {
			out = append(out, line{row: r, isHidden: true})
			continue
		}
		switch {
		case from < i:
			out = append(out, line{hidden: d.rows[from:i]})
		case last != nil && r.at-last.at >= pauseShown:
			out = append(out, line{later: r.at - last.at})
		}
		out = append(out, line{row: r})
		last, from = r, i+1
	}
	if from < len(d.rows) {
		out = append(out, line{hidden: d.rows[from:]})
	}
	return out
}

// gapText says what a line without a row leaves out.
func (l *line) gapText() string {
	if n := len(l.hidden); n > 0 {
		return script.Count(n, "row") + " not shown, --full"
	}
	return l.later.String() + " later"
}

// events says which events are those of the hidden rows of a line: "47" or "47-980".
func (l *line) events() string {
	from, to := itoa(l.hidden[0].seq), itoa(l.hidden[len(l.hidden)-1].seq)
	if from == to {
		return from
	}
	return from + "-" + to
}
