package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Every verb that tells facts tells them to programs, too, in the form of its schema, and
// answers by the same exit status as without --json.
func TestEveryVerbThatTellsFactsHasThemAsJSON(t *testing.T) {
	for _, c := range []struct {
		schema string
		args   []string
	}{
		{"list", []string{"list"}},
		{"version", []string{"version"}},
		{"properties", []string{"explain", "no-loss", "drains", "saw-redelivery"}},
		{"digests", []string{"digests", "lost-ack", "bare-protocol", "--seeds", "2", "--each"}},
		{"digests", []string{"digests", "lost-ack", "--seeds", "2"}},
		{"generals", []string{"generals"}},
		{"shrink", []string{"shrink", "lost-ack"}},
		{"twin", []string{"twin", "lost-ack"}},
		{"twin", []string{"twin", "mutants/ignores-ack"}},
		{"twin", []string{"twin", "lost-ack", "J1#1", "--observer", "w1"}},
	} {
		want, _, _ := ackgap(t, c.args...)
		code, out, errs := ackgap(t, append(c.args, "--json")...)
		if code != want || errs != "" {
			t.Errorf("%v --json: exit status %d, without it %d; %s", c.args, code, want, errs)
		}
		if err := validate(schemaOf(t, c.schema), out); err != nil {
			t.Errorf("%v: %v", c.args, err)
		}
		if !strings.HasSuffix(out, "}\n") || strings.Count(out, "\n") != 1 {
			t.Errorf("%v is no document in a line: %.200s", c.args, out)
		}
	}
}

// Where a subject of doctor cannot be run, or leaves something else, the document says why.
func TestWhatDoctorFoundIsJSON(t *testing.T) {
	s := schemaOf(t, "doctor")
	e := newExamination(&strings.Builder{}, 1, []string{"lost-ack"})
	other := subject{name: "another story", run: func(ctx context.Context, _ []string) (string, error) {
		return inProcess(ctx, []string{"digests", "--each", "--seeds", "1", "--", "zombie-fenced"})
	}}
	if err := e.all(t.Context(), []subject{{name: "nowhere", missing: "it is not here"}, other}); err == nil {
		t.Error("another story is found to be the same")
	}
	if err := validate(s, string(e.json())); err != nil {
		t.Error(err)
	}
	for _, want := range []string{`"name":"nowhere","result":"not run","why":"it is not here"`, `"result":"different","why":"the first run that differs: `} {
		if doc := string(e.json()); !strings.Contains(doc, want) {
			t.Errorf("no %s in %s", want, doc)
		}
	}
}

// Without a name explain tells a program which properties there are: all of them.
func TestAllPropertiesAreTold(t *testing.T) {
	_, out, _ := ackgap(t, "explain", "--json")
	var doc struct{ Properties []jsonProperty }
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range doc.Properties {
		names = append(names, p.Name)
	}
	if !slices.Equal(names, propertyNames()) {
		t.Errorf("told are %v", names)
	}
}

// What is written for programs has a schema, and each form is told by `version`.
func TestEveryFormOfJSONHasItsSchema(t *testing.T) {
	files, err := filepath.Glob("../../reports/schema/*.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var formats []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name, _, _ := strings.Cut(string(text)[strings.Index(string(text), `"ackgap-`)+1:], `"`)
		formats = append(formats, name)
	}
	slices.Sort(formats)
	if told := slices.Sorted(slices.Values(formatsWritten)); !slices.Equal(told, formats) {
		t.Errorf("the schemas are of %v, and version tells %v", formats, told)
	}
}

// No command is forgotten: each tells its facts as JSON, or says why not.
func TestEveryCommandHasJSONOrSaysWhyNot(t *testing.T) {
	for _, c := range newRoot(&streams{}).Commands() {
		if has := c.Flags().Lookup("json") != nil; has == (noJSON[c.Name()] != "") {
			t.Errorf("%s: --json %t, and why not: %q", c.Name(), has, noJSON[c.Name()])
		}
	}
}

// What the lines of digests --each have, the document has: the plain run as judged, too.
func TestTheJSONOfDigestsHasWhatTheLinesHave(t *testing.T) {
	_, lines, _ := ackgap(t, "digests", "lost-ack", "--seeds", "2", "--each")
	_, doc, _ := ackgap(t, "digests", "lost-ack", "--seeds", "2", "--each", "--json")
	for _, line := range strings.Split(strings.TrimSpace(lines), "\n") {
		for _, digest := range strings.Fields(line)[:2] {
			if !strings.Contains(doc, `"`+digest+`"`) {
				t.Errorf("%s of the line %s is not in %s", digest, line, doc)
			}
		}
	}
}

// A command without facts of its own says why it has no --json, and where they are.
func TestWhatIsForEyesHasNoJSON(t *testing.T) {
	for name, why := range noJSON {
		code, out, errs := ackgap(t, name, "--json")
		if code != exitUsage || out != "" || errs != "ackgap: "+name+" has no --json: "+why+"\n" {
			t.Errorf("%s: exit status %d, %q, %q", name, code, out, errs)
		}
	}
	if code, _, errs := ackgap(t, "generals", "hour", "--json"); code != exitUsage || !strings.Contains(errs, "--json is the count of all rules") {
		t.Errorf("generals: exit status %d, %q", code, errs)
	}
}
