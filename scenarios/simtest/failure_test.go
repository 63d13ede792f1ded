package simtest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/scenarios"
)

// What is too long for a failing test keeps its ends, and above all where it broke.
func TestWhatIsTooLongKeepsWhereItBroke(t *testing.T) {
	var lines []string
	for i := range 40 {
		lines = append(lines, fmt.Sprintf("row %d", i))
	}
	lines[20] += "  <- BROKEN no-loss"
	got := fit(lines, 11)
	if len(got) > 11 || len(got) < 10 {
		t.Errorf("%d lines of 11:\n%s", len(got), strings.Join(got, "\n"))
	}
	for _, want := range []string{lines[0], lines[20], lines[39]} {
		if !slices.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, strings.Join(got, "\n"))
		}
	}
	if gaps := strings.Count(strings.Join(got, "\n"), "..."); gaps != 2 {
		t.Errorf("%d gaps in\n%s", gaps, strings.Join(got, "\n"))
	}
}

// What the reasons name is among the lines that are left, and time that passes is not.
func TestWhatIsTooLongKeepsWhatTheReasonsName(t *testing.T) {
	var lines []string
	for i := range 40 {
		lines = append(lines, fmt.Sprintf("  %d  0.001s", i), "  ⋮  1s later")
	}
	lines = append(lines, "WHY", "  Let  e1 = effect 1, event 12 (0.001s)", "       e2 = effect 2, event", "       31 (0.001s)")
	got := fit(lines, 12)
	for _, want := range []string{"  12  0.001s", "  31  0.001s", lines[len(lines)-1]} {
		if !slices.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, strings.Join(got, "\n"))
		}
	}
	if got := strings.Join(fit(lines, 46), "\n"); strings.Contains(got, "later") || strings.Contains(got, "...") {
		t.Errorf("46 lines of 44 and of 40 that tell of time:\n%s", got)
	}
}

// A second way to fail does not take the first one's place among the stories that are kept.
func TestASecondFailureIsKeptBesideTheFirst(t *testing.T) {
	t.Chdir(t.TempDir())
	c := &check{name: "TestShop"}
	keep := func(text string) string {
		s, err := scenarios.Parse("s", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return c.keep(t, &failure{property: "no-loss", out: &scenarios.Outcome{Story: s}})
	}
	one := keep("story a\nworker w1\njob J1\nfault drop complete J1#1\n")
	two := keep("story a\nworker w1\njob J1\nfault crash w1 before=settle J1#1\n")
	again := keep("story a\nworker w1\njob J1\nfault drop complete J1#1\n")
	if one == two || !strings.HasSuffix(two, "--no-loss-2.story") || again != one {
		t.Errorf("kept %s, %s and, again, %s", one, two, again)
	}
}
