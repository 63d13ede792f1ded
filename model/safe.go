package model

import (
	"strconv"
	"unicode"
	"unicode/utf8"
)

// Safe returns s as it may be printed: control characters (so every ANSI
// sequence), bidirectional and other invisible characters, combining marks,
// line breaks and bytes that are no UTF-8 become Go escapes such as \x1b and
// \u202e, and a backslash is doubled so that no escape can be forged. What is
// left is one line of which every rune has a place of its own.
func Safe(s string) string { return string(appendSafe(nil, s)) }

func appendSafe(b []byte, s string) []byte {
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && n == 1:
			b = appendEscape(b, s[0])
		case r == '\\':
			b = append(b, `\\`...)
		case strconv.IsPrint(r) && !unicode.Is(unicode.M, r):
			b = utf8.AppendRune(b, r)
		case r < utf8.RuneSelf:
			b = appendEscape(b, byte(r))
		default:
			quoted := strconv.AppendQuoteRuneToASCII(nil, r)
			b = append(b, quoted[1:len(quoted)-1]...)
		}
		s = s[n:]
	}
	return b
}

func appendEscape(b []byte, c byte) []byte { return appendHex(append(b, '\\', 'x'), c) }

func appendHex(b []byte, c byte) []byte {
	const hex = "0123456789abcdef"
	return append(b, hex[c>>4], hex[c&15])
}
