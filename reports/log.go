package reports

import (
	_ "embed"
	"strings"
	"time"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/reports/eventlog"
)

// LogFormat names the version of the JSON form of what a log comes to.
const LogFormat = "ackgap-check-log/1"

// LogSchema is the JSON Schema (2020-12) of one line of a log.
//
//go:embed schema/ackgap-log.schema.json
var LogSchema string

// LogCheckSchema is the JSON Schema (2020-12) of what AppendLogJSON writes.
//
//go:embed schema/ackgap-check-log.schema.json
var LogCheckSchema string

// AppendLog appends what a log comes to for a person: what is broken with its proof, the
// table of properties, and what is missing to judge the rest.
func AppendLog(b []byte, r *eventlog.Result, s Style) []byte {
	run := &Run{History: &model.History{Names: r.Names}, Verdicts: r.Verdicts}
	p := &page{b: b, style: s, dated: true}
	p.logVerdict(run, r)
	for _, v := range run.withValue(model.Broken) {
		p.end()
		p.put(bad, "WHY")
		p.line(plain, "  "+model.Safe(v.Property)+" is broken")
		p.proof(&r.Names, v)
	}
	if !s.Brief {
		p.properties(run)
	}
	p.logMissing(run, r)
	return p.b
}

// logVerdict writes the answer for all, and what the log holds.
func (p *page) logVerdict(run *Run, r *eventlog.Result) {
	for _, v := range run.withValue(model.Broken) {
		p.left(bad, "BROKEN", leadWidth)
		p.line(plain, model.Safe(v.Property))
		p.wrap(strings.Repeat(" ", leadWidth), headline(run, v))
	}
	if n := len(run.withValue(model.Unknown)); n > 0 {
		p.left(bad, "UNKNOWN", leadWidth)
		p.line(plain, itoa(n)+" of "+script.Count(run.claims(), "property"))
	}
	if len(run.withValue(model.Held)) > 0 {
		p.held(run)
	}
	p.left(plain, "LOG", leadWidth)
	p.line(plain, short(r.Name, textWidth-leadWidth))
	p.wrap(strings.Repeat(" ", leadWidth), logLine(r))
}

// day is how far from the start of its clock a log tells the time of a day.
const day = model.Time(24 * time.Hour)

// when returns an instant as a reader knows it: of a run, by its seconds; of a log that
// is dated (and was not recorded by a run), by the calendar.
func (p *page) when(at model.Time) string {
	if !p.dated || at < day || at == model.Never {
		return at.String()
	}
	return time.UnixMilli(model.EpochMillis).Add(time.Duration(at)).UTC().Format(time.RFC3339Nano)
}

// logLine counts what the log holds: "31 events of 1 job, complete".
func logLine(r *eventlog.Result) string {
	line := script.Count(int(r.Events), "event") + " of " + script.Count(int(r.Jobs), "job")
	if r.Repeats > 0 {
		line += ", " + script.Count(int(r.Repeats), "repeat") + " dropped"
	}
	if r.Ignored > 0 {
		line += ", " + script.Count(int(r.Ignored), "span") + " ignored"
	}
	if len(r.Doubts) > 0 {
		return line + ", not complete"
	}
	return line + ", complete"
}

// logMissing says what is missing: of the log, and of each property that is unknown for
// another reason. Properties with one reason stand together.
func (p *page) logMissing(run *Run, r *eventlog.Result) {
	unknown := run.withValue(model.Unknown)
	if len(unknown)+len(r.Doubts) == 0 {
		return
	}
	p.end()
	p.line(bad, "MISSING")
	for _, doubt := range r.Doubts {
		p.wrap("  ", "the log is not complete: "+model.Safe(doubt))
	}
	told := make(map[string]bool)
	for i, v := range unknown {
		says := v.Witness.Says
		if told[says] || says == eventlog.NotComplete {
			continue
		}
		told[says] = true
		names := v.Property
		for _, other := range unknown[i+1:] {
			if other.Witness.Says == says {
				names += ", " + other.Property
			}
		}
		p.wrap("  ", model.Safe(names)+": "+numbered(model.Safe(says), v.Witness.Events))
	}
}

type jsonLog struct {
	Format   string        `json:"format"`
	Log      string        `json:"log"`
	Outcome  string        `json:"outcome"`
	Complete bool          `json:"complete"`
	Events   int64         `json:"events"`
	Jobs     int64         `json:"jobs"`
	Repeats  int64         `json:"repeats"`
	Ignored  int64         `json:"ignored"`
	Doubts   []string      `json:"doubts"`
	Verdicts []jsonVerdict `json:"verdicts"`
}

// AppendLogJSON appends what a log comes to as one JSON document and a line feed, in
// plain ASCII.
func AppendLogJSON(b []byte, r *eventlog.Result) []byte {
	run := &Run{History: &model.History{Names: r.Names}, Verdicts: r.Verdicts}
	doc := jsonLog{
		Format: LogFormat, Log: r.Name, Outcome: r.Value().String(), Complete: len(r.Doubts) == 0,
		Events: r.Events, Jobs: r.Jobs, Repeats: r.Repeats, Ignored: r.Ignored,
		Doubts: append([]string{}, r.Doubts...), Verdicts: []jsonVerdict{},
	}
	for i := range r.Verdicts {
		doc.Verdicts = append(doc.Verdicts, jsonVerdictOf(run, &r.Verdicts[i]))
	}
	return AppendDocument(b, doc)
}
