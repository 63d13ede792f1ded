package reports

import (
	"fmt"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// stories are the runs of which the golden files keep every form.
var stories = []struct {
	name string
	run  func() *Run
}{
	{"lost-ack", lostAck},
	{"crash", crash},
	{"zombie", zombie},
	{"partition", partition},
	{"long", long},
	{"hostile", hostile},
	{"gallery", gallery},
}

// verdicts judges by hand: all held but what is given.
func verdicts(h *model.History, others ...model.Verdict) []model.Verdict {
	effects := len(pick(h, model.Effected))
	all := []model.Verdict{
		{Property: "no-loss", Evaluations: len(pick(h, model.Applied)) + 1},
		{Property: "no-duplicate-effect", Evaluations: effects},
		{Property: "stale-token-rejected", Evaluations: 2},
		{Property: "settled-once", Evaluations: 1},
		{Property: "one-place", Evaluations: 8},
		{Property: "attempts-bounded"},
		{Property: "drains", Evaluations: 1},
	}
	for _, o := range others {
		for i := range all {
			if all[i].Property == o.Property {
				all[i].Value, all[i].Witness = o.Value, o.Witness
			}
		}
	}
	return all
}

func twice(h *model.History, j model.Job) model.Verdict {
	return model.Verdict{Property: "no-duplicate-effect", Value: model.Broken, Witness: model.Witness{
		Events: pick(h, model.Effected), Job: j,
		Says: "e1 and e2 changed the outside ledger under one job; the property allows one change"}}
}

// lostAck: the complete of J1#1 is dropped, the lease runs out, w2 does it again.
func lostAck() *Run {
	t := newTape("J1")
	t.enqueue(1)
	t.at(2*ms).claim(w1, 1, 1)
	t.work(w1, 1, 1, 1)
	t.lose(w1, 1, 1, model.ByFault)
	t.emptyClaim(w1)
	t.reap(31_000*ms, 1)
	t.claim(w2, 1, 2)
	t.work(w2, 1, 2, 2)
	t.complete(w2, 1, 2, model.OK)
	h := t.quiet()
	return &Run{
		Story: "lost-ack",
		Title: "An ACK lost in transit: the queue cannot know that the work ran.",
		Queue: "echomq lease=30s", Consumers: "w1, w2: naive, work=20ms",
		History:  h,
		Verdicts: verdicts(h, twice(h, 1)),
		Named: []Named{{"no-duplicate-effect", model.Broken}, {"no-loss", model.Held},
			{"stale-token-rejected", model.Held}, {"drains", model.Held}},
		Expectations: []Expectation{
			{Line: 10, Text: "effects J1 = 2", Met: true},
			{Line: 11, Text: "deliveries J1 = 2", Met: true},
			{Line: 12, Text: "state J1 = completed", Met: true},
			{Line: 13, Text: "broken no-duplicate-effect", Met: true},
			{Line: 14, Text: "held no-loss stale-token-rejected drains", Met: true}},
		Again: "ackgap run lost-ack",
	}
}

// crash: w1 dies between its effect and its ACK; the marker that it wrote keeps the second run, by w2, from changing anything.
func crash() *Run {
	t := newTape("J1")
	t.enqueue(1)
	t.claim(w1, 1, 1)
	t.at(t.now + 20*ms)
	t.add(model.Event{Kind: model.Checked, Proc: w1, Step: model.StepCheck, Job: 1, N: 1})
	t.add(model.Event{Kind: model.Effected, Proc: w1, Op: model.OpApply, Step: model.StepApply, Job: 1, N: 1,
		Token: 1, Effect: 1})
	t.add(model.Event{Kind: model.Marked, Proc: w1, Step: model.StepMark, Job: 1, N: 1})
	t.add(model.Event{Kind: model.Crashed, Proc: w1, Job: 1, N: 1, Until: t.now + 40_000*ms})
	t.reap(31_000*ms, 1)
	t.claim(w2, 1, 2)
	t.at(t.now + 20*ms)
	t.add(model.Event{Kind: model.Checked, Proc: w2, Step: model.StepCheck, Job: 1, N: 2, Flags: model.IsFound})
	t.add(model.Event{Kind: model.Absorbed, Proc: w2, Step: model.StepApply, Job: 1, N: 2, Cause: model.ByMarker})
	t.complete(w2, 1, 2, model.OK)
	t.at(40_024 * ms)
	t.add(model.Event{Kind: model.Restarted, Proc: w1})
	h := t.quiet()
	return &Run{Story: "crash-after-apply", Queue: "echomq lease=30s", Consumers: "w1, w2: marker-last",
		Title: "The worker dies after the effect and before the ACK.", Seed: 7,
		History: h, Verdicts: verdicts(h), Again: "ackgap run crash-after-apply --seed 7"}
}

// zombie: w1 stands still past its lease, wakes, and is refused; but its effect
// came second.
func zombie() *Run {
	t := newTape("J1")
	t.enqueue(1)
	t.claim(w1, 1, 1)
	t.add(model.Event{Kind: model.Paused, Proc: w1, Job: 1, N: 1, Until: t.now + 45_000*ms})
	t.reap(31_000*ms, 1)
	t.claim(w2, 1, 2)
	t.work(w2, 1, 2, 1)
	t.complete(w2, 1, 2, model.OK)
	t.at(45_004 * ms)
	t.add(model.Event{Kind: model.Woke, Proc: w1})
	t.add(model.Event{Kind: model.Absorbed, Proc: w1, Step: model.StepApply, Job: 1, N: 1, Token: 1, Cause: model.ByFence})
	t.add(model.Event{Kind: model.Failed, Proc: w1, Job: 1, N: 1, Cause: model.ByRefusal})
	t.calls++
	t.exchange(model.Event{Proc: w1, Op: model.OpRetry, Job: 1, N: 1, Nth: 1, Call: t.calls, Token: 1, Max: 3},
		model.Stale)
	h := t.quiet()
	return &Run{Story: "zombie-fenced", Queue: "echomq lease=30s", Consumers: "w1, w2: fenced",
		Title:   "A worker that stood still past its lease finds both doors shut: the store's and the queue's.",
		History: h, Verdicts: verdicts(h),
		Named:        []Named{{"no-duplicate-effect", model.Held}, {"attempts-bounded", model.Held}},
		Expectations: []Expectation{{Line: 9, Text: "refused retry J1#1", Met: true}, {Line: 10, Text: "effects J1 = 2", Got: "1"}},
		Unfired:      []Fault{{Line: 8, Text: "drop complete J1#3"}},
		Missing:      []Fault{{Line: 11, Text: "J1#3 did not exist by then"}},
		Reasons:      []string{"attempts-bounded is named and was never judged"},
		Outcome:      scenarios.No, Again: "ackgap run zombie-fenced"}
}

// partition: the link between w1 and the queue is cut when the ACK leaves; the
// horizon ends the run before the queue finds out.
func partition() *Run {
	t := newTape("J1")
	t.enqueue(1)
	t.claim(w1, 1, 1)
	t.at(10 * ms)
	t.add(model.Event{Kind: model.Cut, Proc: w1, Peer: queue, Until: 40_010 * ms})
	t.work(w1, 1, 1, 1)
	t.lose(w1, 1, 1, model.ByPartition)
	t.at(20_000 * ms)
	t.add(model.Event{Kind: model.Ended, Cause: model.Horizon})
	h := &t.h
	return &Run{Story: "cut-off", Queue: "echomq lease=30s", Consumers: "w1: naive", History: h,
		Verdicts: verdicts(h, model.Verdict{Property: "no-loss", Value: model.Unknown, Witness: model.Witness{
			Events: pick(h, model.Admitted), Job: 1,
			Says: "the horizon cut the run while J1 was still in a worker's hand: nobody can tell whether it is lost"}}),
		Named:        []Named{{"no-loss", model.Held}},
		Expectations: []Expectation{{Line: 7, Text: "held no-loss", Inconclusive: true, Got: "unknown"}},
		Outcome:      scenarios.Inconclusive, Again: "ackgap run cut-off --horizon 10m"}
}

// long: forty jobs and nine workers, far more than a page; the duplicate stands
// in the middle.
func long() *Run {
	t := newTape()
	for w := 3; w <= 9; w++ {
		t.h.Names.Procs = append(t.h.Names.Procs, fmt.Sprint("w", w))
	}
	t.ids = make([]model.ID, 41)
	for j := range 40 {
		t.h.Names.Jobs = append(t.h.Names.Jobs, fmt.Sprint("J", j+1))
	}
	for j := model.Job(1); j <= 40; j++ {
		w := w1 + model.Proc(j-1)%9
		t.enqueue(j)
		t.claim(w, j, 1)
		t.work(w, j, 1, 1)
		if j == 20 {
			t.work(w, j, 1, 2)
		}
		t.complete(w, j, 1, model.OK)
	}
	h := t.quiet()
	var both []model.Event
	for _, e := range pick(h, model.Effected) {
		if e.Job == 20 {
			both = append(both, e)
		}
	}
	v := twice(h, 20)
	v.Witness.Events = both
	return &Run{Story: "long", Queue: "echomq", Consumers: "w1..w9: naive", History: h,
		Verdicts: verdicts(h, v), Outcome: scenarios.Yes, Seed: 1<<64 - 1, Again: "ackgap run long"}
}

// hostile: every name tries to take over the terminal or the layout.
func hostile() *Run {
	r := lostAck()
	h := r.History
	h.Names.Procs = []string{"", "p\x1b[31m", "queue", "pump", "w\u202e1", "a-name-far-too-long-for-a-lane"}
	h.Names.Jobs = []string{"", "J\n1\x00\xff e\u0301 ◆ é"}
	r.Story, r.Title = "lost\x1b]0;owned\x07-ack", "title\r\nwith \u2066breaks\u2069"
	r.Queue, r.Consumers = "echo\x7fmq", "w\u200b1"
	r.Verdicts = verdicts(h, twice(h, 1))
	r.Expectations[0] = Expectation{Line: 10, Text: "effects \x1b[2J = 2", Got: "1\x9b31m"}
	r.Unfired = []Fault{{Line: 8, Text: "drop \u202ecomplete"}}
	r.Outcome, r.Again = scenarios.No, "ackgap run 'lost\x1b[0m'"
	return r
}
