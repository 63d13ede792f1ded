package simtest

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/queuetest"
	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/actors"
)

// check is what is checked, in its world: a handler, or a queue.
type check struct {
	name     string // the test's, with #2 behind it for the second of its checks
	test     string // the test's own
	config   *config
	story    *scenarios.Story
	scripted bool
	campaign *scenarios.Campaign
	runner   *scenarios.Runner

	earliest earliest
	ended    bool    // the check itself has ended the test, and said why
	seed     *uint64 // of the random world that is run in a search

	mine   mine
	queues int // worlds in which the queue broke a promise of its own, and nothing is known of the handler
	mu     sync.Mutex
	opened []*outside
	row    bool // runs follow each other at once
}

// open puts what the options say into its world.
func (c *check) open(t testing.TB, config *config) error {
	t.Helper()
	over := false
	defer func() {
		t.Helper()
		if p := recover(); p != nil {
			panic(p)
		}
		if !over && !t.Failed() && !t.Skipped() {
			t.Fatalf("%s: newQueue, or the function of another option, ended the test's goroutine (runtime.Goexit, or t.FailNow and what calls it): let it return", t.Name())
		}
	}()
	err := c.enter(t, config)
	over = true
	return err
}

func (c *check) enter(t testing.TB, config *config) error {
	c.name, c.test, c.config, c.runner = t.Name(), t.Name(), config, scenarios.NewRunner()
	if c.config.bubble && !inBubble() {
		c.config.fail("Bubble is for a check within synctest.Test, and this is none: without it time.Sleep would take real time; put the check into synctest.Test(t, func(t *testing.T) { ... }), or leave Bubble out and use Job.Sleep")
	}
	if err := errors.Join(c.config.errs...); err != nil {
		return err
	}
	err := c.register(t)
	if err != nil {
		return err
	}
	if c.story, c.scripted, err = c.config.parse(c.name, c.mine.name, c.mine.blind); err != nil {
		return err
	}
	t.Cleanup(func() { c.atEnd(t) })
	c.campaign, err = scenarios.NewCampaign(c.story)
	return err
}

// register opens what the check is of, and gives stories names for it: the test's, and
// while that is taken the same with #2 and so on behind it.
func (c *check) register(t testing.TB) error {
	if err := c.openFirst(); err != nil {
		return err
	}
	forget, err := c.registerAs(t.Name())
	for i := 2; err != nil && i < maxChecks; i++ {
		forget, err = c.registerAs(fmt.Sprintf("%s#%d", t.Name(), i))
	}
	if err == nil {
		t.Cleanup(func() { forget(); names.Delete(c.name); c.closeQueue(t); c.close() })
	}
	return err
}

// maxChecks is how many checks a test may have.
const maxChecks = 1000

// openFirst opens the first outside of the handler and the first queue, so that what is
// wrong with them ends the test before anything runs.
func (c *check) openFirst() error {
	if c.config.make != nil {
		first := newOutside(c.config)
		c.opened = append(c.opened, first) // to be closed
		if first.broken != nil {
			return first.broken
		}
	}
	if c.config.newQueue == nil {
		return nil
	}
	return c.openQueue()
}

// names are those of the checks that there are: the stories that a check keeps go by its
// name, be it of a handler or of a queue.
var names sync.Map

// registerAs registers the queue and the handler, so far as there are, or neither.
func (c *check) registerAs(name string) (forget func(), err error) {
	if _, taken := names.LoadOrStore(name, true); taken {
		return nil, fmt.Errorf("simtest: a check is called %s already", script.Quote(name))
	}
	defer func() {
		if err != nil {
			names.Delete(name)
		}
	}()
	c.name = name
	forgetQueue := func() {}
	if c.config.newQueue != nil {
		c.mine.name = fileName(name)
		bounds := queuetest.Has(c.config.claims, queuetest.Bounded)
		if forgetQueue, err = scenarios.RegisterQueue(c.mine.name, bounds, c.newQueue); err != nil {
			return nil, err
		}
	}
	if c.config.make == nil {
		return forgetQueue, nil
	}
	forgetHandler, err := scenarios.RegisterHandler(name, c.outside)
	if err != nil {
		forgetQueue()
		return nil, err
	}
	return func() { forgetHandler(); forgetQueue() }, nil
}

// outside opens the world outside of one more runner.
func (c *check) outside() actors.Outside {
	o := newOutside(c.config)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.opened = append(c.opened, o)
	o.row = c.row
	return o
}

// count runs random worlds.
func (c *check) count(first, n uint64, over func() bool) (tally *scenarios.Tally, err error) {
	c.inARow(func() { tally, err = c.campaign.Count(c.runner, first, n, over) })
	return tally, err
}

// inARow lets each of many runs have the coroutines of the one before. None is left behind.
func (c *check) inARow(runs func()) {
	c.setRow(true)
	defer c.setRow(false)
	runs()
}

func (c *check) setRow(on bool) {
	c.mu.Lock()
	c.row = on
	for _, o := range c.opened {
		o.row = on
	}
	c.mu.Unlock()
	if !on {
		c.abandon() // calls what is the user's
	}
}

// abandon ends what stands still in a run that has not come to its end.
func (c *check) abandon() {
	for _, o := range c.opened {
		o.abandon()
	}
}

func (c *check) close() {
	for _, o := range c.opened {
		o.abandon()
		for _, r := range o.order {
			if closer, ok := r.(io.Closer); ok {
				_ = closer.Close() // the runs are over
			}
		}
	}
}

// wrong returns what is wrong with the handler itself, a panic mostly, or why
// nothing is known of the queue.
func (c *check) wrong() error {
	if err := c.lostQueue(); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, o := range c.opened {
		if o.strayed.Load() {
			return errStray
		}
		if o.wrong != nil {
			return o.wrong
		}
	}
	return nil
}

// Story returns the world: a handler stands in its worker lines, a queue of one's
// own in its queue line. It is shared: do not change it.
func (c *check) Story() *scenarios.Story { return c.story }

// World runs the random world of one seed. Its outcome is valid until the next
// run. The error is a panic of the handler, a defect of an adapter, or a queue that
// was lost.
func (c *check) World(seed uint64) (*scenarios.World, error) {
	if c.campaign == nil {
		return nil, errNoWorlds
	}
	w, err := c.runner.World(c.campaign, seed, true)
	if err := errors.Join(err, c.wrong()); err != nil {
		return nil, err
	}
	c.remember(w.Outcome, func() (*scenarios.Outcome, error) {
		w, err := c.World(seed)
		if err != nil {
			return nil, err
		}
		return w.Outcome, nil
	})
	return w, nil
}

// Run runs the world with these faults and nothing else going wrong: fault lines
// of a story without their first word, as "drop complete J1#1". Each has to fire:
// Outcome.Unfired has those that did not.
func (c *check) Run(faults ...string) (*scenarios.Outcome, error) { return c.run("fault ", faults) }

// RunPlan is Run for a plan as bytes (see Plan), whose faults may but need not
// fire.
func (c *check) RunPlan(plan []byte) (*scenarios.Outcome, error) {
	return c.run("fault? ", Plan(c.story, plan))
}

// run runs the world with faults and nothing else going wrong. Word is "fault "
// or "fault? ".
func (c *check) run(word string, faults []string) (*scenarios.Outcome, error) {
	bare := *c.story
	bare.Plan, bare.Dos, bare.Expects, bare.HasHistory, bare.History = nil, nil, nil, false, ""
	bare.Chaos, bare.MayBreak, bare.Quiet = nil, nil, 0
	var lines strings.Builder
	for _, f := range faults {
		lines.WriteString(word + f + "\n")
	}
	s, err := parseBehind(string(bare.Text()), "Run", lines.String())
	if err != nil {
		return nil, err
	}
	return c.once(s)
}

// once runs a story.
func (c *check) once(s *scenarios.Story) (*scenarios.Outcome, error) {
	out, err := s.Run(scenarios.Options{})
	if err := errors.Join(err, c.wrong()); err != nil {
		return nil, err
	}
	c.remember(out, func() (*scenarios.Outcome, error) { return c.once(s) })
	return out, nil
}

// broken returns the first property that broke in out and may not, or "".
func (c *check) broken(out *scenarios.Outcome) string {
	if c.queueBroke(out) {
		return ""
	}
	may := c.config.tolerated()
	return firstBroken(out, func(property string) bool { return !slices.Contains(may, property) })
}

// firstBroken returns the first property of those that count which broke and is to be
// held, or "".
func firstBroken(out *scenarios.Outcome, counts func(property string) bool) string {
	for _, v := range out.Verdicts {
		if v.Value == model.Broken && out.IsDefault(v.Property) && counts(v.Property) {
			return v.Property
		}
	}
	return ""
}

// queueBroke reports whether the queue broke a promise of its own. What follows
// from that says nothing about the handler, unless the check is strict. That an id
// which is admitted again after its end gets the token 1 once more has none.
func (c *check) queueBroke(out *scenarios.Outcome) bool {
	isItsOwn := func(property string) bool { return !slices.Contains(Promises, property) && property != "tokens-rise" }
	return c.config.newQueue == nil && !c.config.strict && firstBroken(out, isItsOwn) != ""
}

// fileName makes a file's name of a test's, another for each: where a letter cannot
// stand in it, a hash of the whole name is put behind.
func fileName(test string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-':
			return r
		}
		return '_'
	}, test)
	if name == test {
		return name
	}
	hash := sha256.Sum256([]byte(test))
	return fmt.Sprintf("%s-%x", name, hash[:4])
}
