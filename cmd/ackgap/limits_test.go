package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The limits that reports/docs/limits.md gives for what the command line reads, by
// number: so much is read, and no byte more.

func TestAStoryFileIsReadUpToItsLimit(t *testing.T) {
	const most = 16 << 20
	for more := range 2 {
		var out, errs bytes.Buffer
		code := run(t.Context(), []string{"run", "-"}, strings.NewReader(strings.Repeat("\n", most+more)), &out, &errs)
		tooLong := strings.Contains(errs.String(), "a story may have 16777216 bytes, and this one has more")
		if code != exitUsage || tooLong != (more > 0) {
			t.Errorf("%d beyond the limit: exit status %d, %.300s", more, code, errs.String())
		}
	}
}

func TestAFileOfFlagsIsReadUpToItsLimits(t *testing.T) {
	file := filepath.Join(t.TempDir(), "flags")
	for _, c := range []struct {
		text string
		says string // "": it is taken
	}{
		{"#" + strings.Repeat("x", 1<<20-1), ""},
		{"#" + strings.Repeat("x", 1<<20), "has more than 1048576 bytes"},
	} {
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		code, _, errs := ackgap(t, "list", "--config", file)
		if taken := code == exitMet; taken != (c.says == "") || !strings.Contains(errs, c.says) {
			t.Errorf("%d bytes: exit status %d, %s", len(c.text), code, errs)
		}
	}
	for _, wrong := range []int{50, 51} {
		_, err := parseConfig(newRoot(&streams{}), "flags", strings.TrimSpace(strings.Repeat("nothing\n", wrong)))
		if said := fmt.Sprint(err); strings.Count(said, "sets nothing") != 50 || strings.Contains(said, "there may be more") != (wrong > 50) {
			t.Errorf("%d are wrong: %s", wrong, said)
		}
	}
}

func TestAProgressIsReadUpToItsLimit(t *testing.T) {
	const most = 64 << 20
	head := len(progressFormat) + 1 + 2*sha256.Size + 1
	for more := range 2 {
		body := append([]byte("{}"), bytes.Repeat([]byte(" "), most-head-2+more)...)
		_, err := parseCheckpoint(fmt.Appendf(nil, "%s %x\n%s", progressFormat, sha256.Sum256(body), body))
		if (err != nil) != (more > 0) {
			t.Errorf("%d beyond the limit: %v", more, err)
		}
	}
}

func TestSoManyCoresCanBeAskedForAndNoMore(t *testing.T) {
	var n cores
	for s, want := range map[string]bool{"1": true, "1024": true, "0": false, "1025": false} {
		if err := n.Set(s); (err == nil) != want {
			t.Errorf("--cores %s: %v", s, err)
		}
	}
}
