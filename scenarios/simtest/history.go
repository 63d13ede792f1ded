package simtest

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/reports"
	"github.com/ackgap/ackgap/reports/eventlog"
)

// HistoryOption says how CheckHistory reads a log.
type HistoryOption func(*eventlog.Options)

// HistoryProperties demands these properties alone, by name. Without it every property
// must be held that a queue must hold, which only a log can show that tells where each
// job stands (touched).
func HistoryProperties(names ...string) HistoryOption {
	return func(o *eventlog.Options) { o.Properties = append(o.Properties, names...) }
}

// HistoryName is what messages call the log; by default the name of the file, if it is
// one.
func HistoryName(name string) HistoryOption {
	return func(o *eventlog.Options) { o.Name = name }
}

// HistoryWindow is how many places an event may stand from its own: 1 to 1,000,000;
// 1,024 by default.
func HistoryWindow(places int) HistoryOption {
	return func(o *eventlog.Options) { o.Window = orNone(places) }
}

// HistoryRemember is for how many events a job that has ended is remembered: 1 to
// 100,000,000; 100,000 by default.
func HistoryRemember(events int) HistoryOption {
	return func(o *eventlog.Options) { o.Remember = orNone(events) }
}

// orNone makes a 0 that was given one that is refused: for Options it is the default.
func orNone(n int) int {
	if n == 0 {
		return -1
	}
	return n
}

// CheckHistory judges a log (package eventlog tells its form) and fails t unless every
// property that is demanded is held: what cannot be judged is not held, and the message
// says what is missing. The whole report goes to the test's artifacts.
func CheckHistory(t testing.TB, log io.Reader, options ...HistoryOption) {
	t.Helper()
	if file, ok := log.(*os.File); log == nil || ok && file == nil {
		t.Fatal("simtest: CheckHistory(t, nil): pass the log as an io.Reader")
	}
	var o eventlog.Options
	if file, ok := log.(interface{ Name() string }); ok {
		o.Name = file.Name()
	}
	for i, option := range options {
		if option == nil {
			t.Fatalf("simtest: CheckHistory: option %d is nil: pass what HistoryProperties and the others return, or leave it out", i+1)
		}
		option(&o)
	}
	r, err := eventlog.Check(log, o)
	if err != nil {
		t.Fatal(err)
	}
	if r.Value() == model.Held {
		t.Logf("%s of %s: every property that is demanded is held", script.Count(int(r.Events), "event"), script.Count(int(r.Jobs), "job"))
		return
	}
	path := filepath.Join(t.ArtifactDir(), "log.txt")
	if err := os.WriteFile(path, reports.AppendLog(nil, r, reports.Style{}), 0o644); err != nil {
		t.Logf("%s could not be written: %v", path, err)
	}
	t.Attr("ackgap.outcome", r.Value().String())
	t.Attr("ackgap.report", path)
	brief := string(reports.AppendLog(nil, r, reports.Style{Brief: true}))
	lines := fit(strings.Split(brief, "\n"), maxLines-1)
	t.Errorf("%s\nall of it: %s", strings.Join(lines, "\n"), artifact(path))
}
