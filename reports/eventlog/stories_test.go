package eventlog

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// ran runs a story of the catalogue.
func ran(t testing.TB, name string) *scenarios.Outcome {
	t.Helper()
	story, err := scenarios.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	out, err := story.Run(scenarios.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// logOf returns the log of a run.
func logOf(out *scenarios.Outcome) []byte { return Append(nil, out.History, out.Facts()) }

// check judges a log that can be read.
func check(t testing.TB, log []byte, o Options) *Result {
	t.Helper()
	r, err := Check(bytes.NewReader(log), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// demanded are the verdicts of a run that its queue must hold.
func demanded(out *scenarios.Outcome) (list []model.Verdict) {
	for _, v := range out.Verdicts {
		if out.IsDefault(v.Property) {
			list = append(list, v)
		}
	}
	return list
}

// A run written as a log and read back gets the verdicts that it got: value, count,
// evidence and sentence, in every story that ships.
func TestALogOfARunGetsItsVerdicts(t *testing.T) {
	for _, name := range scenarios.Catalogue() {
		out := ran(t, name)
		got := check(t, logOf(out), Options{})
		if diff := cmp.Diff(demanded(out), got.Verdicts); diff != "" || len(got.Doubts) > 0 {
			t.Errorf("%s: (-run +log) %s\n%q", name, diff, got.Doubts)
		}
	}
}
