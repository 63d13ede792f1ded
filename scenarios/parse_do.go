package scenarios

import (
	"strconv"
	"strings"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
)

// takes is what a verb of a `do` or an `expect` line is about.
type takes uint8

const (
	takesNothing takes = iota
	takesJob
	takesDelivery
)

// verbs are those of `do` lines, in the order of reports/docs/stories.md.
var verbs = []struct {
	op     model.Op
	takes  takes
	needBy bool // it is spoken by whoever holds, or will hold, a job
}{
	{model.OpClaim, takesNothing, true},
	{model.OpComplete, takesDelivery, true},
	{model.OpExtend, takesDelivery, true},
	{model.OpRetry, takesDelivery, true},
	{model.OpDelay, takesDelivery, true},
	{model.OpEnqueue, takesJob, false},
	{model.OpRemove, takesJob, false},
	{model.OpReprocess, takesJob, false},
	{model.OpPause, takesNothing, false},
	{model.OpResume, takesNothing, false},
	{model.OpReap, takesNothing, false},
	{model.OpPromote, takesNothing, false},
	{model.OpSweep, takesNothing, false},
	{model.OpDrain, takesNothing, false},
}

func verbWords() []string {
	var words []string
	for _, v := range verbs {
		words = append(words, v.op.String())
	}
	return words
}

// do reads `do VERB [J|J#N] time= [by=] [token=] [delay=] [max=]`, or `do?`, by
// which a random world is told in which the delivery never came.
func (p *parser) do(a *script.Args) {
	word, ok := a.Choose("verb", verbWords())
	if !ok {
		a.Stop()
		return
	}
	a.Title += " " + word
	d := Do{Token: OwnToken, Delay: OwnDelay, Max: OwnMax, Line: a.Line.No, Optional: a.Line.Word == "do?"}
	d.Op, _ = model.ParseOp(word)
	for _, v := range verbs {
		if v.op == d.Op {
			d.Job, d.N = p.subject(a, v.takes)
			d.By = p.speaker(a, v.needBy)
		}
	}
	a.Need("time", "1s")
	d.At = model.Time(a.Duration("time", 0))
	doOptions(a, &d)
	p.story.Dos = append(p.story.Dos, d)
}

// doOptions reads what the verb of d alone can be told.
func doOptions(a *script.Args, d *Do) {
	switch d.Op {
	case model.OpComplete, model.OpExtend, model.OpRetry, model.OpDelay:
		d.Token = model.Token(a.Int("token", int64(OwnToken), 0, 1<<62))
	}
	switch d.Op {
	case model.OpDelay:
		a.Need("delay", "5s")
		d.Delay = a.Millis("delay", d.Delay)
	case model.OpRetry:
		d.Delay = a.Millis("delay", d.Delay)
		d.Max = int(a.Int("max", OwnMax, 1, MaxRetries))
	case model.OpSweep:
		d.Max = int(a.Int("max", OwnMax, 1, MaxRetries))
	}
}

// speaker reads by=.
func (p *parser) speaker(a *script.Args, needed bool) model.Proc {
	name, ok := a.Option("by")
	if !ok {
		if needed {
			a.Fail("who says so? write by=w1")
		}
		return model.NoProc
	}
	proc, ok := p.cast.Proc(name)
	if !ok {
		a.Fail("by=%s names nobody: it is no name, a job, or one of more than %d speakers", script.Quote(name), MaxSpeakers)
	}
	if name == "queue" {
		a.Fail("the queue does not speak to itself; write by= with another name")
	}
	return proc
}

// subject reads the job or the delivery that a verb is about.
func (p *parser) subject(a *script.Args, t takes) (model.Job, int32) {
	if t == takesNothing {
		return model.NoJob, 0
	}
	name, n, ok := a.Delivery()
	switch {
	case !ok:
		return model.NoJob, 0
	case strings.Contains(name, "="):
		a.Fail("put blanks around the comparison in %s", script.Quote(name))
		a.Stop()
		return model.NoJob, 0
	case t == takesJob && n > 0:
		a.Fail("it is about a job, not about one delivery; leave out #%d", n)
		return model.NoJob, 0
	case t == takesDelivery && n == 0:
		a.Fail("which delivery of %s? write J1#1 rather than J1", script.Quote(name))
	}
	return p.jobNamed(a, name), n
}

func (p *parser) jobNamed(a *script.Args, name string) model.Job {
	j, ok := p.cast.Job(name)
	if !ok {
		a.Unknown("job", name, p.cast.JobNames())
	}
	return j
}

// count reads a whole number that is not negative.
func count(s string) (int, bool) {
	n, err := strconv.ParseUint(s, 10, 31)
	return int(n), err == nil
}
