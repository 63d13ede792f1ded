package eventlog

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"
	"unicode/utf16"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
)

// Append appends the log of a whole history to b: the header with what the judge was
// told of the world, then each record as one line, the last with a digest of them all.
// Read back, it gets the same verdicts. It is plain ASCII.
func Append(b []byte, h *model.History, facts model.Facts) []byte {
	line := lineText(headerOf(h, facts))
	sum := hashOf(line)
	b = append(append(b, line...), '\n')
	for i := range h.Events {
		e := &h.Events[i]
		line = lineText(lineOf(&h.Names, e, h.TouchedBy(e.Seq)))
		if e.Kind == model.Ended {
			line = line[:len(line)-len("}")]
		}
		sum = addLine(sum, hashOf(line))
		if e.Kind == model.Ended {
			line = append(append(append(line, digestField...), model.Digest(sum).String()...), `"}`...)
		}
		b = append(append(b, line...), '\n')
	}
	return b
}

// addLine folds the hash of one more line into the digest of those before it.
func addLine(sum, hash uint64) uint64 { return model.Mix(sum ^ hash) }

func lineText(line any) []byte {
	text, err := json.Marshal(line)
	if err != nil {
		panic("eventlog: a line of strings, integers and booleans did not encode: " + err.Error())
	}
	return appendASCII(nil, text)
}

// appendASCII appends JSON with all that is not ASCII escaped, so that names cannot
// disturb a terminal. Such runes stand within strings only, where \u means the same.
func appendASCII(b, text []byte) []byte {
	for _, r := range string(text) {
		if r < 0x7f {
			b = append(b, byte(r))
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			b = fmt.Appendf(b, `\u%04x`, unit)
		}
	}
	return b
}

type headerLine struct {
	Format           string       `json:"format"`
	Records          string       `json:"records"`
	Digest           bool         `json:"digest"`
	Touches          bool         `json:"touches"`
	Tokens           string       `json:"tokens,omitempty"`
	BoundsDeliveries bool         `json:"bounds-deliveries,omitempty"`
	AsksLease        bool         `json:"asks-lease,omitempty"`
	MaxAttempts      int          `json:"max-attempts,omitempty"`
	MaxStalled       int          `json:"max-stalled,omitempty"`
	Lease            string       `json:"lease,omitempty"`
	RetryDelay       string       `json:"retry-delay,omitempty"`
	ReapEvery        string       `json:"reap-every,omitempty"`
	PromoteEvery     string       `json:"promote-every,omitempty"`
	SweepEvery       string       `json:"sweep-every,omitempty"`
	Latency          string       `json:"latency,omitempty"`
	Queue            string       `json:"queue,omitempty"`
	Pump             string       `json:"pump,omitempty"`
	Processes        []string     `json:"processes"`
	Workers          []workerLine `json:"workers"`
	Jobs             []jobLine    `json:"jobs"`
}

type workerLine struct {
	Name          string `json:"name"`
	Work          string `json:"work,omitempty"`
	Poll          string `json:"poll,omitempty"`
	Timeout       string `json:"timeout,omitempty"`
	Heartbeat     string `json:"heartbeat,omitempty"`
	SettleRetries int    `json:"settle-retries,omitempty"`
	Steps         int    `json:"steps,omitempty"`
}

type jobLine struct {
	Name  string `json:"name"`
	Fails int    `json:"fails,omitempty"`
}

func headerOf(h *model.History, f model.Facts) *headerLine {
	line := &headerLine{
		Format: Format, Records: everything, Digest: true, Touches: f.Toucher,
		BoundsDeliveries: f.BoundsDeliveries, AsksLease: f.AsksLease && hasOddLease(h, f.Lease), MaxAttempts: f.MaxAttempts, MaxStalled: f.MaxStalled,
		Lease: durationWord(f.Lease), RetryDelay: durationWord(f.RetryDelay), ReapEvery: durationWord(f.ReapEvery),
		PromoteEvery: durationWord(f.PromoteEvery), SweepEvery: durationWord(f.SweepEvery), Latency: durationWord(f.Latency),
		Queue: procName(&h.Names, f.Queue), Pump: procName(&h.Names, f.Pump),
		Processes: append([]string{}, h.Names.Procs[1:]...), Workers: []workerLine{}, Jobs: []jobLine{},
	}
	if f.Toucher { // of another nobody knows what its tokens count
		line.Tokens = "attempts"
	}
	for i := range f.Workers {
		w := &f.Workers[i]
		line.Workers = append(line.Workers, workerLine{
			Name: procName(&h.Names, w.Proc), Work: durationWord(w.Work), Poll: durationWord(w.Poll), Timeout: durationWord(w.Timeout),
			Heartbeat: durationWord(w.Heartbeat), SettleRetries: w.SettleRetries, Steps: w.Steps,
		})
	}
	for j := 1; j < len(h.Names.Jobs); j++ {
		job := jobLine{Name: h.Names.Jobs[j]}
		if j < len(f.Fails) {
			job.Fails = f.Fails[j]
		}
		line.Jobs = append(line.Jobs, job)
	}
	return line
}

// hasOddLease reports whether some lease ends otherwise than was asked for, so that the
// reader of the log must know what was.
func hasOddLease(h *model.History, lease time.Duration) bool {
	for i := range h.Events {
		e := &h.Events[i]
		given := e.Kind == model.Applied && e.Answer == model.OK && (e.Op == model.OpClaim || e.Op == model.OpExtend)
		if given && e.Until != e.Server.Add(lease) && !(e.Op == model.OpExtend && rowEnds(h.TouchedBy(e.Seq), e)) {
			return true
		}
	}
	return false
}

// rowEnds reports whether the row of the id says what its extension was answered.
func rowEnds(touched []model.Touch, e *model.Event) bool {
	return slices.ContainsFunc(touched, func(t model.Touch) bool { return t.ID == e.ID && t.After.Deadline == e.Until })
}

// durationWord writes a duration as the header reads it, nothing for none.
func durationWord(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return script.FormatDuration(d)
}

// eventLine is one event as a line of the log. What its kind implies is left out.
type eventLine struct {
	Seq     int32         `json:"seq"`
	Time    Instant       `json:"time"`
	Kind    string        `json:"kind"`
	Job     string        `json:"job,omitempty"`
	N       *int32        `json:"n,omitempty"`
	Worker  string        `json:"worker,omitempty"`
	Token   *model.Token  `json:"token,omitempty"`
	Op      string        `json:"op,omitempty"`
	Answer  string        `json:"answer,omitempty"`
	Cause   string        `json:"cause,omitempty"`
	Step    string        `json:"step,omitempty"`
	ID      string        `json:"id,omitempty"`
	Server  *Instant      `json:"server,omitempty"`
	Until   *Instant      `json:"until,omitempty"`
	Effect  int32         `json:"effect,omitempty"`
	Max     *int32        `json:"max,omitempty"`
	Peer    string        `json:"peer,omitempty"`
	Nth     int32         `json:"nth,omitempty"`
	Call    int32         `json:"call,omitempty"`
	Skew    int64         `json:"skew,omitempty"`
	Moved   int32         `json:"moved,omitempty"`
	Lapsed  int32         `json:"lapsed,omitempty"`
	Reply   bool          `json:"reply,omitempty"`
	Copy    bool          `json:"copy,omitempty"`
	Late    bool          `json:"late,omitempty"`
	Found   bool          `json:"found,omitempty"`
	Oneway  bool          `json:"oneway,omitempty"`
	Raw     bool          `json:"raw,omitempty"`
	Touched []touchedLine `json:"touched,omitempty"`
}

type touchedLine struct {
	ID     string       `json:"id"`
	Before standingLine `json:"before"`
	After  standingLine `json:"after"`
}

type standingLine struct {
	Sets     string      `json:"sets,omitempty"`
	Row      string      `json:"row,omitempty"`
	Attempts model.Token `json:"attempts,omitempty"`
	Deadline Instant     `json:"deadline,omitempty"`
	RunAt    Instant     `json:"run-at,omitempty"`
}

// Instant is a time in JSON, in nanoseconds, that may never come.
type Instant model.Time

// MarshalJSON writes nanoseconds, or the word never.
func (t Instant) MarshalJSON() ([]byte, error) {
	if model.Time(t) == model.Never {
		return []byte(`"never"`), nil
	}
	return strconv.AppendInt(nil, int64(t), 10), nil
}

func lineOf(names *model.Names, e *model.Event, touched []model.Touch) *eventLine {
	k := &kinds[kindOf(e)]
	line := &eventLine{
		Seq: e.Seq, Time: Instant(e.At), Kind: k.name, Worker: procName(names, e.Proc), Peer: procName(names, e.Peer),
		Nth: e.Nth, Call: e.Call, Skew: e.Skew, Moved: e.Moved, Lapsed: e.Dead, Effect: e.Effect,
		Reply: e.Has(model.IsReply), Copy: e.Has(model.IsCopy), Late: e.Has(model.IsLate),
		Found: e.Has(model.IsFound), Oneway: e.Has(model.IsOneway), Raw: e.Has(model.IsRaw),
	}
	if e.Job != model.NoJob {
		line.Job = names.Job(e.Job)
	}
	if !e.ID.IsZero() {
		line.ID = e.ID.String()
	}
	line.words(e, k)
	line.numbers(e)
	for _, t := range touched {
		line.Touched = append(line.Touched, touchedLine{t.ID.String(), standingOf(t.Before), standingOf(t.After)})
	}
	return line
}

// words fills in the enumerations that the kind does not imply.
func (line *eventLine) words(e *model.Event, k *kind) {
	if e.Op != k.op {
		line.Op = e.Op.String()
	}
	if e.Answer != k.answer {
		line.Answer = e.Answer.String()
	}
	if e.Cause != model.NoCause {
		line.Cause = e.Cause.String()
	}
	if e.Step != model.NoStep {
		line.Step = e.Step.String()
	}
}

// numbers fills in the numbers that a reader would else put in by itself.
func (line *eventLine) numbers(e *model.Event) {
	ofQueue := e.Kind == model.Applied
	speaks := ofQueue && (e.Op.Settles() || e.Op == model.OpExtend || e.Op == model.OpClaim && e.Answer == model.OK)
	if speaks || e.N != 0 {
		line.N = &e.N
	}
	if speaks || e.Token != 0 {
		line.Token = &e.Token
	}
	if ofQueue && e.Op == model.OpRetry || e.Max != 0 {
		line.Max = &e.Max
	}
	if speaks || e.Until != 0 {
		line.Until = (*Instant)(&e.Until)
	}
	if ofQueue && e.Server != e.At || !ofQueue && e.Server != 0 {
		line.Server = (*Instant)(&e.Server)
	}
}

func standingOf(s model.Standing) standingLine {
	row := joinBits(rowWords, uint8(s.Fields))
	if s.Fields == model.FullRow {
		row = fullRow
	}
	return standingLine{joinBits(setWords, uint8(s.Sets)), row, s.Attempts, Instant(s.Deadline), Instant(s.RunAt)}
}

func procName(names *model.Names, p model.Proc) string {
	if p == model.NoProc {
		return ""
	}
	return names.Proc(p)
}
