package simtest

import (
	"os"
	"strings"
	"testing"
)

// The manual has what goes wrong by default, line by line.
func TestTheManualHasTheDefaultChaos(t *testing.T) {
	manual, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	var told strings.Builder
	for line := range strings.Lines(defaultChaos) {
		told.WriteString("//\t" + line)
	}
	if !strings.Contains(string(manual), "//\n"+told.String()+"//\n") {
		t.Errorf("doc.go has not these lines:\n%s", told.String())
	}
}

// And Plan's doc has each letter of a plan.
func TestTheManualOfPlansHasEachLetter(t *testing.T) {
	source, err := os.ReadFile("plan.go")
	if err != nil {
		t.Fatal(err)
	}
	row := func(tables ...[]letter) string {
		var letters []string
		for _, table := range tables {
			for _, l := range table {
				letters = append(letters, string(l.char))
			}
		}
		return "//\t" + strings.Join(letters, " ") + "  "
	}
	for _, want := range []string{row(messageKinds), row(stepKinds), row(messageWhere), row(stepWhere)} {
		if !strings.Contains(string(source), want) {
			t.Errorf("plan.go has no line %q", want)
		}
	}
}
