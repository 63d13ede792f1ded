package simtest

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios/actors"
)

// Resource is a part of the outside that an adapter brings: a database, another
// service. It outlives every crash within a run, and is made new before the next.
type Resource interface {
	// Reset makes it new for a run.
	Reset() error
	// Crash tells that the process of a worker is gone, and with it whatever it
	// had open: connections, transactions.
	Crash(worker int)
}

// quieter is a Resource with work of its own that goes on behind the handler's
// back: it has to come to rest before anybody else moves.
type quieter interface{ Quiet(worker int) }

// outside is the world that the handlers of one runner reach: an
// actors.Outside. It is used by one goroutine at a time.
type outside struct {
	make           func() Handler
	ignoresContext bool
	service        service
	bubble         bubble

	cells     cells
	versions  int64
	keys      map[string]bool // of effects
	fences    map[model.ID]model.Token
	resources map[string]Resource
	order     []Resource // the same, in the order of the options

	lives        []*life // by worker
	courses      slab[course]
	transactions slab[transaction]
	stages       []*stage    // of this run
	idle         []*stage    // those on which the next handlers run
	row          bool        // check.row: the next run has those that are idle
	broken       error       // why a resource could not be made
	strayed      atomic.Bool // a Job was called where it may not be, in whatever world
	wrong        error       // the first thing that is wrong with the handler itself
}

// life is one process of a worker, from its start to its crash: its memory is
// what its handler closes over.
type life struct {
	out     *outside
	worker  model.Proc
	handler Handler
	ended   bool
}

func newOutside(c *config) *outside {
	o := &outside{make: c.make, ignoresContext: c.ignoresContext, resources: map[string]Resource{}}
	o.service.handler = c.service
	o.bubble.on = c.bubble
	for _, w := range c.with {
		r, err := w.open()
		if err != nil {
			o.broken = fmt.Errorf("simtest: With(%s): %w", script.Quote(w.name), err)
			break
		}
		o.resources[w.name], o.order = r, append(o.order, r)
	}
	return o
}

// Reset makes the world new for a run.
func (o *outside) Reset() {
	o.keys, o.fences = map[string]bool{}, map[model.ID]model.Token{}
	o.versions, o.wrong = 0, o.broken
	o.cells.reset()
	clear(o.lives)
	o.service.reset()
	o.bubble.reset()
	for _, r := range o.order {
		o.safely("Reset of a Resource", func() { o.blame(r.Reset()) })
	}
}

// Begin starts the handler of a delivery.
func (o *outside) Begin(d actors.Delivery) actors.Course { return o.begin(d) }

// blame keeps the first error that is the handler's own, or an adapter's.
func (o *outside) blame(err error) {
	if o.wrong == nil {
		o.wrong = err
	}
}

// lifeOf returns the process that worker p runs in.
func (o *outside) lifeOf(p model.Proc) *life {
	for int(p) >= len(o.lives) {
		o.lives = append(o.lives, nil)
	}
	if l := o.lives[p]; l == nil || l.ended {
		o.lives[p] = &life{out: o, worker: p, handler: o.newHandler()}
	}
	return o.lives[p]
}

// newHandler returns the handler of a process, or one that does nothing where the user's
// function has none to give.
func (o *outside) newHandler() (h Handler) {
	o.safely("the function of PerProcess", func() { h = o.make() })
	if h == nil {
		o.blame(errors.New("the function of PerProcess returned a nil Handler"))
		return func(context.Context, Job) error { return ErrRefused }
	}
	return h
}

// safely calls what is the user's on the simulator's own stack, where a panic of its would
// end all tests.
func (o *outside) safely(what string, f func()) {
	defer func() {
		if p := recover(); p != nil {
			o.blame(fmt.Errorf("%s panicked: %s", what, panicText(p)))
		}
	}()
	f()
}

// over ends the process: what it had open is gone.
func (l *life) over() {
	l.ended = true
	for _, r := range l.out.order {
		l.out.safely("Crash of a Resource", func() { r.Crash(int(l.worker)) })
	}
}

// settle waits for what works behind the handler's back once its context is done,
// so that it does not race with those who move next.
func (l *life) settle(c *course) {
	for _, r := range l.out.order {
		if q, ok := r.(quieter); ok && c.ctx.Err() != nil {
			l.out.safely("Quiet of a Resource", func() { q.Quiet(int(l.worker)) })
		}
	}
}
