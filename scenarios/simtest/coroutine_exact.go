//go:build ackgap_exact

package simtest

import _ "unsafe" // for go:linkname

// This is the coroutine of coroutine.go made of the runtime's own three
// functions behind iter.Pull. It ends where it stands, as a process does that is
// killed: no deferred function runs, its stack is freed at once, and no goroutine
// is left. It needs a linker that lets it reach them:
//
//	go test -tags ackgap_exact -ldflags=-checklinkname=0 ./...
//
// Go promises nothing about them. They are as Go 1.23 to 1.26 have them.
type coroutine struct {
	c    *coro
	over bool
}

// coro is the runtime's.
type coro struct{}

//go:linkname newcoro runtime.newcoro
func newcoro(func(*coro)) *coro

//go:linkname coroswitch runtime.coroswitch
func coroswitch(*coro)

//go:linkname coroexit runtime.coroexit
func coroexit(*coro)

// runsDefers says that a crash runs the deferred functions of the handler.
const runsDefers = false

func newCoroutine(body func()) *coroutine {
	c := &coroutine{}
	c.c = newcoro(func(*coro) {
		defer func() { c.over = true }() // also when the handler ends its goroutine
		body()
	})
	return c
}

func (c *coroutine) resume() (parked bool) {
	coroswitch(c.c)
	return !c.over
}

func (c *coroutine) park() { coroswitch(c.c) }

// died is thrown by coroutine.go only.
type died struct{ *course }

// die ends c, from within. It does not return.
func (c *coroutine) die(*course) {
	c.over = true
	coroexit(c.c)
}
