package scenarios_test

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/scenarios"
)

// storiesPage is reports/docs/stories.md, cut up.
type storiesPage struct {
	stories  []string            // its fenced blocks
	sections map[string][]string // by the text of the heading, without quotes: its lines
}

func readStoriesPage(t *testing.T) *storiesPage {
	t.Helper()
	text, err := os.ReadFile("../reports/docs/stories.md")
	if err != nil {
		t.Fatal(err)
	}
	p := &storiesPage{sections: map[string][]string{}}
	heading := ""
	for i, part := range strings.Split(string(text), "```\n") {
		if i%2 == 1 {
			p.stories = append(p.stories, part)
			continue
		}
		for line := range strings.Lines(part) {
			if title, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); ok && line[0] == '#' {
				heading = strings.TrimSpace(strings.ReplaceAll(title, "`", ""))
			}
			p.sections[heading] = append(p.sections[heading], line)
		}
	}
	return p
}

// rows returns the rows of all tables of the page whose first column is headed so, as
// cells, each behind the heading of its section.
func (p *storiesPage) rows(head string) (rows [][]string) {
	for _, section := range slices.Sorted(maps.Keys(p.sections)) {
		in := false
		for _, line := range p.sections[section] {
			cells := strings.Split(strings.Trim(line, "| \n"), "|")
			for i := range cells {
				cells[i] = strings.TrimSpace(cells[i])
			}
			switch {
			case line[0] != '|':
				in = false
			case cells[0] == head:
				in = true
			case in && !strings.HasPrefix(cells[0], "--"):
				rows = append(rows, append([]string{section}, cells...))
			}
		}
	}
	return rows
}

var inCode = regexp.MustCompile("`([^`]+)`")

// spans returns what is marked as code in a text.
func spans(text string) (list []string) {
	for _, m := range inCode.FindAllStringSubmatch(text, -1) {
		list = append(list, m[1])
	}
	return list
}

// told are the words of a section that are marked as code.
func (p *storiesPage) told(t *testing.T, section string) (words []string) {
	t.Helper()
	lines, ok := p.sections[section]
	if !ok {
		t.Fatalf("the page has no section %q", section)
	}
	for _, span := range spans(strings.Join(lines, "")) {
		words = append(words, strings.Fields(span)...)
	}
	return words
}

// around is the world in which the lines of the page are read that use names.
const around = "producer p\nworker w1\nworker w2 consumer=external heartbeat=10s\njob J1\n"

// inWorld returns a story that holds a line, and the names that it uses.
func inWorld(line string) string {
	switch directive, _, _ := strings.Cut(line, " "); strings.TrimSuffix(directive, "?") {
	case "fault", "chaos", "do", "expect":
		return around + line + "\n"
	}
	return line + "\n"
}

// written is the story that holds a line in its canonical form, or why there is none.
func written(line string) (string, error) {
	s, err := scenarios.Parse("f", []byte(inWorld(line)))
	if err != nil {
		return "", err
	}
	return string(s.Text()), nil
}

var allowed = regexp.MustCompile(`unknown [a-z ]+ "nothing[^;]*"; (?:allowed: (.*?)(?:; or several .*)?|there are none|nothing may follow)$`)

// allowedIn returns what the parser says it would allow in the place of `nothing-alike`
// in a line, by the last of its errors.
func allowedIn(t *testing.T, line string) []string {
	t.Helper()
	_, err := scenarios.Parse("f", []byte(inWorld(line)))
	m := allowed.FindStringSubmatch(fmt.Sprint(err))
	if m == nil || strings.Contains(m[1], "...") {
		t.Fatalf("%s: the parser does not say all that it allows: %v", line, err)
	}
	if m[1] == "" {
		return nil
	}
	return strings.Split(m[1], ", ")
}

// optionsOf returns the options that the parser knows on a line like this one.
func optionsOf(t *testing.T, line string) []string {
	return allowedIn(t, line+" nothing-alike=1")
}

// formOf is what a line is a form of: its directive, without the mark of what is optional,
// and, where there is one, its kind.
func formOf(line string) string {
	words := strings.Fields(line)
	directive := strings.TrimSuffix(words[0], "?")
	if slices.Contains([]string{"fault", "chaos", "do", "expect"}, directive) {
		return directive + " " + words[1]
	}
	return directive
}
