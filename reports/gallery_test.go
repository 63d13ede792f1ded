package reports

import "github.com/ackgap/ackgap/model"

// gallery is no run that could be: it shows each thing that a diagram can show
// once, in the order of model's kinds.
func gallery() *Run {
	t := newTape("J1", "J2", "J3")
	t.enqueue(1)
	t.enqueue(2)
	t.messages()
	t.pumps()
	t.steps()
	t.mishaps()
	h := t.quiet()
	return &Run{Story: "gallery", Title: "Each thing that a diagram can show, once.", History: h,
		Verdicts: verdicts(h), Again: "ackgap run gallery"}
}

// request is the start of a call that w1 makes about J1#1.
func (t *tape) request(op model.Op) model.Event {
	t.calls++
	e := model.Event{Kind: model.Sent, Proc: w1, Op: op, Job: 1, N: 1, Nth: 1, Call: t.calls, Token: 1}
	t.add(e)
	t.at(t.now + ms)
	return e
}

// then adds what becomes of e: another kind, with what change changes.
func (t *tape) then(e model.Event, k model.Kind, change func(*model.Event)) {
	e.Kind = k
	if change != nil {
		change(&e)
	}
	t.add(e)
	t.at(t.now + ms)
}

func answer(a model.Answer) func(*model.Event) { return func(e *model.Event) { e.Answer = a } }

func lostFor(c model.Cause, f model.Flags) func(*model.Event) {
	return func(e *model.Event) { e.Cause, e.Flags = c, f }
}

// messages: lost each way for each cause, late, doubled, and every answer.
func (t *tape) messages() {
	claim := t.request(model.OpClaim)
	t.then(claim, model.Applied, func(e *model.Event) { e.Answer, e.Until = model.OK, t.now+30_000*ms })
	t.then(claim, model.Lost, lostFor(model.ByFault, model.IsReply))
	for _, c := range []model.Cause{model.ByChance, model.ByPartition, model.ByDeath, model.ByOutage} {
		t.then(t.request(model.OpExtend), model.Lost, lostFor(c, 0))
	}
	extend := t.request(model.OpExtend)
	t.then(extend, model.Applied, func(e *model.Event) { e.Answer, e.Until = model.OK, 45_000*ms })
	t.at(t.now + 2000*ms)
	t.then(extend, model.Answered, func(e *model.Event) { e.Answer, e.Until = model.OK, 45_000*ms })
	slow := t.request(model.OpRetry)
	t.at(t.now + 7000*ms)
	due := t.now + 1000*ms
	t.then(slow, model.Applied, func(e *model.Event) { e.Answer, e.Until = model.Scheduled, due })
	t.then(slow, model.Applied, func(e *model.Event) { e.Answer, e.Flags = model.Gone, model.IsCopy })
	t.then(slow, model.Answered, func(e *model.Event) { e.Answer, e.Until, e.Flags = model.Scheduled, due, model.IsLate })
	t.then(t.request(model.OpRetry), model.Applied, answer(model.DeadLettered))
	lost := t.request(model.OpComplete)
	t.then(lost, model.Applied, answer(model.OK))
	t.then(lost, model.Lost, lostFor(model.ByFault, model.IsReply))
	t.claim(w2, 1, 2)
	t.then(t.request(model.OpComplete), model.Applied, answer(model.OK))
	t.request(model.OpExtend)
}

// pumps: what the queue does by itself, and what is done by hand.
func (t *tape) pumps() {
	t.reap(t.now, 1)
	raw := model.Event{Kind: model.Applied, Proc: pump, Op: model.OpPromote, Answer: model.OK, Moved: 7}
	t.add(raw)
	raw.Op, raw.Moved, raw.Dead = model.OpSweep, 1, 1
	t.add(raw, model.Touch{ID: t.ids[1]}, model.Touch{ID: t.ids[2]})
	raw = model.Event{Kind: model.Applied, Op: model.OpPause, Answer: model.OK, Flags: model.IsRaw}
	t.add(raw)
	raw.Proc, raw.Op, raw.Job, raw.Answer = w2, model.OpReprocess, 2, model.NotDead
	t.add(raw)
}

// steps: what a consumer does at the store, and at an outside service.
func (t *tape) steps() {
	e := model.Event{Proc: w2, Job: 1, N: 2, Step: model.StepMark}
	t.then(e, model.Marked, lostFor(0, model.IsFound))
	e.Step = model.StepApply
	for _, c := range []model.Cause{model.ByUpsert, model.ByFence, model.ByKey} {
		t.then(e, model.Absorbed, lostFor(c, 0))
	}
	for _, c := range []model.Cause{model.ByRefusal, model.ByHandler, model.BySilence} {
		t.then(e, model.Failed, lostFor(c, 0))
	}
	t.then(t.request(model.OpApply), model.Lost, lostFor(model.ByFault, 0))
}

// mishaps: what befalls processes, links and clocks.
func (t *tape) mishaps() {
	later := t.now + 10_000*ms
	for _, e := range []model.Event{
		{Kind: model.Stalled, Proc: w1, Until: later},
		{Kind: model.ClockSet, Proc: queue, Skew: 60_000_000_000},
		{Kind: model.Cut, Proc: w2, Peer: queue, Until: later, Flags: model.IsOneway},
		{Kind: model.Healed, Proc: w2, Peer: queue},
		{Kind: model.Crashed, Proc: pump, Until: model.Never},
		{Kind: model.Crashed, Proc: queue, Until: later},
		{Kind: model.Paused, Proc: w2, Until: later},
	} {
		t.add(e)
	}
	t.at(later)
	t.add(model.Event{Kind: model.Restarted, Proc: queue}, model.Touch{ID: t.ids[2]})
	t.add(model.Event{Kind: model.Woke, Proc: w2})
}
