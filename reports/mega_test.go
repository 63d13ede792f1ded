package reports

import (
	"slices"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/scenarios"
)

// places are where somebody who means no good can have a say in a run.
var places = []struct {
	name string
	put  func(*Run, string)
}{
	{"the payload", func(r *Run, s string) { r.Text = "worker w1\njob J1 payload=" + s + "\n" }},
	{"the story", func(r *Run, s string) { r.Story = s }},
	{"the title", func(r *Run, s string) { r.Title = s }},
	{"the queue", func(r *Run, s string) { r.Queue = s }},
	{"the consumers", func(r *Run, s string) { r.Consumers = s }},
	{"the command", func(r *Run, s string) { r.Again = s }},
	{"a reason", func(r *Run, s string) { r.Reasons = []string{s} }},
	{"a fault", func(r *Run, s string) { r.Unfired = []Fault{{8, s}} }},
	{"an expectation", func(r *Run, s string) { r.Expectations = []Expectation{{Line: 3, Text: s, Got: s}} }},
	{"a witness", func(r *Run, s string) {
		r.Verdicts = verdicts(r.History, twice(r.History, 1))
		r.Verdicts[1].Witness.Says = s
	}},
	{"a job", func(r *Run, s string) { r.History.Names.Jobs = []string{"", s} }},
	{"a process", func(r *Run, s string) { r.History.Names.Procs[w1] = s }},
}

// forPeople are the forms that are read by people: they show the beginning of what is long.
// tagged are those in which a tag is one.
var (
	forPeople = []string{"text", "html", "svg", "mermaid", "github", "summary"}
	tagged    = []string{"html", "svg", "mermaid", "summary", "junit"}
)

// A megabyte of markup in any place of a run is text in every form. What people read stays
// short; machines get all of it, a few times over.
func TestEveryFormBearsAMegabyteOfMarkup(t *testing.T) {
	const one = `<script>alert(1)</script> e1 `
	mega := strings.Repeat(one, 1<<20/len(one))
	for _, place := range places {
		for _, f := range Forms() {
			r, tame := lostAck(), lostAck()
			r.Outcome, tame.Outcome = scenarios.No, scenarios.No
			place.put(r, mega)
			place.put(tame, "tame")
			got, most := string(f.write(r)), 64<<20
			if slices.Contains(forPeople, f.Name) {
				most = 256 << 10
			}
			if len(got) > most {
				t.Errorf("%s with %s of a megabyte has %d bytes", f.Name, place.name, len(got))
			}
			if n := strings.Count(string(f.write(tame)), "<script"); slices.Contains(tagged, f.Name) && strings.Count(got, "<script") != n {
				t.Errorf("%s makes a script of %s", f.Name, place.name)
			}
		}
	}
}

// What is left out is counted.
func TestWhatIsTooLongIsCutWithANote(t *testing.T) {
	r := lostAck()
	r.Title = strings.Repeat("word ", enough)
	for _, f := range Forms() {
		if f.Name != "text" && f.Name != "html" {
			continue
		}
		if got := strings.Join(strings.Fields(string(f.write(r))), " "); !strings.Contains(got, "… (65535 bytes more)") {
			t.Errorf("%s does not say what it leaves out", f.Name)
		}
	}
}
