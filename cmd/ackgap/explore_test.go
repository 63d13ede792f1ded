package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// exploreSchema compiles the schema of what `ackgap explore --json` writes.
func exploreSchema(t *testing.T) *jsonschema.Schema { return schemaOf(t, "explore") }

// schemaOf compiles the schema called name of reports/schema.
func schemaOf(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile("../../reports/schema/" + name + ".schema.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("mem:///explore.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("mem:///explore.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// explored returns the JSON of an exploration.
func explored(t *testing.T, want int, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	if got := run(t.Context(), append([]string{"explore", "--json"}, args...), nil, &out, io.Discard); got != want {
		t.Fatalf("%v: exit status %d, not %d", args, got, want)
	}
	return out.String()
}

func validate(s *jsonschema.Schema, text string) error {
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return err
	}
	return s.Validate(doc)
}

func TestAnExplorationKeepsItsSchema(t *testing.T) {
	s := exploreSchema(t)
	for _, doc := range []string{
		explored(t, exitNotMet, "lost-ack", "--faults", "1", "--all"),
		explored(t, exitMet, "reference", "--kinds", "drop", "--compact", "--drains"),
		explored(t, exitMet, "reference", "--kinds", "drop", "--symmetry"),
		explored(t, exitMet, "reference", "--kinds", "drop", "--acts", "pause,resume", "--faults", "1", "--partial-order", "--sleep-sets", "--property", "no-loss"),
		explored(t, exitMet, "reference", "--kinds", "drop", "--faults", "1", "--property", "drains"),
		explored(t, exitNotMet, "far-worker-beats-late", "--faults", "0", "--claims", "4", "--property", "drains"),
		explored(t, exitInconclusive, "reference", "--jobs", "6", "--workers", "3", "--memory", "1", "--property", "no-loss"),
	} {
		if err := validate(s, doc); err != nil {
			t.Errorf("%v\n%s", err, doc)
		}
	}
}

func TestTheSchemaOfAnExplorationRefusesWhatIsNone(t *testing.T) {
	s := exploreSchema(t)
	doc := explored(t, exitNotMet, "lost-ack", "--faults", "1", "--compact", "--property", "no-duplicate-effect")
	for _, c := range []struct{ good, bad string }{
		{`ackgap-explore/1`, `ackgap-explore/2`},
		{`"ending":"stopped"`, `"ending":"fine"`},
		{`"symmetry":false,`, ``},
		{`"faults":1,`, `"faults":-1,`},
		{`"lost_one_in":"`, `"lost_one_in":"about `},
		{`"digest":"`, `"digest":"0`},
		{`"drains_judged":false`, `"drains_judged":false,"drains":{"edge":0}`},
		{`"story":"story`, `"storey":"story`},
		{`"depth":`, `"deep":1,"depth":`},
	} {
		bad := strings.Replace(doc, c.good, c.bad, 1)
		if bad == doc {
			t.Fatalf("the document has no %s:\n%s", c.good, doc)
		}
		if validate(s, bad) == nil {
			t.Errorf("the schema takes %s for %s", c.bad, c.good)
		}
	}
}

// A message names the command once, whoever has found out what is wrong.
func TestAMessageOfExploreNamesTheCommandOnce(t *testing.T) {
	for _, args := range [][]string{
		{"--faults", "-1"}, {"--faults", "9"}, {"--drains", "--depth-first"}, {"--drains", "--partial-order"},
		{"--property", "none"}, {"--all", "--property", "no-loss"}, {"--claims", "0"},
	} {
		var errs bytes.Buffer
		got := run(t.Context(), append([]string{"explore", "reference"}, args...), nil, io.Discard, &errs)
		if got != exitUsage || strings.Count(errs.String(), "explore:") > 1 || strings.Contains(errs.String(), "200") {
			t.Errorf("%v: exit status %d, %s", args, got, errs.String())
		}
	}
}

func TestAnExplorationIsSavedAndGoneOnWith(t *testing.T) {
	file := filepath.Join(t.TempDir(), "search")
	args := []string{"reference", "--faults", "1", "--property", "no-loss", "--cores", "1"}
	whole := explored(t, exitMet, args...)
	explored(t, exitInconclusive, append(args, "--max-states", "4000", "--save", file)...)
	parts := explored(t, exitMet, append(args, "--save", file, "--resume", file)...)
	if bytesKept := regexp.MustCompile(`"bytes":\d+,`); bytesKept.ReplaceAllString(whole, "") != bytesKept.ReplaceAllString(parts, "") {
		t.Errorf("at once\n%s\nin parts\n%s", whole, parts)
	}
	for _, c := range []struct {
		want string
		args []string
	}{
		{`it has "faults 1" where this one has "faults 2"`, []string{"reference", "--property", "no-loss", "--resume", file}},
		{`it has "looked for 1"`, []string{"reference", "--faults", "1", "--property", "one-place", "--resume", file}},
		{`"story hardened"`, []string{"hardened", "--faults", "1", "--property", "no-loss", "--resume", file}},
		{"no saved search", []string{"reference", "--resume", "explore.go"}},
		{"no such file", []string{"reference", "--resume", file + "s"}},
		{"leave --save and --resume out", []string{"reference", "--all", "--save", file}},
		{"--save", []string{"reference", "--save", t.TempDir()}},
	} {
		var errs bytes.Buffer
		if got := run(t.Context(), append([]string{"explore"}, c.args...), nil, io.Discard, &errs); got != exitUsage || !strings.Contains(errs.String(), c.want) {
			t.Errorf("%v: exit status %d, %s", c.args, got, errs.String())
		}
	}
}
