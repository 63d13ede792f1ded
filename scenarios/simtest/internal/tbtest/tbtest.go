// Package tbtest runs what fails a test, to see that it does.
package tbtest

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// TB is a test that takes note instead of failing. Its cleanups run with those of
// the test that it stands in.
type TB struct {
	testing.TB
	Broke bool
	Said  []string          // what it was told to print, in order
	Attrs map[string]string // by key
}

// Run runs f with a TB under t, in a goroutine that FailNow ends, and returns it.
func Run(t testing.TB, f func(testing.TB)) *TB {
	t.Helper()
	tb := &TB{TB: t, Attrs: map[string]string{}}
	done := make(chan struct{})
	go func() {
		defer close(done)
		f(tb)
	}()
	<-done
	return tb
}

// Text returns all that was printed.
func (tb *TB) Text() string { return strings.Join(tb.Said, "\n") }

func (tb *TB) say(s string) { tb.Said = append(tb.Said, strings.TrimRight(s, "\n")) }

// What a testing.TB does, noted.

func (tb *TB) Attr(key, value string)       { tb.Attrs[key] = value }
func (tb *TB) Failed() bool                 { return tb.Broke }
func (tb *TB) Fail()                        { tb.Broke = true }
func (tb *TB) FailNow()                     { tb.Broke = true; runtime.Goexit() }
func (tb *TB) Log(args ...any)              { tb.say(fmt.Sprintln(args...)) }
func (tb *TB) Logf(f string, args ...any)   { tb.say(fmt.Sprintf(f, args...)) }
func (tb *TB) Error(args ...any)            { tb.Log(args...); tb.Fail() }
func (tb *TB) Errorf(f string, args ...any) { tb.Logf(f, args...); tb.Fail() }
func (tb *TB) Fatal(args ...any)            { tb.Log(args...); tb.FailNow() }
func (tb *TB) Fatalf(f string, args ...any) { tb.Logf(f, args...); tb.FailNow() }
