package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ackgap/ackgap/reports/lessons"
)

// Each command that a lesson ends with works as it stands, and shows what the lesson
// says that it shows.
func TestWhatALessonTellsToTryWorks(t *testing.T) {
	for n := 1; n <= lessons.Count; n++ {
		l, err := lessons.Open(n)
		if err != nil {
			t.Fatal(err)
		}
		for _, try := range l.Try {
			out, code := pipeline(t, try.Line)
			if code != try.Exit || !strings.Contains(out, try.Look) || try.Look == "" {
				t.Errorf("lesson %d: %s: exit status %d, want %d; looked for %q in\n%s", n, try.Line, code, try.Exit, try.Look, out)
			}
		}
	}
}

// pipeline runs commands of ackgap that are joined by pipes, and returns what the last
// one prints, and its exit status.
func pipeline(t *testing.T, line string) (out string, code int) {
	t.Helper()
	for part := range strings.SplitSeq(line, " | ") {
		words := strings.Fields(part)
		if words[0] != "ackgap" {
			t.Fatalf("%s is no command of ackgap", part)
		}
		var to, errs bytes.Buffer
		code = run(t.Context(), words[1:], strings.NewReader(out), &to, &errs)
		if errs.Len() > 0 && code == exitUsage {
			t.Fatalf("%s: %s", part, errs.String())
		}
		out = to.String()
	}
	return out, code
}

// With the right answers or the wrong ones, every lesson comes to its end; what is said
// to an answer is what --no-input prints of it.
func TestEveryLessonCanBePlayed(t *testing.T) {
	for n := 1; n <= lessons.Count; n++ {
		number := strconv.Itoa(n)
		whole := teachText(t, "", number, "--no-input")
		for _, answer := range []string{"1\n", "2\n"} {
			played := teachText(t, strings.Repeat(answer, 10), number)
			for _, line := range strings.Split(played, "\n") {
				isPrompt := strings.Contains(line, "or q): ") || strings.HasPrefix(line, "You were right ") || strings.HasSuffix(line, " told one round from another.")
				if !isPrompt && !strings.Contains(whole, line+"\n") {
					t.Errorf("lesson %s does not say %q", number, line)
				}
			}
			if !strings.Contains(played, "\nNEXT  ") {
				t.Errorf("lesson %s does not come to its end:\n%s", number, played)
			}
		}
	}
}

func teachText(t *testing.T, input string, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(t.Context(), append([]string{"teach"}, args...), strings.NewReader(input), &out, &errs); code != exitMet {
		t.Fatalf("%v: exit status %d: %s", args, code, errs.String())
	}
	return out.String()
}

// An interrupt does not wait for an answer that may never come.
func TestAnInterruptEndsALesson(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, cancel)
	in, end := io.Pipe()
	late := time.AfterFunc(30*time.Second, func() { _ = end.Close() })
	if got := run(ctx, []string{"teach", "1"}, in, io.Discard, io.Discard); got != exitInterrupted || !late.Stop() {
		t.Errorf("exit status %d, or it waited for the end of input", got)
	}
	_ = end.Close()
}

// What cannot be written or read ends a lesson with an error.
func TestALessonTellsWhatWentWrong(t *testing.T) {
	full := writer(func([]byte) (int, error) { return 0, errors.New("no space left on device") })
	for _, args := range [][]string{{"teach"}, {"teach", "1"}, {"teach", "1", "--no-input"}, {"teach", "map"}, {"teach", "--story", "calm"}} {
		if got := run(t.Context(), args, strings.NewReader("1\n"), full, io.Discard); got != exitUsage {
			t.Errorf("%v: exit status %d", args, got)
		}
	}
	var errs bytes.Buffer
	endless := strings.NewReader(strings.Repeat("1", 1<<20))
	if got := run(t.Context(), []string{"teach", "1"}, endless, io.Discard, &errs); got != exitUsage || !strings.Contains(errs.String(), "standard input") {
		t.Errorf("an endless answer: exit status %d, %s", got, errs.String())
	}
}
