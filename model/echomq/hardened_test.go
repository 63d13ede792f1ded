package echomq_test

import (
	"testing"
	"time"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/echomq"
	"github.com/ackgap/ackgap/model/internal/bare"
)

// What hardened asks, one guard at a time: the script goes so with all guards, and
// after the mark without the one that it is about. scenarios/exhaust tells the same
// of every schedule: none of them can be left out.
var guarded = []struct {
	guard  echomq.Guard
	script string
}{
	{echomq.CompletesHeld, `
		0s enqueue J1                   -> enqueued
		0s claim                        -> J1#1
		1s retry J1 token=1 max=1       -> dead
		1s complete J1 token=1          -> stale ! ok
		1s show J1                      -> dead attempts=1 last_error= payload= state=dead token=1 ! dead`},
	{echomq.RetriesHeld, `
		0s enqueue J1                   -> enqueued
		0s claim                        -> J1#1
		1s retry J1 token=1             -> scheduled until=2s
		1s retry J1 token=1 max=1       -> stale ! dead`},
	{echomq.DelaysHeld, `
		0s enqueue J1                   -> enqueued
		0s claim                        -> J1#1
		1s delay J1 token=1 delay=0s    -> scheduled until=1s
		1s promote                      -> ok moved=1
		1s delay J1 token=1 delay=9s    -> stale ! scheduled until=10s`},
	{echomq.ExtendsHeld, `
		0s enqueue J1                   -> enqueued
		0s claim lease=30s              -> J1#1
		1s retry J1 token=1             -> scheduled until=2s
		1s extend J1 token=1 lease=30s  -> stale ! ok until=31s`},
	{echomq.LeaseRuns, `
		0s  enqueue J1                  -> enqueued
		0s  claim lease=30s             -> J1#1
		29s extend J1 token=1 lease=1s  -> ok until=30s
		30s extend J1 token=1 lease=30s -> stale ! ok until=1m0s
		30s retry J1 token=1            -> stale ! scheduled until=31s`},
	{echomq.QueueTokens, `
		0s  enqueue J1                  -> enqueued
		9s  claim                       -> J1#9000
		9s  complete J1 token=9000      -> ok
		9s  enqueue J1                  -> enqueued
		9s  claim                       -> J1#9001 ! J1#9000`},
	{echomq.ClockTokens, `
		0s  enqueue J1                  -> enqueued
		9s  claim                       -> J1#9000 ! J1#1`},
}

func TestEachGuardIsAskedAndCanBeLeftOut(t *testing.T) {
	var told []echomq.Guard
	for _, g := range guarded {
		told = append(told, g.guard)
		t.Run(g.guard.String(), func(t *testing.T) {
			bare.Tell(t, echomq.NewHardened(0), "", g.script)
			bare.Tell(t, echomq.NewHardened(g.guard), "hardened", g.script)
		})
	}
	diff(t, "guards with a script", echomq.Guards(), told)
}

func TestHardenedSharesTheStraightPaths(t *testing.T) {
	tell(t, "hardened", `
		0s enqueue-in J1         -> scheduled until=1s
		1s promote               -> ok moved=1
		1s claim lease=30s       -> J1#1000
		2s reap                  -> ok
		2s retry J1 token=1000   -> scheduled until=3s
		3s promote               -> ok moved=1
		3s claim lease=30s       -> J1#3000
		4s show J1               -> active@33s attempts=2 last_error= payload= state=active token=3000
		4s retry J1 token=3000 max=2 -> dead
		4s reprocess J1          -> ok
		4s claim lease=1s        -> J1#4000
		5s reap                  -> ok moved=1
		5s claim lease=1s        -> J1#5000
		5s complete J1 token=5000 -> ok
		5s show J1               -> nothing
	`)
}

// The clock was set back, or the server was asked more than once a millisecond: the
// count goes on. The server forgot the count: the clock goes on.
func TestATokenIsAboveAllThatAreAndWere(t *testing.T) {
	q := echomq.NewHardened(0)
	serve := func(at time.Duration) model.Token {
		now := model.Time(0).Add(at)
		q.Apply(now, enqueue(j1))
		got := q.Apply(now, model.Request{Op: model.OpClaim, Lease: time.Second})
		q.Apply(now, model.Request{Op: model.OpRemove, ID: j1})
		return got.Token
	}
	tokens := []model.Token{serve(time.Minute), serve(time.Minute), serve(time.Second), serve(time.Hour)}
	q.Reset()
	tokens = append(tokens, serve(time.Hour+time.Millisecond))
	diff(t, "tokens", []model.Token{60_000, 60_001, 60_002, 3_600_000, 3_600_001}, tokens)
}
