package main

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"time"
)

// An interrupt ends the search for what fixes a failure.
func TestAnInterruptEndsAnExplanation(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(100*time.Millisecond, cancel)
	var out bytes.Buffer
	if got := run(ctx, []string{"explain", "livelock", "--runs", "10000000"}, nil, &out, io.Discard); got != exitInterrupted || out.Len() > 0 {
		t.Errorf("exit status %d, and %d bytes", got, out.Len())
	}
}

// What README.md shows of an explanation is what is printed, but for the rows that
// it leaves out and says so.
func TestTheReadmeExplainsAsTheProgramDoes(t *testing.T) {
	var out bytes.Buffer
	if got := run(t.Context(), []string{"explain", "lost-ack", "--runs", "1000"}, nil, &out, io.Discard); got != exitMet {
		t.Fatalf("exit status %d", got)
	}
	for _, part := range strings.Split(readmeBlock(t, "WHAT THIS FAILURE NEEDS"), "\n  ...\n") {
		if !strings.Contains(out.String(), "\n"+part+"\n") {
			t.Errorf("README.md shows\n%s\n\nwhich is no part of\n%s", part, out.String())
		}
	}
}
