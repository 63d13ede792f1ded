package simtest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios/actors"
)

// Handler is a consumer under test: what a worker does with one delivery of a
// job. Nil settles the delivery as complete, an error sends the job back to be
// retried.
type Handler = func(ctx context.Context, job Job) error

// Job is one delivery of a job, as its consumer sees it, and the way to the
// outside. It is valid until the handler returns, in the handler's own goroutine.
type Job struct {
	ID      string // the same in each delivery of the job
	Payload string
	Token   int64 // the fencing token: a later delivery has a higher one

	course *course
}

func (c *course) job() Job {
	return Job{ID: c.on.d.ID.String(), Payload: c.on.d.Payload, Token: int64(c.on.d.Token), course: c}
}

// ErrRefused is what an effect comes back with that the outside refused
// (`fault error apply`): it did not happen.
var ErrRefused = errors.New("simtest: the outside refused the effect")

// Step names a sort of call to the outside, as faults name it: "after=write J1#1".
type Step = model.Step

// The steps of a handler. The nth of one sort in a delivery is nth=N in a fault.
const (
	Read   = model.StepRead   // a read, which changes nothing
	Write  = model.StepWrite  // a write that stands by itself
	Apply  = model.StepApply  // an effect, or a call to the outside service
	Commit = model.StepCommit // a transaction becomes true
	Sleep  = model.StepSleep
)

// Deed says what one step came to.
type Deed struct {
	Effects int  // how often the outside ledger changed under the job
	Found   bool // what the step looked for, or wrote, stood there already
}

// Do crosses to the outside by an adapter of your own: f is one atomic step. The
// process may crash or stand still before and after it, not within. An Apply or
// Commit may be refused instead, which is ErrRefused. When ctx is done, f is not
// called and its error is returned. Step is Read, Write, Apply or Commit, and a Read has no
// effects.
func (j Job) Do(ctx context.Context, step Step, f func() Deed) error {
	if err := noStep(step, f); err != nil && !j.course.strayed() {
		j.course.out.blame(err)
		return err
	}
	return j.course.take(ctx, step, request{own: f}, ownDeed)
}

// ownDeed is a step of Job.Do.
func ownDeed(c *course, r *request, _ model.Time) (done actors.Deed) {
	step := c.on.call.Step
	defer func() {
		if p := recover(); p != nil {
			c.out.blame(fmt.Errorf("a step of Job.Do panicked: %s", panicText(p)))
			done = deedOf(step, Deed{})
		}
	}()
	d := r.own()
	switch {
	case d.Effects < 0 || d.Effects > maxEffects:
		c.out.blame(fmt.Errorf("a step of Job.Do came to %d effects: a Deed has 0 to %d", d.Effects, maxEffects))
		d.Effects = 0
	case d.Effects > 0 && step == Read:
		c.out.blame(errors.New("a Read of Job.Do came to an effect, and a read changes nothing: let the step be an Apply, or a Commit"))
	}
	return deedOf(step, d)
}

// noStep says what is wrong with a step that Do is asked for.
func noStep(step Step, f func() Deed) error {
	switch step {
	case Read, Write, Apply, Commit:
		if f == nil {
			return errors.New("Job.Do got a nil function: pass what the step does")
		}
		return nil
	case Sleep:
		return errors.New("Job.Do got a Sleep, in which nothing is done: call Job.Sleep")
	}
	return fmt.Errorf("Job.Do got the step %d, which there is not: it is Read, Write, Apply or Commit", step)
}

// maxEffects bounds the effects of one step.
const maxEffects = 1000

func deedOf(step Step, d Deed) actors.Deed {
	kind := model.Marked
	if step == Read {
		kind = model.Checked
	}
	return actors.Deed{Kind: kind, Found: d.Found, Effects: int32(d.Effects)}
}

// Now returns the time by the worker's clock, which a fault may have set off. It
// stands still while the handler computes.
func (j Job) Now() time.Time {
	return time.UnixMilli(model.Time(0).UnixMillis()).UTC().Add(time.Duration(j.course.now))
}

// Sleep lets d pass on the worker's clock. It returns early, with the error of
// ctx, when ctx is done; only the lease ends a context in virtual time.
func (j Job) Sleep(ctx context.Context, d time.Duration) error {
	if err := j.course.enter(ctx); err != nil || d <= 0 {
		return err
	}
	j.course.cross(actors.Call{Step: Sleep, Span: d})
	return ctx.Err()
}

// Sink returns the outside ledger: where effects go that nobody else can see to.
func (j Job) Sink() Sink { return sink{j.course} }

// KV returns a key-value store with transactions.
func (j Job) KV() KV { return store{j.course} }

// Transport returns the way to the outside service.
func (j Job) Transport() http.RoundTripper { return transport{j.course} }

// Client returns an HTTP client whose every request goes to the outside service.
func (j Job) Client() *http.Client { return &http.Client{Transport: j.Transport()} }

// Resource returns what the option With made under that name; nil for an unknown
// one. It is how an adapter of your own finds its world.
func (j Job) Resource(name string) Resource { return j.course.out.resources[name] }

// Worker numbers the worker that has the job, the same in all its lives.
func (j Job) Worker() int { return int(j.course.life.worker) }
