package reports

import (
	"strings"
	"testing"

	"github.com/ackgap/ackgap/reports/eventlog"
	"github.com/ackgap/ackgap/scenarios"
)

// night is the log of one night, with all that a report tells: a property broken, held,
// vacuous and unknown, a repeat, a gap, and names that would disturb a terminal.
const night = `{"format":"ackgap-log/1","lease":"30s","records":["admitted","claimed","extended","settled","dead","operated","applied"]}
{"seq":1,"time":"2026-03-01T02:00:00Z","kind":"admitted","job":"order-7","worker":"shop"}
{"seq":2,"time":"2026-03-01T02:00:01Z","kind":"claimed","job":"order-7","worker":"w1","token":1}
{"seq":3,"time":"2026-03-01T02:00:02.5Z","kind":"applied","job":"order-7","worker":"w1"}
{"seq":4,"time":"2026-03-01T02:00:32Z","kind":"claimed","job":"order-7","worker":"w2\u001b[2J","token":2}
{"seq":5,"time":"2026-03-01T02:00:33Z","kind":"applied","job":"order-7","worker":"w2\u001b[2J"}
{"seq":5,"time":"2026-03-01T02:00:33Z","kind":"applied","job":"order-7","worker":"w2\u001b[2J"}
{"seq":6,"time":"2026-03-01T02:00:34Z","kind":"settled","job":"order-7","worker":"w2\u001b[2J","token":2}
{"seq":7,"time":"2026-03-01T02:00:35Z","kind":"settled","job":"order-7","worker":"w1","token":1}
`

const ended = `{"seq":8,"time":"2026-03-01T03:00:00Z","kind":"ended","cause":"horizon"}` + "\n"

func judged(t *testing.T, log string) *eventlog.Result {
	t.Helper()
	r, err := eventlog.Check(strings.NewReader(log), eventlog.Options{Name: "night.jsonl"})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestTheReportOfALogIsPinned(t *testing.T) {
	golden(t, "log.txt", AppendLog(nil, judged(t, night+ended), Style{}))
	golden(t, "log.cut.txt", AppendLog(nil, judged(t, night[:len(night)-20]), Style{ASCII: true}))
}

// No line is wider than 80 columns, and none holds what a terminal would obey.
func TestTheReportOfALogIsNarrowAndSafe(t *testing.T) {
	r := judged(t, night+ended)
	r.Name = strings.Repeat("long/", 40) + "\x1b]0;evil"
	for line := range strings.Lines(string(AppendLog(nil, r, Style{}))) {
		line = strings.TrimSuffix(line, "\n")
		if width(line) > textWidth || strings.ContainsAny(line, "\x1b\r") {
			t.Errorf("%d columns: %q", width(line), line)
		}
	}
}

func TestJSONOfALogKeepsItsSchema(t *testing.T) {
	s := compile(t, LogCheckSchema)
	for _, log := range []string{night + ended, night, strings.Replace(night, `"seq":3`, `"seq":4`, 1)} {
		if err := validate(t, s, AppendLogJSON(nil, judged(t, log))); err != nil {
			t.Error(err)
		}
	}
}

// Each line of the log of each story, and of a log as people write it, is as the schema
// says; what the reader refuses, the schema refuses.
func TestTheSchemaOfALogIsWhatIsReadAndWritten(t *testing.T) {
	s := compile(t, LogSchema)
	valid := func(line string) error { return validate(t, s, []byte(line)) }
	for _, name := range scenarios.Catalogue() {
		story, err := scenarios.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		out, err := story.Run(scenarios.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(eventlog.Append(nil, out.History, out.Facts()))) {
			if err := valid(line); err != nil {
				t.Fatalf("%s: %s\n%v", name, line, err)
			}
		}
	}
	for line := range strings.Lines(night + ended) {
		if err := valid(line); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
	for name, line := range map[string]string{
		"another version":  `{"format":"ackgap-log/2"}`,
		"an unknown kind":  `{"time":0,"kind":"claim"}`,
		"an unknown field": `{"time":0,"kind":"claimed","job":"J","tokn":1}`,
		"no time":          `{"kind":"claimed","job":"J"}`,
		"a fraction":       `{"time":0.5,"kind":"claimed","job":"J"}`,
		"seq from 0":       `{"seq":0,"time":0,"kind":"claimed","job":"J"}`,
		"an empty name":    `{"time":0,"kind":"claimed","job":""}`,
	} {
		if valid(line) == nil {
			t.Errorf("the schema takes %s", name)
		}
		if _, err := eventlog.Check(strings.NewReader(`{"format":"ackgap-log/1"}`+"\n"+line+"\n"), eventlog.Options{}); err == nil {
			t.Errorf("the reader takes %s", name)
		}
	}
}
