package model_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	. "github.com/ackgap/ackgap/model"
)

// A tale is a history told by hand and judged while it is told. Its verbs tell
// what an honest queue would do and answer; an edit makes it lie.
type tale struct {
	judge   *Judge
	facts   Facts
	history History
	now     Time
	skew    Time
	stands  map[Job]*Standing
	ids     map[Job]ID
	claims  map[Job]int32
	tokens  map[Job]Token // the last one given
	effects map[Job]int32

	claimsSince map[Job]int32 // claims in the present incarnation
}

// An edit changes the event, or the standing that it leaves behind.
type edit func(e *Event, after *Standing)

const (
	j1 Job = 1
	j2 Job = 2
	j3 Job = 3

	producer, queue, pump, w1, w2 Proc = 1, 2, 3, 4, 5

	ms  = Time(time.Millisecond)
	sec = Time(time.Second)
)

// world is what the tales play in: one worker, leases of 30s, three attempts.
func world() Facts {
	return Facts{
		Toucher: true, SeesClaims: true, BoundsDeliveries: true, MaxAttempts: 3,
		Lease: 30 * time.Second, RetryDelay: time.Second, ReapEvery: time.Second, PromoteEvery: time.Second,
		Latency: time.Millisecond, Queue: queue, Pump: pump,
		Workers: []WorkerFacts{{
			Proc: w1, Work: 20 * time.Millisecond, Poll: 50 * time.Millisecond, Timeout: 5 * time.Second, Steps: 1,
		}},
	}
}

// bareWorld has no workers: a story of bare protocol.
func bareWorld() Facts {
	f := world()
	f.Workers = nil
	return f
}

func everyProperty() []*Property { return append(Properties(), Reach()...) }

func newTale(facts Facts) *tale {
	return &tale{
		judge: NewJudge(facts, everyProperty()), facts: facts,
		stands: map[Job]*Standing{}, ids: map[Job]ID{}, claims: map[Job]int32{},
		tokens: map[Job]Token{}, effects: map[Job]int32{}, claimsSince: map[Job]int32{},
	}
}

// tell adds e to the history and lets the judge see it.
func (h *tale) tell(e Event, touched ...Touch) {
	e.At = h.now
	if e.Kind == Applied && e.Server == 0 {
		e.Server = h.server()
	}
	if !h.facts.Toucher {
		touched = nil
	}
	h.judge.Observe(h.history.Add(e, touched), touched)
}

func (h *tale) server() Time { return (h.now + h.skew).FloorMillis() }

func (h *tale) wait(d Time) { h.now += d }

func (h *tale) id(j Job) ID {
	if _, ok := h.ids[j]; !ok {
		h.ids[j] = ID{NS: JOB, Value: 1000 + uint64(j)}
	}
	return h.ids[j]
}

func (h *tale) standing(j Job) Standing {
	if s := h.stands[j]; s != nil {
		return *s
	}
	return Standing{}
}

// apply tells that the queue applied e, which left its job standing at after.
func (h *tale) apply(e Event, after Standing, edits []edit) {
	e.Kind, e.ID = Applied, h.id(e.Job)
	for _, change := range edits {
		change(&e, &after)
	}
	before := h.standing(e.Job)
	if before == after {
		h.tell(e)
		return
	}
	h.stands[e.Job] = &after
	h.tell(e, Touch{ID: h.id(e.Job), Before: before, After: after})
}

func (h *tale) enqueue(j Job, edits ...edit) {
	after := h.standing(j)
	answer := Duplicate
	if after.Fields != FullRow {
		after, answer = Standing{Sets: InPending, Fields: FullRow}, Enqueued
		h.claimsSince[j] = 0
	}
	h.tell(Event{Kind: Sent, Proc: producer, Op: OpEnqueue, Job: j, ID: h.id(j)})
	h.apply(Event{Proc: producer, Op: OpEnqueue, Job: j, Answer: answer}, after, edits)
}

// admit is an enqueue whose answer arrives.
func (h *tale) admit(j Job, edits ...edit) {
	h.enqueue(j, edits...)
	h.tell(Event{Kind: Admitted, Proc: producer, Op: OpEnqueue, Job: j, ID: h.id(j), Answer: Enqueued})
}

func (h *tale) claim(j Job, edits ...edit) {
	h.claims[j]++
	h.claimsSince[j]++
	until := h.server() + Time(h.facts.Lease)
	e := Event{Proc: w1, Op: OpClaim, Job: j, N: h.claims[j], Token: h.tokens[j] + 1, Until: until, Answer: OK}
	h.tokens[j]++
	h.apply(e, Standing{Sets: InActive, Fields: FullRow, Attempts: Token(h.claimsSince[j]), Deadline: until}, edits)
}

func (h *tale) claimNothing(edits ...edit) {
	e := Event{Kind: Applied, Proc: w1, Op: OpClaim, Answer: Empty}
	for _, change := range edits {
		change(&e, nil)
	}
	h.tell(e)
}

// settle tells a settling verb of J#n, which is stale when it is not the last.
func (h *tale) settle(op Op, j Job, n int32, accepted Answer, after Standing, edits []edit) {
	e := Event{Proc: w1, Op: op, Job: j, N: n, Token: Token(n), Answer: accepted, Max: int32(h.facts.MaxAttempts)}
	switch s := h.standing(j); {
	case s.Fields == 0:
		e.Answer, after = Gone, s
	case n != h.claims[j] || s.Sets != InActive:
		e.Answer, after = Stale, s
	}
	h.apply(e, after, edits)
}

func (h *tale) complete(j Job, n int32, edits ...edit) {
	h.settle(OpComplete, j, n, OK, Standing{}, edits)
}

func (h *tale) retry(j Job, n int32, edits ...edit) {
	attempts := Token(h.claimsSince[j])
	after := Standing{Sets: InSchedule, Fields: FullRow, Attempts: attempts, RunAt: h.server() + Time(h.facts.RetryDelay)}
	answer := Scheduled
	if attempts >= Token(h.facts.MaxAttempts) {
		after, answer = Standing{Sets: InDead, Fields: FullRow, Attempts: attempts}, DeadLettered
	}
	h.settle(OpRetry, j, n, answer, after, append([]edit{until(after.RunAt)}, edits...))
}

func (h *tale) extend(j Job, n int32, edits ...edit) {
	after := h.standing(j)
	after.Deadline = h.server() + Time(h.facts.Lease)
	h.settle(OpExtend, j, n, OK, after, append([]edit{until(after.Deadline)}, edits...))
}

// pump tells that a pump moved j to sets: the event names no job.
func (h *tale) pump(op Op, j Job, sets Sets, edits ...edit) {
	before := h.standing(j)
	after := Standing{Sets: sets, Fields: before.Fields, Attempts: before.Attempts}
	e := Event{Kind: Applied, Proc: pump, Op: op, Answer: OK, Moved: 1}
	for _, change := range edits {
		change(&e, &after)
	}
	h.stands[j] = &after
	h.tell(e, Touch{ID: h.id(j), Before: before, After: after})
}

func (h *tale) reap(j Job, edits ...edit)    { h.pump(OpReap, j, InPending, edits...) }
func (h *tale) promote(j Job, edits ...edit) { h.pump(OpPromote, j, InPending, edits...) }

// operate tells an operator's verb on j.
func (h *tale) operate(op Op, j Job, after Standing, edits ...edit) {
	h.apply(Event{Op: op, Job: j, Answer: OK, Flags: IsRaw}, after, edits)
}

func (h *tale) remove(j Job) { h.operate(OpRemove, j, Standing{}) }

func (h *tale) reprocess(j Job) {
	h.operate(OpReprocess, j, Standing{Sets: InPending, Fields: FullRow, Attempts: h.tokens[j]})
}

func (h *tale) effect(j Job) {
	h.effects[j]++
	h.tell(Event{Kind: Effected, Proc: w1, Op: OpApply, Job: j, N: h.claims[j], Effect: h.effects[j]})
}

// forget tells that the queue restarts and has lost what brought j to where it
// stands; now it stands at after.
func (h *tale) forget(j Job, after Standing) {
	before := h.standing(j)
	h.stands[j] = &after
	h.tell(Event{Kind: Restarted, Proc: queue}, Touch{ID: h.id(j), Before: before, After: after})
}

func (h *tale) end(why Cause) { h.tell(Event{Kind: Ended, Cause: why}) }

// work is the whole life of a delivery that goes well.
func (h *tale) work(j Job) {
	h.claim(j)
	h.wait(20 * ms)
	h.effect(j)
	h.complete(j, h.claims[j])
}

func answer(a Answer) edit       { return func(e *Event, _ *Standing) { e.Answer = a } }
func token(t Token) edit         { return func(e *Event, _ *Standing) { e.Token = t } }
func until(t Time) edit          { return func(e *Event, _ *Standing) { e.Until = t } }
func by(p Proc) edit             { return func(e *Event, _ *Standing) { e.Proc = p } }
func leaves(after Standing) edit { return func(_ *Event, s *Standing) { *s = after } }
func in(sets Sets) edit          { return func(_ *Event, s *Standing) { s.Sets = sets } }
func rowLacks(f Fields) edit     { return func(_ *Event, s *Standing) { s.Fields &^= f } }

func (h *tale) verdict(name string) Verdict {
	for _, v := range h.judge.Verdicts() {
		if v.Property == name {
			return v
		}
	}
	panic("no property is called " + name)
}

// broken returns the names of what is broken, in order.
func (h *tale) broken() []string {
	var names []string
	for _, v := range h.judge.Verdicts() {
		if v.Value == Broken {
			names = append(names, v.Property)
		}
	}
	return names
}

func (h *tale) wantBroken(t *testing.T, want ...string) {
	t.Helper()
	if got := h.broken(); !slices.Equal(got, want) {
		t.Errorf("broken: %v, want %v", got, want)
	}
}

func (h *tale) wantValue(t *testing.T, property string, want Value, says string) {
	t.Helper()
	v := h.verdict(property)
	if v.Value != want || !strings.Contains(v.Witness.Says, says) {
		t.Errorf("%s is %v (%q), want %v with %q", property, v.Value, v.Witness.Says, want, says)
	}
}
