package scenarios

import (
	"slices"
	"time"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
)

// cutHorizon ends the run where the property broke, so that the search need not
// run what follows.
func (k *shrinker) cutHorizon(first *Outcome) {
	evidence := first.Verdicts[k.property].Witness.Events
	if len(evidence) == 0 {
		return
	}
	end := time.Duration(evidence[len(evidence)-1].At)
	for _, horizon := range []time.Duration{end, end + time.Millisecond} {
		if horizon < k.best.story.Horizon && k.change(func(s *Story) { s.Horizon = horizon }) {
			return
		}
	}
}

// dropParts lets whole jobs, workers and producers go, with all that names them.
func (k *shrinker) dropParts() {
	c := k.best
	faults.Minimise(c.otherJobs(), func(kept []int) bool { return k.try(c.withJobs(kept)) }, k.over)
	k.dropJobsTurned()
	c = k.best
	faults.Minimise(upTo(len(c.story.Workers)), func(kept []int) bool { return k.try(c.withWorkers(kept)) }, k.over)
	c = k.best
	faults.Minimise(upTo(len(c.story.Producers)), func(kept []int) bool { return k.try(c.withProducers(kept)) }, k.over)
}

// dropJobsTurned lets a job go that is there to keep a worker busy, so that the job
// at stake comes to the next one: the faults that strike workers strike others then.
func (k *shrinker) dropJobsTurned() {
	for i := 0; i < len(k.best.otherJobs()) && !k.over(); i++ {
		rest := k.best.otherJobs()
		c := k.best.withJobs(slices.Delete(rest, i, i+1))
		for by := 1; by < min(len(c.story.Workers), maxTurns); by++ {
			if k.try(c.edited(func(s *Story) { s.turn(by) })) {
				i--
				break
			}
		}
	}
}

// maxTurns is how many workers a fault is tried on instead of its own.
const maxTurns = 4

// turn lets what strikes a worker in a step strike the one that stands by places
// before it.
func (s *Story) turn(by int) {
	first, n := int(faults.Pump)+1+len(s.Producers), len(s.Workers)
	for i := range s.Plan {
		if p := &s.Plan[i].Point; p.Family == faults.Step {
			p.Proc = model.Proc(first + (int(p.Proc)-first-by+n)%n)
		}
	}
}

// dropFaults lets faults go, first those that never fired, and `do` lines.
func (k *shrinker) dropFaults() {
	k.dropIdle()
	c := k.best
	faults.Minimise(upTo(len(c.story.Plan)), func(kept []int) bool { return k.try(c.withFaults(kept)) }, k.over)
	k.dropFaultsShifted()
	c = k.best
	faults.Minimise(upTo(len(c.story.Dos)), func(kept []int) bool { return k.try(c.withDos(kept)) }, k.over)
}

// dropFaultsShifted lets a fault go that is there to make one more delivery: what
// befalls the later ones befalls the one before each.
func (k *shrinker) dropFaultsShifted() {
	for i := 0; i < len(k.best.story.Plan) && !k.over(); i++ {
		gone := k.best.story.Plan[i].Point
		c := k.best.withFaults(slices.Delete(upTo(len(k.best.story.Plan)), i, i+1))
		shifted := c.edited(func(s *Story) {
			for j := range s.Plan {
				if p := &s.Plan[j].Point; gone.N > 0 && p.Job == gone.Job && p.N > gone.N {
					p.N--
				}
			}
		})
		if k.try(shifted) {
			i--
		}
	}
}

// dropIdle lets all faults go that never fired, which changes no history. That is
// one run instead of one for each.
func (k *shrinker) dropIdle() {
	if out := k.watch(); out != nil && len(out.Unfired) > 0 {
		var fired []int
		for i := range k.best.story.Plan {
			if k.runner.world.planned.Fired(i) {
				fired = append(fired, i)
			}
		}
		k.try(k.best.withFaults(fired))
	}
}

// watch runs the best once more, for its history. It returns nil when the search
// is over.
func (k *shrinker) watch() *Outcome {
	if k.over() || k.trials.Runs >= k.trials.Limit {
		return nil
	}
	k.trials.Runs++
	out, err := k.runner.Run(k.best.story, Options{MaxSteps: k.maxSteps})
	if err != nil {
		k.err = err
		return nil
	}
	return out
}

// otherJobs returns the places of the jobs that are not at stake.
func (c candidate) otherJobs() []int {
	return slices.DeleteFunc(upTo(len(c.story.Jobs)), func(i int) bool { return i+1 == int(c.job) })
}

// withJobs returns c with these of its jobs, and the one at stake.
func (c candidate) withJobs(kept []int) candidate {
	return c.with(func(s *Story) {
		s.Jobs = nil
		for i := range c.story.Jobs {
			if i+1 == int(c.job) || slices.Contains(kept, i) {
				s.Jobs = append(s.Jobs, c.story.Jobs[i])
			}
		}
	})
}

func (c candidate) withWorkers(kept []int) candidate {
	return c.with(func(s *Story) { s.Workers = pick(s.Workers, kept) })
}

func (c candidate) withDos(kept []int) candidate {
	return c.with(func(s *Story) { s.Dos = pick(s.Dos, kept) })
}

func (c candidate) withFaults(kept []int) candidate {
	return c.with(func(s *Story) { s.Plan = pick(s.Plan, kept) })
}

// withProducers returns c with these of its producers. A story without any has
// the one that is implied.
func (c candidate) withProducers(kept []int) candidate {
	return c.with(func(s *Story) {
		if s.Producers = pick(s.Producers, kept); len(kept) == 0 {
			s.Producers = []Producer{defaultProducer}
		}
	})
}

// with returns c after parts of its story were taken away.
func (c candidate) with(take func(*Story)) candidate {
	old := c.story.Cast()
	next := c.edited(take)
	return next.recast(old)
}

// smaller yields c without each single part that could go.
func (c candidate) smaller(yield func(candidate) bool) {
	s := c.story
	for _, part := range []struct {
		places []int
		keep   func([]int) candidate
	}{
		{c.otherJobs(), c.withJobs}, {upTo(len(s.Workers)), c.withWorkers}, {upTo(len(s.Producers)), c.withProducers},
		{upTo(len(s.Plan)), c.withFaults}, {upTo(len(s.Dos)), c.withDos},
	} {
		for i := range part.places {
			if !yield(part.keep(slices.Delete(slices.Clone(part.places), i, i+1))) {
				return
			}
		}
	}
}

// isMinimal reports whether no single part of the best can go. It is what the
// last round has left; here it is asked in so many words.
func (k *shrinker) isMinimal() bool {
	for c := range k.best.smaller {
		if q := c.question(false); q.text != k.asked.text && k.counts(c, false) {
			return false
		}
	}
	return !k.over()
}

// edited returns c with an edit made in a copy of its story.
func (c candidate) edited(edit func(*Story)) candidate {
	s := *c.story
	s.Producers, s.Workers, s.Jobs = slices.Clone(s.Producers), slices.Clone(s.Workers), slices.Clone(s.Jobs)
	s.Plan, s.Dos = slices.Clone(s.Plan), slices.Clone(s.Dos)
	edit(&s)
	return candidate{&s, c.job}
}

// change tries the best with an edit made in its story.
func (k *shrinker) change(edit func(*Story)) bool { return k.try(k.best.edited(edit)) }

// calmNetwork puts the network back to what it is by default, at once or else one
// thing after the other. What it lost and doubled by chance is told as faults, if
// it is needed, so that no draw is left that moves with the number of a job.
func (k *shrinker) calmNetwork() {
	if k.change(func(s *Story) { s.Network = defaultNetwork }) {
		return
	}
	if n := k.best.story.Network; n.draws() {
		if out := k.watch(); out != nil {
			told := chances(out.History, n.Latency+time.Millisecond)
			k.change(func(s *Story) { calm(s); s.Plan = append(s.Plan, told...) })
		}
	}
	for _, reset := range []func(n *Network){
		func(n *Network) { n.Loss = 0 }, func(n *Network) { n.ReplyLoss = 0 }, func(n *Network) { n.Duplicate = 0 },
		func(n *Network) { n.Until = 0 }, func(n *Network) { n.Jitter = 0 },
		func(n *Network) { n.Latency = defaultNetwork.Latency },
	} {
		k.change(func(s *Story) { reset(&s.Network) })
	}
}

// chances lists as faults what the network of a run lost and doubled by chance;
// a copy is that much later than its original.
func chances(h *model.History, after time.Duration) (told faults.Plan) {
	for i := range h.Events {
		e, o := &h.Events[i], faults.Outcome{Kinds: faults.Drop}
		switch {
		case e.Kind == model.Lost && e.Cause == model.ByChance:
		case e.Kind == model.Applied && e.Has(model.IsCopy):
			e, o = original(h.Events[:i+1]), faults.Outcome{Kinds: faults.Duplicate, After: after}
		default:
			continue
		}
		p := faults.Point{Family: faults.Message, Op: e.Op, Reply: e.Has(model.IsReply), Job: e.Job, N: e.N, Nth: e.Nth}
		if e.Op == model.OpClaim {
			p.Nth = claimNth(h.Events[:i], e)
		}
		if e.Job != model.NoJob {
			told = append(told, faults.Entry{Point: p, Outcome: o})
		}
	}
	return told
}

// original returns the request whose copy the last of events is, or that copy, where
// the request itself never came. The copy of a claim is for another delivery, or for
// none.
func original(events []model.Event) *model.Event {
	call := events[len(events)-1].Call
	return &events[slices.IndexFunc(events, func(e model.Event) bool { return e.Kind == model.Applied && e.Call == call })]
}

// claimNth returns the number of a claim's message for its delivery, which no worker
// knows: those before it were lost.
func claimNth(before []model.Event, e *model.Event) int32 {
	if e.Has(model.IsReply) {
		return faults.FirstReply
	}
	nth := int32(1)
	for i := range before {
		b := &before[i]
		if b.Kind == model.Lost && (b.Cause == model.ByChance || b.Cause == model.ByFault) && !b.Has(model.IsReply) &&
			b.Op == model.OpClaim && b.Job == e.Job && b.N == e.N {
			nth++
		}
	}
	return nth
}

// calm takes away what the network of s draws, but for its latency.
func calm(s *Story) { s.Network.Loss, s.Network.ReplyLoss, s.Network.Duplicate = 0, 0, 0 }

func upTo(n int) (list []int) {
	for i := range n {
		list = append(list, i)
	}
	return list
}

func pick[T any](list []T, places []int) (picked []T) {
	for _, i := range places {
		picked = append(picked, list[i])
	}
	return picked
}
