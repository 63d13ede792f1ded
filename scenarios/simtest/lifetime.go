package simtest

import (
	"context"
	"sync"
	"time"
)

// lifetime is the context of one delivery's handler. Most ask it for nothing but whether
// it is over: the context of the standard library that knows all the rest is made for
// those who ask for more.
type lifetime struct {
	mu     sync.Mutex // others may hold it that the handler has started
	cause  error      // why it is over; nil as long as it is not
	made   context.Context
	cancel context.CancelCauseFunc
}

// end cancels it, unless it is over already. A nil cause is context.Canceled.
func (l *lifetime) end(cause error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cause != nil {
		return
	}
	if l.cause = cause; cause == nil {
		l.cause = context.Canceled
	}
	if l.cancel != nil {
		l.cancel(l.cause)
	}
}

func (l *lifetime) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cause != nil {
		return context.Canceled
	}
	return nil
}

func (*lifetime) Deadline() (time.Time, bool) { return time.Time{}, false }

func (l *lifetime) Done() <-chan struct{} { return l.whole().Done() }

// Value is how package context finds its own one: for context.Cause, and for what is made
// of this one.
func (l *lifetime) Value(key any) any { return l.whole().Value(key) }

func (l *lifetime) whole() context.Context {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.made == nil {
		l.made, l.cancel = context.WithCancelCause(context.Background())
		if l.cause != nil {
			l.cancel(l.cause)
		}
	}
	return l.made
}
