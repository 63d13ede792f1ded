package simtest

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/queuetest"
)

// Option says how a consumer is checked. One that is out of its bounds, or that
// another one contradicts, ends the test before anything runs.
type Option func(*config)

// The defaults, and the bounds of what is counted.
const (
	DefaultRuns    = 2_000
	MaxRuns        = 10_000_000
	DefaultWorkers = 2
	DefaultJobs    = 3
	DefaultLease   = 30 * time.Second
)

// config is what the options say.
type config struct {
	make           func() Handler
	newQueue       func() model.Queue // nil: EchoMQ as built
	claims         []queuetest.Capability
	runs           int
	seed           uint64
	story          string
	chaos          []string
	mayBreak       []string
	strict         bool
	ignoresContext bool
	bubble         bool
	service        http.Handler
	with           []namedResource

	queue, worker []string // options of their lines: "lease=5s"
	workers, jobs int
	shaped        []string // the options that shape the default world
	errs          []error
}

type namedResource struct {
	name string
	make func() (Resource, error)
}

// open makes the resource, and takes a panic for an error.
func (n namedResource) open() (r Resource, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("its function panicked: %s", panicText(p))
		}
	}()
	if r, err = n.make(); err == nil && r == nil {
		err = errors.New("its function returned a nil Resource and no error")
	}
	return r, err
}

func newConfig(handler Handler, opts []Option) *config {
	c := &config{}
	if handler != nil {
		c.make = func() Handler { return handler }
	}
	if c.apply(opts); c.make == nil {
		c.fail("the handler is nil: pass a func(ctx context.Context, job simtest.Job) error, or nil with PerProcess")
	}
	return c
}

// newQueueConfig is newConfig for a queue.
func newQueueConfig(newQueue func() model.Queue, opts []Option) *config {
	c := &config{newQueue: newQueue}
	if newQueue == nil {
		c.fail("newQueue is nil: pass a func() model.Queue that returns an empty queue")
	}
	c.apply(opts)
	if c.make == nil && (c.service != nil || c.ignoresContext || len(c.with) > 0) {
		c.fail("Service, With and IgnoresContext are for a handler, and the workers of CheckQueue have none: add Consumes, or leave them out")
	}
	return c
}

// apply sets the defaults, and what the options say.
func (c *config) apply(opts []Option) {
	c.runs, c.seed, c.workers, c.jobs = DefaultRuns, 1, DefaultWorkers, DefaultJobs
	for i, o := range opts {
		if o == nil {
			c.fail("option %d is nil: leave it out", i+1)
			continue
		}
		o(c)
	}
	if c.story != "" && len(c.shaped) > 0 {
		c.fail("%s with Story: the story's own lines say that", c.shaped[0])
	}
}

func (c *config) fail(format string, args ...any) {
	c.errs = append(c.errs, fmt.Errorf("simtest: "+format, args...))
}

func (c *config) within(option string, n, low, high int) {
	if n < low || n > high {
		c.fail("%s(%d) must be between %d and %d", option, n, low, high)
	}
}

// shape takes note of an option of the default world.
func (c *config) shape(option string, list *[]string, word string) {
	c.shaped = append(c.shaped, option)
	*list = append(*list, word)
}

func (c *config) span(option, key string, d, low, high time.Duration, list *[]string) {
	if d < low || d > high {
		c.fail("%s(%s) must be between %s and %s", option, d, low, high)
	}
	c.shape(option, list, key+"="+script.FormatDuration(d))
}

// Runs sets how many random worlds are run: 1 to 10,000,000, default 2,000.
func Runs(n int) Option {
	return func(c *config) {
		c.within("Runs", n, 1, MaxRuns)
		c.runs = n
	}
}

// Seed sets the seed of the first world, default 1; the others follow it. Any
// seed is as good as another.
func Seed(n uint64) Option { return func(c *config) { c.seed = n } }

// Workers sets how many workers there are: 1 to 100, default 2.
func Workers(n int) Option {
	return func(c *config) {
		c.within("Workers", n, 1, 100)
		c.shaped = append(c.shaped, "Workers")
		c.workers = n
	}
}

// Jobs sets how many jobs there are: 1 to 1,000, default 3, one each half second. With
// CheckQueue the last two of three or more fail once and twice.
func Jobs(n int) Option {
	return func(c *config) {
		c.within("Jobs", n, 1, 1000)
		c.shaped = append(c.shaped, "Jobs")
		c.jobs = n
	}
}

// Lease sets how long a claim is good for: 100ms to 1h, default 30s.
func Lease(d time.Duration) Option {
	return func(c *config) { c.span("Lease", "lease", d, 100*time.Millisecond, time.Hour, &c.queue) }
}

// Heartbeat lets each worker extend its lease every d while the handler is under
// way: 10ms to 1h. By default it does not.
func Heartbeat(d time.Duration) Option {
	return func(c *config) {
		c.span("Heartbeat", "heartbeat", d, 10*time.Millisecond, time.Hour, &c.worker)
	}
}

// Timeout sets how long a worker waits for the queue, and its handler for the
// outside service: 1ms to 1h, default 5s.
func Timeout(d time.Duration) Option {
	return func(c *config) { c.span("Timeout", "timeout", d, time.Millisecond, time.Hour, &c.worker) }
}

// Work sets how long the handler computes before its first call: 0 to 1h, default
// 20ms.
func Work(d time.Duration) Option {
	return func(c *config) { c.span("Work", "work", d, 0, time.Hour, &c.worker) }
}

// MaxAttempts sets after how many failed deliveries a job is dead: 1 to 100,
// default 3.
func MaxAttempts(n int) Option {
	return func(c *config) {
		c.within("MaxAttempts", n, 1, 100)
		c.shape("MaxAttempts", &c.queue, fmt.Sprintf("max-attempts=%d", n))
	}
}

// Story gives the world as a story: queue, workers, jobs, chaos (scenarios and
// README say how). Every worker without a consumer= gets the handler. If the story
// has faults, `do` lines or expectations it is also run once as it is written.
// Options that shape the default world do not go with it.
func Story(text string) Option {
	return func(c *config) {
		if strings.TrimSpace(text) == "" {
			c.fail("Story is empty: give the lines of a story, or leave it out for the default world")
		}
		c.story = text
	}
}

// Chaos sets what may go wrong, as chaos lines of a story without the first word:
// "drop complete rate=10%", "crash w1 w2 rate=3%". The default is in the manual
// of this package.
func Chaos(lines ...string) Option {
	return func(c *config) {
		if len(lines) == 0 {
			c.fail("Chaos() says nothing: name what may go wrong, as in Chaos(\"drop complete rate=10%%\")")
		}
		for _, line := range lines {
			if strings.TrimSpace(line) == "" || strings.ContainsAny(line, "\r\n") {
				c.fail("Chaos(%s): each string is one chaos line of a story without its first word; pass several strings for several lines", script.Quote(line))
			}
		}
		c.chaos = append(c.chaos, lines...)
	}
}

// MayBreak names properties that may break: they are known, and no failure.
func MayBreak(properties ...string) Option {
	return func(c *config) {
		if len(properties) == 0 {
			c.fail("MayBreak() names nothing: name the properties that may break, as in MayBreak(\"drains\")")
		}
		var names []string
		for _, p := range model.Properties() {
			names = append(names, p.Name)
		}
		for _, p := range properties {
			if _, ok := model.FindProperty(p); !ok {
				c.fail("MayBreak: %s", script.Unknown("property", p, names))
			}
		}
		c.mayBreak = append(c.mayBreak, properties...)
	}
}

// Promises are the properties that a consumer can keep or break, and that a check
// demands: no job is lost, none has its effect twice, and each comes to an end.
var Promises = []string{"no-loss", "no-duplicate-effect", "drains"}

// Strict demands every property, those as well that are the queue's alone. EchoMQ
// as built breaks some of them: with heartbeats, an extend that comes late brings a
// dead job back. Without Strict a world in which the queue has done so counts as
// no failure of the handler's, whatever followed.
func Strict() Option { return func(c *config) { c.strict = true } }

// tolerated are the properties that may break.
func (c *config) tolerated() []string {
	names, promised := slices.Clone(c.mayBreak), Promises
	if c.newQueue != nil {
		promised = queuetest.Properties(c.claims...)
	}
	for _, p := range model.Properties() {
		if !c.strict && !slices.Contains(promised, p.Name) && !slices.Contains(names, p.Name) {
			names = append(names, p.Name)
		}
	}
	return names
}

// IgnoresContext leaves the handler's context alone when the lease is lost. By
// default it is cancelled then: when the worker's own clock says that the lease
// is over, or when a heartbeat is refused.
func IgnoresContext() Option { return func(c *config) { c.ignoresContext = true } }

// PerProcess makes a new handler for each process of a worker: a crash loses what
// it closes over, as it loses memory. CheckConsumer is given nil for a handler.
func PerProcess(make func() Handler) Option {
	return func(c *config) {
		if c.make != nil || make == nil {
			c.fail("PerProcess takes the place of the handler: pass nil for that, and a function here")
		}
		c.make = make
	}
}

// Service is the outside service behind Job.Transport: it is asked in the order
// in which requests arrive, and must not depend on anything else. The default
// answers 200 and {}.
func Service(h http.Handler) Option {
	return func(c *config) {
		if h == nil {
			c.fail("Service(nil): leave it out for the service that answers 200")
		}
		c.service = h
	}
}

// With adds a resource of an adapter, which Job.Resource finds by its name. One is
// made for each runner, and closed with the test if it is an io.Closer; the first
// error ends the test.
func With(name string, make func() (Resource, error)) Option {
	return func(c *config) {
		for _, w := range c.with {
			if w.name == name {
				c.fail("With: there are two resources called %s", script.Quote(name))
			}
		}
		if make == nil {
			c.fail("With(%s, nil): pass a function that makes the resource", script.Quote(name))
			return
		}
		c.with = append(c.with, namedResource{name, make})
	}
}

// Bubble is for a check within synctest.Test: what the handler sleeps by
// time.Sleep passes on its worker's clock, and time.Now follows the run. A handler
// of one goroutine stays reproducible. Not so what several goroutines do at one
// instant, and not time.Now when several workers sleep at once: the bubble has one
// clock, which never goes back.
func Bubble() Option { return func(c *config) { c.bubble = true } }
