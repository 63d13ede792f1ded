package faults_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ackgap/ackgap/faults"
)

// FuzzPlanText reads whatever it is given as a plan. What is refused names its line; what
// is taken is written as a plan that reads as the same.
func FuzzPlanText(f *testing.F) {
	for _, text := range []string{
		"fault drop complete J1#1", "fault? delay-reply claim J2#3 by=45s nth=2", "fault crash w1 before=mark J1#1 restart=5s",
		"fault stall heartbeat w1 time=3s for=60s\nfault partition w1 queue time=3s for=60s oneway", "fault clock queue jump=-60s time=3s",
		"fault crash queue time=10s lose=2w restart=2s", "fault pause w2 time=3s for=9223372036s", "fault drop complete J1#1000001", "falt",
		"fault drop \x00 J1#1", "fault drop complete J1#1 # and why\n\n#\n", "fault error apply J1#1\nfault error apply J1#1",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		plan, err := faults.ParsePlan("f", []byte(text), world)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f:") {
				t.Errorf("the error names no line: %v", err)
			}
			return
		}
		canonical := plan.AppendText(nil, &world.Names)
		again, err := faults.ParsePlan("f", canonical, world)
		if err != nil {
			t.Fatalf("written as\n%s\n%v", canonical, err)
		}
		if diff := cmp.Diff(string(canonical), string(again.AppendText(nil, &world.Names))); diff != "" {
			t.Errorf("read and written again it is another (-first +second)\n%s", diff)
		}
	})
}
