package scenarios

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
)

// HistoryText returns the history as it may stand behind ---- in a story.
func (o *Outcome) HistoryText() string { return string(o.History.AppendText(nil)) }

// WithHistory returns the text of a story with history behind its line ----,
// which is added where there is none.
func WithHistory(text []byte, history string) []byte {
	body, _, _ := cutHistory(string(text))
	return []byte(strings.TrimRight(body, "\n") + "\n" + historyMark + "\n" + history)
}

// firstDifference says at which record two histories part, or "" when they are
// the same. Space does not count: how wide a column is depends on all records.
func firstDifference(want, got string) string {
	a, b := historyLines(want), historyLines(got)
	n := partAt(a, b)
	switch {
	case n == 0:
		return ""
	case n > len(a):
		return fmt.Sprintf("record %d is %s, and there should be none", n, script.Quote(b[n-1]))
	case n > len(b):
		return fmt.Sprintf("record %d should be %s, and there is none", n, script.Quote(a[n-1]))
	}
	return fmt.Sprintf("record %d is %s and should be %s", n, script.Quote(b[n-1]), script.Quote(a[n-1]))
}

func historyLines(text string) []string {
	lines := strings.Split(strings.TrimRight(text, " \t\r\n"), "\n")
	for i := range lines {
		lines[i] = strings.Join(strings.Fields(lines[i]), " ")
	}
	return lines
}

// partAt returns the place, from 1, of the first item in which a and b differ,
// and 0 when they are the same.
func partAt[T comparable](a, b []T) int {
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i] != b[i] {
			return i + 1
		}
	}
	return 0
}

// Diverged is the error of two runs of one story that left different histories, or of
// whose one history different things were said: a defect of ackgap, or of the queue
// behind it.
type Diverged struct {
	First, Then model.Digest // of the two histories
	Record      int          // the number of the first record that differs; 0 where it is not known
	About       string       // where the histories are the same: what was judged in two ways, such as "verdict of no-loss"; "" where it is not known
	A, B        string       // that record, or what was judged, in both; "" where there was none
}

// Same returns nil when two runs of one story left the same history, and a
// *Diverged that names the first differing record when they did not. Records
// that were not kept cannot be named.
func Same(first, then *model.History) error {
	if first.Digest == then.Digest {
		return nil
	}
	d := &Diverged{First: first.Digest, Then: then.Digest, Record: partAt(first.Events, then.Events)}
	d.A, d.B = recordText(first, d.Record), recordText(then, d.Record)
	return d
}

// recordText returns record n of h as histories are written.
func recordText(h *model.History, n int) string {
	if n < 1 || n > len(h.Events) {
		return ""
	}
	return historyLines(string(h.AppendText(nil)))[n-1]
}

const notSaid = "(nothing is said of it)"

// Error names the first differing record of both sides, or what was judged in two ways,
// on a line each.
func (d *Diverged) Error() string {
	if d.First == d.Then {
		return d.judgedApart()
	}
	text := fmt.Sprintf("the same story left two histories, digest %s at first and %s then; this is a defect of ackgap (or of the queue behind it)", d.First, d.Then)
	if d.Record == 0 {
		return text
	}
	return fmt.Sprintf("%s\n  they part at record %d\n  first  %s\n  then   %s", text, d.Record, orNone(d.A), orNone(d.B))
}

// judgedApart is the text of one history that was judged in two ways.
func (d *Diverged) judgedApart() string {
	text := fmt.Sprintf("one history, digest %s, was judged in two ways; this is a defect of ackgap (or of the queue behind it)", d.First)
	if d.About == "" {
		return text
	}
	return fmt.Sprintf("%s\n  the %s differs\n  first  %s\n  then   %s", text, d.About, cmp.Or(d.A, notSaid), cmp.Or(d.B, notSaid))
}

func orNone(record string) string {
	if record == "" {
		return "(no such record: the history has ended)"
	}
	return record
}
