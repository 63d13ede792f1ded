//go:build !ackgap_exact

package simtest

import "iter"

// coroutine is code that takes turns with its owner: one of the two runs, and
// the other stands still. It is what iter.Pull makes of a function.
//
// A coroutine ends when its body returns. One that must end before, because its
// process has crashed, ends by a panic (die), which runs the deferred functions
// on its stack: Go has no other way out of a stack that the runtime offers to
// packages. File coroutine_exact.go has the other one, for who builds with it.
type coroutine struct {
	next  func() (struct{}, bool)
	yield func(struct{}) bool
}

// runsDefers says that a crash runs the deferred functions of the handler.
const runsDefers = true

// newCoroutine returns a coroutine that has not begun. It must be resumed until
// it has ended, for a goroutine stands behind it.
func newCoroutine(body func()) *coroutine {
	c := &coroutine{}
	c.next, _ = iter.Pull(func(yield func(struct{}) bool) {
		c.yield = yield
		body()
	})
	return c
}

// resume lets c run until it parks or ends, and reports whether it parked.
func (c *coroutine) resume() (parked bool) {
	_, parked = c.next()
	return parked
}

// park gives the turn back to the owner, from within c.
func (c *coroutine) park() { c.yield(struct{}{}) }

// died is what a crash throws through the handler. Nobody else can make one.
type died struct{ *course }

// die ends c, from within.
func (c *coroutine) die(why *course) { panic(died{why}) }
