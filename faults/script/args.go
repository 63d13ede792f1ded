package script

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Args hands out what stands on one line: operands in order, then flags, then
// options by key. It remembers which were asked for; Close refuses the others.
// A value that cannot be read is noted in the errors and the default stands in,
// so that reading goes on and finds what else is wrong.
type Args struct {
	Line    *Line
	Title   string // what messages begin with: the directive, and its kind
	errs    *Errors
	words   []Field  // not handed out yet
	asked   []string // option keys, in the order of asking
	flags   []string
	refused []string // keys that have had their error
	failed  bool
	stopped bool
}

// Open begins to read line. Errors go to errs.
func Open(line *Line, errs *Errors) *Args {
	return &Args{Line: line, Title: line.Word, errs: errs, words: line.Words}
}

// Failed reports whether the line had an error so far.
func (a *Args) Failed() bool { return a.failed }

// Stop says that the rest of the line cannot be understood after the error that
// was noted: nothing more of it is refused.
func (a *Args) Stop() { a.stopped = true }

// Fail notes an error of this line.
func (a *Args) Fail(format string, args ...any) {
	if a.stopped {
		return
	}
	a.failed = true
	a.errs.Add(a.Line.No, 0, "%s: %s", a.Title, fmt.Sprintf(format, args...))
}

// Unknown notes that name is none of known, unless it may be one that a refused line
// would have declared (Errors.Hide).
func (a *Args) Unknown(kind, name string, known []string) {
	if a.failed = true; !a.errs.IsHidden(kind) {
		a.Fail("%s", Unknown(kind, name, known))
	}
}

// Operand returns the next operand. When there is none it notes that what is
// missing, and how it could be written.
func (a *Args) Operand(what, like string) (string, bool) {
	word, ok := a.next()
	if !ok {
		a.Fail("the %s is missing; write %s", what, like)
	}
	return word, ok
}

func (a *Args) next() (string, bool) {
	if len(a.words) == 0 {
		return "", false
	}
	f := a.words[0]
	a.words = a.words[1:]
	return f.Text, true
}

// Left returns how many bare words have not been handed out.
func (a *Args) Left() int { return len(a.words) }

// Choose returns the next operand, which must be one of words.
func (a *Args) Choose(what string, words []string) (string, bool) {
	word, ok := a.next()
	switch {
	case !ok:
		a.Fail("the %s is missing; %s", what, Allowed(words))
	case !slices.Contains(words, word):
		a.Fail("%s", Unknown(what, word, words))
		return "", false
	}
	return word, ok
}

// Name returns the next operand, which must be a name.
func (a *Args) Name(like string) (string, bool) {
	name, ok := a.Operand("name", like)
	if ok && !IsName(name) {
		a.Fail("%s is no name; use letters, digits, - and _, at most %d, a letter or digit first", Quote(name), MaxName)
		return "", false
	}
	return name, ok
}

// Delivery returns the next operand as J#N, or as a bare J with n 0.
func (a *Args) Delivery() (job string, n int32, ok bool) {
	word, ok := a.Operand("delivery", "J1#1")
	if !ok {
		return "", 0, false
	}
	if job, n, ok = ParseDelivery(word); !ok {
		a.Fail("%s is no delivery; write J1#2 with a number from 1 to %d", Quote(word), MaxDelivery)
	}
	return job, n, ok
}

// Flag reports whether the bare word key stands on the line. `key=on` and
// `key=off` say the same, which is how an override reaches it.
func (a *Args) Flag(key string) bool {
	a.flags = append(a.flags, key)
	on := slices.IndexFunc(a.words, func(f Field) bool { return f.Text == key })
	if on >= 0 {
		a.words = slices.Delete(slices.Clone(a.words), on, on+1)
	}
	return a.Choice(key, "off", []string{"on", "off"}) == "on" || on >= 0
}

// Option returns the value of key and whether it stands on the line.
func (a *Args) Option(key string) (string, bool) {
	if !slices.Contains(a.asked, key) {
		a.asked = append(a.asked, key)
	}
	for _, f := range a.Line.Options {
		if f.Key == key {
			return f.Text, true
		}
	}
	return "", false
}

// Refuse notes an error, with the reason why, when the option key is on the line.
// It is for a key that could be expected to work; it is never said to be allowed.
func (a *Args) Refuse(key, why string) {
	for _, f := range a.Line.Options {
		if f.Key == key {
			a.Fail("%s=: %s", key, why)
			a.refused = append(a.refused, key)
		}
	}
}

// Need notes an error when the option key is not on the line; like tells how it
// is written.
func (a *Args) Need(key, like string) bool {
	_, ok := a.Option(key)
	if !ok {
		a.Fail("%s= is missing; write %s=%s", key, key, like)
	}
	return ok
}

// Choice returns the value of key, one of words, or def.
func (a *Args) Choice(key, def string, words []string) string {
	s, ok := a.Option(key)
	switch {
	case !ok:
		return def
	case !slices.Contains(words, s):
		a.Fail("%s", Unknown(key, s, words))
		return def
	}
	return s
}

// Int returns the value of key, a whole number from low to high, or def.
func (a *Args) Int(key string, def, low, high int64) int64 {
	s, ok := a.Option(key)
	if !ok {
		return def
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < low || n > high {
		a.Fail("%s=%s must be a whole number from %d to %d", key, Quote(s), low, high)
		return def
	}
	return n
}

// Percent returns the value of key, 0% to 100%, or def.
func (a *Args) Percent(key string, def PPM) PPM {
	s, ok := a.Option(key)
	if !ok {
		return def
	}
	p, err := ParsePPM(s)
	if err != nil {
		a.Fail("%s: %v", key, err)
		return def
	}
	return p
}

// Offset returns the value of key, a duration of either sign, or def.
func (a *Args) Offset(key string, def time.Duration) time.Duration {
	return a.duration(key, def, func(time.Duration) string { return "" })
}

// Duration returns the value of key, a duration that is not negative, or def.
func (a *Args) Duration(key string, def time.Duration) time.Duration {
	return a.duration(key, def, notNegative)
}

// Span returns the value of key, a duration above zero, or def.
func (a *Args) Span(key string, def time.Duration) time.Duration {
	return a.duration(key, def, aboveZero)
}

// Millis is Duration for what the server is told: whole milliseconds.
func (a *Args) Millis(key string, def time.Duration) time.Duration {
	return a.duration(key, def, wholeMillis)
}

// Spread returns the value of key, a duration that is not negative or, as
// `exp:20ms`, the mean of spans that are drawn from the exponential distribution;
// or def.
func (a *Args) Spread(key string, def time.Duration) (d time.Duration, isMean bool) {
	s, _ := a.Option(key)
	text, isMean := strings.CutPrefix(s, "exp:")
	if !isMean {
		return a.Duration(key, def), false
	}
	d, err := ParseDuration(text)
	if err != nil || d <= 0 || d > maxMean {
		a.Fail("%s=%s: an exponential span has a mean above zero of at most %s; write %s=exp:20ms", key, Quote(s), FormatDuration(maxMean), key)
		return def, false
	}
	return d, true
}

// maxMean keeps the longest of such spans, 44 times the mean, below MaxDuration.
const maxMean = 1000 * time.Hour

// duration reads the value of key; wrong says what is wrong with one, or "".
func (a *Args) duration(key string, def time.Duration, wrong func(time.Duration) string) time.Duration {
	s, ok := a.Option(key)
	if !ok {
		return def
	}
	d, err := ParseDuration(s)
	if err != nil {
		a.Fail("%s: %v", key, err)
		return def
	}
	if why := wrong(d); why != "" {
		a.Fail("%s=%s %s", key, FormatDuration(d), why)
		return def
	}
	return d
}

func notNegative(d time.Duration) string {
	if d < 0 {
		return "must not be negative"
	}
	return ""
}

func aboveZero(d time.Duration) string {
	if d <= 0 {
		return "must be above zero"
	}
	return ""
}

func wholeMillis(d time.Duration) string {
	if d%time.Millisecond != 0 {
		return "must be whole milliseconds: that is all the server is told"
	}
	return notNegative(d)
}

// Period returns the value of key, a duration above zero, or 0 for `off`.
func (a *Args) Period(key string, def time.Duration) time.Duration {
	if s, ok := a.Option(key); ok && s == "off" {
		return 0
	}
	return a.Span(key, def)
}

// Close refuses what was not asked for: words left over, options unknown or
// repeated. It reports whether the whole line was in order.
func (a *Args) Close() bool {
	if a.stopped {
		return false
	}
	for _, f := range a.words {
		a.Fail("%s", a.surplus(f.Text))
	}
	for i, f := range a.Line.Options {
		switch {
		case slices.Contains(a.refused, f.Key):
		case !slices.Contains(a.asked, f.Key):
			a.Fail("%s", Unknown("option", f.Key, a.asked))
		case slices.ContainsFunc(a.Line.Options[:i], func(g Field) bool { return g.Key == f.Key }):
			a.Fail("%s= stands twice", f.Key)
		}
	}
	return !a.Failed()
}

// surplus words the complaint about a bare word that nobody asked for.
func (a *Args) surplus(word string) string {
	if near, ok := Nearest(word, a.flags); ok {
		return fmt.Sprintf("%s is one word too many; did you mean %q?", Quote(word), near)
	}
	if near, ok := Nearest(word, a.asked); ok {
		return fmt.Sprintf("%s is one word too many; did you mean the option %s=?", Quote(word), near)
	}
	return fmt.Sprintf("%s is one word too many", Quote(word)) + optionsAllowed(a.asked)
}

func optionsAllowed(keys []string) string {
	if len(keys) == 0 {
		return "; nothing may follow"
	}
	return "; only options may follow, " + Allowed(keys)
}
