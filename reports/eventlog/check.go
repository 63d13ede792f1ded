package eventlog

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
)

// Options are what Check may be told. The zero value of each is its default.
type Options struct {
	// Name is what messages call the log; "log" by default.
	Name string
	// Window is how many places an event may stand from its own: 1 to 1,000,000; 1,024
	// by default. Its cost is memory: one event each.
	Window int
	// Remember is for how many events a job that has ended is remembered: 1 to
	// 100,000,000; 100,000 by default. Its cost is memory: some 200 bytes each.
	Remember int
	// Properties are the names of those that are demanded; none: all that the log's
	// queue must hold.
	Properties []string
}

// The bounds of Options.
const (
	defaultWindow, maxWindow     = 1024, 1_000_000
	defaultRemember, maxRemember = 100_000, 100_000_000
	defaultName                  = "log"
)

// MaxLine is the most bytes of one line of a log.
const MaxLine = 16 << 20

// Result is what a log comes to.
type Result struct {
	Name     string
	Verdicts []model.Verdict // of the properties that are demanded, in the order of model.Properties
	Names    model.Names     // of the jobs and processes of the evidence
	Events   int64           // that were judged
	Jobs     int64           // that the log tells of
	Repeats  int64           // events that came twice and were dropped
	Ignored  int64           // spans that are none of a queue
	Forgot   int64           // ended jobs whose records were let go
	Doubts   []string        // why it is not complete; none: it is
}

// Value is the answer for all: broken if one property is, else unknown if one is, else
// held.
func (r *Result) Value() model.Value {
	worst := model.Held
	for _, v := range r.Verdicts {
		switch {
		case v.Value == model.Broken:
			return model.Broken
		case v.Value == model.Unknown:
			worst = model.Unknown
		}
	}
	return worst
}

// Error is what is wrong with a log, and where.
type Error struct {
	Name string
	Line int64 // from 1; 0 when the whole log is meant
	Err  error
}

// Error returns `name:line: message`.
func (e *Error) Error() string {
	if e.Line == 0 {
		return model.Safe(e.Name) + ": " + e.Err.Error()
	}
	return fmt.Sprintf("%s:%d: %s", model.Safe(e.Name), e.Line, e.Err)
}

// Unwrap returns what is wrong.
func (e *Error) Unwrap() error { return e.Err }

// Check reads a log to its end and judges it. The error says what is wrong with an
// option or, as an *Error, with a line; what is missing from a log that can be read is no
// error: it makes verdicts unknown.
func Check(in io.Reader, o Options) (*Result, error) {
	if err := o.fill(); err != nil {
		return nil, err
	}
	r := &reader{Options: o, in: bufio.NewReaderSize(in, 1<<16)}
	if err := r.read(); err != nil {
		var at *Error
		if errors.As(err, &at) {
			at.Name = o.Name
			return nil, at
		}
		return nil, &Error{o.Name, r.line, err}
	}
	return r.result(), nil
}

// fill puts in the defaults, and refuses what lies outside the bounds.
func (o *Options) fill() error {
	for _, n := range []struct {
		name         string
		value        *int
		usual, bound int
	}{{"Window", &o.Window, defaultWindow, maxWindow}, {"Remember", &o.Remember, defaultRemember, maxRemember}} {
		if *n.value == 0 {
			*n.value = n.usual
		}
		if *n.value < 1 || *n.value > n.bound {
			return fmt.Errorf("option %s is %d; it lies from 1 to %d, and 0 stands for %d", n.name, *n.value, n.bound, n.usual)
		}
	}
	if o.Name == "" {
		o.Name = defaultName
	}
	for _, name := range o.Properties {
		if p, ok := model.FindProperty(name); !ok || p.Claim == model.Sometimes {
			return errors.New(script.Unknown("property", name, propertyNames()))
		}
	}
	return nil
}

func propertyNames() (names []string) {
	for _, p := range model.Properties() {
		names = append(names, p.Name)
	}
	return names
}

// reader takes a log apart into lines and events.
type reader struct {
	Options
	in      *bufio.Reader
	long    []byte // a line that does not fit into the buffer of in
	line    int64
	ord     int64 // events read
	ignored int64 // spans

	doubts doubts
	feed   *feed
	sorter sorter
	end    *record // of a timed log: its ended line, which has no place but the last
	group  group
	record record
}

func (r *reader) read() error {
	for {
		b, whole, err := r.next()
		if err != nil || b == nil {
			return r.finish(err)
		}
		r.line++
		b = bytes.TrimSpace(b)
		if len(b) == 0 {
			continue
		}
		if err := r.take(b); err != nil {
			if whole || r.feed == nil {
				return err
			}
			r.doubts.say("line %d, the last one, is cut", r.line)
		}
	}
}

// next returns the next line, nil at the end of the log, and whether a line break ends
// it.
func (r *reader) next() (line []byte, whole bool, err error) {
	r.long = r.long[:0]
	for {
		b, err := r.in.ReadSlice('\n')
		if len(r.long)+len(b) > MaxLine {
			r.line++
			return nil, false, fmt.Errorf("the line has more than %d bytes; write one event a line", MaxLine)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			r.long = append(r.long, b...)
			continue
		case err != nil && !errors.Is(err, io.EOF):
			return nil, false, fmt.Errorf("it cannot be read further: %w", err)
		case len(r.long) > 0:
			r.long = append(r.long, b...)
			return r.long, err == nil, nil
		case len(b) == 0:
			return nil, false, nil
		}
		return b, err == nil, nil
	}
}

// take reads one line: the header, a document of spans, or an event.
func (r *reader) take(b []byte) error {
	if string(b) == "{" {
		return errors.New("an object goes on in the next line; write one object a line, as `jq -c .` does")
	}
	spans := isSpans(b)
	if r.feed == nil {
		return r.open(b, spans)
	}
	if spans {
		return r.takeSpans(b)
	}
	r.record = record{line: r.line, hash: hashOf(b), touched: r.record.touched[:0]}
	if err := r.record.parse(b); err != nil {
		return err
	}
	return r.add(&r.record)
}

// open reads the header, which a log of spans may lack.
func (r *reader) open(b []byte, spans bool) error {
	text := b
	if spans {
		text = []byte(`{"format":"` + Format + `"}`)
	}
	h, err := parseHeader(text)
	if err == nil {
		err = h.check()
	}
	if err != nil {
		return err
	}
	r.feed = newFeed(h, &r.Options, &r.doubts)
	r.feed.sum = hashOf(b)
	if spans {
		return r.takeSpans(b)
	}
	return nil
}

// add takes one event. The first one says whether the log is numbered.
func (r *reader) add(e *record) error {
	if r.ord++; r.ord > math.MaxInt32 {
		return fmt.Errorf("a log may have %d events; cut it where the queue is quiet", math.MaxInt32)
	}
	e.ord = r.ord
	if r.sorter == nil {
		r.number(e.seq > 0)
	}
	switch {
	case r.feed.isTimed != (e.seq == 0):
		return &fieldError{"seq", errors.New("some events of this log have one and some have none; number all, or none")}
	case r.end != nil:
		return errors.New("it stands behind the end of the log; ended must be the last line")
	case r.feed.isTimed && e.event.Kind == model.Ended:
		own := *e
		own.keep()
		r.end = &own
		return nil
	}
	return r.sorter.take(e)
}

func (r *reader) number(numbered bool) {
	r.feed.isTimed = !numbered
	if numbered {
		r.sorter = newNumbered(r.Window, &r.doubts, r.feed.observe)
	} else {
		r.sorter = newTimed(r.Window, &r.doubts, r.feed.observe)
	}
}

// finish hands on what still waits, and ends the log.
func (r *reader) finish(err error) error {
	switch {
	case err != nil:
		return err
	case r.feed == nil:
		return &Error{Err: fmt.Errorf(`it is empty; the first line of a log is its header, {"format":%q,...}`, Format)}
	}
	if r.sorter != nil {
		if err := r.sorter.flush(); err != nil {
			return err
		}
	}
	if r.end != nil {
		if err := r.feed.observe(r.end); err != nil {
			return err
		}
	}
	r.feed.closeUp()
	return nil
}

// result says what the log comes to.
func (r *reader) result() *Result {
	f := r.feed
	res := &Result{
		Name: r.Name, Names: f.names, Events: f.count, Jobs: f.jobCount(), Repeats: r.doubts.repeats,
		Ignored: r.ignored, Forgot: f.forgot, Doubts: r.doubts.reasons(),
	}
	for _, v := range f.judge.Verdicts() {
		named := slices.Contains(r.Properties, v.Property)
		if !named && (len(r.Properties) > 0 || !f.demands(v.Property)) {
			continue
		}
		v = f.verdict(v, len(res.Doubts) == 0)
		if named && v.Value == model.Held && v.Evaluations == 0 {
			v = without(v, []string{"nothing in the log is of its kind, so that there was nothing to judge"})
		}
		res.Verdicts = append(res.Verdicts, v)
	}
	return res
}

// demands reports whether a queue must hold the property without being asked.
func (f *feed) demands(property string) bool {
	p, _ := model.FindProperty(property)
	return !p.Optional || f.facts.BoundsDeliveries
}
