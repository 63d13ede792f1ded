package model

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// AppendText appends h as text, one record a line, in the order in which
// things were done, and returns the extended buffer. It is what may stand after
// `----` in a story: two runs in which something else was done, or at another
// time, differ in a line.
//
//	0.003000s  queue    applied   claim J1#1 by w1 -> ok call=2 token=1 until=30.003s
//
// A line has five parts: the true virtual time (six decimals, nine where six do
// not tell it); the party that wrote the record; what it did, in the past
// tense; about what (the verb, "reply to" before it when a reply is meant, the
// delivery, and "by" whom when the writer is not the one who did it); and, after
// the arrow, the answer. Then the facts that are not zero, as key=value in this
// order, and the flags as words:
//
//	peer nth call step token cause until skew max moved (forgotten) dead effect id server
//	copy late found oneway raw
//
// Three facts are left out where the reader has them already: nth=1, an id that is the
// last one named for its job (or none), and the server's clock in an applied record when
// it shows the true time in whole milliseconds. What an Apply touched is left
// out as it is from the digest: it follows from the answers.
func (h *History) AppendText(b []byte) []byte {
	w := historyWriter{b: b, h: h, lastID: make([]ID, len(h.Names.Jobs)+1)}
	w.parties = w.partyWidth()
	for i := range h.Events {
		w.record(&h.Events[i])
	}
	return w.b
}

// historyWriter writes the lines of one history.
type historyWriter struct {
	b       []byte
	h       *History
	parties int  // how wide the column of parties is
	lastID  []ID // by job: the id that was last named
}

const (
	timeWidth = 12 // "  30.001000s"
	kindWidth = 9  // the longest kind: "timed-out"
)

func (w *historyWriter) record(e *Event) {
	w.padLeft(fixedTime(e.At), timeWidth)
	w.b = append(w.b, "  "...)
	w.padRight(w.party(e), w.parties)
	w.b = append(w.b, "  "...)
	w.padRight(e.Kind.String(), kindWidth)
	w.about(e)
	w.facts(e)
	w.flags(e)
	w.b = append(bytes.TrimRight(w.b, " "), '\n')
}

// party returns who wrote the record.
func (w *historyWriter) party(e *Event) string {
	switch e.Kind {
	case Lost:
		return "network"
	case Applied:
		return "queue"
	case Checked, Marked, Effected, Absorbed:
		return "store"
	case Sent, Answered, TimedOut, Admitted, Failed:
		return Safe(w.h.Names.Proc(e.Proc))
	}
	return "world"
}

func (w *historyWriter) partyWidth() int {
	n := 0
	for i := range w.h.Events {
		n = max(n, utf8.RuneCountInString(w.party(&w.h.Events[i])))
	}
	return n
}

// about appends the verb, the delivery, the doer and the answer.
func (w *historyWriter) about(e *Event) {
	if e.Has(IsReply) {
		w.b = append(w.b, " reply to"...)
	}
	if e.Op != OpNone {
		w.b = append(append(w.b, ' '), e.Op.String()...)
	}
	if e.Job != NoJob {
		w.b = append(append(w.b, ' '), w.h.Names.Delivery(e)...)
	}
	w.doer(e)
	if e.Answer != NoAnswer {
		w.b = append(append(w.b, " -> "...), e.Answer.String()...)
	}
}

// doer appends who did it, unless the writer did. What befell a process names
// it without "by".
func (w *historyWriter) doer(e *Event) {
	name := Safe(w.h.Names.Proc(e.Proc))
	switch {
	case e.Proc == NoProc || name == w.party(e):
	case w.party(e) == "world":
		w.b = append(append(w.b, ' '), name...)
	default:
		w.b = append(append(w.b, " by "...), name...)
	}
}

// Delivery returns the delivery that e is about as J#N, or J alone where none is
// meant, safe to be printed.
func (n *Names) Delivery(e *Event) string {
	name := Safe(n.Job(e.Job))
	if e.N == 0 {
		return name
	}
	return name + "#" + strconv.Itoa(int(e.N))
}

func (w *historyWriter) facts(e *Event) {
	if e.Peer != NoProc {
		w.fact("peer", Safe(w.h.Names.Proc(e.Peer)))
	}
	if e.Nth > 1 {
		w.number("nth", int64(e.Nth))
	}
	w.number("call", int64(e.Call))
	if e.Step != NoStep {
		w.fact("step", e.Step.String())
	}
	w.number("token", int64(e.Token))
	if e.Cause != NoCause {
		w.fact("cause", e.Cause.String())
	}
	w.instant("until", e.Until, 0)
	w.instant("skew", Time(e.Skew), 0)
	w.number("max", int64(e.Max))
	w.number(movedWord(e), int64(e.Moved))
	w.number("dead", int64(e.Dead))
	w.number("effect", int64(e.Effect))
	w.id(e)
	w.instant("server", e.Server, usualServer(e))
}

// movedWord says what Moved counts: jobs, or the writes that a restart forgot.
func movedWord(e *Event) string {
	if e.Kind == Restarted {
		return "forgotten"
	}
	return "moved"
}

// usualServer returns what the server's clock shows when nothing is amiss.
func usualServer(e *Event) Time {
	if e.Kind == Applied {
		return e.At.FloorMillis()
	}
	return 0
}

// id appends the id when it is not the last one named for its job.
func (w *historyWriter) id(e *Event) {
	last := &w.lastID[len(w.lastID)-1]
	if e.Job > NoJob && int(e.Job) < len(w.lastID)-1 {
		last = &w.lastID[e.Job]
	}
	if e.ID.IsZero() || e.ID == *last {
		return
	}
	*last = e.ID
	w.fact("id", e.ID.String())
}

func (w *historyWriter) flags(e *Event) {
	words := [...]struct {
		flag Flags
		word string
	}{
		{IsCopy, " copy"}, {IsLate, " late"}, {IsFound, " found"},
		{IsOneway, " oneway"}, {IsRaw, " raw"},
	}
	for _, f := range words {
		if e.Has(f.flag) {
			w.b = append(w.b, f.word...)
		}
	}
}

func (w *historyWriter) fact(key, value string) {
	w.b = append(append(append(append(w.b, ' '), key...), '='), value...)
}

func (w *historyWriter) number(key string, n int64) {
	if n != 0 {
		w.fact(key, strconv.FormatInt(n, 10))
	}
}

func (w *historyWriter) instant(key string, t, usual Time) {
	if t != usual {
		w.fact(key, t.String())
	}
}

func (w *historyWriter) padLeft(s string, n int) {
	for i := utf8.RuneCountInString(s); i < n; i++ {
		w.b = append(w.b, ' ')
	}
	w.b = append(w.b, s...)
}

func (w *historyWriter) padRight(s string, n int) {
	w.b = append(w.b, s...)
	for i := utf8.RuneCountInString(s); i < n; i++ {
		w.b = append(w.b, ' ')
	}
}

// fixedTime prints t with six decimals, or nine where six would round it, so
// that the points of a column stand under each other.
func fixedTime(t Time) string {
	s := t.String() // three to nine decimals, or "never"
	if t == Never {
		return s
	}
	point := len(s) - 1
	for s[point] != '.' {
		point--
	}
	decimals := len(s) - 2 - point
	want := 6
	if decimals > 6 {
		want = 9
	}
	return s[:len(s)-1] + "000000"[:want-decimals] + "s"
}
