package reports

import (
	"strings"
	"testing"
)

// aTable has a cell of each kind, and names that a terminal would obey.
func aTable() *Tolerance {
	return &Tolerance{
		World: "a\x1b[2J", Jobs: 1, Workers: 2, Claims: 3, Faults: 2, Kinds: "drop,crash", Acts: "remove",
		Properties: []string{"no-loss", "one-place", "deliveries-bounded", "tokens-rise"},
		Rows: []ToleranceRow{
			{Config: "as-built", States: 7, Cells: []ToleranceCell{
				{}, {Broken: true, Faults: 1, Story: []byte("story s\n"), Digest: "0123456789abcdef"}, {Idle: true}, {Broken: true, Faults: 2}}},
			{Config: "variant=\u202e", States: 9, Open: true, Cells: make([]ToleranceCell, 4)},
		},
	}
}

func TestATableOfToleranceSaysWhatItTakes(t *testing.T) {
	const want = `FAULTS THAT IT TAKES  a\x1b[2J: 1 job, 2 workers, 3 claims a job
  up to 2 faults of drop, crash
  and of the acts remove

        tokens-rise ──────────╮
 deliveries-bounded ───────╮  │
          one-place ────╮  │  │
            no-loss ─╮  │  │  │
configuration        │  │  │  │
as-built             .  1  -  !
variant=\u202e       .  .  .  .  ?

  a number: the fewest faults that break it, 0 where none is needed; . none of
  up to 2 does; - not promised; ! a path was found, and no story of it; ? not
  everything was explored
`
	if got := string(AppendTolerance(nil, aTable(), Style{})); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Where nothing is open or abstract, the legend does not speak of it.
func TestALegendSaysWhatIsThere(t *testing.T) {
	table := aTable()
	table.Rows = table.Rows[:1]
	table.Rows[0].Cells[3] = ToleranceCell{}
	if got := string(AppendTolerance(nil, table, Style{})); strings.ContainsAny(got, "!?") {
		t.Errorf("it explains marks that are not there:\n%s", got)
	}
}

func TestATableOfToleranceKeepsItsSchema(t *testing.T) {
	s := compile(t, SchemaTolerance)
	doc := AppendToleranceJSON(nil, aTable())
	if err := validate(t, s, doc); err != nil {
		t.Errorf("%v\n%s", err, doc)
	}
	for _, c := range []struct{ good, bad string }{
		{`"verdict":"none"`, `"verdict":"fine"`},
		{`"faults":1,`, `"faults":-1,`},
		{`"exhausted":true,`, ``},
		{`"0123456789abcdef"`, `"0123"`},
		{`ackgap-tolerance/1`, `ackgap-tolerance/2`},
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
