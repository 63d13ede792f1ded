package echomq_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/echomq"
)

// The machine and the dumb queue do the same, whatever is asked of them: they
// answer alike, leave the same keyspace and report the same touches.
func TestMachineDoesWhatTheDumbQueueDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := newPair(t)
		actions := map[string]func(*rapid.T){
			"clock": func(t *rapid.T) { p.now += model.Time(rapid.Int64Range(-20e6, 40e6).Draw(t, "step")) },
			"":      p.look,
		}
		for op := model.OpEnqueue; op <= model.OpDrain; op++ {
			if op != model.OpApply {
				actions[op.String()] = func(t *rapid.T) { p.ask(t, drawRequest(t, op, p.now)) }
			}
		}
		// What moves jobs on comes up more often than what ends them.
		for i := range 3 {
			actions[fmt.Sprint("claim again ", i)] = func(t *rapid.T) { p.ask(t, drawRequest(t, model.OpClaim, p.now)) }
			actions[fmt.Sprint("enqueue again ", i)] = func(t *rapid.T) { p.ask(t, drawRequest(t, model.OpEnqueue, p.now)) }
		}
		t.Repeat(actions)
	})
}

// pool is small, so that ids collide. One of them is of another kind.
var pool = []model.ID{
	{NS: model.JOB, Value: 1}, {NS: model.JOB, Value: 2}, {NS: model.JOB, Value: 3 << 22}, {NS: model.JOB, Value: 1<<63 - 1},
	{NS: [3]byte{'U', 'S', 'R'}, Value: 2},
}

var leases = []time.Duration{1, time.Millisecond - 1, time.Millisecond, 2500 * time.Microsecond, 10 * time.Millisecond, 30 * time.Millisecond}

func drawRequest(t *rapid.T, op model.Op, now model.Time) model.Request {
	drawID := rapid.SampledFrom(pool)
	drawToken := rapid.SampledFrom([]model.Token{0, 1, 1, 1, 2, 2, 3, 4, -1})
	req := model.Request{
		Op:      op,
		ID:      drawID.Draw(t, "id"),
		Token:   drawToken.Draw(t, "token"),
		Lease:   rapid.SampledFrom(leases).Draw(t, "lease"),
		Delay:   rapid.SampledFrom(append(leases, 0)).Draw(t, "delay"),
		At:      now + model.Time(rapid.Int64Range(-30e6, 30e6).Draw(t, "at")),
		Max:     rapid.IntRange(-1, 3).Draw(t, "max"),
		Limit:   rapid.IntRange(0, 2).Draw(t, "limit"),
		All:     rapid.Bool().Draw(t, "all"),
		Payload: rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "payload"),
		Error:   rapid.SampledFrom([]string{"", "boom"}).Draw(t, "error"),
	}
	for range rapid.IntRange(0, 3).Draw(t, "pairs") {
		req.Batch = append(req.Batch, model.Holding{ID: drawID.Draw(t, "of"), Token: drawToken.Draw(t, "held")})
	}
	return req
}

// pair is the machine and the dumb queue side by side.
type pair struct {
	machine *echomq.Queue
	dumb    *dumb
	now     model.Time
	states  map[string]string // encoding of each state met, by its snapshot
	shown   map[string]string // and the other way about
}

func newPair(t *rapid.T) *pair {
	q, err := echomq.New("")
	if err != nil {
		t.Fatal(err)
	}
	return &pair{machine: q, dumb: newDumb(), states: map[string]string{}, shown: map[string]string{}}
}

func (p *pair) ask(t *rapid.T, req model.Request) {
	before := p.dumb.snapshot()
	want, got := p.dumb.apply(p.now, req), p.machine.Apply(p.now, req)
	after := p.dumb.snapshot()
	diff(t, "reply", want, got)
	diff(t, "touched", p.dumb.touches(before, after), p.machine.Touched())
}

// look compares what can be seen without asking.
func (p *pair) look(t *rapid.T) {
	diff(t, "snapshot", p.dumb.snapshot(), p.machine.Snapshot())

	served, ok := p.machine.Peek(p.now)
	first := append(p.dumb.zrange("pending"), "-")[0]
	diff(t, "peek", first, served.String())
	diff(t, "peek found one", first != "-", ok)

	shown, state := fmt.Sprint(p.machine.Snapshot()), string(p.machine.AppendState(nil))
	if old, met := p.states[shown]; met && old != state {
		t.Fatalf("one state has two encodings\n%q\n%q", old, state)
	}
	if old, met := p.shown[state]; met && old != shown {
		t.Fatalf("two states share an encoding\n%s\n%s", old, shown)
	}
	p.states[shown], p.shown[state] = state, shown
}

func diff(t interface{ Fatalf(string, ...any) }, what string, want, got any) {
	if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
		t.Fatalf("%s: the dumb queue (-) and the machine (+) differ:\n%s", what, d)
	}
}
