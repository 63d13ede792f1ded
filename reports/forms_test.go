package reports

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/reports/eventlog"
	"github.com/ackgap/ackgap/scenarios"
)

// write writes r, which stands alone, in one form.
func (f *Form) write(r *Run) []byte {
	if f.Append != nil {
		return f.Append(nil, r, Page{}, Style{})
	}
	return f.AppendAll(nil, []Case{CaseOf(r)})
}

// inFull are the stories of which the golden files keep every form in full.
var inFull = []string{"lost-ack", "zombie-fenced"}

// Two stories are pinned in full, all others by a digest of each form.
func TestGoldenForms(t *testing.T) {
	var digests []byte
	for i, r := range catalogue() {
		digests = fmt.Appendf(digests, "%s\n", scenarios.Catalogue()[i])
		for _, f := range Forms() {
			got := f.write(r)
			sum := sha256.Sum256(got)
			digests = fmt.Appendf(digests, "  %-8s %x\n", f.Name, sum[:8])
			if slices.Contains(inFull, r.Story) && f.Name != "text" && f.Name != "history" {
				golden(t, "forms/"+r.Story+"."+f.Name, got)
			}
		}
	}
	golden(t, "forms/digests", digests)
}

func TestNoFormKeepsTheBytesThatItIsGiven(t *testing.T) {
	for _, f := range Forms() {
		r := lostAck()
		if f.Append != nil && !bytes.HasPrefix(f.Append([]byte("kept "), r, Page{}, Style{}), []byte("kept ")) ||
			f.AppendAll != nil && !bytes.HasPrefix(f.AppendAll([]byte("kept "), nil), []byte("kept ")) {
			t.Errorf("%s does not append", f.Name)
		}
	}
}

// Names are untrusted in each form: no control character gets through, and nothing
// that could end a line.
func TestNoFormLetsANameThrough(t *testing.T) {
	for _, f := range Forms() {
		got := string(f.write(hostile()))
		if strings.ContainsAny(got, "\x1b\x07\r\x00\u202e\u200b") {
			t.Errorf("%s lets a control character through", f.Name)
		}
	}
}

// junit is what tools read of the file.
type junit struct {
	XMLName  xml.Name `xml:"testsuites"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Cases    []struct {
		Name    string `xml:"name,attr"`
		Failure *struct {
			Message string `xml:"message,attr"`
			Text    string `xml:",chardata"`
		} `xml:"failure"`
		Error *struct {
			Message string `xml:"message,attr"`
		} `xml:"error"`
	} `xml:"testsuite>testcase"`
}

func TestJUnitTellsTheVerdictAndTheCommandInOneLine(t *testing.T) {
	failing := zombie()
	failing.Story = `<a & "b">`
	file := AppendJUnit(nil, []Case{CaseOf(lostAck()), CaseOf(failing), CaseOf(partition())})
	var got junit
	if err := xml.Unmarshal(file, &got); err != nil {
		t.Fatal(err)
	}
	if got.Tests != 3 || got.Failures != 0+1 || got.Errors != 1 || len(got.Cases) != 3 {
		t.Fatalf("%+v", got)
	}
	met, not, open := got.Cases[0], got.Cases[1], got.Cases[2]
	if met.Failure != nil || met.Error != nil || not.Failure == nil || open.Error == nil || not.Name != failing.Story {
		t.Fatalf("%+v", got.Cases)
	}
	if m := not.Failure.Message; strings.Contains(m, "\n") || !strings.Contains(m, "expect effects J1 = 2, got 1") ||
		!strings.HasSuffix(m, "Run again: ackgap run zombie-fenced") {
		t.Errorf("the message is %q", m)
	}
	if not.Failure.Text != string(AppendText(nil, failing, Style{})) {
		t.Error("the report is not the failure's text")
	}
}

func TestAnnotationsStayBelowTheLimitsOfGitHub(t *testing.T) {
	var cases []Case
	for range 14 {
		cases = append(cases, Case{Story: "a:b,c%\nd", File: "x,y.story", Outcome: scenarios.No, Line: "100% lost\r\n::error::forged", Text: strings.Repeat("x", 20<<10)})
	}
	lines := strings.Split(strings.TrimSuffix(string(AppendAnnotations(nil, cases)), "\n"), "\n")
	if len(lines) != 10 || lines[9] != "::error title=ackgap::and 5 more stories are not as expected" {
		t.Errorf("%d lines, the last %q", len(lines), lines[len(lines)-1])
	}
	if want := `::error file=x%2Cy.story,line=1,title=ackgap a%3Ab%2Cc%25\x0ad::not met: 100%25 lost%0D%0A::error::forged`; lines[0] != want {
		t.Errorf("%q\nwant %q", lines[0], want)
	}
	summary := string(AppendJobSummary(nil, cases))
	if len(summary) > 100<<10 || !strings.Contains(summary, "parts are left out") {
		t.Errorf("a summary of %d bytes", len(summary))
	}
	if all := string(AppendJobSummary(nil, []Case{CaseOf(lostAck())})); all != "## ackgap: 1 of 1 stories as expected\n\n" {
		t.Errorf("of nothing that failed it says %q", all)
	}
}

// Whoever clicks an annotation comes to the line that was not met, and to the first one
// where none is to blame.
func TestAnAnnotationStandsAtTheLineThatIsNotMet(t *testing.T) {
	for _, c := range []struct {
		run  Run
		line string
	}{
		{Run{Expectations: []Expectation{{Line: 3, Met: true}, {Line: 4}, {Line: 5}}, Unfired: []Fault{{Line: 2}}}, "line=4"},
		{Run{Expectations: []Expectation{{Line: 3, Met: true}}, Unfired: []Fault{{Line: 7}}, Missing: []Fault{{Line: 2}}}, "line=7"},
		{Run{Missing: []Fault{{Line: 9}}}, "line=9"},
		{Run{Reasons: []string{"no-ghost is broken"}}, "line=1"},
	} {
		c.run.History, c.run.Outcome = &model.History{}, scenarios.No
		one := CaseOf(&c.run)
		one.File = "a.story"
		if got := string(AppendAnnotations(nil, []Case{one})); !strings.HasPrefix(got, "::error file=a.story,"+c.line+",") {
			t.Errorf("%s\nwant %s", got, c.line)
		}
	}
}

// A text of a story cannot leave its place in the summary.
func TestTheSummaryKeepsNamesInTheirCells(t *testing.T) {
	r := hostile()
	r.Story = "a|b`c</pre><script>"
	summary := string(AppendJobSummary(nil, []Case{CaseOf(r)}))
	row := regexp.MustCompile(`(?m)^\| a.*$`).FindString(summary)
	if strings.Count(row, "|") != 5 || strings.Contains(summary, "<script") || strings.Contains(row, "`") {
		t.Errorf("%s", row)
	}
}

var (
	mermaidPart    = regexp.MustCompile(`^    participant P\d+ as \S.*$`)
	mermaidMessage = regexp.MustCompile(`^    P\d+(->>|--x|--\))P\d+: [\w .,=()#;-]+$`)
	mermaidNote    = regexp.MustCompile(`^    Note over P\d+: [\w .,=()#;-]+$`)
)

func TestMermaidIsMadeOfThreeKindsOfLines(t *testing.T) {
	runs := catalogue()
	for _, s := range stories {
		runs = append(runs, s.run())
	}
	for _, r := range runs {
		lines := strings.Split(strings.TrimSuffix(string(AppendMermaid(nil, r, Style{})), "\n"), "\n")
		if lines[0] != "sequenceDiagram" {
			t.Fatalf("%s begins with %s", r.Story, lines[0])
		}
		messages := 0
		for _, l := range lines[1:] {
			if mermaidMessage.MatchString(l) {
				messages++
			}
			if !mermaidPart.MatchString(l) && !mermaidMessage.MatchString(l) && !mermaidNote.MatchString(l) {
				t.Errorf("%s: %q", r.Story, l)
			}
			if regexp.MustCompile(`(?i)\bend\b`).MatchString(l) {
				t.Errorf("%s: the word end in %q", r.Story, l)
			}
		}
		if messages > 60 {
			t.Errorf("%s: %d messages", r.Story, messages)
		}
	}
}

var shivizEvent = regexp.MustCompile(`^(\S*) (\{.*\})$`)

// The rule of vector clocks: each host counts its own events from 1, one by one, and
// never knows less than before, nor more of another than that one has done.
func TestShiVizHasTrueClocks(t *testing.T) {
	twins := 0
	for _, r := range catalogue() {
		log, ok := strings.CutPrefix(string(AppendShiViz(nil, r)), shivizHead)
		if !ok {
			t.Fatalf("%s has another head", r.Story)
		}
		var known map[string]map[string]int
		lines := strings.Split(strings.TrimSuffix(log, "\n"), "\n")
		for i := 0; i < len(lines); i++ {
			if strings.HasPrefix(lines[i], "=== ") {
				known = map[string]map[string]int{}
				if i > 0 {
					twins++
				}
				continue
			}
			i++
			m := shivizEvent.FindStringSubmatch(lines[i])
			clock := map[string]int{}
			if m == nil || json.Unmarshal([]byte(m[2]), &clock) != nil {
				t.Fatalf("%s: %q is no clock", r.Story, lines[i])
			}
			host := m[1]
			if clock[host] != known[host][host]+1 {
				t.Fatalf("%s: %s counts %d after %d", r.Story, host, clock[host], known[host][host])
			}
			for other, n := range clock {
				if n < known[host][other] || other != host && n > known[other][other] {
					t.Fatalf("%s: %s knows %d of %s, after %d of %d", r.Story, host, n, other, known[host][other], known[other][other])
				}
			}
			known[host] = clock
		}
	}
	if twins == 0 {
		t.Error("no story has its twin beside it")
	}
}

// The rules by which Perfetto reads: slices of a thread nest, a flow begins and ends
// within a slice of its process, each async event that begins ends, not before.
func TestATraceKeepsTheRulesOfPerfetto(t *testing.T) {
	for _, r := range catalogue() {
		if at := badTrace(AppendTrace(nil, r)); at != "" {
			t.Errorf("%s: %s", r.Story, at)
		}
	}
	brisk := lostAck() // a history in which half a microsecond lies between two events
	for i := range brisk.History.Events {
		brisk.History.Events[i].At /= 2000
	}
	if at := badTrace(AppendTrace(nil, brisk)); at != "" {
		t.Errorf("events that are close: %s", at)
	}
	bad := strings.Replace(string(AppendTrace(nil, lostAck())), `"ph":"f"`, `"ph":"s"`, 1)
	if badTrace([]byte(bad)) == "" {
		t.Error("a flow that never ends is not seen")
	}
}

func badTrace(file []byte) string {
	var doc struct {
		TraceEvents []struct {
			Ph, Name, ID string
			PID, TID     int
			TS, Dur      json.Number
		}
	}
	d := json.NewDecoder(bytes.NewReader(file))
	d.UseNumber()
	if err := d.Decode(&doc); err != nil {
		return err.Error()
	}
	type slice struct{ from, to float64 }
	slices := map[[2]int][]slice{}
	flows, async := map[string]int{}, map[string]float64{}
	named := map[int]bool{}
	for _, e := range doc.TraceEvents {
		ts, _ := e.TS.Float64()
		dur, _ := e.Dur.Float64()
		thread := [2]int{e.PID, e.TID}
		in := false
		for _, s := range slices[thread] {
			if e.Ph == "X" && ts < s.to && s.to < ts+dur || e.Ph == "X" && s.from < ts && ts < s.to && ts+dur > s.to {
				return e.Name + " crosses another slice"
			}
			in = in || s.from <= ts && ts < s.to
		}
		switch e.Ph {
		case "M":
			named[e.PID] = true
		case "X":
			slices[thread] = append(slices[thread], slice{ts, ts + dur})
		case "s", "f":
			if !in {
				return e.Name + " is in no slice"
			}
			if e.Ph == "s" {
				flows[e.ID]++
			} else {
				flows[e.ID]--
			}
		case "b":
			async[e.ID] = ts
		case "e":
			if begun, ok := async[e.ID]; !ok || ts < begun {
				return e.ID + " ends before it begins"
			}
			delete(async, e.ID)
		}
		if !named[e.PID] {
			return fmt.Sprintf("process %d has no name", e.PID)
		}
	}
	for id, open := range flows {
		if open != 0 {
			return id + " has one end"
		}
	}
	if len(async) > 0 {
		return fmt.Sprint(keysOf(async), " never end")
	}
	return ""
}

func keysOf(m map[string]float64) []string { return slices.Sorted(maps.Keys(m)) }

// What the spans tell is what happened, in the words of the log that check-log reads.
func TestSpansAreReadBackAsWhatHappened(t *testing.T) {
	for _, r := range catalogue() {
		var want, got [4]int
		for i := range r.History.Events {
			switch e := &r.History.Events[i]; {
			case e.Job == model.NoJob:
			case e.Kind == model.Admitted && e.Answer == model.Enqueued:
				want[0]++
			case e.Kind == model.Applied && e.Op == model.OpClaim && e.Answer == model.OK:
				want[1]++
			case e.Kind == model.Effected:
				want[2]++
			case e.Kind == model.Applied && e.Op == model.OpComplete && e.Answer == model.OK:
				want[3]++
			}
		}
		doc := AppendOTLP(nil, r)
		for i, operation := range []string{"send", "receive", "process", "settle"} {
			got[i] = bytes.Count(doc, []byte(`"messaging.operation.type","value":{"stringValue":"`+operation+`"}`))
		}
		if got != want {
			t.Errorf("%s: %v spans, want %v", r.Story, got, want)
		}
		head := `{"format":"ackgap-log/1","records":["admitted","claimed","applied","settled","dead"]}` + "\n"
		if _, err := eventlog.Check(strings.NewReader(head+string(doc)), eventlog.Options{}); err != nil && !errors.Is(err, io.EOF) {
			t.Errorf("%s: check-log says %v", r.Story, err)
		}
	}
}

// What is JSON keeps its schema, story by story: a run as it is, a log line by line.
func TestEveryRunAndEveryLogKeepTheirSchemas(t *testing.T) {
	text, err := os.ReadFile("schema/ackgap-log.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	runs, lines := schema(t), compile(t, string(text))
	for _, r := range catalogue() {
		if err := validate(t, runs, AppendJSON(nil, r)); err != nil {
			t.Errorf("%s: %v", r.Story, err)
		}
		for line := range bytes.Lines(append(appendLog(nil, r), AppendOTLP(nil, r)...)) {
			if err := validate(t, lines, line); err != nil {
				t.Fatalf("%s: %s: %v", r.Story, line, err)
			}
		}
	}
}
