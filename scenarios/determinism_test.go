package scenarios_test

import (
	"bytes"
	"runtime"
	"sync"
	"testing"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// The same story leaves the same bytes: alone and beside itself, in a runner
// that has run all others before, and under any number of processors.
func TestTheSameStoryLeavesTheSameBytes(t *testing.T) {
	used := scenarios.NewRunner()
	for _, name := range scenarios.Catalogue() {
		story := load(t, name)
		want := strict(t, story).History.AppendText(nil)
		again, err := used.Run(story, scenarios.Options{Strict: true})
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(again.History.AppendText(nil), want) {
			t.Errorf("%s: a runner that was used before leaves another history", name)
		}
		for _, procs := range []int{1, 4} {
			old := runtime.GOMAXPROCS(procs)
			for _, got := range runBeside(t, story, 3) {
				if !bytes.Equal(got, want) {
					t.Errorf("%s: another history with GOMAXPROCS=%d", name, procs)
				}
			}
			runtime.GOMAXPROCS(old)
		}
	}
}

func runBeside(t *testing.T, story *scenarios.Story, n int) [][]byte {
	var group sync.WaitGroup
	texts := make([][]byte, n)
	for i := range n {
		group.Go(func() {
			out, err := story.Run(scenarios.Options{Strict: true})
			if err != nil {
				t.Error(err)
				return
			}
			texts[i] = out.History.AppendText(nil)
		})
	}
	group.Wait()
	return texts
}

// A run that keeps no history comes to the same digest and the same verdicts.
func TestARunThatForgetsComesToTheSame(t *testing.T) {
	for _, name := range scenarios.Catalogue() {
		story := load(t, name)
		bare := *story
		bare.Expects, bare.HasHistory = nil, false
		whole, err := bare.Run(scenarios.Options{})
		if err != nil {
			t.Fatal(err)
		}
		short, err := bare.Run(scenarios.Options{Forget: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(short.History.Events) != 0 || short.History.Digest != whole.History.Digest || !same(short.Verdicts, whole.Verdicts) {
			t.Errorf("%s: %d events kept, digest %s, want %s", name, len(short.History.Events), short.History.Digest, whole.History.Digest)
		}
	}
}

func same(a, b []model.Verdict) bool {
	for i := range a {
		if a[i].Value != b[i].Value || a[i].Evaluations != b[i].Evaluations {
			return false
		}
	}
	return len(a) == len(b)
}

// A story that looks back at its history cannot be run without one.
func TestARunThatForgetsRefusesToLookBack(t *testing.T) {
	story, err := scenarios.Parse("back", []byte("worker w1\njob J1\nexpect answer complete J1#1 = ok\n"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := story.Run(scenarios.Options{Forget: true}); err == nil {
		t.Error("it was run")
	}
}

// In steady state an event allocates nothing: a world of four times as many jobs
// costs a runner that has seen it before no more allocations than its names do.
func TestAnEventAllocatesNothing(t *testing.T) {
	runner := scenarios.NewRunner()
	allocs := func(jobs string) (float64, int64) {
		story, err := scenarios.Parse("steady", []byte("workers 20 consumer=atomic\njobs "+jobs+" every=1ms\n"))
		if err != nil {
			t.Fatal(err)
		}
		var steps int64
		run := func() {
			out, err := runner.Run(story, scenarios.Options{Forget: true})
			if err != nil {
				t.Fatal(err)
			}
			steps = out.Steps
		}
		run()
		return testing.AllocsPerRun(3, run), steps
	}
	big, bigSteps := allocs("4000")
	small, smallSteps := allocs("1000")
	if per := (big - small) / float64(bigSteps-smallSteps); per > 0.001 {
		t.Errorf("%.0f allocations in %d events and %.0f in %d: %f each", big, bigSteps, small, smallSteps, per)
	}
}
