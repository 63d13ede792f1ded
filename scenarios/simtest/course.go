package simtest

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios/actors"
)

// ErrLeaseLost is the cause of a context that was cancelled because the worker
// knows that its lease is over: see context.Cause.
var ErrLeaseLost = errors.New("simtest: the lease is over")

// maxStubborn is how often a handler may recover from its own death before it is
// given up.
const maxStubborn = 1000

// MaxCalls is how often a handler may reach for the outside in one delivery. One
// that does so more often is taken for a loop without end, which fails the test.
const MaxCalls = 10_000

// course is one delivery's handler under way: an actors.Course. A Job holds it, and may do
// so for longer than it is valid, so that each delivery has one of its own.
type course struct {
	out  *outside
	life *life
	on   *stage
	ctx  lifetime

	now     model.Time   // by the worker's clock, when it went on last: a Job that is kept tells no other's
	held    *actors.Call // in a bubble: what it reached for after it slept
	refusal int32        // how often it came back from the dead
	calls   int32        // to the outside, those as well that were not tried
	runs    atomic.Bool  // it has the turn; others may look
	dead    bool         // its process has crashed
	ended   bool         // it has returned
	over    bool         // it has no stage any more
}

// talk is what a handler and the simulator tell each other. It stands on the stage, and not
// with the course: there one delivery after another finds it in the processor's cache.
type talk struct {
	d     actors.Delivery
	wake  actors.Wake // what the handler learned when it went on last
	call  actors.Call // what it reached for, or returned
	do    action
	about request // what do needs, and what came of it
}

// action is what one step does at the outside. It closes over nothing, which would be one
// more allocation for each step: what it is about comes in r.
type action func(c *course, r *request, now model.Time) actors.Deed

// request is what one step is about, and what came of it.
type request struct {
	key, text string
	ttl       time.Duration
	tx        *transaction
	own       func() Deed // of Job.Do
	cell      *cell
	found     value
	err       error
}

// begin starts nothing yet: the handler runs at the first Go.
func (o *outside) begin(d actors.Delivery) *course {
	c := o.courses.take()
	c.out, c.life = o, o.lifeOf(d.Worker)
	c.on = o.stageFor(c)
	c.on.d = d
	return c
}

// body runs on the stage: the handler, and what it came to.
func (c *course) body() {
	defer c.caught()
	var err error
	if !c.dead {
		err = c.life.handler(&c.ctx, c.job())
	}
	c.on.call, c.ended = actors.Call{Failed: err != nil}, true
}

// caught ends a death, and takes a panic for an error of the handler that fails
// the test.
func (c *course) caught() {
	switch p := recover().(type) {
	case nil:
		if !c.ended && !c.dead {
			c.on.call = actors.Call{Failed: true}
			c.out.blame(errors.New("the handler ended its goroutine (runtime.Goexit, or t.FailNow and what calls it: t.Fatal, t.Skip): let it return an error, and use t.Error for what the test shall say"))
		}
	case died:
	default:
		c.on.call = actors.Call{Failed: true}
		if !c.dead {
			c.out.blame(fmt.Errorf("the handler panicked: %s", panicText(p)))
		}
	}
}

// Go lets the handler run until it reaches for the outside or returns.
func (c *course) Go(w actors.Wake) actors.Call {
	if c.held != nil {
		call := *c.held
		c.held = nil
		return call
	}
	c.on.wake, c.now = w, w.Now
	if w.Lost && !c.out.ignoresContext {
		c.ctx.end(ErrLeaseLost)
		c.life.settle(c)
	}
	slept := c.turn()
	c.life.settle(c)
	if slept > 0 {
		call := c.on.call
		c.held = &call
		return actors.Call{Step: model.StepSleep, Span: slept, Patient: true}
	}
	return c.on.call
}

// turn gives the handler its turn. It returns how long it slept by the clock of a
// synctest bubble, zero outside of one.
func (c *course) turn() time.Duration {
	from := c.out.bubble.catchUp(c.on.wake.At)
	c.runs.Store(true)
	if !c.on.resume(c.out) {
		c.over = true
		c.ctx.end(nil)
	}
	c.runs.Store(false)
	return c.out.bubble.since(from)
}

// Do takes the step that the handler reached for, unless the outside refuses it.
func (c *course) Do(now model.Time, refused bool) actors.Deed {
	if refused {
		c.on.about.err = ErrRefused
		return actors.Deed{Kind: model.Absorbed, Cause: model.ByRefusal}
	}
	return c.on.do(c, &c.on.about, now)
}

// Drop ends the handler where it stands. What it does from then on is void, and
// each call of its to the outside ends it once more.
func (c *course) Drop() {
	c.dead = true
	c.ctx.end(context.Canceled)
	if !c.over { // a handler in a bubble may have returned, and sleep still
		c.runs.Store(true)
		if c.on.resume(c.out) {
			c.out.blame(fmt.Errorf("the handler recovers from the crash of its process, %d times: let a recover pass on what it does not know", maxStubborn))
		}
		c.runs.Store(false)
	}
	c.life.over()
}

// enter is the beginning of each call to the outside: the dead end here, and
// what ctx forbids is not tried.
func (c *course) enter(ctx context.Context) error {
	if c.strayed() {
		c.out.strayed.Store(true)
		return errStray
	}
	c.mourn()
	if c.calls++; c.calls > MaxCalls {
		c.out.blame(fmt.Errorf("the handler reached for the outside more than %d times in one delivery of %s: does a loop go on when its context is done (ctx.Err() != nil), or never end?", MaxCalls, c.on.d.ID))
		c.dead, c.on.call = true, actors.Call{Failed: true}
		c.mourn()
	}
	return ctx.Err()
}

// take reaches for one step at the outside.
func (c *course) take(ctx context.Context, step Step, r request, do action) error {
	if err := c.enter(ctx); err != nil {
		return err
	}
	c.on.about, c.on.do = r, do
	c.cross(actors.Call{Step: step, Effect: step == Apply || step == Commit})
	return c.on.about.err
}

// cross gives the turn to the simulator: the handler reaches for the outside. It
// returns when the step was taken, and not at all when the process has crashed.
func (c *course) cross(call actors.Call) actors.Wake {
	call.Patient = call.Patient || c.out.ignoresContext
	c.on.call = call
	c.on.co.park()
	c.mourn()
	return c.on.wake
}

// Error is what a handler reads that recovers from its crash.
func (died) Error() string { return "simtest: the process has crashed" }

// mourn ends the handler of a process that has crashed.
func (c *course) mourn() {
	if !c.dead {
		return
	}
	if c.refusal++; c.refusal > maxStubborn {
		c.on.co.park() // for ever
	}
	c.on.co.die(c)
}
