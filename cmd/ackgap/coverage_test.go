package main

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var updateCoverage = flag.Bool("update-coverage", false, "rewrite the map in reports/docs/coverage.md")

// Its own stories reach every cell that can occur, on whatever cores, and the manual
// shows that map.
func TestCoverageReachesEveryCell(t *testing.T) {
	code, one, errs := ackgap(t, "coverage", "--runs", "3000", "--cores", "1")
	if code != exitMet || !strings.Contains(one, "EVERY CELL THAT CAN OCCUR WAS REACHED  156 of 156") {
		t.Fatalf("exit status %d\n%s%s", code, one, errs)
	}
	if _, two, _ := ackgap(t, "coverage", "--runs", "3000", "--cores", "2"); one != two {
		t.Errorf("on one core\n%s\non two\n%s", one, two)
	}
	const file, begin, end = "../../reports/docs/coverage.md", "<!-- coverage -->\n```\n", "```\n<!-- /coverage -->\n"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), begin)
	shown, after, closed := strings.Cut(rest, end)
	switch {
	case !ok || !closed:
		t.Fatalf("%s has no place for the map", file)
	case *updateCoverage:
		if err := os.WriteFile(file, []byte(before+begin+one+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	case shown != one:
		t.Errorf("%s shows\n%s\nmeasured is\n%s\nrun with -update-coverage to rewrite it", file, shown, one)
	}
}

// A campaign that leaves a cell empty names it, and is no success.
func TestCoverageNamesWhatIsEmpty(t *testing.T) {
	for _, args := range [][]string{{"coverage", "lost-ack", "--runs", "50"}, {"coverage", "lost-ack", "--runs", "50", "--json"}} {
		code, out, errs := ackgap(t, args...)
		if code != exitInconclusive {
			t.Errorf("%q: exit status %d\n%s", args, code, errs)
		}
		if !strings.Contains(out, "drop-reply at enqueue, apply, heartbeat") && !strings.Contains(out, `{"fault":"drop","phase":"apply","worlds":"held"}`) {
			t.Errorf("%q: it does not name what it left empty:\n%s", args, out)
		}
	}
}

// The second adversary draws other worlds, and the same ones on any number of cores.
func TestCoverageByPriorities(t *testing.T) {
	args := []string{"coverage", "lost-ack", "reference", "--runs", "600"}
	_, plain, _ := ackgap(t, args...)
	_, one, errs := ackgap(t, append(args, "--priorities", "--cores", "1")...)
	if _, two, _ := ackgap(t, append(args, "--priorities", "--cores", "2")...); one != two || one == plain {
		t.Errorf("on one core\n%s\non two\n%s\nby plain seeds\n%s%s", one, two, plain, errs)
	}
}

// Without random worlds there is nothing to map, which is as empty as can be.
func TestCoverageOfAStoryWithoutChaosIsEmpty(t *testing.T) {
	code, out, _ := ackgap(t, "coverage", "nth", "lost-ack", "nth", "--runs", "20")
	if code != exitInconclusive || strings.Count(out, "nth: no random worlds") != 1 {
		t.Errorf("exit status %d\n%s", code, out)
	}
}

func TestCoverageRefusesWhatIsWrong(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.story")
	if err := os.WriteFile(bad, []byte("worker w1\njib J1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--runs", "0"}, "--runs must be 1 or more"},
		{[]string{"--cores", "-1"}, "it must be a whole number from 1 to 1024"},
		{[]string{"--steer", "--priorities"}, "are two adversaries; leave one out"},
		{[]string{"lost-akk"}, "lost-ack"},
		{[]string{bad}, "bad.story:2"},
	} {
		code, out, errs := ackgap(t, append([]string{"coverage"}, c.args...)...)
		if code != exitUsage || out != "" || !strings.Contains(errs, c.want) {
			t.Errorf("%q: exit status %d, want %d and %q\n%s%s", c.args, code, exitUsage, c.want, out, errs)
		}
	}
}

// A steered campaign runs other worlds than the plain one, and the same ones again.
func TestCoverageSteers(t *testing.T) {
	_, plain, _ := ackgap(t, "coverage", "--runs", "100", "--json")
	_, one, _ := ackgap(t, "coverage", "--runs", "100", "--json", "--steer")
	_, two, _ := ackgap(t, "coverage", "--runs", "100", "--json", "--steer")
	if one != two || one == plain {
		t.Errorf("steered\n%s\nagain\n%s\nplain\n%s", one, two, plain)
	}
}
