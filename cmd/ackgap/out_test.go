package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/reports"
	"github.com/ackgap/ackgap/scenarios"
)

// Tests may run in a step on GitHub, and stories that fail in them are no news there.
// The scripts run this program under the name of ackgap, and say where they run.
func init() {
	if strings.HasSuffix(os.Args[0], ".test") {
		_ = os.Unsetenv("GITHUB_ACTIONS")
	}
}

// A file is read in another window than the one in which it was written.
func TestAFileIsAsWideAsItComes(t *testing.T) {
	out, err := parse(t, "worker w1\njob J1\n").Run(scenarios.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, file := reports.Of(out, "", ""), filepath.Join(t.TempDir(), "a.txt")
	o := outputs{asked: []string{"text=" + file}, github: "off"}
	if err := errors.Join(o.open("run", false), o.one(&streams{}, r, reports.Style{Width: 40, Color: true})); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != string(reports.AppendText(nil, r, reports.Style{})) {
		t.Errorf("%v\n%s", err, got)
	}
}
