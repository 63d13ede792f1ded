package main

import (
	"bytes"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/scenarios"
)

var updateTolerance = flag.Bool("update-tolerance", false, "rewrite reports/docs/tolerance.md")

const toleranceDoc = "../../reports/docs/tolerance.md"

// sampledRows are the rows of the table that every run of the tests measures anew.
const sampledRows = "as-built,hardened,lifo,reap-forgets,resurrect,consumer=fenced"

// The committed table is what is measured: some of its rows here, all of them with
// -update-tolerance, which rewrites it. .ci/run compares all of it.
func TestTheTableOfToleranceIsMeasured(t *testing.T) {
	text, err := os.ReadFile(toleranceDoc)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- tolerance -->\n```\n", "```\n<!-- /tolerance -->\n"
	before, rest, ok := bytes.Cut(text, []byte(begin))
	shown, after, closed := bytes.Cut(rest, []byte(end))
	if !ok || !closed {
		t.Fatalf("%s has no place for the table", toleranceDoc)
	}
	if *updateTolerance {
		code, out, _ := ackgap(t, "tolerance")
		if code != exitMet {
			t.Fatalf("exit status %d", code)
		}
		text = slices.Concat(before, []byte(begin), []byte(out), []byte(end), after)
		if err := os.WriteFile(toleranceDoc, text, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if bytes.Contains(shown, []byte("!")) {
		t.Errorf("behind a number of the table stands no story:\n%s", shown)
	}
	_, out, _ := ackgap(t, "tolerance", "--only", sampledRows)
	seen := 0
	for line := range strings.Lines(out) {
		if row := strings.Join(strings.Fields(line), " "); row != "" {
			if !strings.Contains(squeezed(string(shown)), row) {
				t.Errorf("measured is\n%s\nwhich the table does not have", line)
			}
			seen++
		}
	}
	if seen < 12 {
		t.Errorf("%d lines were compared:\n%s", seen, out)
	}
}

// squeezed returns the text with one space for every run of them.
func squeezed(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strings.Join(strings.Fields(line), " ") + "\n")
	}
	return b.String()
}

// Each variant of the queue and each consumer, with a late and an early ACK, has its
// row, and no row is there twice.
func TestTheTableHasEveryConfiguration(t *testing.T) {
	story, err := scenarios.Parse("f", []byte(toleranceWorld))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range configs(story) {
		names = append(names, c.name)
	}
	for _, want := range []string{"as-built", "variant=hardened", "variant=bounded-leaks", "consumer=naive", "consumer=scorer-fixed ack=early"} {
		if !slices.Contains(names, want) {
			t.Errorf("there is no row %s", want)
		}
	}
	for _, name := range []string{"prefetch-expires", "rescue-overwrites", "two-clock-reads"} {
		if slices.Contains(names, "variant="+name) {
			t.Errorf("%s has a row, and is refused", name)
		}
	}
	slices.Sort(names)
	if n := len(slices.Compact(slices.Clone(names))); n != len(names) {
		t.Errorf("%d rows have %d names", len(names), n)
	}
}

// The table does not depend on how many cores looked.
func TestTheTableIsTheSameOnOneCore(t *testing.T) {
	args := []string{"tolerance", "--only", "fence,naive", "--jobs", "1", "--json", "--cores"}
	_, one, _ := ackgap(t, append(args, "1")...)
	_, two, _ := ackgap(t, append(args, "2")...)
	if one != two || one == "" {
		t.Errorf("on one core\n%s\non two\n%s", one, two)
	}
}
