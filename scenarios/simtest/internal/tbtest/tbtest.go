// Package tbtest runs what fails a test, to see that it does.
package tbtest

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// TB is a test that takes note instead of failing.
type TB struct {
	testing.TB
	Broke bool
	Said  []string          // what it was told to print, in order
	Attrs map[string]string // by key

	cleanups []func()
}

// Run runs f with a TB under t, in a goroutine that FailNow ends, and returns it.
func Run(t testing.TB, f func(testing.TB)) *TB {
	t.Helper()
	tb := &TB{TB: t, Attrs: map[string]string{}}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer tb.clean()
		f(tb)
	}()
	<-done
	return tb
}

// Cleanup runs f when the test that tb is has ended, the last one first.
func (tb *TB) Cleanup(f func()) { tb.cleanups = append(tb.cleanups, f) }

func (tb *TB) clean() {
	for i := len(tb.cleanups) - 1; i >= 0; i-- {
		tb.cleanups[i]()
	}
}

// Text returns all that was printed.
func (tb *TB) Text() string { return strings.Join(tb.Said, "\n") }

func (tb *TB) say(s string) { tb.Said = append(tb.Said, strings.TrimRight(s, "\n")) }

// Attr keeps an attribute.
func (tb *TB) Attr(key, value string) { tb.Attrs[key] = value }

// Failed reports whether it would have failed.
func (tb *TB) Failed() bool { return tb.Broke }

// Fail notes a failure.
func (tb *TB) Fail() { tb.Broke = true }

// FailNow notes a failure and ends the goroutine.
func (tb *TB) FailNow() { tb.Broke = true; runtime.Goexit() }

// Log keeps what is said.
func (tb *TB) Log(args ...any) { tb.say(fmt.Sprintln(args...)) }

// Logf keeps what is said.
func (tb *TB) Logf(f string, args ...any) { tb.say(fmt.Sprintf(f, args...)) }

// Error is Log and Fail.
func (tb *TB) Error(args ...any) { tb.Log(args...); tb.Fail() }

// Errorf is Logf and Fail.
func (tb *TB) Errorf(f string, args ...any) { tb.Logf(f, args...); tb.Fail() }

// Fatal is Log and FailNow.
func (tb *TB) Fatal(args ...any) { tb.Log(args...); tb.FailNow() }

// Fatalf is Logf and FailNow.
func (tb *TB) Fatalf(f string, args ...any) { tb.Logf(f, args...); tb.FailNow() }
