package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/ackgap/ackgap/reports"
	"github.com/ackgap/ackgap/scenarios"
)

// FuzzFlags reads a command line, a word a line, with every command that is there: what
// is refused is refused with printable words and status 2, and leaves nothing behind. It
// is read as one of a user who has interrupted it already: what the commands in waits look
// at before they work (--set, --kinds, --out, --backend, lists of loads, the stories
// themselves) is looked at where no path is named, and no work is begun. Of the other
// commands, and where a path is named, the flags alone are read.
func FuzzFlags(f *testing.F) {
	for _, line := range []string{
		"run\nlost-ack\n--set\nw1.consumer=atomic", "check\n--runs\n-1", "check\n--runs=1e9", "explore\nreference\n--faults=2\n--kinds\ndrop,",
		"storm\n--load\n1,2,\n--lease=1s,1x", "run\n--out\nhtml=\x1b[2J", "--color=\u202e", "rnu", "help\nrun\n--", "tolerance\n--only\n\"a,b", "completion\nbash",
		"check-log\n-\n--window=99999999999999999999", "--help", "run\n--\n--\n-", "-\xff", "check\n--time=1h1", "teach\n0x1", "__complete\nrun\n--",
		"run\nlost-ack\n--set\nw1.cons\u202eumer=\x1b[2J", "run\nlost-ack\n--set\nqueue.lease=99999999h\n--set\njob.=", "explore\nlost-ack\n--kinds\ndrop,\x1b]0;x\x07",
		"explore\nlost-ack\n--property\nno-los\n--jobs=-1", "check\nlost-ack\n--out\nhtml=a\n--out\nhtml=a", "check\nlost-ack\n--out\njunit=\u202e\n--json",
		"check\nlost-ack\n--steer\n--priorities", "check\nlost-ack\n--cores\n1025", "check\nlost-ack\n--backend\nvalk\x1b[ey", "storm\n--load\n1001", "storm\n--fault\n,\n--set\nqueue.x=1",
		"run\nlost-ack\n--set\n\x1b[2J", "check\n--out\njunit=\x00", "coverage\nreference\n--cores=0", "digests\nlost-akc\n--seeds\n0", "doctor\n--again\n-1", "doctor\n-", "run\n*[", "check\n--write\n.\nlost-ack", "tolerance\n--faults\n99\n--set\nqueue.variant=x",
	} {
		f.Add(line)
	}
	interrupted, stop := context.WithCancel(context.Background())
	stop()
	f.Fuzz(func(t *testing.T, line string) {
		args := strings.Split(line, "\n")
		if strings.HasPrefix(args[0], "__") {
			return // cobra's own, for shells: it writes to this process's standard error
		}
		t.Chdir(t.TempDir()) // and not all at once: the fuzzer writes what it has found into a folder of the package
		var out, errs bytes.Buffer
		root := newRoot(&streams{in: strings.NewReader(""), out: &out, errs: &errs})
		code := runRoot(interrupted, idle(root, !strings.ContainsAny(line, `/\~`) && !strings.Contains(line, "..")), args, &errs)
		if code != exitMet && code != exitUsage && code != exitInterrupted {
			t.Errorf("%q: exit status %d\n%s", args, code, errs.String())
		}
		if at := strings.IndexFunc(errs.String(), unprintable); at >= 0 {
			t.Errorf("%q: what is said cannot be printed: %q", args, errs.String())
		}
		left, err := os.ReadDir(".")
		if err != nil || len(left) > 0 && code == exitUsage {
			t.Errorf("%q: it has left %v, %v", args, left, err)
		}
	})
}

// unprintable reports whether a terminal could obey c.
func unprintable(c rune) bool {
	return c < ' ' && c != '\n' || c >= 0x7f && c < 0xa0 || c == '\u202e' || c == '\ufffd'
}

// waits are the commands that look whether they are interrupted before they work.
var waits = []string{"run", "check", "coverage", "explore", "storm", "tolerance", "digests", "doctor", "check-log"}

// idle takes out of every command what it would do, and leaves what it reads; of those
// that wait it leaves all where the command line names no file elsewhere.
func idle(c *cobra.Command, here bool) *cobra.Command {
	if c.RunE != nil && !(here && slices.Contains(waits, c.Name())) {
		c.RunE = func(*cobra.Command, []string) error { return nil }
	}
	for _, sub := range c.Commands() {
		idle(sub, here)
	}
	return c
}

// FuzzConfig reads whatever it is given as a file of flags: what is refused is refused
// with printable words, of which there is an end, and what is taken is a flag that there
// is.
func FuzzConfig(f *testing.F) {
	for _, text := range []string{
		"runs = 500\n# a comment\ncheck.seed=2\n", "run.out = svg=a\nrun.out = svg=b\n", "runs", "= 1", "config = x", "runs = 1\nruns = 2",
		"chek.runs = 1", "check.rusn = 1", "\x1b[2J = 1", "runs = \u202e", "a\nb\nc\n\xff", "run.=1", ".runs=1", "json =\r\n",
	} {
		f.Add(text)
	}
	root := newRoot(&streams{})
	keys := keysOf(root)
	f.Fuzz(func(t *testing.T, text string) {
		list, err := parseConfig(root, "flags\u202e", text)
		if err == nil {
			for _, p := range list {
				if !slices.Contains(keys, p.key) {
					t.Errorf("%q sets %q, which is no flag", text, p.key)
				}
			}
			return
		}
		if said := err.Error(); strings.IndexFunc(said, unprintable) >= 0 || strings.Count(said, "\n") > maxConfigErrors {
			t.Errorf("%q: %d lines, of which some cannot be printed:\n%q", text, strings.Count(said, "\n"), said)
		}
	})
}

// A file of flags that never ends is refused as one that is too long.
func TestAFileOfFlagsWithoutAnEndIsRefused(t *testing.T) {
	const endless = "/dev/zero"
	if _, err := os.Stat(endless); err != nil {
		t.Skip("there is none here")
	}
	if code, _, errs := ackgap(t, "list", "--config", endless); code != exitUsage || !strings.Contains(errs, "has more than 1048576 bytes") {
		t.Errorf("exit status %d: %s", code, errs)
	}
}

// FuzzProgress reads whatever it is given as the progress of a check, also with the
// right checksum, and goes on from it, to the table, if it can.
func FuzzProgress(f *testing.F) {
	f.Add([]byte(`{"identity":["runs 1"],"stories":[{"own":0,"tally":{"Runs":-1},"done":false}]}`))
	f.Add([]byte(`{"stories":[{"own":255,"tally":{"Properties":[{"Held":1}],"Reach":[],"Struck":null}}]}`))
	f.Add([]byte(`{"stories":[{"own":99}]}`))
	f.Add([]byte(progressFormat + " 00\n{}"))
	story, err := scenarios.Load("reference")
	if err != nil {
		f.Fatal(err)
	}
	campaign, err := scenarios.NewCampaign(story)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, text := range [][]byte{b, fmt.Appendf(nil, "%s %x\n%s", progressFormat, sha256.Sum256(b), b)} {
			found, err := parseCheckpoint(text)
			if err != nil {
				continue
			}
			for i := range found.Stories {
				part := &found.Stories[i]
				total, err := resumed(part, campaign, 1000)
				if err != nil {
					continue
				}
				if total.Runs < 0 || total.Runs > 1000 {
					t.Errorf("it goes on after %d of 1000 worlds", total.Runs)
				}
				row := reports.Checked{Story: "reference", Own: part.Own, Worlds: total, Vacuous: total.Vacuous(campaign)}
				table := reports.AppendCampaigns(nil, []reports.Checked{row}, reports.Style{})
				if text := string(reports.AppendCampaignsJSON(nil, []reports.Checked{row}, nil)) + string(table); strings.ContainsAny(text, "\x1b\x07") {
					t.Errorf("it obeys what the file says: %q", text)
				}
			}
		}
	})
}

// What a payload, a name or a title says is shown by every form and obeyed by none: no
// form gains an element, a link, or a character that a terminal obeys.
func TestNoOutputObeysAPayload(t *testing.T) {
	const payload = `</script><script>alert(1)</script><img src=x onerror=alert(1)>"'|=cmd()@SUM(1) [a](javascript:b) ` + "`c` \\x1b[2J\\x07\\r\\n::error::x \\u202e \\x00 ]]> --> %%{init}"
	tame := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`<>"'|[]()`+"`:=%\\/-@&", r) {
			return 'x'
		}
		return r
	}, payload)
	for _, form := range formNames() {
		var counts []string
		for _, text := range []string{tame, strings.ReplaceAll(payload, `"`, `\"`)} {
			story := "# " + strings.ReplaceAll(text, `\"`, `"`) + "\nstory s\nworker w1\njob J1 payload=\"" + text + "\"\nfault drop complete J1#1\n"
			var out, errs bytes.Buffer
			code := run(t.Context(), []string{"run", "-", "--out", form + "=-", "--github", "off"}, strings.NewReader(story), &out, &errs)
			if code == exitUsage || code == exitInternal {
				t.Fatalf("%s: %s", form, errs.String())
			}
			if at := strings.IndexFunc(out.String(), unprintable); at >= 0 {
				t.Errorf("%s: it has %q", form, out.String()[max(0, at-20):at+1])
			}
			page := strings.ToLower(out.String())
			counts = append(counts, fmt.Sprintf("%d scripts, %d pictures, %d ends of a script, %d commands", strings.Count(page, "<script"), strings.Count(page, "<img"), strings.Count(page, "</script"), strings.Count(page, "\n::")))
		}
		isText := form == "text" || form == "json" || form == "log" || form == "history" || form == "trace" || form == "otlp" || form == "shiviz"
		if counts[0] != counts[1] && !isText {
			t.Errorf("%s: with a hostile payload it has %s, and without %s", form, counts[1], counts[0])
		}
	}
}
