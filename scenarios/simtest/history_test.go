package simtest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// told is a test that only takes notes.
type told struct {
	testing.TB
	dir    string
	failed bool
	fatal  bool
	text   string
	attrs  map[string]string
}

func (n *told) Helper()                           {}
func (n *told) ArtifactDir() string               { return n.dir }
func (n *told) Attr(key, value string)            { n.attrs[key] = value }
func (n *told) Logf(format string, args ...any)   { n.text += fmt.Sprintf(format, args...) }
func (n *told) Errorf(format string, args ...any) { n.failed = true; n.Logf(format, args...) }
func (n *told) Fatal(args ...any)                 { n.Fatalf("%s", fmt.Sprint(args...)) }
func (n *told) Fatalf(format string, args ...any) { n.fatal = true; n.Logf(format, args...); panic(n) }

// checkHistory runs CheckHistory and returns what it told.
func checkHistory(t *testing.T, log string, options ...HistoryOption) (n *told) {
	n = &told{dir: t.TempDir(), attrs: map[string]string{}}
	defer func() {
		if p := recover(); p != nil && p != any(n) {
			panic(p)
		}
	}()
	CheckHistory(n, strings.NewReader(log), options...)
	return n
}

const night = `{"format":"ackgap-log/1","records":["applied","admitted"]}
{"seq":1,"time":"2026-03-01T02:00:02Z","kind":"applied","job":"order-7","worker":"w1"}
{"seq":2,"time":"2026-03-01T02:00:03Z","kind":"applied","job":"order-8","worker":"w2"}
{"seq":3,"time":"2026-03-01T03:00:00Z","kind":"ended","cause":"horizon"}
`

func TestALogThatHoldsPasses(t *testing.T) {
	n := checkHistory(t, night, HistoryProperties("no-duplicate-effect"))
	if n.failed || n.fatal || !strings.Contains(n.text, "3 events of 2 jobs: every property that is demanded is held") {
		t.Errorf("failed: %v, %v: %s", n.failed, n.fatal, n.text)
	}
}

// A failing log says why in at most 25 lines, and where the rest is.
func TestALogThatIsBrokenFails(t *testing.T) {
	n := checkHistory(t, strings.Replace(night, "order-8", "order-7", 1), HistoryProperties("no-duplicate-effect"))
	if !n.failed || !strings.Contains(n.text, "order-7: event 1 and event 2 changed the outside ledger") {
		t.Errorf("failed: %v: %s", n.failed, n.text)
	}
	if lines := strings.Count(n.text, "\n") + 1; lines > maxLines {
		t.Errorf("%d lines:\n%s", lines, n.text)
	}
	if n.attrs["ackgap.outcome"] != "broken" || n.attrs["ackgap.report"] != filepath.Join(n.dir, "log.txt") {
		t.Errorf("attributes: %v", n.attrs)
	}
	if !strings.Contains(n.text, "all of it: by go test -artifacts") { // the file is gone when the test is
		t.Errorf("it names a file that nobody can read:\n%s", n.text)
	}
	if b, err := os.ReadFile(filepath.Join(n.dir, "log.txt")); err != nil || !strings.Contains(string(b), "PROPERTIES") {
		t.Errorf("%v: %s", err, b)
	}
}

// What cannot be judged fails too, with what is missing.
func TestALogThatLacksSomethingFails(t *testing.T) {
	n := checkHistory(t, night)
	if !n.failed || n.attrs["ackgap.outcome"] != "unknown" || !strings.Contains(n.text, "records in the header does not list") {
		t.Errorf("failed: %v: %s", n.failed, n.text)
	}
}

// A writer that says that it lost something is believed, though seq has no gap.
func TestALogThatSaysThatItIsNotCompleteIsNotHeld(t *testing.T) {
	n := checkHistory(t, strings.Replace(night, "{", `{"complete":false,`, 1), HistoryProperties("no-duplicate-effect"))
	if !n.failed || n.attrs["ackgap.outcome"] != "unknown" || !strings.Contains(strings.Join(strings.Fields(n.text), " "), `the header says "complete": false`) {
		t.Errorf("failed: %v: %s", n.failed, n.text)
	}
}

// A bad line and a bad option end the test.
func TestALogThatCannotBeReadEndsTheTest(t *testing.T) {
	for says, n := range map[string]*told{
		`night.jsonl:2: "joob": unknown field "joob"; did you mean "job"?`: checkHistory(t, strings.Replace(night, `"job"`, `"joob"`, 1), HistoryName("night.jsonl")),
		`option Window is -1; it lies from 1 to 1000000`:                   checkHistory(t, night, HistoryWindow(0)),
		`option Remember is -5`:                                            checkHistory(t, night, HistoryRemember(-5)),
		`option 1 is nil`:                                                  checkHistory(t, night, nil),
		`unknown property "no-los"; did you mean`:                          checkHistory(t, night, HistoryProperties("no-los")),
	} {
		if !n.fatal || !strings.Contains(n.text, says) {
			t.Errorf("ended: %v: %s\nand should say %s", n.fatal, n.text, says)
		}
	}
}
