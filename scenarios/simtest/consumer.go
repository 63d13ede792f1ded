package simtest

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/actors"
)

// CheckConsumer runs the handler in random worlds in which everything goes wrong
// that a leased queue can bear, and fails the test when a promise is broken: a job
// is lost, an effect happens twice, a job never ends. The manual of this package
// says what green means. The failing world is shrunk, shown in at most 25 lines,
// and kept under testdata/ackgap, to be run first next time.
func CheckConsumer(t testing.TB, handler Handler, opts ...Option) {
	t.Helper()
	NewConsumer(t, handler, opts...).Check(t)
}

// Consumer is a handler in its world, for those who want more than a check: runs
// of their own, properties, fuzzing, benchmarks. It is used by one goroutine at a
// time and lives as long as the test.
type Consumer struct {
	name     string
	config   *config
	story    *scenarios.Story
	scripted bool
	campaign *scenarios.Campaign
	runner   *scenarios.Runner

	queues int // worlds in which the queue broke a promise of its own, and nothing is known of the handler
	mu     sync.Mutex
	opened []*outside
}

// NewConsumer returns the handler in the world that the options say. A wrong
// option ends the test.
func NewConsumer(t testing.TB, handler Handler, opts ...Option) *Consumer {
	t.Helper()
	c := &Consumer{name: t.Name(), config: newConfig(handler, opts), runner: scenarios.NewRunner()}
	if err := c.open(t); err != nil {
		t.Fatal(err)
	}
	return c
}

func (c *Consumer) open(t testing.TB) error {
	if err := errors.Join(c.config.errs...); err != nil {
		return err
	}
	first := newOutside(c.config)
	c.opened = append(c.opened, first) // to be closed
	if first.broken != nil {
		return first.broken
	}
	forget, err := scenarios.RegisterHandler(c.name, c.outside)
	for i := 2; err != nil && i < 1000; i++ { // several checks in one test
		c.name = fmt.Sprintf("%s#%d", t.Name(), i)
		forget, err = scenarios.RegisterHandler(c.name, c.outside)
	}
	if err != nil {
		return err
	}
	t.Cleanup(func() { forget(); c.close() })
	if c.story, c.scripted, err = c.config.parse(c.name); err != nil {
		return err
	}
	c.campaign, err = scenarios.NewCampaign(c.story)
	return err
}

// outside opens the world outside of one more runner.
func (c *Consumer) outside() actors.Outside {
	o := newOutside(c.config)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.opened = append(c.opened, o)
	return o
}

func (c *Consumer) close() {
	for _, o := range c.opened {
		for _, r := range o.order {
			if closer, ok := r.(io.Closer); ok {
				_ = closer.Close() // the runs are over
			}
		}
	}
}

// wrong returns what is wrong with the handler itself: a panic, mostly.
func (c *Consumer) wrong() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, o := range c.opened {
		if o.wrong != nil {
			return o.wrong
		}
	}
	return nil
}

// Story returns the world: the handler stands in its worker lines. It is shared:
// do not change it.
func (c *Consumer) Story() *scenarios.Story { return c.story }

// World runs the random world of one seed. Its outcome is valid until the next
// run. The error is a panic of the handler, or a defect of an adapter.
func (c *Consumer) World(seed uint64) (*scenarios.World, error) {
	w, err := c.runner.World(c.campaign, seed, true)
	if err := errors.Join(err, c.wrong()); err != nil {
		return nil, err
	}
	return w, nil
}

// Run runs the world with these faults and nothing else going wrong: fault lines
// of a story without their first word, as "drop complete J1#1". Each has to fire:
// Outcome.Unfired has those that did not.
func (c *Consumer) Run(faults ...string) (*scenarios.Outcome, error) { return c.run("fault ", faults) }

// RunPlan is Run for a plan as bytes (see Plan), whose faults may but need not
// fire.
func (c *Consumer) RunPlan(plan []byte) (*scenarios.Outcome, error) {
	return c.run("fault? ", Plan(c.story, plan))
}

// once runs a story.
func (c *Consumer) once(s *scenarios.Story) (*scenarios.Outcome, error) {
	out, err := s.Run(scenarios.Options{})
	if err := errors.Join(err, c.wrong()); err != nil {
		return nil, err
	}
	return out, nil
}

// broken returns the first property that broke in out and may not, or "".
func (c *Consumer) broken(out *scenarios.Outcome) string {
	may := c.config.tolerated()
	if c.queueBroke(out) {
		return ""
	}
	for _, v := range out.Verdicts {
		if v.Value == model.Broken && out.IsDefault(v.Property) && !slices.Contains(may, v.Property) {
			return v.Property
		}
	}
	return ""
}

// queueBroke reports whether the queue broke a promise of its own. What follows
// from that says nothing about the handler, unless the check is strict. That an id
// which is admitted again after its end gets the token 1 once more has none.
func (c *Consumer) queueBroke(out *scenarios.Outcome) bool {
	return !c.config.strict && slices.ContainsFunc(out.Verdicts, func(v model.Verdict) bool {
		return v.Value == model.Broken && out.IsDefault(v.Property) && !slices.Contains(Promises, v.Property) && v.Property != "tokens-rise"
	})
}

// fileName makes a file's name of a test's.
func fileName(test string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-':
			return r
		}
		return '_'
	}, test)
}
