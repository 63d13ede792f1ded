package reports

import (
	"strings"
	"testing"
	"time"
)

// aStorm has a cell of each kind, and a name that a terminal would obey.
func aStorm() *Storm {
	return &Storm{
		World: "a\x1b[2J", Workers: 4, Fault: "outage", Horizon: 4 * time.Minute, Prefetch: 8,
		Loads: []int{50, 110}, Leases: []time.Duration{100 * time.Millisecond, time.Second, 5 * time.Second}, Lengths: []time.Duration{time.Second},
		Cells: []StormCell{
			{Outcome: "stuck", Before: 1, Peak: 30, End: 20, CalmEnd: 2, Deliveries: 90, Completed: 30, Dead: 1}, {Outcome: "unknown"},
			{Outcome: "draining", Left: 90 * time.Second}, {Outcome: "overloaded"},
			{Outcome: "drained"}, {Outcome: "overloaded"},
		},
	}
}

func TestAStormDrawsTheBoundary(t *testing.T) {
	const want = `STORM  a\x1b[2J: 4 workers, 4m a run
  For a while the queue's server is down, a quarter into the run; jobs keep
  coming. What remains of it at the end? The workers share a client that takes 8
  jobs at once.

FAULT OF 1s
  lease  load
          50%  110%
     5s     .  |  X
     1s     o  |  X
          ---
  100ms     #     ?

  .  the backlog drains (1 of 6)
  o  it drains, and is not gone yet (1 of 6)
  #  it stays up, though its cause is gone: metastable (1 of 6)
  X  too much, without any fault too (2 of 6)
  ?  a run was cut at its limit of steps (1 of 6)
  Where jobs were given up (1 cell), a backlog shrinks by that too.

  At a load of 50% and a lease of 100ms, 1s of fault leave 20 jobs open at the
  end, and without it there are 2. In the last half of the run 90 deliveries
  ended 30 jobs.
`
	if got := string(AppendStorm(nil, aStorm(), Style{ASCII: true})); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := string(AppendStorm(nil, aStorm(), Style{})); !strings.Contains(got, "│") || !strings.Contains(got, "───") {
		t.Errorf("no boundary:\n%s", got)
	}
}

// Whoever sees no colour is told the same.
func TestAStormSaysNothingByColourAlone(t *testing.T) {
	coloured := string(AppendStorm(nil, aStorm(), Style{Color: true}))
	for _, sgr := range sgr {
		coloured = strings.ReplaceAll(coloured, "\x1b["+sgr+"m", "")
	}
	coloured = strings.ReplaceAll(coloured, "\x1b[0m", "")
	if got := string(AppendStorm(nil, aStorm(), Style{})); got != coloured {
		t.Errorf("without colour\n%s\nand with it\n%s", got, coloured)
	}
}

func TestAStormKeepsItsSchema(t *testing.T) {
	s := compile(t, SchemaStorm)
	doc := AppendStormJSON(nil, aStorm())
	if err := validate(t, s, doc); err != nil {
		t.Errorf("%v\n%s", err, doc)
	}
	for _, c := range []struct{ good, bad string }{
		{`"outcome":"stuck"`, `"outcome":"fine"`},
		{`"load":50,`, `"load":0,`},
		{`"lease":"1s",`, ``},
		{`"fault":"outage"`, `"fault":"rain"`},
		{`ackgap-storm/1`, `ackgap-storm/2`},
	} {
		bad := strings.Replace(string(doc), c.good, c.bad, 1)
		if bad == string(doc) {
			t.Fatalf("the document has no %s", c.good)
		}
		if validate(t, s, []byte(bad)) == nil {
			t.Errorf("the schema takes %s for %s", c.bad, c.good)
		}
	}
}
