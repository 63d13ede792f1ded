package main

import (
	"bytes"
	"io"
	"os"
	"testing"
)

// What README.md says that check-log says of the log in README.md, it says.
func TestTheReadmeShowsWhatALogComesTo(t *testing.T) {
	log, report := readmeBlock(t, `{"format":"ackgap-log/1"`), readmeBlock(t, "LOG           night.jsonl")
	t.Chdir(t.TempDir())
	if err := os.WriteFile("night.jsonl", []byte(log+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	got := run(t.Context(), []string{"check-log", "night.jsonl", "--property", "no-duplicate-effect,settled-once"}, nil, &out, io.Discard)
	if got != exitNotMet || out.String() != report+"\n" {
		t.Errorf("exit status %d, README.md shows\n%s\n\nand it says\n%s", got, report, out.String())
	}
}
