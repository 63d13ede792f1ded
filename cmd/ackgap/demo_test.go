package main

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// The demo is what a newcomer sees first, in a window of 80 columns: no line is wider.
func TestTheDemoFitsIntoAWindow(t *testing.T) {
	_, out, _ := ackgap(t, "demo")
	for _, line := range strings.Split(out, "\n") {
		if n := utf8.RuneCountInString(line); n > 80 {
			t.Errorf("a line of %d columns:\n%s", n, line)
		}
	}
	if n := strings.Count(out, "\n"); n > 120 {
		t.Errorf("the demo takes %d lines", n)
	}
}

// The picture comes first, and what its words call by name stands in it.
func TestTheDemoShowsBeforeItTells(t *testing.T) {
	_, out, _ := ackgap(t, "demo")
	first, _, _ := strings.Cut(out, "\n2. ")
	picture, words, ok := strings.Cut(first, "\nSigns: ")
	if !ok || !strings.HasPrefix(picture, "1. THE GAP") {
		t.Fatalf("%s", first)
	}
	for _, drawn := range []string{" p  ", " w1  w2 ", " store\n", "  0.003s", "token 1 for 30s", " 31.000s", "lease out: J1", "J1#2"} {
		if !strings.Contains(picture, drawn) {
			t.Errorf("the picture has no %q:\n%s", drawn, picture)
		}
	}
	for _, told := range []string{"p produces", "numbers at the left", "ledger", "the reap", "ended\nat 30.003s", "no-duplicate-effect"} {
		if !strings.Contains(strings.ReplaceAll(words, "It ended at", "It ended\nat"), told) {
			t.Errorf("%q is not explained:\n%s", told, words)
		}
	}
}
