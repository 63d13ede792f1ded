package reports

import (
	"strings"
	"unicode/utf8"

	"github.com/ackgap/ackgap/model"
)

// nameLimit is how many runes of a name a diagram shows.
const nameLimit = 12

// labels returns the names as a diagram shows them: safe, in at most nameLimit runes, and
// no two alike. Names whose beginnings and ends are the same are told apart by a number.
func labels(names *model.Names) *model.Names {
	return &model.Names{Procs: Labels(names.Procs, nameLimit), Jobs: Labels(names.Jobs, nameLimit)}
}

// Labels returns the names safe, in at most limit runes, and no two alike. From 8 runes on
// that can be kept to, however many there are.
func Labels(names []string, limit int) []string {
	list, taken := make([]string, len(names)), make(map[string]int, len(names))
	for i, name := range names {
		first := short(name, limit)
		label := first
		for ; taken[label] > 0; taken[first]++ {
			number := "(" + itoa(taken[first]+1) + ")"
			label = short(name, max(limit-len(number), 1)) + number
		}
		taken[label]++
		list[i] = label
	}
	return list
}

// short returns s as Safe would, in at most limit runes: where it is cut in its middle
// stands an ellipsis, for names differ at their ends. No escape is cut.
func short(s string, limit int) string {
	if len(s) <= utf8.UTFMax*limit { // else it is longer for certain
		if whole := model.Safe(s); width(whole) <= limit {
			return whole
		}
	}
	head, tail := "", ""
	for {
		_, n := utf8.DecodeRuneInString(s)
		next := head + model.Safe(s[:n])
		if width(next) > limit/2 {
			break
		}
		head, s = next, s[n:]
	}
	for {
		_, n := utf8.DecodeLastRuneInString(s)
		next := model.Safe(s[len(s)-n:]) + tail
		if width(head+next) >= limit {
			return head + "…" + tail
		}
		tail, s = next, s[:len(s)-n]
	}
}

// enough is how many bytes of one name or sentence people are shown; machines get all.
const enough = 16 << 10

// shown returns a safe string, or its beginning and how much is left out.
func shown(s string) string {
	if len(s) <= enough {
		return s
	}
	kept := strings.ToValidUTF8(s[:enough], "")
	return kept + "… (" + itoa(len(s)-len(kept)) + " bytes more)"
}

// width is how many columns a safe string takes.
func width(s string) int { return utf8.RuneCountInString(s) }
