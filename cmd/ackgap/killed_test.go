package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ackgap/ackgap/scenarios"
)

// killed runs ackgap as a process of its own and kills it, with a signal that none can
// catch, after longer and longer times, until it has come to its end. The first is a tenth
// of what it took when it was let be, so that a fast machine kills as often as a slow one.
// It returns what the last one printed, and how many were killed.
func killed(t *testing.T, letBe time.Duration, args ...string) (out string, kills int) {
	t.Helper()
	after := letBe / 10
	for ; kills < 60; kills++ {
		c := exec.Command(os.Args[0], args...)
		c.Env = append(os.Environ(), beAckgap+"=1")
		var stdout, stderr bytes.Buffer
		c.Stdout, c.Stderr = &stdout, &stderr
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		killer := time.AfterFunc(after, func() { _ = c.Process.Kill() })
		after += after / 4
		err := c.Wait()
		killer.Stop()
		if err == nil {
			return stdout.String(), kills
		}
		if c.ProcessState.Exited() {
			t.Fatalf("%v: %s", err, stderr.String())
		}
	}
	t.Fatalf("it was killed %d times and came to no end", kills)
	return "", kills
}

func TestACheckThatIsKilledAgainAndAgainCountsNothingTwice(t *testing.T) {
	file := filepath.Join(t.TempDir(), "progress")
	args := []string{"check", "lost-ack", "zombie-fenced", "reference", "--runs", "6000", "--json"}
	began := time.Now()
	code, whole, errs := ackgap(t, args...)
	if code != exitMet {
		t.Fatalf("exit status %d: %s", code, errs)
	}
	parts, kills := killed(t, time.Since(began), append(args, "--resume", file)...)
	if parts != whole {
		t.Errorf("killed %d times it comes to\n%s\nand at once to\n%s", kills, parts, whole)
	}
	if kills < 3 {
		t.Errorf("it was killed %d times, which shows little", kills)
	}
	if _, again, _ := ackgap(t, append(args, "--resume", file)...); again != whole {
		t.Errorf("done, it says\n%s", again)
	}
	refusesOthers(t, file)
}

// refusesOthers holds the progress of a check against checks that are others, and
// against damage.
func refusesOthers(t *testing.T, file string) {
	t.Helper()
	three := []string{"check", "lost-ack", "zombie-fenced", "reference", "--json", "--resume", file}
	for _, c := range []struct {
		says string
		args []string
	}{
		{`it has "runs 6000" where this one has "runs 7000"`, append(three, "--runs", "7000")},
		{`it has "seed 1" where this one has "seed 2"`, append(three, "--runs", "6000", "--seed", "2")},
		{"where this one has \"nothing more\"", []string{"check", "lost-ack", "zombie-fenced", "--runs", "6000", "--resume", file}},
		{"is a folder", append(three, "--resume", t.TempDir())},
		{"no progress of a check", append(three, "--resume", "check.go")},
	} {
		if code, out, errs := ackgap(t, c.args...); code != exitUsage || out != "" || !strings.Contains(errs, c.says) {
			t.Errorf("%v: exit status %d, %s", c.args, code, errs)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, body, _ := bytes.Cut(text, []byte("\n"))
	others := bytes.Replace(body, []byte(buildID()), []byte("0123456789abcdef"), 1)
	if err := os.WriteFile(file, fmt.Appendf(nil, "%s %x\n%s", progressFormat, sha256.Sum256(others), others), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := ackgap(t, append(three, "--runs", "6000")...); code != exitUsage || !strings.Contains(errs, "0123456789abcdef\" where this one has") {
		t.Errorf("of another program: exit status %d, %s", code, errs)
	}
	for _, damaged := range [][]byte{text[:len(text)-1], bytes.Replace(text, []byte(`"Runs":6000`), []byte(`"Runs":6250`), 1)} {
		if bytes.Equal(damaged, text) {
			t.Fatalf("nothing was damaged in %s", text)
		}
		if err := os.WriteFile(file, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if code, _, errs := ackgap(t, append(three, "--runs", "6000")...); code != exitUsage || !strings.Contains(errs, "damaged or cut short") {
			t.Errorf("exit status %d, %s", code, errs)
		}
	}
}

// A story that was changed since is another one, though it has its name.
func TestProgressIsOfTheStorysText(t *testing.T) {
	dir := t.TempDir()
	story, file := filepath.Join(dir, "mine.story"), filepath.Join(dir, "progress")
	for i, text := range []string{"worker w1\njob J1\nchaos drop claim rate=1%\nquiet time=1m\n", "worker w1\njob J2\nchaos drop claim rate=1%\nquiet time=1m\n"} {
		if err := os.WriteFile(story, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		code, _, errs := ackgap(t, "check", story, "--runs", "500", "--resume", file)
		if refused := code == exitUsage && strings.Contains(errs, "it is of another check"); refused != (i == 1) {
			t.Errorf("text %d: exit status %d, %s", i+1, code, errs)
		}
	}
}

// What is saved with the worlds of the first failure says that they are the last: who is
// killed before the next save would go on past it.
func TestACheckThatIsKilledRightAfterItsFailureIsDone(t *testing.T) {
	for _, keepsGoing := range []bool{false, true} {
		k, err := keepCheck(&checkFlags{resume: filepath.Join(t.TempDir(), "progress"), keepGoing: keepsGoing}, nil)
		if err != nil {
			t.Fatal(err)
		}
		k.own(scenarios.Yes)
		k.saved = time.Time{} // long ago
		if err := k.worlds(&scenarios.Tally{Runs: 250, Unexpected: 1}); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(k.file)
		if err != nil {
			t.Fatal(err)
		}
		if saved, err := parseCheckpoint(text); err != nil || saved.Stories[0].Done == keepsGoing || saved.Stories[0].Tally.Runs != 250 {
			t.Errorf("keeps going %t: %v: %s", keepsGoing, err, text)
		}
	}
}

// Time that runs out within a chunk leaves worlds that are counted in the table and not
// in the file: they are run again. Steered or not, the check goes on as if at once.
func TestACheckInSlicesOfTimeIsTheCheckAtOnce(t *testing.T) {
	for _, hunt := range []string{"--steer=false", "--steer"} {
		file := filepath.Join(t.TempDir(), "progress")
		args := []string{"check", "lost-ack", "reference", "--runs", "4000", "--json", hunt}
		_, whole, _ := ackgap(t, args...)
		for range 5 {
			ackgap(t, append(args, "--resume", file, "--time", "50ms")...)
		}
		if code, parts, errs := ackgap(t, append(args, "--resume", file)...); code != exitMet || parts != whole {
			t.Errorf("%s: exit status %d, %s\n%s\nand at once\n%s", hunt, code, errs, parts, whole)
		}
	}
}

func TestASearchThatIsKilledAgainAndAgainComesToTheSame(t *testing.T) {
	file := filepath.Join(t.TempDir(), "search")
	args := []string{"explore", "reference", "--property", "no-loss", "--kinds", "drop,drop-reply", "--json", "--cores", "1"}
	began := time.Now()
	code, whole, errs := ackgap(t, args...)
	if code != exitMet {
		t.Fatalf("exit status %d: %s", code, errs)
	}
	parts, kills := killed(t, time.Since(began), append(args, "--save", file, "--resume", file, "--save-every", "1ms")...)
	room := regexp.MustCompile(`"bytes":\d+,`)
	if room.ReplaceAllString(whole, "") != room.ReplaceAllString(parts, "") {
		t.Errorf("killed %d times it comes to\n%s\nand at once to\n%s", kills, parts, whole)
	}
	if kills < 2 {
		t.Errorf("it was killed %d times, which shows little", kills)
	}
}
