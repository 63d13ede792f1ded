package main

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/echomq/valkey"
	"github.com/ackgap/ackgap/scenarios"
)

// Every story of the catalogue leaves the same history on the scripts as on the
// Go machine, word for word, and is judged alike.
func TestEveryStoryIsTheSameOnEveryBackend(t *testing.T) {
	for _, backend := range backends(t) {
		t.Run(backend, func(t *testing.T) {
			onGo, onIt := scenarios.NewRunner(), scenarios.NewRunner()
			defer onIt.Close()
			body, _ := model.FindBody("echomq", backend)
			same, hardened := 0, 0
			for _, name := range scenarios.Catalogue() {
				story, err := scenarios.Load(name)
				if err != nil {
					t.Fatal(err)
				}
				if _, ok := body.Variant(story.Queue.Variant); !ok && story.Queue.Variant != "" {
					continue // the Go machine's alone
				}
				if strings.HasPrefix(name, "echomq/") {
					compareOn(t, onGo, onIt, story, backend, "hardened")
					hardened++
				}
				compareOn(t, onGo, onIt, story, backend, story.Queue.Variant)
				same++
			}
			t.Logf("%d stories, and %d of them on hardened", same, hardened)
			if same < 60 || hardened < 20 {
				t.Errorf("%d stories were compared, and %d on hardened; the catalogue has more", same, hardened)
			}
		})
	}
}

// compareOn runs the story of a variant on Go and on another backend.
func compareOn(t *testing.T, onGo, onIt *scenarios.Runner, story *scenarios.Story, backend, variant string) {
	t.Helper()
	one, other := *story, *story
	one.Queue.Variant, other.Queue.Variant, other.Queue.Backend = variant, variant, backend
	if d := cmp.Diff(told(t, onGo, &one), told(t, onIt, &other)); d != "" {
		t.Errorf("%s %s: Go (-) and %s (+) differ:\n%s", story.Name, variant, backend, d)
	}
}

// tale is all that a run says.
type tale struct {
	History, Digest string
	Verdicts        map[string]string
	Met             string
}

func told(t *testing.T, r *scenarios.Runner, story *scenarios.Story) tale {
	t.Helper()
	out, err := r.Run(story, scenarios.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	if out.Lost != nil {
		t.Fatal(out.Lost)
	}
	k := tale{out.HistoryText(), out.History.Digest.String(), map[string]string{}, out.Met.String()}
	for _, v := range append(out.Verdicts, out.Reach...) {
		k.Verdicts[v.Property] = v.Value.String() + " " + v.Witness.Says
	}
	return k
}

// backends are those to compare with Go: the embedded one, and a spawned server
// where there is one or there must be.
func backends(t *testing.T) []string {
	t.Helper()
	if _, err := valkey.FindServer(); err != nil {
		if os.Getenv("ACKGAP_REQUIRE") != "" {
			t.Fatal(err)
		}
		t.Logf("without a spawned server: %v", err)
		return []string{"valkey"}
	}
	return []string{"valkey", "valkey=spawn"}
}

// The broken variants are the Go machine's: a story of one is refused on the wire, and the
// message says where it runs.
func TestBrokenVariantsAreTheGoMachinesAlone(t *testing.T) {
	story, err := scenarios.Parse("f", []byte("queue echomq variant=lifo backend=valkey\n"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = story.Run(scenarios.Options{})
	if err == nil || !strings.HasPrefix(err.Error(), "f:1: ") || !strings.Contains(err.Error(), "backend=go") {
		t.Errorf("the error is %v", err)
	}
}

// A check of the scripts gives the table that a check of the Go machine gives;
// stories of variants stay on that, aloud.
func TestACheckOfTheScriptsGivesTheSameTable(t *testing.T) {
	check := []string{"check", "lost-ack", "reference", "phantom-duplicate", "--runs", "30", "--keep-going"}
	code, onGo, _ := ackgap(t, check...)
	again, onIt, errs := ackgap(t, append(check, "--backend", "valkey")...)
	if code != again || onGo != onIt {
		t.Errorf("exit status %d, on Go %d:\n%s", again, code, cmp.Diff(onGo, onIt))
	}
	if !strings.Contains(errs, "of 3 stories 1 stay where they are") {
		t.Errorf("it does not say what is not on the wire:\n%s", errs)
	}
}
