package generals

import (
	"strings"
	"unicode/utf8"

	"github.com/ackgap/ackgap/faults/script"
)

// String returns how w is named where it is printed.
func (w World) String() string {
	return script.Count(w.Instants, "instant") + " of " + w.signalWords()
}

func (w World) signalWords() string {
	if w.Alive {
		return "silence, begun or ACK"
	}
	return "silence or ACK"
}

// ToASCII returns a text of this package in ASCII, every rune in its column. A
// rune of a name that has no ASCII form becomes a question mark.
func ToASCII(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for _, r := range string(text) {
		if r >= utf8.RuneSelf {
			out = append(out, twin(r))
			continue
		}
		out = append(out, byte(r))
	}
	return out
}

func twin(r rune) byte {
	const drawn, ascii = "▶◀╳·│", "><X.|"
	n := 0
	for _, d := range drawn {
		if d == r {
			return ascii[n]
		}
		n++
	}
	return '?'
}

const (
	textWidth = 80 // columns
	leadWidth = 14 // of the word that a paragraph begins with, as in the reports
)

// appendTerm appends word and its text, wrapped, further lines under the text.
func appendTerm(b []byte, word, text string) []byte {
	return appendWrapped(b, word+strings.Repeat(" ", max(1, leadWidth-len(word))), text)
}

// appendWrapped appends lead and text, wrapped; further lines stand under the text.
func appendWrapped(b []byte, lead, text string) []byte {
	words := strings.Fields(text)
	for len(words) > 0 {
		line := lead + words[0]
		words = words[1:]
		for len(words) > 0 && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(words[0]) <= textWidth {
			line += " " + words[0]
			words = words[1:]
		}
		b = append(append(b, line...), '\n')
		lead = strings.Repeat(" ", utf8.RuneCountInString(lead))
	}
	return b
}
