package exhaust_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/exhaust"
	"github.com/ackgap/ackgap/sim/explore"
)

// timedRuns is how many stories are run; 1,500 take a minute and pass as well.
const timedRuns = 250

// TestTimedRunsArePaths runs random stories with up to three faults in the timed
// simulator, and looks for a path of the explored world that shows the same: the
// same requests applied with the same answers, the same steps at the store, in the
// same order, with no more faults. A schedule that the simulator can take and the
// explorer cannot would make a certificate worthless.
func TestTimedRunsArePaths(t *testing.T) {
	t.Parallel()
	faulty := 0
	for i := range timedRuns {
		d := draws{seed: model.Seed(i).Fork("paths")}
		text := d.timedStory()
		if i < len(knownPaths) {
			text = knownPaths[i]
		}
		story := parse(t, text)
		out, err := story.Run(scenarios.Options{})
		if err != nil {
			t.Fatal(err)
		}
		fired := len(story.Plan) - len(out.Unfired)
		if out.End != model.Quiet {
			continue
		}
		if fired > 0 {
			faulty++
		}
		w := newWorld(t, text, exhaust.Scope{Claims: exhaust.MaxClaims, Kinds: exhaust.DefaultKinds})
		follow(t, w, out, len(story.Plan), text)
	}
	t.Logf("%d of %d runs had faults", faulty, timedRuns)
	if faulty < timedRuns/2 {
		t.Errorf("only %d runs had faults", faulty)
	}
}

// knownPaths are stories whose runs once were no paths, or nearly so: the heartbeat that
// comes behind a settlement whose answer is lost, the one that was due while its worker
// stood still, what arrives on the way of an early settlement, jobs of one instant, and a
// heartbeat that is sent while its worker's settlement is on its way: none of the two waits
// for the other, and nothing has to go wrong.
var knownPaths = []string{
	"story a\nqueue echomq\nworker w1 heartbeat=7s work=13s timeout=20s\njob J1 fails=1\nchaos off\nfault drop-reply retry J1#1\n",
	"story b\nqueue echomq\nworker w1 heartbeat=7s work=15s\njob J1 fails=1\nchaos off\nfault pause w1 before=settle J1#1 for=45s\n",
	"story c\nqueue echomq\nproducer p retries=0\nworkers 2 ack=early\njob J1 fails=1\nchaos off\nfault delay complete J1#1 by=31s\n",
	"story d\nqueue echomq\nworkers 2 consumer=fenced\njob J1\njob J2 at=0s fails=1\nchaos off\nfault error apply J1#1\n",
	"story e\nqueue echomq\nworker w1 heartbeat=7s work=6.9995s\njob J1 fails=1\nchaos off\n",
	"story f\nqueue echomq\nworkers 2 consumer=marker-first ack=early\njob J1\nchaos off\nfault drop-reply enqueue J1\nfault pause w1 after=claim J1#1 for=31s\n",
}

// timedStory draws a story with faults that may or may not strike.
func (d *draws) timedStory() string {
	var b strings.Builder
	workers, jobs := 1+d.below(2), 1+d.below(2)
	consumer := d.pick("naive", "marker-first", "marker-last", "atomic", "natural", "fenced", "external", "external-key")
	beats := d.pick("", "", " heartbeat=7s work=15s", " heartbeat=7s work=6.9995s")
	fmt.Fprintf(&b, "story timed\nqueue echomq\nproducer p retries=%d\n", d.below(2))
	fmt.Fprintf(&b, "workers %d consumer=%s%s%s%s\n", workers, consumer, beats, d.pick("", "", " ack=early"), d.pick("", "", " settle-retries=1"))
	fmt.Fprintf(&b, "job J1 fails=%d\n", max(0, d.below(4)-2))
	if jobs == 2 {
		fmt.Fprintf(&b, "job J2 at=%s fails=%d\n", d.pick("0s", "0s", "10ms", "3s", "40s"), max(0, d.below(4)-2))
	}
	b.WriteString("chaos off\n")
	steps := map[string][]string{
		"marker-first": {"claim", "check", "mark", "apply", "settle"}, "marker-last": {"claim", "check", "mark", "apply", "settle"},
		"atomic": {"claim", "check", "apply", "settle"},
	}[consumer]
	if steps == nil {
		steps = []string{"claim", "apply", "settle"}
	}
	said := map[string]bool{}
	for range d.below(4) {
		line := d.fault(workers, jobs, steps, strings.Contains(consumer, "external"), beats != "")
		if key := strings.Join(strings.Fields(line)[:3], " "); !said[key] {
			said[key] = true
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

// fault draws one fault.
func (d *draws) fault(workers, jobs int, steps []string, calls, beats bool) string {
	ops := []string{"claim", "complete", "retry", "claim", "complete"}
	if calls {
		ops = append(ops, "apply")
	}
	if beats {
		ops = append(ops, "extend", "extend")
	}
	delivery := fmt.Sprintf("J%d#%d", 1+d.below(jobs), 1+d.below(2))
	worker := fmt.Sprintf("w%d", 1+d.below(workers))
	long := d.pick("8s", "31s", "45s", "70s")
	step := steps[d.below(len(steps))]
	when := "after=claim"
	if step != "claim" {
		when = "before=" + step
	}
	switch d.below(7) {
	case 0:
		return fmt.Sprintf("fault? %s %s %s", d.pick("drop", "drop-reply"), d.pick(ops...), delivery)
	case 1:
		return fmt.Sprintf("fault? delay %s %s by=%s", d.pick(ops...), delivery, long)
	case 2:
		return fmt.Sprintf("fault? duplicate %s %s after=%s", d.pick(ops...), delivery, long)
	case 3:
		return fmt.Sprintf("fault? crash %s %s %s restart=%s", worker, when, delivery, long)
	case 4:
		return fmt.Sprintf("fault? pause %s %s %s for=%s", worker, when, delivery, long)
	case 5:
		return fmt.Sprintf("fault? error apply %s", delivery)
	}
	return fmt.Sprintf("fault? %s enqueue J%d%s", d.pick("drop", "drop-reply"), 1+d.below(jobs), "")
}

// sight is one thing that a run and a path must show alike.
type sight struct {
	kind   model.Kind
	op     model.Op
	answer model.Answer
	job    model.Job
	n      int32
	found  bool
	at     model.Time // of a run
}

func (s sight) isTick() bool {
	return s.op == model.OpReap || s.op == model.OpPromote || s.op == model.OpSweep
}

func (s sight) isStore() bool { return s.kind != model.Applied }

// sightOf returns what e shows, if that is anything. A move of a pump is one of each
// job that it moved.
func sightOf(e *model.Event) (sight, bool) {
	s := sight{kind: e.Kind, op: e.Op, answer: e.Answer, job: e.Job, n: e.N, found: e.Has(model.IsFound)}
	switch e.Kind {
	case model.Applied:
		if e.Op == model.OpReadPause || e.Op == model.OpClaim && e.Answer != model.OK {
			return s, false
		}
		return s, true
	case model.Checked, model.Marked, model.Effected, model.Absorbed:
		s.answer = model.NoAnswer
		return s, true
	}
	return s, false
}

// follow looks for the path.
func follow(t *testing.T, w *exhaust.World, out *scenarios.Outcome, faults int, text string) {
	t.Helper()
	sights := sightsOf(out.History)
	f := follower{at: map[string]node{}, faults: faults}
	f.w, f.tape, f.touched = w.Tape()
	f.add(node{state: f.w.Initial()})
	for i := 0; i < len(sights); i++ {
		was := f.at
		f.show(sights[i])
		if i+1 < len(sights) && sights[i].isTick() && sights[i+1].at == sights[i].at && sights[i+1].op == sights[i].op {
			// one tick moved both, in the order of their ids where their deadlines are equal
			f.show(sights[i+1])
			one := f.at
			f.at = was
			f.show(sights[i+1])
			f.show(sights[i])
			maps.Copy(f.at, one)
			i++
		}
		if len(f.at) == 0 {
			t.Fatalf("no path shows sight %d: %+v\n%s\n%s", i+1, sights[i], text, out.History.AppendText(nil))
		}
	}
}

// show goes on with what shows nothing but s.
func (f *follower) show(s sight) {
	f.silent()
	f.take(s)
}

// sightsOf lists what a run shows, in an order that a path can have: the steps of a
// program and its settlement follow each other at once in a path, where in time others
// may come between that do not meet them.
func sightsOf(h *model.History) (list []sight) {
	for i := range h.Events {
		e := &h.Events[i]
		s, ok := sightOf(e)
		switch {
		case !ok:
			continue
		}
		s.at = e.At
		switch {
		case s.isTick():
			for _, touch := range h.TouchedBy(e.Seq) {
				for k := range h.Events {
					if h.Events[k].ID == touch.ID {
						s.job = h.Events[k].Job
						break
					}
				}
				list = append(list, s)
			}
		default:
			list = append(list, s)
		}
	}
	for i := len(list) - 1; i >= 0; i-- {
		s := list[i]
		if !s.isStore() {
			continue
		}
		to := i
		for k := i + 1; k < len(list); k++ {
			if o := list[k]; o.at.Sub(s.at) > 2*time.Millisecond {
				break
			} else if o.job == s.job && o.n == s.n && o.op != model.OpExtend {
				to = k - 1
				break
			} else if o.isStore() && o.job == s.job {
				break
			} else if o.job == s.job {
				to = k // a heartbeat that was overdue
			}
		}
		list = slices.Insert(slices.Delete(list, i, i+1), to, s)
	}
	for i := range list {
		list = behindItsSettlement(list, i)
	}
	return list
}

// behindItsSettlement moves a heartbeat that was sent while a settlement was on its way
// up to it, past what others said meanwhile of other jobs, if that sets no deadline.
func behindItsSettlement(list []sight, i int) []sight {
	s := list[i]
	if s.op != model.OpExtend || s.isStore() {
		return list
	}
	for k := i - 1; k >= 0 && s.at.Sub(list[k].at) <= 2*time.Millisecond; k-- {
		switch o := list[k]; {
		case o.job == s.job && o.n == s.n && o.op.Settles():
			return slices.Insert(slices.Delete(list, i, i+1), k+1, s)
		case o.job == s.job || o.op == model.OpClaim || o.op == model.OpExtend:
			return list
		}
	}
	return list
}

// node is where a path may be that has shown the same so far.
type node struct {
	state  exhaust.State
	faults int
	rest   []sight // what its last action shows besides
}

// follower holds all nodes.
type follower struct {
	w       *exhaust.World
	tape    *[]model.Event
	touched func() []model.ID
	at      map[string]node
	faults  int
}

func (f *follower) add(n node) bool {
	k := string(f.w.AppendState([]byte{byte(n.faults), byte(len(n.rest))}, &n.state))
	if _, ok := f.at[k]; ok {
		return false
	}
	f.at[k] = n
	return true
}

// silent adds all nodes that are reached by actions that show nothing.
func (f *follower) silent() {
	for again := true; again; {
		again = false
		for _, n := range f.at {
			f.each(n, func(next node) {
				if len(next.rest) == 0 && f.add(next) {
					again = true
				}
			})
		}
	}
}

// take goes on with what shows s next.
func (f *follower) take(s sight) {
	before := f.at
	f.at = map[string]node{}
	s.at = 0
	shows := func(n node) {
		if len(n.rest) > 0 && n.rest[0] == s {
			n.rest = n.rest[1:]
			f.add(n)
		}
	}
	for _, n := range before {
		if shows(n); len(n.rest) == 0 {
			f.each(n, shows)
		}
	}
}

// each tries every action in a node that has shown all.
func (f *follower) each(n node, try func(node)) {
	if len(n.rest) > 0 {
		return
	}
	for _, a := range f.w.Actions(&n.state, nil) {
		next := node{state: n.state, faults: n.faults + f.w.Cost(a)}
		if next.faults > f.faults {
			continue
		}
		*f.tape = (*f.tape)[:0]
		f.w.Apply(&next.state, a, []explore.Hit(nil))
		for i := range *f.tape {
			e := &(*f.tape)[i]
			s, ok := sightOf(e)
			if ok && s.isTick() {
				s.job = f.w.JobOf(f.touched()[0])
			}
			if ok {
				next.rest = append(next.rest, s)
			}
		}
		try(next)
	}
}
