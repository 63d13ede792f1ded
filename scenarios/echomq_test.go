package scenarios_test

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/echomq"
	"github.com/ackgap/ackgap/scenarios"
)

// The stories below echomq/ are what is known to go wrong in EchoMQ as built. Each
// names in its comment what a transition fails to ask ("Root cause:"), which guard
// of variant=hardened asks it ("Closed by:"), and which of the broken properties
// no guard can save ("Still broken:").
const echomqFolder = "echomq/"

// fault is one of these stories, with what its comment says.
type fault struct {
	name               string
	story              *scenarios.Story
	breaks             []string // what it expects to be broken
	root, closed, open string
	guards             echomq.Guard // that are named in closed
}

func faultsOf(t *testing.T) (list []fault) {
	t.Helper()
	for _, name := range scenarios.Catalogue() {
		if !strings.HasPrefix(name, echomqFolder) {
			continue
		}
		text, err := scenarios.Text(name)
		if err != nil {
			t.Fatal(err)
		}
		f := fault{name: name, story: load(t, name)}
		f.root, f.closed, f.open = said(text, "Root cause:"), said(text, "Closed by:"), said(text, "Still broken:")
		for i := range f.story.Expects {
			if said := f.story.ExpectText(&f.story.Expects[i]); strings.HasPrefix(said, "broken ") {
				f.breaks = strings.Fields(said)[1:]
			}
		}
		for _, g := range echomq.Guards() {
			if strings.Contains(f.closed, g.String()) {
				f.guards |= g
			}
		}
		list = append(list, f)
	}
	return list
}

// said returns what a comment says after a word, to the next such word or the end of
// the comment, as one line.
func said(text []byte, word string) string {
	_, rest, found := strings.Cut(string(text), "# "+word)
	if !found {
		return ""
	}
	for _, end := range []string{"\nstory ", "\n# Closed by:", "\n# Still broken:"} {
		rest, _, _ = strings.Cut(rest, end)
	}
	return strings.Join(strings.Fields(strings.ReplaceAll(rest, "\n# ", " ")), " ")
}

// Each has a root cause and says what closes it; there are more than a dozen.
func TestEveryFaultOfEchoMQHasARootCause(t *testing.T) {
	roots := map[string]bool{}
	var guards echomq.Guard
	for _, f := range faultsOf(t) {
		if f.root == "" || f.closed == "" || len(f.breaks) == 0 {
			t.Errorf("%s: root cause %q, closed by %q, breaks %q: each must be told", f.name, f.root, f.closed, f.breaks)
		}
		roots[f.root] = true
		guards |= f.guards
	}
	if len(roots) < 20 {
		t.Errorf("%d root causes are told, and there are more", len(roots))
	}
	for _, g := range echomq.Guards() {
		if guards&g == 0 {
			t.Errorf("no story needs the guard %s", g)
		}
	}
}

// Under variant=hardened nothing breaks of what a story breaks, but for what it
// says cannot be closed.
func TestHardenedClosesEveryFaultOfEchoMQ(t *testing.T) {
	for _, f := range faultsOf(t) {
		if got := brokenUnder(t, f.story, "go", "hardened"); !sameWords(got, strings.Fields(f.open)) {
			t.Errorf("%s: hardened breaks %q, and the story says %q", f.name, got, f.open)
		}
	}
}

// What hardened costs where work takes longer than its lease, without a fault: as
// built the ACK is accepted though the job was reaped, and here it never is.
func TestHardenedNeverEndsWorkThatOutlastsItsLease(t *testing.T) {
	for _, c := range []struct {
		variant string
		ends    bool
	}{{"", true}, {"hardened", false}} {
		text := "story slow\nqueue echomq variant=hardened\nworker w1 consumer=atomic work=40s\njob J1\n"
		story, err := scenarios.Parse("slow", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		story.Queue.Variant = c.variant
		out, err := story.Run(scenarios.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if ends := !slices.Contains(brokenOf(out), "drains"); ends != c.ends {
			t.Errorf("variant %q comes to an end: %v, want %v", c.variant, ends, c.ends)
		}
	}
}

// A clock that is set back lets a heartbeat shorten its lease, hardened or not.
func TestHardenedLeavesTheClockThatIsSetBack(t *testing.T) {
	for _, variant := range []string{"", "hardened"} {
		if got := brokenUnder(t, load(t, "clock-steps-back"), "go", variant); !sameWords(got, []string{"deadline-monotone"}) {
			t.Errorf("variant %q breaks %q with a clock that is set back", variant, got)
		}
	}
}

// Hardened without the guard that a story names breaks what the story breaks: no
// guard can be left out.
func TestNoGuardCanBeLeftOut(t *testing.T) {
	registerUnguarded()
	for _, f := range faultsOf(t) {
		for _, g := range echomq.Guards() {
			if f.guards&g == 0 {
				continue
			}
			got := brokenUnder(t, f.story, "unguarded", g.String())
			if len(got) <= len(strings.Fields(f.open)) || !isWithin(got, f.breaks) {
				t.Errorf("%s: hardened without %s breaks %q of %q", f.name, g, got, f.breaks)
			}
		}
	}
}

// A story is as short as can be: without any one of its lines that say or spoil
// something it does not go as it says.
func TestNoLineOfAFaultOfEchoMQCanBeStruck(t *testing.T) {
	for _, f := range faultsOf(t) {
		lines := strings.SplitAfter(string(f.story.Text()), "\n")
		for i, line := range lines {
			if !strings.HasPrefix(line, "do ") && !strings.HasPrefix(line, "fault ") {
				continue
			}
			less, err := scenarios.Parse("struck", []byte(strings.Join(slices.Delete(slices.Clone(lines), i, i+1), "")))
			if err != nil {
				continue // what a later line speaks of is gone
			}
			out, err := less.Run(scenarios.Options{Strict: true})
			if err == nil && out.Met == scenarios.Yes {
				t.Errorf("%s: it does not need %q", f.name, strings.TrimSpace(line))
			}
		}
	}
}

// What echomq.md says of EchoMQ is what the stories say, and README.md their number.
func TestTheTrackRecordIsThatOfTheStories(t *testing.T) {
	var b bytes.Buffer
	b.WriteString("| what breaks | shortest story | root cause | closed by |\n|---|---|---|---|\n")
	for _, f := range faultsOf(t) {
		short := strings.TrimPrefix(f.name, echomqFolder)
		fmt.Fprintf(&b, "| `%s` | [%s](../../scenarios/stories/%s.story) | %s | %s |\n",
			strings.Join(f.breaks, "` `"), short, f.name, strings.TrimSuffix(f.root, "."), f.guardText())
	}
	checkTable(t, "../reports/docs/echomq.md", "track record", b.Bytes())
	readme, err := os.ReadFile("../README.md")
	if said := fmt.Sprintf("finds %d ways", len(faultsOf(t))); err != nil || !bytes.Contains(readme, []byte(said)) {
		t.Errorf("README.md does not say %q (%v)", said, err)
	}
}

// guardText is what closes f, in a word.
func (f *fault) guardText() string {
	switch {
	case f.guards == 0:
		return "nothing in the queue"
	case f.open != "":
		return fmt.Sprintf("`%s`, but for `%s`", f.guards, f.open)
	}
	return fmt.Sprintf("`%s`", f.guards)
}

// registerUnguarded offers hardened without one guard, whose name is the variant's.
func registerUnguarded() {
	if _, known := model.FindBody("echomq", "unguarded"); known {
		return
	}
	body := model.Body{Protocol: "echomq", Backend: "unguarded", Unlisted: true}
	for _, g := range echomq.Guards() {
		body.Variants = append(body.Variants, model.Variant{Name: g.String(), Doc: "hardened without it"})
	}
	body.Open = func(variant string) (model.Queue, error) {
		i := slices.IndexFunc(echomq.Guards(), func(g echomq.Guard) bool { return g.String() == variant })
		return echomq.NewHardened(echomq.Guards()[i]), nil
	}
	model.Register(body)
}

// brokenUnder runs the story on another queue and returns what broke but drains,
// which is no safety property.
func brokenUnder(t *testing.T, s *scenarios.Story, backend, variant string) []string {
	t.Helper()
	other := *s
	other.Queue.Backend, other.Queue.Variant = backend, variant
	out, err := other.Run(scenarios.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(brokenOf(out), func(name string) bool { return name == "drains" })
}

func sameWords(a, b []string) bool { return isWithin(a, b) && isWithin(b, a) }

// isWithin reports whether all of part are in whole.
func isWithin(part, whole []string) bool {
	return !slices.ContainsFunc(part, func(p string) bool { return !slices.Contains(whole, p) })
}
