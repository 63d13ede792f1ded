package scenarios

import (
	"fmt"
	"strings"

	"github.com/ackgap/ackgap/faults/script"
)

// HistoryText returns the history as it may stand behind ---- in a story.
func (o *Outcome) HistoryText() string { return string(o.History.AppendText(nil)) }

// WithHistory returns the text of a story with history behind its line ----,
// which is added where there is none.
func WithHistory(text []byte, history string) []byte {
	body, _, _ := cutHistory(string(text))
	return []byte(strings.TrimRight(body, "\n") + "\n" + historyMark + "\n" + history)
}

// firstDifference says at which line two histories part, or "" when they are the
// same. Space at the ends of lines and empty lines at the end do not count.
func firstDifference(want, got string) string {
	a, b := historyLines(want), historyLines(got)
	for i := range max(len(a), len(b)) {
		switch {
		case i >= len(a):
			return fmt.Sprintf("record %d is %s, and there should be none", i+1, script.Quote(b[i]))
		case i >= len(b):
			return fmt.Sprintf("record %d should be %s, and there is none", i+1, script.Quote(a[i]))
		case a[i] != b[i]:
			return fmt.Sprintf("record %d is %s and should be %s", i+1, script.Quote(b[i]), script.Quote(a[i]))
		}
	}
	return ""
}

func historyLines(text string) []string {
	lines := strings.Split(strings.TrimRight(text, " \t\r\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t\r")
	}
	return lines
}
