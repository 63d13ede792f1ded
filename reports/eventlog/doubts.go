package eventlog

import (
	"fmt"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
)

// doubts is what keeps a log from being complete: why nothing that it tells may be
// called held.
type doubts struct {
	repeats int64 // events that were dropped because they came twice: no doubt
	noted   [doubtKinds]doubt
	missing []span // the first of the gaps between numbers
	gaps    int64
	absent  int64 // events that the gaps stand for
	words   []string
	forged  bool // the digest says that these are not the events that were written
}

// doubt is how often something was noted, and where first.
type doubt struct{ count, line int64 }

// span is a range of numbers, both ends included.
type span struct{ from, to int64 }

// The doubts that are about single events.
const (
	lateEvent = iota
	contradiction
	oldRepeat
	twin
	tie
	jump
	comeback
	stranger
	oddSettlement
	oddOperation
	lostFate
	nameless
	oddID
	oddClock
	oddUntil
	zero
	oddToken
	unclaimed
	failedWork
	doubtKinds

	noDoubt = -1
)

var doubtWords = [doubtKinds]string{
	lateEvent:     "%s arrived too late to be put into its place",
	contradiction: "%s names an event that another line tells in another way",
	oldRepeat:     "%s has a number that was taken long before, so that it cannot be compared",
	twin:          "%s equals an earlier event and has no event id (a span: no traceId and spanId): a repeat, or it happened twice",
	tie:           "%s tells of a job at the very instant of another line, and no seq says which was first",
	jump:          "%s counts a delivery or an effect that does not follow on those before it in the log",
	comeback:      "%s is about a job that had ended so long before that its records were let go",
	oddSettlement: "%s has a settle span of which neither disposition nor operation name is known",
	oddOperation:  "%s has a span of a messaging system with an operation that is none of send, receive, process and settle",
	lostFate:      "%s has a receive or settle span that failed, so that nobody knows what the queue did",
	nameless:      "%s has a span about a message without messaging.message.id",
	oddID:         "%s has an id that other lines about the job lack, or that is another job's; or it lacks the id that others have",
	oddClock:      "%s tells a clock of the queue that shows never, nothing, or a day off its time",
	oddUntil:      "%s tells of a lease that is over when it is given",
	zero:          "%s has a token, a delivery (n) or a cap (max) of 0, which none is: leave out what is not known",
	oddToken:      "%s speaks for a delivery (n) that was given another token",
	unclaimed:     "%s tells of work on a job that no line before it claimed",
	failedWork:    "%s has a process span that failed, so that nobody knows what it had done by then (ackgap.effect says so)",
	stranger:      "%s speaks for a delivery that is none, or one of several, that the log tells of",
}

func (d *doubts) note(kind int, line int64) {
	if d.noted[kind].count++; d.noted[kind].line == 0 {
		d.noted[kind].line = line
	}
}

// disputed reports whether what the log does tell cannot be believed: then nothing is
// broken by it either.
func (d *doubts) disputed() bool {
	return d.forged || d.noted[contradiction].count > 0 || d.noted[oddID].count > 0
}

// maxGaps is how many gaps are told apart.
const maxGaps = 64

// miss notes that the events numbered from..to are missing.
func (d *doubts) miss(from, to int64) {
	d.gaps++
	d.absent += to - from + 1
	if len(d.missing) < maxGaps {
		d.missing = append(d.missing, span{from, to})
	}
}

func (d *doubts) isMissing(seq int64) bool {
	for _, s := range d.missing {
		if s.from <= seq && seq <= s.to {
			return true
		}
	}
	return false
}

// say notes a doubt about the log as a whole.
func (d *doubts) say(format string, args ...any) {
	d.words = append(d.words, fmt.Sprintf(format, args...))
}

// reasons says, one sentence each, why the log is not complete; none: it is.
func (d *doubts) reasons() []string {
	list := append([]string(nil), d.words...)
	if d.gaps > 0 {
		first := d.missing[0]
		text := fmt.Sprintf("event %d is missing", first.from)
		if first.to > first.from {
			text = fmt.Sprintf("events %d to %d are missing", first.from, first.to)
		}
		if d.gaps > 1 {
			text += fmt.Sprintf(", and more: %d in %d gaps", d.absent, d.gaps)
		}
		list = append(list, text)
	}
	for kind, n := range d.noted {
		if n.count > 0 {
			text := fmt.Sprintf(doubtWords[kind], fmt.Sprintf("line %d", n.line))
			if n.count > 1 {
				text += fmt.Sprintf(" (%s so)", script.Count(int(n.count), "event"))
			}
			list = append(list, text)
		}
	}
	return list
}

// filter remembers names of jobs in a fixed number of bits (Bloom, "Space/Time
// Trade-offs in Hash Coding with Allowable Errors", 1970): what was added is always
// found; what was not is found by mistake once in 10^11 while three million are in.
type filter struct{ bits []uint64 }

const (
	filterBits  = 1 << 28 // 32 MiB
	filterProbe = 8       // bits a name
)

func (f *filter) add(name string) {
	if f.bits == nil {
		f.bits = make([]uint64, filterBits/64)
	}
	for i := range uint64(filterProbe) {
		at := probe(name, i)
		f.bits[at/64] |= 1 << (at % 64)
	}
}

func (f *filter) has(name string) bool {
	if f.bits == nil {
		return false
	}
	for i := range uint64(filterProbe) {
		if at := probe(name, i); f.bits[at/64]>>(at%64)&1 == 0 {
			return false
		}
	}
	return true
}

func probe(name string, i uint64) uint64 {
	h := model.Seed(hashOf([]byte(name))).Hash(i, 0)
	return h % filterBits
}
