package main

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"weak"

	"github.com/spf13/cobra"

	"github.com/ackgap/ackgap/scenarios"
)

// The bounds of a soak, in bytes of the process as the system counts them.
const (
	soakMost   = 300 << 20 // at any moment of `make soak`
	soakGrowth = 32 << 20  // from the tenth of the runs to the end
)

// So many runs take no more memory than some thousands: ten million in `make soak`, a
// few in every run of the tests. What the process holds is printed twenty times.
func TestMemoryStaysFlatHoweverManyRuns(t *testing.T) {
	runs, most := uint64(20_000), uint64(1<<40) // other tests may have taken some
	debug.FreeOSMemory()
	// What is held by command lines of other tests (cobra keeps each) lets as much garbage
	// lie before it is collected: here a tenth of it.
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	if text := os.Getenv("ACKGAP_SOAK"); text != "" {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil || n < 20*chunk {
			t.Fatalf("ACKGAP_SOAK=%s: it must be a number of runs, %d or more", text, 20*chunk)
		}
		runs, most = n, soakMost
	}
	if residentBytes(t) == 0 {
		t.Skip("this system does not tell what a process holds (/proc/self/statm)")
	}
	story, err := scenarios.Load("reference")
	if err != nil {
		t.Fatal(err)
	}
	campaign, err := scenarios.NewCampaign(story)
	if err != nil {
		t.Fatal(err)
	}
	total, early, told := campaign.NewTally(), uint64(0), uint64(0)
	all := sweep{campaign: campaign, first: 1, runs: runs, cores: runtime.GOMAXPROCS(0)}
	for tally, err := range all.tallies(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		total.Add(tally)
		done := uint64(total.Runs)
		if done*20/runs == told {
			continue
		}
		told = done * 20 / runs
		held := residentBytes(t)
		t.Logf("%9d runs  %4d MiB", done, held>>20)
		if told == 2 {
			early = held
		}
		if held > most || early > 0 && held > early+soakGrowth {
			t.Fatalf("after %d runs the process holds %d MiB, and after a tenth of them %d MiB", done, held>>20, early>>20)
		}
	}
	if uint64(total.Runs) != runs || total.Unexpected > 0 {
		t.Errorf("%d of %d runs, of which %d broke what must hold", total.Runs, runs, total.Unexpected)
	}
}

// residentBytes is what this process holds of the machine's memory, or 0 where the
// system does not tell.
func residentBytes(t *testing.T) uint64 {
	t.Helper()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	var size, resident uint64
	if _, err := fmt.Fscan(bytes.NewReader(text), &size, &resident); err != nil {
		t.Fatalf("/proc/self/statm reads %q: %v", text, err)
	}
	return resident * uint64(os.Getpagesize())
}

// Commands that are built to be read, by the fuzzer and by doctor a hundred thousand times,
// are let go of.
func TestCommandsThatAreReadAreLetGoOf(t *testing.T) {
	var errs bytes.Buffer
	read := func() weak.Pointer[cobra.Command] {
		root := newRoot(&streams{in: strings.NewReader(""), out: &errs, errs: &errs})
		if code := runRoot(t.Context(), root, []string{"run", "lost-ack", "--color", "never", "--nope"}, &errs); code != exitUsage {
			t.Errorf("exit status %d: %s", code, errs.String())
		}
		return weak.Make(root)
	}()
	if runtime.GC(); read.Value() != nil {
		t.Error("it is still held")
	}
}
