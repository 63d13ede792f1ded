package reports

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/reports/eventlog"
)

// Format names the version of the JSON form. A field may be added within a
// version; none changes its meaning or goes away.
const Format = "ackgap-run/1"

// Schema is the JSON Schema (2020-12) of what AppendJSON writes.
//
//go:embed schema/run.schema.json
var Schema string

// AppendJSON appends r as one JSON document and a line feed. Instants and
// durations are integers of nanoseconds of virtual time ("never" where a
// deadline does not come); the seed is a decimal and the digest a hexadecimal
// string, since a reader in JavaScript would round them. The document is plain
// ASCII: all else is escaped, so that names cannot disturb a terminal. Bytes of
// a name that are no UTF-8 become U+FFFD.
func AppendJSON(b []byte, r *Run) []byte {
	return AppendDocument(b, document(r))
}

// AppendDocument appends v, which must encode, as JSON in plain ASCII, and a line feed.
func AppendDocument(b []byte, v any) []byte { return append(appendASCII(b, marshalled(v)), '\n') }

// marshalled is v as JSON. What is given to it always encodes.
func marshalled(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic("reports: a document of strings, integers and booleans did not encode: " + err.Error())
	}
	return text
}

type jsonRun struct {
	Format       string            `json:"format"`
	Story        string            `json:"story"`
	Title        string            `json:"title"`
	Seed         string            `json:"seed"`
	Queue        string            `json:"queue"`
	Consumers    string            `json:"consumers"`
	Outcome      string            `json:"outcome"`
	Digest       string            `json:"digest"`
	Again        string            `json:"again"`
	Text         string            `json:"text,omitempty"`
	Verdicts     []jsonVerdict     `json:"verdicts"`
	Expectations []jsonExpectation `json:"expectations"`
	Unfired      []jsonFault       `json:"unfired"`
	Missing      []jsonFault       `json:"missing"`
	Reasons      []string          `json:"reasons"`
	Processes    []string          `json:"processes"`
	Jobs         []string          `json:"jobs"`
	Events       []jsonEvent       `json:"events"`
	Twin         *jsonTwin         `json:"twin,omitempty"`
}

type jsonVerdict struct {
	Property    string       `json:"property"`
	Value       string       `json:"value"`
	Evaluations int          `json:"evaluations"`
	Expected    string       `json:"expected,omitempty"` // the value that the story names
	Witness     *jsonWitness `json:"witness,omitempty"`
}

type jsonWitness struct {
	Says   string      `json:"says"`
	Job    string      `json:"job,omitempty"`
	Events []jsonEvent `json:"events"`
}

type jsonExpectation struct {
	Line         int    `json:"line"`
	Text         string `json:"text"`
	Met          bool   `json:"met"`
	Inconclusive bool   `json:"inconclusive"`
	Got          string `json:"got,omitempty"`
}

type jsonFault struct {
	Line int    `json:"line"`
	Text string `json:"text"`
}

// jsonEvent is a model.Event with words for its numbers. What is zero is left
// out, but for seq, at and kind.
type jsonEvent struct {
	Seq    int32            `json:"seq"`
	At     int64            `json:"at"`
	Kind   string           `json:"kind"`
	Proc   string           `json:"proc,omitempty"`
	Peer   string           `json:"peer,omitempty"`
	Op     string           `json:"op,omitempty"`
	Step   string           `json:"step,omitempty"`
	Answer string           `json:"answer,omitempty"`
	Cause  string           `json:"cause,omitempty"`
	Job    string           `json:"job,omitempty"`
	ID     string           `json:"id,omitempty"`
	N      int32            `json:"n,omitempty"`
	Nth    int32            `json:"nth,omitempty"`
	Call   int32            `json:"call,omitempty"`
	Token  int64            `json:"token,omitempty"`
	Server int64            `json:"server,omitempty"`
	Until  eventlog.Instant `json:"until,omitempty"`
	Skew   int64            `json:"skew,omitempty"`
	Max    int32            `json:"max,omitempty"`
	Moved  int32            `json:"moved,omitempty"`
	Dead   int32            `json:"dead,omitempty"`
	Effect int32            `json:"effect,omitempty"`
	Reply  bool             `json:"reply,omitempty"`
	Copy   bool             `json:"copy,omitempty"`
	Late   bool             `json:"late,omitempty"`
	Found  bool             `json:"found,omitempty"`
	Oneway bool             `json:"oneway,omitempty"`
	Raw    bool             `json:"raw,omitempty"`
}

// document fills the whole form. Lists are never null.
func document(r *Run) *jsonRun {
	names := &r.History.Names
	doc := &jsonRun{
		Format: Format, Story: r.Story, Title: r.Title, Seed: strconv.FormatUint(r.Seed, 10),
		Queue: r.Queue, Consumers: r.Consumers, Outcome: r.Outcome.String(),
		Digest: r.History.Digest.String(), Again: r.Again, Text: r.Text,
		Verdicts: []jsonVerdict{}, Expectations: []jsonExpectation{}, Unfired: []jsonFault{}, Missing: []jsonFault{}, Reasons: append([]string{}, r.Reasons...),
		Processes: named(names.Procs), Jobs: named(names.Jobs), Events: jsonEvents(names, r.History.Events),
	}
	doc.Twin = jsonTwinOf(r)
	for i := range r.Verdicts {
		doc.Verdicts = append(doc.Verdicts, jsonVerdictOf(r, &r.Verdicts[i]))
	}
	for _, e := range r.Expectations {
		doc.Expectations = append(doc.Expectations, jsonExpectation(e))
	}
	for _, f := range r.Unfired {
		doc.Unfired = append(doc.Unfired, jsonFault(f))
	}
	for _, f := range r.Missing {
		doc.Missing = append(doc.Missing, jsonFault(f))
	}
	return doc
}

// named leaves out index 0, which names nothing.
func named(names []string) []string { return append([]string{}, names[min(1, len(names)):]...) }

func jsonVerdictOf(r *Run, v *model.Verdict) jsonVerdict {
	out := jsonVerdict{Property: v.Property, Value: v.Value.String(), Evaluations: v.Evaluations}
	if want, named := r.expected(v.Property); named {
		out.Expected = want.String()
	}
	if w := &v.Witness; w.Says != "" || len(w.Events) > 0 {
		names := &r.History.Names
		out.Witness = &jsonWitness{Says: w.Says, Job: jobName(names, w.Job), Events: jsonEvents(names, w.Events)}
	}
	return out
}

func jsonEvents(names *model.Names, events []model.Event) []jsonEvent {
	out := make([]jsonEvent, 0, len(events))
	for i := range events {
		out = append(out, jsonEventOf(names, &events[i]))
	}
	return out
}

func jsonEventOf(names *model.Names, e *model.Event) jsonEvent {
	out := jsonEvent{
		Seq: e.Seq, At: int64(e.At), Kind: e.Kind.String(),
		Proc: procName(names, e.Proc), Peer: procName(names, e.Peer), Job: jobName(names, e.Job),
		N: e.N, Nth: e.Nth, Call: e.Call, Token: int64(e.Token),
		Server: int64(e.Server), Until: eventlog.Instant(e.Until), Skew: e.Skew,
		Max: e.Max, Moved: e.Moved, Dead: e.Dead, Effect: e.Effect,
		Reply: e.Has(model.IsReply), Copy: e.Has(model.IsCopy), Late: e.Has(model.IsLate),
		Found: e.Has(model.IsFound), Oneway: e.Has(model.IsOneway), Raw: e.Has(model.IsRaw),
	}
	out.words(e)
	return out
}

// words fills in the enumerations that are not zero.
func (out *jsonEvent) words(e *model.Event) {
	if e.Op != model.OpNone {
		out.Op = e.Op.String()
	}
	if e.Step != model.NoStep {
		out.Step = e.Step.String()
	}
	if e.Answer != model.NoAnswer {
		out.Answer = e.Answer.String()
	}
	if e.Cause != model.NoCause {
		out.Cause = e.Cause.String()
	}
	if !e.ID.IsZero() {
		out.ID = e.ID.String()
	}
}

func procName(names *model.Names, p model.Proc) string {
	if p == model.NoProc {
		return ""
	}
	return names.Proc(p)
}

func jobName(names *model.Names, j model.Job) string {
	if j == model.NoJob {
		return ""
	}
	return names.Job(j)
}

// appendASCII appends JSON text with all that is not ASCII escaped. Such runes
// stand within strings only, where \u means the same.
func appendASCII(b, text []byte) []byte {
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		switch {
		case r < 0x7f:
			b = append(b, byte(r))
		case r > 0xffff:
			r -= 0x10000
			b = fmt.Appendf(b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		default:
			b = fmt.Appendf(b, `\u%04x`, r)
		}
		text = text[n:]
	}
	return b
}
