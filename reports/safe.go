package reports

import (
	"unicode/utf8"

	"github.com/ackgap/ackgap/model"
)

// short returns s as Safe would, in at most limit runes: it ends with an ellipsis
// where it is cut, and never within an escape.
func short(s string, limit int) string {
	whole := model.Safe(s)
	if width(whole) <= limit {
		return whole
	}
	kept := ""
	for len(s) > 0 {
		_, n := utf8.DecodeRuneInString(s)
		next := kept + model.Safe(s[:n])
		if width(next) >= limit {
			break
		}
		kept, s = next, s[n:]
	}
	return kept + "…"
}

// width is how many columns a safe string takes.
func width(s string) int { return utf8.RuneCountInString(s) }
