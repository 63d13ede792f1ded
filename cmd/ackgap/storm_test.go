package main

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

const stormDoc = "../../reports/docs/storm.md"

// The metastable grid of the page, where a second of fault drains, five do not, and a
// tenth too much is too much anyway. .ci/run draws both grids of the page anew.
func TestAStormTellsAShortFaultFromALongOne(t *testing.T) {
	args := []string{"storm", "--set", "queue.variant=hardened", "--prefetch", "32", "--load", "110,50", "--lease", "500ms", "--fault-length", "5s,1s"}
	code, out, errs := ackgap(t, append(args, "--json", "--strict")...)
	if code != exitNotMet {
		t.Fatalf("exit status %d: %s", code, errs)
	}
	var doc struct {
		Cells []struct {
			Load    int
			Length  string `json:"fault_length"`
			Outcome string
		}
	}
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range doc.Cells {
		got = append(got, c.Length+" "+c.Outcome)
	}
	if want := []string{"1s drained", "1s overloaded", "5s stuck", "5s overloaded"}; !slices.Equal(got, want) {
		t.Errorf("%q, and should be %q", got, want)
	}
	code, again, _ := ackgap(t, append(args, "--json", "--cores", "3")...)
	if code != exitMet || again != out {
		t.Errorf("exit status %d without --strict; on three cores it comes to\n%s\nand not to\n%s", code, again, out)
	}
	page, err := os.ReadFile(stormDoc)
	if err != nil || !strings.Contains(string(page), "ackgap "+strings.Join(args[:5], " ")) {
		t.Errorf("%s does not tell of it: %v", stormDoc, err)
	}
}

func TestWhatIsNoStormIsRefused(t *testing.T) {
	for _, c := range []struct{ args, says string }{
		{"--load 0", "from 1 to 1000 percent"},
		{"--load 5000", "from 1 to 1000 percent"},
		{"--lease 1us", "1ms is the least"},
		{"--fault-length 0s", "is no fault"},
		{"--fault-length 2m", "set a longer horizon"},
		{"--fault rain", "fault"},
		{"--horizon -1s", "above 0"},
		{"--horizon 500h", "shorter horizon"},
		{"--prefetch 0", "from 1 to 1000"},
		{"--cores 0", "--cores"},
		{"--set queue.lease", "OWNER.OPTION=VALUE"},
		{"lost-ack zombie", "one story"},
	} {
		code, out, errs := ackgap(t, append([]string{"storm"}, strings.Fields(c.args)...)...)
		if code != exitUsage || out != "" || !strings.Contains(errs, c.says) {
			t.Errorf("%s: exit status %d, %q", c.args, code, errs)
		}
	}
}
