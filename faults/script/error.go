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
	broken []int    // the lines that are not understood as a whole
	closed bool     // the text as a whole is refused
	hidden []string // kinds of names of which some are not known
}

// Full reports whether MaxErrors are noted, or the text is refused as a whole. Then whoever reads should stop: a
// hostile text must not cost a search for the nearest word on each of its lines.
func (e *Errors) Full() bool { return e.closed || len(e.list) == MaxErrors }

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
	e.Mute(line)
}

// Mute keeps what is wrong with a line from being noted: it follows from what is noted.
func (e *Errors) Mute(line int) { e.broken = append(e.broken, line) }

// Hide says that a line which would have declared names of this kind is refused: a name
// of it that is unknown may be one of those.
func (e *Errors) Hide(kind string) { e.hidden = append(e.hidden, kind) }

// IsHidden reports whether Hide was said of kind.
func (e *Errors) IsHidden(kind string) bool { return slices.Contains(e.hidden, kind) }

// Refuse notes one error for the whole text, in place of all others.
func (e *Errors) Refuse(line int, format string, args ...any) {
	e.list, e.broken = nil, nil
	e.Add(line, 0, format, args...)
	e.closed = true
}

// Err returns what was collected as a *List, or nil when nothing was.
func (e *Errors) Err() error {
	if len(e.list) == 0 {
		return nil
	}
	slices.SortStableFunc(e.list, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	return &List{Errors: e.list, More: len(e.list) == MaxErrors}
}
