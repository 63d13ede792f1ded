package simtest

import (
	"context"
	"testing"
)

// Where the processor is another, the stack tells whose goroutine it is, however deep.
func TestTheStackTellsAHandlersGoroutine(t *testing.T) {
	if isHandlers() {
		t.Error("a test is taken for a handler")
	}
	var deep func(n int) bool
	deep = func(n int) bool {
		if n == 0 {
			return isHandlers()
		}
		return deep(n - 1)
	}
	for _, n := range []int{0, 1, 50, 57, 64, 120, 1000} {
		known := false
		h := func(context.Context, Job) error { known = deep(n); return nil }
		c := &course{on: &stage{}, life: &life{handler: h}, out: &outside{}}
		if c.body(); !known || !c.ended {
			t.Errorf("a handler %d calls deep is not known", n)
		}
	}
}
