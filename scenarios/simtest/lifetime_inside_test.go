package simtest

import (
	"context"
	"testing"
)

// TestALifetimeIsAContextLikeAnyOther, whether somebody asked for more before it ended or
// asks after.
func TestALifetimeIsAContextLikeAnyOther(t *testing.T) {
	for _, early := range []bool{true, false} {
		var l lifetime
		if l.Err() != nil {
			t.Errorf("early %t: over before its end: %v", early, l.Err())
		}
		if early {
			l.Done()
		}
		l.end(ErrLeaseLost)
		l.end(nil)
		child, cancel := context.WithCancel(&l)
		defer cancel()
		<-l.Done()
		<-child.Done()
		if l.Err() != context.Canceled || child.Err() != context.Canceled {
			t.Errorf("early %t: %v, and what is made of it %v", early, l.Err(), child.Err())
		}
		if context.Cause(&l) != ErrLeaseLost || context.Cause(child) != ErrLeaseLost {
			t.Errorf("early %t: the causes are %v and %v", early, context.Cause(&l), context.Cause(child))
		}
	}
}

func TestTheEndOfALifetimeEndsWhatWasMadeOfIt(t *testing.T) {
	var l lifetime
	child, cancel := context.WithCancel(&l)
	defer cancel()
	told := make(chan struct{})
	context.AfterFunc(child, func() { close(told) })
	if child.Err() != nil {
		t.Fatalf("over before its end: %v", child.Err())
	}
	l.end(nil)
	<-told
	if context.Cause(child) != context.Canceled {
		t.Errorf("the cause is %v", context.Cause(child))
	}
}
