package main

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/scenarios"
)

// What README.md says of a twin is what `ackgap twin lost-ack` prints above the two
// histories that it draws.
func TestTheReadmeShowsTheTwinThatIsFound(t *testing.T) {
	var out bytes.Buffer
	if got := run(t.Context(), []string{"twin", "lost-ack"}, nil, &out, io.Discard); got != exitMet {
		t.Fatalf("exit status %d", got)
	}
	block := readmeBlock(t, "COULD THE QUEUE HAVE KNOWN?  No.\n  In this run")
	if got, _, _ := strings.Cut(out.String(), "\n\n     time A: "); got != block {
		t.Errorf("README.md shows\n%s\n\nand drawn is\n%s", block, got)
	}
}

// The story in README.md is the one that ships, but for its longer comment.
func TestTheReadmeTellsTheStoryThatShips(t *testing.T) {
	text, err := scenarios.Text("lost-ack")
	if err != nil {
		t.Fatal(err)
	}
	told, shipped := directives(readmeBlock(t, "story  lost-ack")), directives(string(text))
	if told != shipped {
		t.Errorf("README.md tells\n%s\n\nand the catalogue has\n%s", told, shipped)
	}
}

// What README.md shows of a check that fails is what it prints, in parts.
func TestTheReadmeShowsTheFailureOfACheck(t *testing.T) {
	var story, out bytes.Buffer
	if got := run(t.Context(), []string{"teach", "--story", "haystack"}, nil, &story, io.Discard); got != exitMet {
		t.Fatalf("exit status %d", got)
	}
	block := readmeBlock(t, "THE FIRST FAILURE")
	t.Chdir(t.TempDir())
	if err := os.WriteFile("haystack.story", story.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := run(t.Context(), []string{"check", "haystack.story", "--runs", "200"}, nil, &out, io.Discard); got != exitNotMet {
		t.Errorf("exit status %d", got)
	}
	rest := out.String()
	for _, part := range strings.Split(block, "\n...\n") {
		_, behind, found := strings.Cut(rest, part+"\n")
		if !found {
			t.Fatalf("README.md shows\n%s\n\nand that does not stand in\n%s", part, rest)
		}
		rest = behind
	}
	if rest != "" {
		t.Errorf("behind what README.md shows there is\n%s", rest)
	}
}

// readmeBlock returns the first fenced block of README.md that contains a text.
func readmeBlock(t *testing.T, part string) string { t.Helper(); return blockOf(t, "README.md", part) }

// blockOf is readmeBlock of a file of the repository.
func blockOf(t *testing.T, file, part string) string {
	t.Helper()
	text, err := os.ReadFile("../../" + file)
	if err != nil {
		t.Fatal(err)
	}
	for i, block := range strings.Split(string(text), "```") {
		if i%2 == 1 && strings.Contains(block, part) {
			return strings.Trim(block, "\n")
		}
	}
	t.Fatalf("%s has no block with %q", file, part)
	return ""
}

// directives returns the lines of a story that are neither comment nor empty.
func directives(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}
