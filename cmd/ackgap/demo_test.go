package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
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

// When the lease ends and when the reap finds it, as the demo and the README say it, is so
// in the run.
func TestTheTimesOfTheDemoAreThoseOfItsRun(t *testing.T) {
	story, err := scenarios.Load(demo[0].story)
	if err != nil {
		t.Fatal(err)
	}
	out, err := story.Run(scenarios.Options{})
	if err != nil {
		t.Fatal(err)
	}
	first := func(op model.Op, found func(*model.Event) bool) *model.Event {
		list := out.History.Events
		return &list[slices.IndexFunc(list, func(e model.Event) bool { return e.Kind == model.Applied && e.Op == op && found(&e) })]
	}
	lapses := first(model.OpClaim, func(e *model.Event) bool { return e.N == 1 }).Until.String()
	reaped := strings.Replace(first(model.OpReap, func(e *model.Event) bool { return e.Moved == 1 }).At.String(), ".000", "", 1)
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	prose := regexp.MustCompile(`(\d) s\b`).ReplaceAllString(strings.ReplaceAll(string(readme), "\n", " "), "${1}s")
	for _, says := range []string{"ended at " + lapses, "finds it at " + reaped} {
		if !strings.Contains(demo[0].says[1], says) {
			t.Errorf("the first scene does not say %q", says)
		}
		if !strings.Contains(prose, says) {
			t.Errorf("README.md does not say %q", says)
		}
	}
	if says := "the reap at " + reaped; !strings.Contains(demo[1].says[0], says) {
		t.Errorf("the second scene does not say %q", says)
	}
}

// A terminal is as wide as COLUMNS says, if that is a number, and else as it says itself.
func TestATerminalIsAsWideAsItsUserSays(t *testing.T) {
	for _, c := range []struct {
		columns   string
		has, want int
	}{{"120", 80, 120}, {"", 100, 100}, {"0", 100, 100}, {"-5", 100, 100}, {"wide", 100, 100}, {"", -1, 0}} {
		if got := wished(c.columns, c.has); got != c.want {
			t.Errorf("COLUMNS=%q of a terminal of %d: %d, want %d", c.columns, c.has, got, c.want)
		}
	}
}
