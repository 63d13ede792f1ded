package reports

import (
	"strings"
	"testing"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// checked runs n random worlds of a story, and the story itself.
func checked(t *testing.T, name, text string, n uint64) Checked {
	t.Helper()
	story, err := scenarios.Parse(name, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	story.Name = name // from outside: a name may hold anything
	out, err := story.Run(scenarios.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	c, err := scenarios.NewCampaign(story)
	if err != nil {
		t.Fatal(err)
	}
	row := Checked{Story: name, MayBreak: story.MayBreak}
	row.Judge(out)
	if c == nil {
		return row
	}
	if row.Worlds, err = c.Count(scenarios.NewRunner(), 1, n, nil); err != nil {
		t.Fatal(err)
	}
	row.Vacuous = row.Worlds.Vacuous(c)
	return row
}

// everyKind is a story of each kind that the table tells apart.
func everyKind(t *testing.T) []Checked {
	const world, lossy = "workers 2\njobs 2 every=1s\nquiet time=1m\n", "chaos drop complete rate=50%\n"
	return []Checked{
		checked(t, "holds", "workers 2 consumer=atomic\njob J1\n"+lossy, 50),
		checked(t, "may-break", world+lossy+"expect chaos may-break no-duplicate-effect\n", 50),
		checked(t, "breaks\x1b[31m\u202e", world+lossy, 50),
		checked(t, "open", "worker w1 work=1h\nqueue echomq lease=2h\njob J1\nhorizon 1m\n"+lossy, 3),
		checked(t, "off", "worker w1\njob J1\nchaos off\n", 0),
		checked(t, "cut-short", world+lossy, 0),
		checked(t, "vacuous", "workers 2 consumer=atomic\njob J1\nchaos drop extend rate=1%\n", scenarios.EnoughChaos),
		checked(t, "not-as-written", world+"chaos off\nexpect effects J1 = 7\nexpect deliveries J1 = 8\n", 0),
	}
}

func TestTheTableOfACheckIsPinned(t *testing.T) {
	golden(t, "check.txt", AppendCampaigns(nil, everyKind(t), Style{}))
}

func TestWhatACheckComesTo(t *testing.T) {
	want := []scenarios.Met{
		scenarios.Yes, scenarios.Yes, scenarios.No, scenarios.Inconclusive,
		scenarios.Yes, scenarios.Inconclusive, scenarios.No, scenarios.No,
	}
	for i, c := range everyKind(t) {
		if got := c.Met(); got != want[i] {
			t.Errorf("%q is %s, want %s", c.Story, got, want[i])
		}
	}
}

// firstOf is the first failure of a check of everyKind: a world of the third story.
func firstOf(t *testing.T, rows []Checked) *FirstFailure {
	t.Helper()
	if len(rows) == 0 {
		return nil
	}
	story, err := scenarios.Parse("told", []byte("workers 2\njobs 3\nfault drop complete J3#1\n"))
	if err != nil {
		t.Fatal(err)
	}
	out, err := story.Run(scenarios.Options{})
	if err != nil {
		t.Fatal(err)
	}
	small, err := story.Shrink("")
	if err != nil {
		t.Fatal(err)
	}
	return &FirstFailure{At: 2, Random: true, Seed: 2, Outcome: out, Token: "ackgap1.AAAA", Again: "ackgap run told --seed 2", Small: small, SmallAgain: "ackgap run small.story"}
}

// The document names what failed first, with all that it takes to see it again.
func TestTheJSONOfACheckTellsItsFirstFailure(t *testing.T) {
	rows := everyKind(t)
	rows[2].Left = 5
	first := firstOf(t, rows)
	text := string(AppendCampaignsJSON(nil, rows, first))
	for _, want := range []string{
		`"left":5,"firstFailure":{"story":"breaks\u001b[31m\u202e","seed":"2","text":"story told\n`, `"token":"ackgap1.AAAA","again":"ackgap run told --seed 2"`,
		`"shrunk":{"property":"no-duplicate-effect","job":"J1","was":"J3",`, `"again":"ackgap run small.story"`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
	first.Random, first.Small = false, nil
	text = string(AppendCampaignsJSON(nil, rows, first))
	if _, text, _ = strings.Cut(text, "firstFailure"); strings.Contains(text, `"seed":"2","text"`) || strings.Contains(text, "shrunk") {
		t.Errorf("as it is written, not shrunk: %s", text)
	}
	if err := validate(t, compile(t, SchemaCheck), AppendCampaignsJSON(nil, rows, first)); err != nil {
		t.Error(err)
	}
	if text := string(AppendCampaignsJSON(nil, rows[:1], nil)); !strings.Contains(text, `"left":0}`) || strings.Contains(text, "firstFailure") {
		t.Errorf("nothing failed: %s", text)
	}
}

func TestTheJSONOfACheckKeepsItsSchema(t *testing.T) {
	s := compile(t, SchemaCheck)
	for _, rows := range [][]Checked{nil, everyKind(t)} {
		text := AppendCampaignsJSON(nil, rows, firstOf(t, rows))
		if err := validate(t, s, text); err != nil {
			t.Error(err)
		}
		for _, c := range text[:len(text)-1] {
			if c < ' ' || c > '~' {
				t.Fatalf("byte %#x stands bare in %s", c, text)
			}
		}
	}
}

func TestTheSchemaOfACheckRefusesWhatIsNotPromised(t *testing.T) {
	s := compile(t, SchemaCheck)
	rows := everyKind(t)
	good := string(AppendCampaignsJSON(nil, rows, firstOf(t, rows)))
	for name, change := range map[string][2]string{
		"another version":      {`"ackgap-check/1"`, `"ackgap-check/2"`},
		"a seed as a number":   {`"seed":"2"`, `"seed":2`},
		"an unknown outcome":   {`"outcome":"met"`, `"outcome":"fine"`},
		"a negative count":     {`"worlds":50`, `"worlds":-50`},
		"a field nobody knew":  {`"own":`, `"color":"red","own":`},
		"a missing list":       {`,"vacuous":[]`, ``},
		"no token":             {`"token":`, `"tokens":`},
		"a small one's format": {`"shrunk":{`, `"shrunk":{"format":"ackgap-shrink/1",`},
		"a failure of nothing": {`"properties":["no-duplicate-effect"]`, `"properties":[]`},
	} {
		bad := strings.Replace(good, change[0], change[1], 1)
		if bad == good {
			t.Fatalf("%s: nothing to change", name)
		}
		if err := validate(t, s, []byte(bad)); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

// A property that is unknown in some worlds and held in all others is marked so,
// and one that broke is marked broken whatever else it was.
func TestACellSaysTheWorst(t *testing.T) {
	c := Checked{Worlds: &scenarios.Tally{Properties: make([]scenarios.PropertyTally, len(model.Properties()))}, MayBreak: []string{"no-loss"}}
	for _, k := range []struct {
		tally    scenarios.PropertyTally
		property string
		want     string
	}{
		{scenarios.PropertyTally{Held: 1, Idle: 8}, "drains", cellHeld},
		{scenarios.PropertyTally{Held: 7, Unknown: 1}, "drains", cellUnknown},
		{scenarios.PropertyTally{Held: 7, Unknown: 1, Broken: 1}, "drains", cellUnexpected},
		{scenarios.PropertyTally{Held: 7, Unknown: 1, Broken: 1}, "no-loss", cellBroken},
		{scenarios.PropertyTally{Idle: 9}, "drains", cellIdle},
	} {
		c.Worlds.Properties[0] = k.tally
		if got := c.cell(0, k.property); got != k.want {
			t.Errorf("%+v of %s: %q, want %q", k.tally, k.property, got, k.want)
		}
	}
}

// A story that is not met as it is written says where and why, and how much more there is.
func TestACheckedStorySaysWhyItIsNotMet(t *testing.T) {
	c := checked(t, "two-lines", "worker w1 consumer=atomic\njob J1\nchaos off\nexpect effects J1 = 7\nexpect deliveries J1 = 8\n", 0)
	one := CaseOfChecked(&c, "")
	if one.At != 4 {
		t.Errorf("it stands at line %d, want 4", one.At)
	}
	if want := "not met, line 4: expect effects J1 = 7, got 1 effect, and 1 more"; !strings.HasSuffix(one.Line, want) {
		t.Errorf("it says %q, want at its end %q", one.Line, want)
	}
}

// At 80 columns the table of stories with long names is as legible as on a wide terminal,
// and says the same.
func TestTheTableOfACheckFitsItsTerminal(t *testing.T) {
	long := strings.Repeat("a-long-name-", 5)
	all := []Checked{checked(t, "short", "worker w1\njob J1\n", 5), checked(t, long, "worker w1\njob J1\n", 5)}
	wide, narrow := string(AppendCampaigns(nil, all, Style{})), string(AppendCampaigns(nil, all, Style{Width: 80}))
	for line := range strings.Lines(narrow) {
		if n := width(strings.TrimSuffix(line, "\n")); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	if got, want := strings.Join(strings.Fields(narrow), ""), strings.Join(strings.Fields(wide), ""); strings.ReplaceAll(got, "─", "") != strings.ReplaceAll(want, "─", "") {
		t.Errorf("at 80 columns it says\n%s\nelsewhere\n%s", narrow, wide)
	}
}
