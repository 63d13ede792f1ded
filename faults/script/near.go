package script

import (
	"fmt"
	"strings"
)

// Unknown words the complaint about a word that is none of allowed: what it was
// meant to be, the nearest allowed word, and the allowed ones.
//
//	unknown step "aply"; did you mean "apply"? allowed: claim, apply, settle
func Unknown(what, word string, allowed []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "unknown %s %s", what, Quote(word))
	if near, ok := Nearest(word, allowed); ok {
		fmt.Fprintf(&b, "; did you mean %q?", near)
	} else {
		b.WriteByte(';')
	}
	b.WriteByte(' ')
	b.WriteString(Allowed(allowed))
	return b.String()
}

// Allowed lists what is allowed: any vocabulary whole, for the longest are the variants
// of a queue, and the names of a story cut short.
func Allowed(words []string) string {
	const enough = 40
	switch {
	case len(words) == 0:
		return "there are none"
	case len(words) > enough:
		return fmt.Sprintf("allowed: %s, ... (%d in all)", strings.Join(words[:enough], ", "), len(words))
	}
	return "allowed: " + strings.Join(words, ", ")
}

// Quote quotes an untrusted word for a message, cut short when it is long.
func Quote(word string) string {
	const enough = 80
	if len(word) > enough {
		return fmt.Sprintf("%q (cut from %d bytes)", word[:enough], len(word))
	}
	return fmt.Sprintf("%q", word)
}

// Nearest returns the word that needs the fewest edits to become word, the first
// of equals, if a third of its letters (at least one) suffices; or else the one word
// that word is the beginning of. It looks at the
// first thousand words: a story can have a hundred times as many names, and it
// can be wrong on many lines.
func Nearest(word string, words []string) (string, bool) {
	if len(word) > MaxName {
		return "", false
	}
	const enough = 1000
	best, limit := "", max(1, len(word)/3)+1
	for _, w := range words[:min(len(words), enough)] {
		if len(w)-len(word) >= limit || len(word)-len(w) >= limit {
			continue
		}
		if d := distance(word, w); d < limit && d < len(w) {
			best, limit = w, d
		}
	}
	if best == "" {
		best = begunBy(word, words[:min(len(words), enough)])
	}
	return best, best != ""
}

// begunBy returns the one word that begins with start, if it is long enough to mean one.
func begunBy(start string, words []string) (only string) {
	const enough = 3
	for _, w := range words {
		switch {
		case len(start) < enough || !strings.HasPrefix(w, start):
		case only != "":
			return ""
		default:
			only = w
		}
	}
	return only
}

// distance counts the edits between a and b: insert, delete, replace, or swap
// two neighbours (optimal string alignment; Damerau, "A technique for computer
// detection and correction of spelling errors", 1964).
func distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, row = last, row, before
		row[0] = i
		for j := 1; j <= len(b); j++ {
			replaced := last[j-1]
			if a[i-1] != b[j-1] {
				replaced++
			}
			row[j] = min(last[j]+1, row[j-1]+1, replaced)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
