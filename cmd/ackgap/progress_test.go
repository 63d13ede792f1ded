package main

import (
	"strings"
	"testing"
	"time"
)

// A terminal has a bar, which goes away in the end.
func TestATerminalHasABar(t *testing.T) {
	var b strings.Builder
	m := newMeter(&b)
	m.terminal = true
	m.tell(50, 100, "half of it")
	if got := b.String(); !strings.Contains(got, "49% |███████████ ") || !strings.Contains(got, "half of it") || strings.Contains(got, "\n") {
		t.Errorf("the bar is %q", got)
	}
	b.Reset()
	m.end()
	if got := strings.Trim(b.String(), " "); got != "\r" && got != "\r\x1b[0K" && got != "\x1b[2K\r" {
		t.Errorf("it is cleared by %q", got)
	}
}

// Where nobody knows the end a bar only moves.
func TestABarWithoutAnEnd(t *testing.T) {
	var b strings.Builder
	m := newMeter(&b)
	m.terminal = true
	m.tell(12345, 0, "12345 states")
	m.end()
	if got := b.String(); strings.Contains(got, "%") || !strings.Contains(got, "12345 states") {
		t.Errorf("the bar is %q", got)
	}
}

// Elsewhere it is a line every ten seconds, and none in the first second of anything.
func TestElsewhereALineEveryTenSeconds(t *testing.T) {
	var b strings.Builder
	m := newMeter(&b)
	lines := 0
	for passed := time.Duration(0); passed <= time.Minute; passed += 100 * time.Millisecond {
		if m.isDue(m.began.Add(passed)) {
			m.tell(1, 2, "on its way")
			lines++
		}
	}
	m.end()
	if got := b.String(); got != strings.Repeat("on its way\n", 6) || lines != 6 {
		t.Errorf("in a minute it says %q", got)
	}
}
