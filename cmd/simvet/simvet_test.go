package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const (
	hazards = "testdata/src/hazards"
	clean   = "testdata/src/clean"
)

// The fixture has a comment wherever something must be found. Nothing else may
// be found, nothing may be missed.
func TestEverySeededHazardIsFoundAndNothingElse(t *testing.T) {
	found, err := inspect(hazards, ruleNames(), nil)
	if err != nil {
		t.Fatal(err)
	}
	wants := readWants(t, hazards)
	if len(wants) < 90 {
		t.Fatalf("the fixture holds %d comments; they are not being read", len(wants))
	}
	for _, f := range found {
		got := fmt.Sprintf("%s:%d: %s: %s", f.at.Filename, f.at.Line, f.kind, f.what)
		i := slices.Index(wants, got)
		if i < 0 {
			t.Errorf("found and not wanted: %s", got)
			continue
		}
		wants = slices.Delete(wants, i, i+1)
	}
	for _, missed := range wants {
		t.Errorf("wanted and not found: %s", missed)
	}
}

// A kind that no fixture shows could go blind unnoticed.
func TestEveryKindIsSeeded(t *testing.T) {
	wants := strings.Join(readWants(t, hazards), "\n")
	for kind := range kinds {
		if !strings.Contains(wants, ": "+kind+": ") {
			t.Errorf("no fixture shows the kind %q", kind)
		}
	}
	for name, kind := range impure {
		if !strings.Contains(wants, ": "+kind+": "+name) {
			t.Errorf("no fixture uses %s", name)
		}
	}
}

func TestTheCleanFixtureIsClean(t *testing.T) {
	code, out, errs := runIn(clean)
	if code != exitClean || out != "" || errs != "" {
		t.Errorf("exit %d, want %d\n%s%s", code, exitClean, out, errs)
	}
}

// This is the promise to the reader of DESIGN.md: the core has no hazard and
// the chain is kept.
func TestTheCoreOfAckgapIsClean(t *testing.T) {
	patterns := []string{"-rules", "determinism,chain"}
	for _, room := range core {
		if hasGo(filepath.Join("../..", room)) {
			patterns = append(patterns, "./"+room+"/...")
		}
	}
	code, out, errs := runIn("../..", patterns...)
	if code != exitClean {
		t.Errorf("exit %d, want %d\n%s%s", code, exitClean, out, errs)
	}
}

func TestAFindingNamesThePlaceTheReasonAndTheWayOut(t *testing.T) {
	code, out, errs := runIn(hazards, "-rules", "determinism", "./sim/explore")
	want := "sim/explore/serial.go:4:2: goroutine: go statement: " +
		"the scheduler would decide what happens first; " +
		"put it on the agenda of the simulator, or in cmd\n"
	if code != exitFound || !strings.HasSuffix(out, want) {
		t.Errorf("exit %d, want %d and at the end\n%sgot\n%s", code, exitFound, want, out)
	}
	if errs != "simvet: 2 found\n" {
		t.Errorf("stderr %q", errs)
	}
}

func TestRulesCanBeChosen(t *testing.T) {
	_, out, _ := runIn(hazards, "-rules", "size,doc")
	for line := range strings.Lines(out) {
		if !strings.Contains(line, ": size: ") && !strings.Contains(line, ": doc: ") {
			t.Errorf("of another rule: %s", line)
		}
	}
	if !strings.Contains(out, ": size: ") || !strings.Contains(out, ": doc: ") {
		t.Errorf("one of the rules found nothing:\n%s", out)
	}
}

func TestWrongUseIsToldFromFindings(t *testing.T) {
	broken := t.TempDir()
	write(t, broken, "go.mod", "module example.test/broken\n\ngo 1.26\n")
	write(t, broken, "sim/sim.go", "package sim\n\nvar x int = \"no int\"\n")
	for _, c := range []struct {
		dir  string
		args []string
		says string
	}{
		{clean, []string{"-rules", "sise"}, `no rule "sise"; there are determinism,chain,size,doc`},
		{clean, []string{"-no-such-flag"}, "flag provided but not defined"},
		{clean, []string{"./nowhere"}, "nowhere"},
		{clean, []string{"fmt"}, "fmt is in no module"},
		{broken, nil, "sim.go:3:13"},
	} {
		code, _, errs := runIn(c.dir, c.args...)
		if code != exitUsage || !strings.Contains(errs, c.says) {
			t.Errorf("simvet %q: exit %d, want %d and %q in\n%s", c.args, code, exitUsage, c.says, errs)
		}
	}
}

func runIn(dir string, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = run(dir, args, &out, &errs)
	return code, out.String(), errs.String()
}

// want is what a fixture says about its own line, or about the nearest line of
// code above where a comment behind the code would change what is tested:
// // want "kind: what" or // want above "kind: what".
var want = regexp.MustCompile(`// want (?:above )?"([^"]+)"`)

// readWants returns "file:line: kind: what" for each want below dir.
func readWants(t *testing.T, dir string) []string {
	t.Helper()
	var wants []string
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" {
			return err
		}
		text, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		code := 0 // the number of the nearest line of code
		for i, line := range strings.Split(string(text), "\n") {
			if line != "" && !strings.HasPrefix(strings.TrimSpace(line), "//") {
				code = i + 1
			}
			for _, m := range want.FindAllStringSubmatch(line, -1) {
				wants = append(wants, fmt.Sprintf("%s:%d: %s", rel, code, m[1]))
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return wants
}

// hasGo reports whether a Go file lies in dir or below.
func hasGo(dir string) bool {
	found := false
	_ = filepath.WalkDir(dir, func(path string, _ os.DirEntry, _ error) error {
		found = found || filepath.Ext(path) == ".go"
		return nil
	})
	return found
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
