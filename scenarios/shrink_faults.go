package scenarios

import (
	"slices"
	"time"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
)

// weaken puts in the place of each fault the weakest that fails in its place: of
// a crash a pause or a late message, of a partition or an outage one lost message.
func (k *shrinker) weaken() {
	for i := 0; i < len(k.best.story.Plan) && !k.over(); i++ {
		for _, e := range k.weaker(k.best.story.Plan[i]) {
			if k.change(func(s *Story) { s.Plan[i] = e }) {
				break
			}
		}
	}
}

// weaker lists what is weaker than e or simpler to say, the weakest first.
func (k *shrinker) weaker(e faults.Entry) []faults.Entry {
	long := max(2*k.best.story.Queue.Lease, e.Outcome.Restart, e.Outcome.For)
	var list []faults.Entry
	switch o := e.Outcome; {
	case o.Has(faults.Crash) && e.Point.Proc == faults.Queue:
		list = append(k.singleLosses(model.ByOutage), forgetsLess(e)...)
	case o.Has(faults.Crash):
		steps := k.stepsOf(e)
		list = late(steps[0], long)
		for _, step := range steps {
			list = append(list, still(step, long))
		}
		list = append(list, steps...)
	case o.Has(faults.Pause):
		steps := k.stepsOf(e)
		list = append(late(steps[0], o.For), steps...)
	case o.Has(faults.Partition):
		list = append(k.singleLosses(model.ByPartition), oneWay(e)...)
	}
	return append(list, earlier(e)...)
}

// stepsOf lists where a worker who stops at a time may be said to stop instead:
// after the claim of what it held then, or around its acknowledgement; and last
// where it does stop.
func (k *shrinker) stepsOf(e faults.Entry) (list []faults.Entry) {
	if held := k.held(e); held.N > 0 {
		for _, p := range []faults.Point{{Step: model.StepClaim, After: true}, {Step: model.StepSettle}, {Step: model.StepSettle, After: true}} {
			p.Family, p.Proc, p.Job, p.N, p.Nth = faults.Step, e.Point.Proc, held.Job, held.N, 1
			o := e.Outcome
			o.At = 0
			list = append(list, faults.Entry{Point: p, Outcome: o})
		}
	}
	return append(list, e)
}

// held returns the last delivery that the worker of a slot had got by its time, in
// a run of the best; none for any other fault.
func (k *shrinker) held(e faults.Entry) (last model.Event) {
	if e.Point.Family != faults.Slot {
		return last
	}
	out := k.watch()
	if out == nil {
		return last
	}
	for _, one := range out.History.Events {
		if one.Kind == model.Answered && one.Op == model.OpClaim && one.Proc == e.Point.Proc && one.N > 0 && one.At < e.Outcome.At {
			last = one
		}
	}
	return last
}

// late lists the messages of a delivery that a worker who stops there would send
// or get late: the answer to its claim, and its settlement.
func late(e faults.Entry, by time.Duration) (list []faults.Entry) {
	p := e.Point
	if p.Family != faults.Step {
		return nil
	}
	add := func(op model.Op, reply bool, nth int32) {
		m := faults.Point{Family: faults.Message, Op: op, Reply: reply, Job: p.Job, N: p.N, Nth: nth}
		list = append(list, faults.Entry{Point: m, Outcome: faults.Outcome{Kinds: faults.Delay, By: by}})
	}
	if p.After && p.Step == model.StepClaim {
		add(model.OpClaim, true, faults.FirstReply)
	}
	add(model.OpComplete, false, 1)
	add(model.OpRetry, false, 1)
	return list
}

// still is a pause where e is a crash.
func still(e faults.Entry, span time.Duration) faults.Entry {
	if e.Point.Family == faults.Slot {
		e.Point.Slot = faults.SlotPause
	}
	return faults.Entry{Point: e.Point, Outcome: faults.Outcome{Kinds: faults.Pause, At: e.Outcome.At, For: span}}
}

// forgetsLess lists the crashes of the queue that forget nothing, or fewer writes.
func forgetsLess(e faults.Entry) (list []faults.Entry) {
	lose := e.Outcome.Lose
	if lose == (faults.Loss{}) {
		return nil
	}
	const few = 8
	e.Outcome.Lose = faults.Loss{}
	list = append(list, e)
	for n := 1; n <= few && (n < lose.Writes || lose.Window > 0); n++ {
		e.Outcome.Lose.Writes = n
		list = append(list, e)
	}
	return list
}

// oneWay lists the two halves of a partition.
func oneWay(e faults.Entry) []faults.Entry {
	if e.Outcome.Oneway {
		return nil
	}
	e.Outcome.Oneway = true
	back := e
	back.Point.Proc, back.Point.Peer = e.Point.Peer, e.Point.Proc
	return []faults.Entry{e, back}
}

// singleLosses lists the messages that were lost for the cause when the best was
// run, each as a drop of its own.
func (k *shrinker) singleLosses(cause model.Cause) (list []faults.Entry) {
	out := k.watch()
	if out == nil {
		return nil
	}
	drop := faults.Outcome{Kinds: faults.Drop}
	for i := range out.History.Events {
		e := &out.History.Events[i]
		if e.Kind != model.Lost || e.Cause != cause || e.Job == model.NoJob || e.Has(model.IsCopy) {
			continue
		}
		p := faults.Point{Family: faults.Message, Op: e.Op, Reply: e.Has(model.IsReply), Job: e.Job, N: e.N, Nth: max(e.Nth, 1)}
		if p.Reply {
			p.Nth = faults.FirstReply
		}
		list = append(list, faults.Entry{Point: p, Outcome: drop})
	}
	return list
}

// earlier lists e at the first such point, and of one of the first deliveries.
func earlier(e faults.Entry) (list []faults.Entry) {
	if e.Point.Family == faults.Slot {
		return nil
	}
	plain := int32(1)
	if e.Point.Reply {
		plain = faults.FirstReply
	}
	const few = 3
	for n := int32(1); n < e.Point.N && n <= few; n++ {
		first := e
		first.Point.N, first.Point.Nth = n, plain
		list = append(list, first)
	}
	if e.Point.Nth != plain {
		e.Point.Nth = plain
		list = append(list, e)
	}
	return list
}

// roundTimes makes every time and duration short and round, as far as the failure
// stays.
func (k *shrinker) roundTimes() {
	k.change((*Story).beginAtOnce)
	for i := range k.best.story.Plan {
		for j := range spansOf(&faults.Outcome{}) {
			k.roundOff(func(s *Story) *time.Duration { return spansOf(&s.Plan[i].Outcome)[j] })
		}
		k.roundOff(func(s *Story) *time.Duration { return (*time.Duration)(&s.Plan[i].Outcome.At) }, 0)
	}
	for i := range k.best.story.Jobs {
		k.roundOff(func(s *Story) *time.Duration { return (*time.Duration)(&s.Jobs[i].At) }, 0)
	}
	for i := range k.best.story.Dos {
		k.roundOff(func(s *Story) *time.Duration { return (*time.Duration)(&s.Dos[i].At) }, 0)
	}
	if k.best.story.Horizon != defaultHorizon {
		k.roundOff(func(s *Story) *time.Duration { return &s.Horizon })
	}
}

// beginAtOnce lets all happen earlier, so that the first job or deed is at 0.
func (s *Story) beginAtOnce() {
	first := model.Never
	for i := range s.Jobs {
		first = min(first, s.Jobs[i].At)
	}
	for i := range s.Dos {
		first = min(first, s.Dos[i].At)
	}
	for i := range s.Jobs {
		s.Jobs[i].At -= first
	}
	for i := range s.Dos {
		s.Dos[i].At -= first
	}
	for i := range s.Plan {
		s.Plan[i].Outcome.At = max(0, s.Plan[i].Outcome.At-first)
	}
}

// spansOf returns how long, or by how much, an outcome is.
func spansOf(o *faults.Outcome) []*time.Duration {
	return []*time.Duration{&o.By, &o.After, &o.For, &o.Restart, &o.Lose.Window}
}

// roundOff gives the duration at a place the first value that still fails: of
// those given, of the round ones below it, the shortest first, and of those that
// are a little longer and rounder than it.
func (k *shrinker) roundOff(place func(*Story) *time.Duration, first ...time.Duration) {
	v := *place(k.best.story)
	if v == 0 {
		return
	}
	for _, d := range slices.Concat(first, rounder(v)) {
		if k.change(func(s *Story) { *place(s) = d }) {
			return
		}
	}
}

// roundSpans are the durations that a person would write.
var roundSpans = []time.Duration{
	time.Millisecond, 10 * time.Millisecond, 100 * time.Millisecond,
	time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 20 * time.Second, 30 * time.Second, 45 * time.Second,
	time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 30 * time.Minute, time.Hour,
}

// rounder lists the durations that are simpler than v, of its sign. None of them is
// simpler than a round one but a shorter round one, so that there is an end to it.
func rounder(v time.Duration) (list []time.Duration) {
	sign, length := time.Duration(1), v
	if v < 0 {
		sign, length = -1, -v
	}
	for _, d := range roundSpans {
		if d < length {
			list = append(list, sign*d)
		}
	}
	at, round := slices.BinarySearch(roundSpans, length)
	if round {
		return list
	}
	if at < len(roundSpans) {
		list = append(list, sign*roundSpans[at])
	}
	for _, unit := range []time.Duration{time.Second, 100 * time.Millisecond, 10 * time.Millisecond, time.Millisecond} {
		if up := (length + unit - 1) / unit * unit; up > length && unit < length {
			list = append(list, sign*up)
		}
	}
	return list
}
