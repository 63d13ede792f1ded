package reports

import (
	"strings"
	"testing"

	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/coverage"
)

// mapOf counts 200 worlds of a story.
func mapOf(t *testing.T, text string) *coverage.Map {
	t.Helper()
	story, err := scenarios.Parse("small.story", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	campaign, err := scenarios.NewCampaign(story)
	if err != nil {
		t.Fatal(err)
	}
	m, err := coverage.Explore(scenarios.NewRunner().World, campaign, 1, 200, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// small is a map of one fault, and of a story without random worlds.
func small(t *testing.T) *Coverage {
	return &Coverage{Stories: []CoverageStory{
		{"small", *mapOf(t, "worker w1\njob J1\nchaos drop complete rate=40%\n")},
		{Name: "calm\x1b"},
	}}
}

func TestAMapOfCoverageSaysWhatStruckWhereAndWhatNeverDid(t *testing.T) {
	golden(t, "coverage", AppendCoverage(nil, small(t), Style{ASCII: true}))
}

// However many worlds there were, and whatever was reached, a line is a hundred
// columns wide at most.
func TestAMapOfCoverageFitsAHundredColumns(t *testing.T) {
	c := small(t)
	for range 14 { // doubles
		one := c.Stories[0].Map
		c.Stories[0].Map.Add(&one)
	}
	text := string(AppendCoverage(nil, c, Style{}))
	if !strings.Contains(text, "k ") {
		t.Errorf("no number is large enough for this test:\n%s", text)
	}
	for line := range strings.Lines(text) {
		if n := width(strings.TrimSuffix(line, "\n")); n > 100 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

// In a narrower terminal the table stands in parts, and says what the wide one says.
func TestAMapOfCoverageFitsItsTerminal(t *testing.T) {
	c := small(t)
	wide := strings.Fields(string(AppendCoverage(nil, c, Style{})))
	for _, columns := range []int{60, 80, 100, 200} {
		text := string(AppendCoverage(nil, c, Style{Width: columns}))
		for line := range strings.Lines(text) {
			if n := width(strings.TrimSuffix(line, "\n")); n > columns {
				t.Errorf("at %d columns a line has %d: %s", columns, n, line)
			}
		}
		for _, word := range wide {
			if !strings.Contains(text, word) {
				t.Errorf("at %d columns %q is gone", columns, word)
			}
		}
	}
}

func TestAMapOfCoverageKeepsItsSchema(t *testing.T) {
	s := compile(t, SchemaCoverage)
	doc := AppendCoverageJSON(nil, small(t))
	if err := validate(t, s, doc); err != nil {
		t.Errorf("%v\n%s", err, doc)
	}
	for _, c := range []struct{ good, bad string }{
		{`"fault":"drop"`, `"fault":"fire"`},
		{`"phase":"settle"`, `"phase":"dream"`},
		{`"worlds":"held"`, `"worlds":"fine"`},
		{`"goals":156`, `"goals":0`},
		{`"held":0,"broken":0`, `"held":-1,"broken":0`},
		{`ackgap-coverage/1`, `ackgap-coverage/2`},
	} {
		bad := strings.Replace(string(doc), c.good, c.bad, 1)
		if bad == string(doc) {
			t.Fatalf("the document has no %s", c.good)
		}
		if validate(t, s, []byte(bad)) == nil {
			t.Errorf("the schema takes %s for %s", c.bad, c.good)
		}
	}
}
