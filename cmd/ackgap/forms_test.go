package main

import (
	"os"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/scenarios"
)

// The golden files, in which a line names a story, and each below it a form and the digest
// of what is written.
var goldenForms = []string{"../../reports/testdata/forms/digests", "../../reports/charts/testdata/digests"}

// No form that --out takes is without a pinned digest of any story of the catalogue.
func TestEveryFormOfEveryStoryIsPinned(t *testing.T) {
	pinned := map[[2]string]bool{}
	for _, file := range goldenForms {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		story := ""
		for line := range strings.Lines(string(text)) {
			if !strings.HasPrefix(line, " ") {
				story = strings.TrimSpace(line)
				continue
			}
			pinned[[2]string{story, strings.Fields(line)[0]}] = true
		}
	}
	for _, story := range scenarios.Catalogue() {
		for _, form := range formNames() {
			pair := [2]string{story, form}
			if !pinned[pair] {
				t.Errorf("%s of %s is pinned nowhere: run `make golden`, and look at it", form, story)
			}
			delete(pinned, pair)
		}
	}
	for pair := range pinned {
		t.Errorf("%s of %s is pinned, and there is no such story or form", pair[1], pair[0])
	}
}
