package scenarios_test

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/scenarios"
)

// Every story of the catalogue goes as it says, and nothing breaks that it does
// not name.
func TestEveryStoryGoesAsItSays(t *testing.T) {
	for _, name := range scenarios.Catalogue() {
		t.Run(name, func(t *testing.T) {
			out := strict(t, load(t, name))
			for _, r := range out.Results {
				if r.Met != scenarios.Yes {
					t.Errorf("line %d: expect %s: %s, %s", r.Expect.Line, out.Story.ExpectText(r.Expect), r.Met, r.Got)
				}
			}
			for _, e := range out.Unfired {
				t.Errorf("line %d: fault %s never fired", e.Line, out.Story.FaultText(e))
			}
			if out.HistoryDiffers != "" && !*update {
				t.Errorf("the history is another one: %s", out.HistoryDiffers)
			}
			if out.Met != scenarios.Yes && !*update {
				t.Errorf("%s: missing %v, broken though unnamed %v, open %v", out.Met, out.Missing, out.Unnamed, out.Open)
			}
		})
	}
}

// Every story opens with a title and with why it exists, and is named as its
// file.
func TestEveryStorySaysWhyItExists(t *testing.T) {
	for _, name := range scenarios.Catalogue() {
		text, err := scenarios.Text(name)
		if err != nil {
			t.Fatal(err)
		}
		story := load(t, name)
		if title := scenarios.Title(text); title == "" || len(title) > 160 {
			t.Errorf("%s: the first paragraph should be a title of one or two short sentences, and is %q", name, title)
		}
		if !bytes.Contains(text, []byte("Why it exists")) {
			t.Errorf("%s: the comment does not say why it exists", name)
		}
		if !strings.HasSuffix("/"+name, "/"+story.Name) {
			t.Errorf("%s calls itself %s", name, story.Name)
		}
	}
}

// The list is sorted by name, not by file: lost-ack stands before its variations.
func TestTheCatalogueIsSorted(t *testing.T) {
	if names := scenarios.Catalogue(); len(names) < 2 || !slices.IsSorted(names) {
		t.Errorf("the catalogue is %q", names)
	}
}

// The digest of each story is pinned: it moves only in a commit that says why.
// A story that is written out and read again leaves the same history.
func TestDigestsArePinned(t *testing.T) {
	const file = "testdata/digests.golden"
	var got bytes.Buffer
	for _, name := range scenarios.Catalogue() {
		story := load(t, name)
		digest := strict(t, story).History.Digest
		fmt.Fprintf(&got, "%s %s\n", digest, name)
		again, err := scenarios.Parse(name, story.Text())
		if err != nil {
			t.Errorf("%s: its own text is refused: %v", name, err)
			continue
		}
		if d := strict(t, again).History.Digest; d != digest {
			t.Errorf("%s: written out and read again it leaves %s, before %s", name, d, digest)
		}
	}
	if *update {
		if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, got.Bytes()) {
		t.Errorf("digests are\n%s\npinned are\n%s", got.Bytes(), want)
	}
}

// A pinned history is rewritten with -update and not otherwise.
func TestPinnedHistories(t *testing.T) {
	if !*update {
		t.Skip("run with -update to rewrite them")
	}
	for _, name := range scenarios.Catalogue() {
		story := load(t, name)
		if !story.HasHistory {
			continue
		}
		text, err := scenarios.Text(name)
		if err != nil {
			t.Fatal(err)
		}
		text = scenarios.WithHistory(text, strict(t, story).HistoryText())
		if err := os.WriteFile("stories/"+name+".story", text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func load(t testing.TB, name string) *scenarios.Story {
	t.Helper()
	story, err := scenarios.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return story
}

func strict(t *testing.T, story *scenarios.Story) *scenarios.Outcome {
	t.Helper()
	out, err := story.Run(scenarios.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
