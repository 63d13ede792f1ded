package eventlog

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
)

// record is one event as a line tells it, before its names have numbers.
type record struct {
	line  int64  // of the file, from 1
	ord   int64  // the how manyeth event of the file
	hash  uint64 // of the bytes that told it
	seq   int64  // 0 when it has none
	kind  int    // place in kinds
	known fieldSet
	event model.Event // but for Seq, Proc, Peer, Job

	label             []byte // "event": what makes it known again
	job, worker, peer []byte // parts of the line: copied by keep
	touched           []model.Touch
	count, digest     uint64 // ended: how many events there were, and the digest of the lines
}

// keep copies what is only a part of the line.
func (r *record) keep() {
	r.job, r.worker, r.peer = bytes.Clone(r.job), bytes.Clone(r.worker), bytes.Clone(r.peer)
	r.label = bytes.Clone(r.label)
	r.touched = slices.Clone(r.touched)
}

// fieldSet holds fields by their place in the table, one bit each.
type fieldSet uint64

func (s fieldSet) has(f int) bool { return s>>f&1 == 1 }

// field is one field of a line: how its value is read.
type field struct {
	name string
	read func(c *cursor, r *record) error
}

// The fields that are asked for by name; the rest are only read.
const (
	hasSeq = iota
	hasTime
	hasKind
	hasJob
	hasToken
	hasN
	hasServer
	hasUntil
	hasMax
	hasOp
	hasAnswer
	hasCount
	hasDigest
	hasEffect
	namedFields
)

var fields = []field{
	hasSeq:  {"seq", func(c *cursor, r *record) error { return c.between(&r.seq, 1, math.MaxInt32) }},
	hasTime: {"time", func(c *cursor, r *record) error { return c.instant(&r.event.At) }},
	hasKind: {"kind", func(c *cursor, r *record) (err error) { r.kind, err = c.word("kind", kindWords); return err }},
	hasJob:  {"job", func(c *cursor, r *record) error { return c.name(&r.job) }},
	hasToken: {"token", func(c *cursor, r *record) error {
		return c.between((*int64)(&r.event.Token), -math.MaxInt64, math.MaxInt64)
	}},
	hasN:      {"n", func(c *cursor, r *record) error { return c.counter(&r.event.N) }},
	hasServer: {"server", func(c *cursor, r *record) error { return c.instant(&r.event.Server) }},
	hasUntil:  {"until", func(c *cursor, r *record) error { return c.instant(&r.event.Until) }},
	hasMax:    {"max", func(c *cursor, r *record) error { return c.counter(&r.event.Max) }},
	hasOp:     {"op", func(c *cursor, r *record) error { return enum(c, "op", opWords, &r.event.Op) }},
	hasAnswer: {"answer", func(c *cursor, r *record) error { return enum(c, "answer", answerWords, &r.event.Answer) }},
	hasCount: {"events", func(c *cursor, r *record) error {
		var n int64
		err := c.between(&n, 0, math.MaxInt64)
		r.count = uint64(n)
		return err
	}},
	hasDigest:       {"digest", func(c *cursor, r *record) error { return c.digest(&r.digest) }},
	hasEffect:       {"effect", func(c *cursor, r *record) error { return c.counter(&r.event.Effect) }},
	namedFields + 0: {"event", func(c *cursor, r *record) error { return c.name(&r.label) }},
	namedFields + 1: {"worker", func(c *cursor, r *record) error { return c.name(&r.worker) }},
	namedFields + 2: {"peer", func(c *cursor, r *record) error { return c.name(&r.peer) }},
	namedFields + 3: {"id", func(c *cursor, r *record) error { return c.id(&r.event.ID) }},
	namedFields + 4: {"cause", func(c *cursor, r *record) error { return enum(c, "cause", causeWords, &r.event.Cause) }},
	namedFields + 5: {"step", func(c *cursor, r *record) error { return enum(c, "step", stepWords, &r.event.Step) }},
	namedFields + 6: {"nth", func(c *cursor, r *record) error { return c.counter(&r.event.Nth) }},
	namedFields + 7: {"call", func(c *cursor, r *record) error { return c.counter(&r.event.Call) }},
	namedFields + 8: {"skew", func(c *cursor, r *record) error { return c.between(&r.event.Skew, -math.MaxInt64, math.MaxInt64) }},
	namedFields + 9: {"moved", func(c *cursor, r *record) error { return c.counter(&r.event.Moved) }},
	{"lapsed", func(c *cursor, r *record) error { return c.counter(&r.event.Dead) }},
	{"touched", func(c *cursor, r *record) error { return c.touches(&r.touched) }},
	{"reply", flag(model.IsReply)},
	{"copy", flag(model.IsCopy)},
	{"late", flag(model.IsLate)},
	{"found", flag(model.IsFound)},
	{"oneway", flag(model.IsOneway)},
	{"raw", flag(model.IsRaw)},
}

func flag(f model.Flags) func(*cursor, *record) error {
	return func(c *cursor, r *record) error {
		on, err := c.truth()
		if on {
			r.event.Flags |= f
		}
		return err
	}
}

// findField returns the place of the field with this name, -1 if there is none.
func findField(name []byte) int {
	return slices.IndexFunc(fields, func(f field) bool { return string(name) == f.name })
}

// isOwn reports whether a field is the writer's own affair: its name begins with x-.
func isOwn(name []byte) bool { return bytes.HasPrefix(name, []byte("x-")) }

// fieldError is what is wrong with one field.
type fieldError struct {
	field string
	err   error
}

func (e *fieldError) Error() string { return e.field + ": " + e.err.Error() }

// parse reads one event from the bytes of a line into r, which is empty.
func (r *record) parse(b []byte) error {
	c := cursor{b: b}
	err := c.object(func(name []byte) error {
		f := findField(name)
		switch {
		case f < 0 && isOwn(name):
			return c.skip(0)
		case f < 0:
			return &fieldError{script.Quote(string(name)), errors.New(script.Unknown("field", string(name), fieldNames()) + "; or a name of your own that begins with x-")}
		case r.known.has(f):
			return &fieldError{fields[f].name, errors.New("it stands twice in one line; leave one")}
		}
		r.known |= 1 << f
		if err := fields[f].read(&c, r); err != nil {
			return &fieldError{fields[f].name, err}
		}
		return nil
	})
	if err == nil {
		err = c.end()
	}
	if err == nil && r.known.has(hasDigest) {
		err = r.sign(b)
	}
	if err != nil {
		return err
	}
	return r.settle()
}

// digestField is how the digest stands in a line, before its digits.
const digestField = `,"digest":"`

// sign takes the digest out of the hash of its line: it covers all that stands before.
func (r *record) sign(b []byte) error {
	at := bytes.LastIndex(b, []byte(digestField))
	if at < 0 || len(b)-at != len(digestField)+16+len(`"}`) {
		return &fieldError{"digest", errors.New(`it must be the last field, without blanks: ...,"digest":"0123456789abcdef"}`)}
	}
	r.hash = hashOf(b[:at])
	return nil
}

func fieldNames() []string { return namesOf(fields) }

// settle fills in what the kind implies, and refuses what contradicts it.
func (r *record) settle() error {
	for _, f := range []int{hasKind, hasTime} {
		if !r.known.has(f) {
			return &fieldError{fields[f].name, errors.New("it is missing; every event has a kind and a time")}
		}
	}
	k := &kinds[r.kind]
	e := &r.event
	e.Kind = k.of
	if !r.known.has(hasOp) {
		e.Op = k.op
	}
	if !r.known.has(hasAnswer) {
		e.Answer = k.answer
	}
	if k.is != nil && !k.is(e.Op, e.Answer) {
		return &fieldError{"kind", fmt.Errorf("%s with the op %s and the answer %s contradict each other; of %s, %s", k.name, e.Op, e.Answer, k.name, k.rule)}
	}
	if k.of == model.Applied && !r.known.has(hasServer) {
		e.Server = e.At
	}
	return r.demand()
}

// demand refuses an event without a field that its kind cannot do without.
func (r *record) demand() error {
	e := &r.event
	needsJob := e.Kind == model.Effected || e.Kind == model.Admitted ||
		e.Kind == model.Applied && (e.Op.Settles() || e.Op.Admits() || e.Op == model.OpExtend || e.Op == model.OpRemove ||
			e.Op == model.OpReprocess || e.Op == model.OpClaim && e.Answer == model.OK)
	if needsJob && !r.known.has(hasJob) {
		return &fieldError{"job", fmt.Errorf("it is missing; %s is about a job", kinds[r.kind].name)}
	}
	if e.Kind == model.Ended && (e.Cause < model.Quiet || e.Cause > model.Limit) {
		return &fieldError{"cause", errors.New("ended needs one: quiet when nothing will happen any more, horizon when the recording stopped")}
	}
	return nil
}

// Readers of single values.

// maxName is the most bytes of the name of a job or a worker.
const maxName = 1024

func (c *cursor) name(to *[]byte) error {
	s, err := c.text()
	switch {
	case err != nil:
		return err
	case len(s) == 0 || len(s) > maxName:
		return fmt.Errorf("a name has 1 to %d bytes, and this one has %d", maxName, len(s))
	}
	*to = s
	return nil
}

func (c *cursor) between(to *int64, least, most int64) error {
	n, err := c.integer()
	if err == nil && (n < least || n > most) {
		err = fmt.Errorf("%d lies outside %d to %d", n, least, most)
	}
	*to = n
	return err
}

func (c *cursor) counter(to *int32) error {
	var n int64
	err := c.between(&n, 0, math.MaxInt32)
	*to = int32(n)
	return err
}

// word reads one of words and returns its place.
func (c *cursor) word(what string, words []string) (int, error) {
	s, err := c.text()
	if err != nil {
		return 0, err
	}
	i := slices.IndexFunc(words, func(w string) bool { return w == string(s) })
	if i < 0 {
		return 0, errors.New(script.Unknown(what, string(s), words))
	}
	return i, nil
}

func enum[E ~uint8](c *cursor, what string, words []string, to *E) error {
	i, err := c.word(what, words)
	*to = E(max(i, 0))
	return err
}

func (c *cursor) id(to *model.ID) error {
	s, err := c.text()
	if err != nil {
		return err
	}
	if *to, err = model.ParseID(string(s)); err != nil {
		return fmt.Errorf("%w; name jobs that have other ids by job alone", err)
	}
	return nil
}

func (c *cursor) digest(to *uint64) error {
	s, err := c.text()
	if err != nil {
		return err
	}
	if _, err := fmt.Sscanf(string(s), "%016x", to); err != nil || model.Digest(*to).String() != string(s) {
		return fmt.Errorf("%s is no digest; it has 16 hexadecimal digits", script.Quote(string(s)))
	}
	return nil
}

// epoch is the instant 0 of model.Time.
var epoch = time.UnixMilli(model.EpochMillis)

// instant reads an integer of nanoseconds, an RFC 3339 time, or the word never.
func (c *cursor) instant(to *model.Time) error {
	if c.peek() != '"' {
		return c.between((*int64)(to), -maxInstant, maxInstant)
	}
	s, err := c.text()
	if err != nil {
		return err
	}
	if string(s) == "never" {
		*to = model.Never
		return nil
	}
	t, err := time.Parse(time.RFC3339Nano, string(s))
	if err != nil || t.Year() < minYear || t.Year() > maxYear {
		return fmt.Errorf("%s is no time; write RFC 3339 from %d to %d (2026-03-01T02:00:00.125Z) or an integer of nanoseconds",
			script.Quote(string(s)), minYear, maxYear)
	}
	*to = model.Time(t.Sub(epoch))
	return nil
}

// maxInstant is how far from epoch an instant may lie, so that a lease behind it still
// has its end in 63 bits: 146 years. The years are well within.
const (
	maxInstant       = 1 << 62
	minYear, maxYear = 1900, 2150
)
