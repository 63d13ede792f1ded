package main

import (
	"strings"
	"testing"
)

const example = `# a comment
version go1 linux/amd64
          1,000  hold ackgap 10 200000
          1,000  world ackgap 10  # +12% since records carry the server's clock
              ?  world lossy 10
`

// counted returns the example with what its lines took this time.
func counted(t *testing.T, counts ...int64) *golden {
	t.Helper()
	g, err := parse(example)
	if err != nil {
		t.Fatal(err)
	}
	for i, n := range counts {
		g.lines[i].counted = n
	}
	return g
}

func TestMoreThanFivePercentFailsUnlessItsLineSaysWhy(t *testing.T) {
	for _, c := range []struct {
		counts []int64
		over   string
	}{
		{[]int64{1050, 1000, 1}, ""},
		{[]int64{1051, 1000, 1}, "hold ackgap 10 200000 +5.1%"},
		{[]int64{1000, 1170, 1}, ""},
		{[]int64{1000, 1171, 1}, "world ackgap 10 +17.1%"},
		{[]int64{1, 1, 1_000_000}, ""},
	} {
		if over := strings.Join(counted(t, c.counts...).exceeded(), ", "); over != c.over {
			t.Errorf("%v: %q is over, want %q", c.counts, over, c.over)
		}
	}
}

func TestACountFallsAndNeverRises(t *testing.T) {
	g := counted(t, 1040, 900, 777)
	g.version = version()
	want := `# a comment
version ` + version() + `
          1,000  hold ackgap 10 200000
            900  world ackgap 10
            777  world lossy 10
`
	if got := g.text(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestAReasonStaysWhileItIsNeeded(t *testing.T) {
	if got := counted(t, 1000, 1100, 1).lines[1]; !strings.Contains(got.why, "server's clock") || got.allowed != 12 {
		t.Errorf("the reason was read as %q, +%d%%", got.why, got.allowed)
	}
	g := counted(t, 1000, 1100, 1)
	g.version = version()
	if got := g.text(); !strings.Contains(got, "1,000  world ackgap 10  # +12% since records") {
		t.Errorf("the reason is gone from\n%s", got)
	}
}

func TestAFileThatGuardsNothingIsRefused(t *testing.T) {
	for _, text := range []string{"", "# only a comment\n", "version go1\n", "version go1\n12 \n", "version go1\nmany  hold ackgap 10\n",
		"version go1\n12  hold x  # because\n", "version go1\n12  hold x  # +9%\n", "version go1\n12  hold x  # +0% for no reason\n"} {
		if _, err := parse(text); err == nil {
			t.Errorf("%q was taken", text)
		}
	}
}
