package script

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Error is one thing that is wrong with a text.
type Error struct {
	File string
	Line int // from 1
	Col  int // from 1; 0 when the whole line is meant
	Msg  string
}

// Error returns `file:line: message`.
func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg) }

// List is all that is wrong with a text, by line. It is never empty.
type List struct {
	Errors []*Error // at most MaxErrors
	More   int      // how many were left out
}

// Error returns one error a line.
func (l *List) Error() string {
	var b strings.Builder
	for i, e := range l.Errors {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(e.Error())
	}
	if l.More > 0 {
		fmt.Fprintf(&b, "\n%s: and %d more", l.Errors[0].File, l.More)
	}
	return b.String()
}

// Errors collects what is wrong with the text called File.
type Errors struct {
	File string
	list []*Error
	more int
}

// Add notes an error. From a hostile text, the first MaxErrors that are found
// are kept and the rest are counted.
func (e *Errors) Add(line, col int, format string, args ...any) {
	if len(e.list) == MaxErrors {
		e.more++
		return
	}
	e.list = append(e.list, &Error{File: e.File, Line: line, Col: col, Msg: fmt.Sprintf(format, args...)})
}

// Len returns how many errors were noted.
func (e *Errors) Len() int { return len(e.list) + e.more }

// Err returns what was collected as a *List, or nil when nothing was.
func (e *Errors) Err() error {
	if len(e.list) == 0 {
		return nil
	}
	slices.SortStableFunc(e.list, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	return &List{Errors: e.list, More: e.more}
}
