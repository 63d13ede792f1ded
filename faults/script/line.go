package script

import (
	"strconv"
	"strings"
)

// The limits of a text. They are far above what a person writes and low enough
// that a hostile file costs a moment and a few megabytes.
const (
	MaxBytes  = 8 << 20 // of one text
	MaxLines  = 250_000 // of one text
	MaxLine   = 8 << 10 // bytes of one line
	MaxFields = 64      // words and options of one line
	MaxName   = 64      // bytes of a name
	MaxErrors = 50      // errors of one text; then reading stops
)

// Line is one directive: `Word` and what follows it.
type Line struct {
	No      int // from 1
	Word    string
	Words   []Field // bare words, in order: operands and flags
	Options []Field // key=value pairs, in order
}

// Field is one bare word (Key is "") or one option of a line.
type Field struct {
	Key  string
	Text string // the word, or the value; unquoted
	Col  int    // bytes from the start of the line, from 1
}

// Scan cuts text into its directives. Blank lines and comments are left out. A
// value (or a word) may stand in double quotes, written as Go writes strings:
// that is how it holds spaces. What cannot be scanned is added to errs, and of the
// line that holds it comes what stands before.
func Scan(text string, errs *Errors) []Line {
	if len(text) > MaxBytes {
		errs.Add(1, 0, "the text has %d bytes; at most %d are read", len(text), MaxBytes)
		return nil
	}
	var lines []Line
	for no, rest := 1, text; rest != "" && !errs.Full(); no++ {
		var raw string
		raw, rest, _ = strings.Cut(rest, "\n")
		if no > MaxLines {
			errs.Add(no, 0, "the text has more than %d lines", MaxLines)
			return lines
		}
		if line, ok := scanLine(no, strings.TrimSuffix(raw, "\r"), errs); ok {
			lines = append(lines, line)
		}
	}
	return lines
}

func scanLine(no int, raw string, errs *Errors) (Line, bool) {
	line := Line{No: no}
	if len(raw) > MaxLine {
		errs.Break(no, 0, "the line has %d bytes; at most %d are read", len(raw), MaxLine)
		raw = raw[:MaxLine]
	}
	fields := scanFields(no, raw, errs)
	if len(fields) == 0 {
		return line, false
	}
	if first := fields[0]; first.Key != "" {
		errs.Add(no, first.Col, "the line begins with the option %s=; a directive comes first", first.Key)
		return line, false
	}
	line.Word = fields[0].Text
	for _, f := range fields[1:] {
		line.put(f)
	}
	return line, true
}

func (l *Line) put(f Field) {
	if f.Key == "" {
		l.Words = append(l.Words, f)
	} else {
		l.Options = append(l.Options, f)
	}
}

func scanFields(no int, raw string, errs *Errors) (fields []Field) {
	for at := skipBlank(raw, 0); at < len(raw) && raw[at] != '#'; at = skipBlank(raw, at) {
		f, size, ok := scanField(raw[at:])
		f.Col = at + 1
		if !ok {
			errs.Break(no, f.Col, "the quotes do not end, or a word stands right behind them; write \"...\" as Go does")
			return fields
		}
		if len(fields) == MaxFields {
			errs.Break(no, f.Col, "the line has more than %d words", MaxFields)
			return fields
		}
		fields = append(fields, f)
		at += size
	}
	return fields
}

func skipBlank(s string, at int) int {
	for at < len(s) && isBlank(s[at]) {
		at++
	}
	return at
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// scanField reads the field that s begins with and tells its size in bytes.
func scanField(s string) (f Field, size int, ok bool) {
	key := optionKey(s)
	if key > 0 {
		f.Key, s, size = s[:key], s[key+1:], key+1
	}
	if !strings.HasPrefix(s, `"`) {
		end := strings.IndexAny(s+" ", " \t")
		f.Text = s[:end]
		return f, size + end, true
	}
	quoted, err := strconv.QuotedPrefix(s)
	if err != nil || len(quoted) < len(s) && !isBlank(s[len(quoted)]) {
		return f, size, false
	}
	f.Text, err = strconv.Unquote(quoted)
	return f, size + len(quoted), err == nil
}

// optionKey returns the length of the key when s begins with `key=`: small
// letters, digits and dashes, a letter first, so that `=`, `>=` and `J1=2` are
// words. Otherwise 0.
func optionKey(s string) int {
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= 'a' && c <= 'z', i > 0 && c == '-', i > 0 && c >= '0' && c <= '9':
		case i > 0 && c == '=':
			return i
		default:
			return 0
		}
	}
	return 0
}
