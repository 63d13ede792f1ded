package main

import (
	"bytes"
	"io"
	"os"
	"testing"
)

// What the manual says that check-log says of the log in it, it says.
func TestTheManualShowsWhatALogComesTo(t *testing.T) {
	const manual = "reports/docs/simtest.md"
	log, report := blockOf(t, manual, `{"format":"ackgap-log/1"`), blockOf(t, manual, "LOG           night.jsonl")
	t.Chdir(t.TempDir())
	if err := os.WriteFile("night.jsonl", []byte(log+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	got := run(t.Context(), []string{"check-log", "night.jsonl", "--property", "no-duplicate-effect,settled-once"}, nil, &out, io.Discard)
	if got != exitNotMet || out.String() != report+"\n" {
		t.Errorf("exit status %d, the manual shows\n%s\n\nand it says\n%s", got, report, out.String())
	}
}
