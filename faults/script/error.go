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
	More   bool     // there were so many that reading stopped
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
	if l.More {
		fmt.Fprintf(&b, "\n%s: too many errors; the rest was not read", l.Errors[0].File)
	}
	return b.String()
}

// Errors collects what is wrong with the text called File.
type Errors struct {
	File   string
	list   []*Error
	broken []int // the lines that are not understood as a whole
}

// Full reports whether MaxErrors are noted. Then whoever reads should stop: a
// hostile text must not cost a search for the nearest word on each of its lines.
func (e *Errors) Full() bool { return len(e.list) == MaxErrors }

// Add notes an error, unless it is Full.
func (e *Errors) Add(line, col int, format string, args ...any) {
	if e.Full() || slices.Contains(e.broken, line) {
		return
	}
	e.list = append(e.list, &Error{File: e.File, Line: line, Col: col, Msg: fmt.Sprintf(format, args...)})
}

// Break notes an error after which nothing more of the line is refused: what can be read
// of it is read on, so that what it names is known to other lines.
func (e *Errors) Break(line, col int, format string, args ...any) {
	e.Add(line, col, format, args...)
	e.broken = append(e.broken, line)
}

// Err returns what was collected as a *List, or nil when nothing was.
func (e *Errors) Err() error {
	if len(e.list) == 0 {
		return nil
	}
	slices.SortStableFunc(e.list, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	return &List{Errors: e.list, More: e.Full()}
}
