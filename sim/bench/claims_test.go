package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// reached returns every bar of RESULTS.md, and whether it was reached.
func reached(results string) map[string]bool {
	bars := map[string]bool{}
	inBars := false
	for line := range strings.Lines(results) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		switch {
		case len(cells) != 3:
			inBars = false
		case cells[0] == "bar":
			inBars = true
		case inBars && !strings.HasPrefix(cells[0], "---"):
			bars[cells[0]] = cells[2] == "yes"
		}
	}
	return bars
}

// claims returns the list of README's section on speed.
func claims(readme string) (list []string) {
	_, rest, _ := strings.Cut(readme, "\n## Speed\n")
	section, _, _ := strings.Cut(rest, "\n## ")
	for line := range strings.Lines(section) {
		if claim, ok := strings.CutPrefix(strings.TrimSpace(line), "- "); ok {
			list = append(list, claim)
		}
	}
	return list
}

// speaksOfSpeed matches a figure of time, rate or memory, and any comparison.
var speaksOfSpeed = regexp.MustCompile(`(?i)\bfast(er|est)\b|[0-9].*( a second|per second|/s\b|microsecond|nanosecond|\bMB\b|µs|\bGB\b)`)

// strays returns the lines of a README, but for code, that speak of speed and claim
// what is no bar.
func strays(readme string, bars map[string]bool) (list []string) {
	inCode := false
	for line := range strings.Lines(readme) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") {
			inCode = !inCode
		}
		_, isBar := bars[strings.TrimPrefix(line, "- ")]
		if !inCode && !isBar && speaksOfSpeed.MatchString(line) {
			list = append(list, line)
		}
	}
	return list
}

func TestEveryClaimOfTheReadmeIsABarThatWasReached(t *testing.T) {
	readme, bars := read(t, "../../README.md"), reached(read(t, resultsFile))
	list := claims(readme)
	if len(list) == 0 {
		t.Fatal("README claims nothing about speed: its section has no list, or another name")
	}
	for _, claim := range list {
		if was, is := bars[claim]; !is {
			t.Errorf("README claims %q, which is no bar of %s", claim, resultsFile)
		} else if !was {
			t.Errorf("README claims %q, which was not reached when it was measured last", claim)
		}
	}
	for _, line := range strays(readme, bars) {
		t.Errorf("README speaks of speed outside of its list: %q", line)
	}
}

func TestAClaimIsCaught(t *testing.T) {
	bars := reached("| bar | measured | reached |\n|---|--:|--:|\n| ahead of it | 1.1x | yes |\n| twice as good | 1.9x | no |\n\n| other | table | yes |\n")
	if len(bars) != 2 || !bars["ahead of it"] || bars["twice as good"] {
		t.Errorf("the bars were read as %v", bars)
	}
	readme := "# it\nabout 4 million a second\n```\n5 MB\n```\n## Speed\nwords\n- ahead of it\n- the fastest of all\n## Next\n- no claim\n"
	if got := claims(readme); len(got) != 2 || got[1] != "the fastest of all" {
		t.Errorf("the claims were read as %q", got)
	}
	if got := strays(readme, bars); len(got) != 2 || got[0] != "about 4 million a second" || got[1] != "- the fastest of all" {
		t.Errorf("strays: %q", got)
	}
}
