// Package queuetest holds a queue to what it claims: what every queue must do, and
// what those do that have a fence, a window of deduplication, a clock of their own.
//
//	func TestConformance(t *testing.T) {
//		queuetest.Run(t, newQueue, queuetest.Exclusive, queuetest.Fence)
//	}
//
// A body of EchoMQ claims EchoMQ: its own conformance scenarios, and what it can do as
// built. What a queue does when messages are lost and workers die is for
// simtest.CheckQueue.
package queuetest

import (
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/internal/bare"
)

// conformance holds EchoMQ's own conformance scenarios, by their names, so far as
// they need no lanes, flows, events or second connection.
var conformance = []struct{ name, script string }{
	{"mint", `
			0s enqueue J1 payload=a    -> enqueued
			0s show J1                 -> pending attempts=0 payload=a state=pending`},
	{"duplicate", `
			0s enqueue J1 payload=a    -> enqueued
			0s enqueue J1 payload=b    -> duplicate
			0s enqueue-at J1 at=5s     -> duplicate
			0s enqueue-in J1           -> duplicate
			0s show J1                 -> pending attempts=0 payload=a state=pending`},
	{"kind", `
			0s enqueue U1              -> kind
			0s claim                   -> empty`},
	{"order", `
			0s enqueue J3              -> enqueued
			0s enqueue J1              -> enqueued
			0s enqueue J2              -> enqueued
			0s claim-batch             -> ok J1#1 J2#1 J3#1`},
	{"claim", `
			0s enqueue J1 payload=a    -> enqueued
			0s claim lease=30s         -> J1#1 payload=a
			0s show J1                 -> active@30s attempts=1 payload=a state=active
			0s claim                   -> empty`},
	{"stale", `
			0s enqueue J1              -> enqueued
			0s claim                   -> J1#1
			0s complete J1 token=2     -> stale
			0s retry J1 token=2        -> stale
			0s delay J1 token=2        -> stale
			0s complete J1 token=1     -> ok`},
	{"complete", `
			0s enqueue J1              -> enqueued
			0s claim                   -> J1#1
			0s complete J1 token=1     -> ok
			0s show J1                 -> nothing`},
	{"retry", `
			0s enqueue J1 payload=a    -> enqueued
			0s claim                   -> J1#1 payload=a
			0s retry J1 token=1 error=x -> scheduled until=1s
			0s show J1                 -> schedule@1s attempts=1 last_error=x payload=a state=scheduled
			1s promote                 -> ok moved=1
			1s claim                   -> J1#2 payload=a
			1s complete J1 token=2     -> ok`},
	{"dead", `
			0s enqueue J1 payload=a    -> enqueued
			0s claim                   -> J1#1 payload=a
			0s retry J1 token=1 max=1 error=x -> dead
			0s show J1                 -> dead attempts=1 last_error=x payload=a state=dead
			0s show counters           -> completed=0 failed=1`},
	{"reap", `
			0s  enqueue J1             -> enqueued
			0s  claim lease=30s        -> J1#1
			29s reap                   -> ok
			30s reap                   -> ok moved=1
			30s claim                  -> J1#2
			30s complete J1 token=2    -> ok`},
	{"schedule", `
			0s enqueue-in J1 delay=5s  -> scheduled until=5s
			0s claim                   -> empty
			4s promote                 -> ok
			5s promote                 -> ok moved=1
			5s claim                   -> J1#1`},
	{"backoff", `
			0s enqueue J1 payload=a    -> enqueued
			0s claim                   -> J1#1 payload=a
			0s retry J1 token=1 max=2 error=x -> scheduled until=1s
			1s promote                 -> ok moved=1
			1s claim                   -> J1#2 payload=a
			1s retry J1 token=2 max=2 error=y -> dead
			1s show J1                 -> dead attempts=2 last_error=y payload=a state=dead`},
	{"metrics", `
			0s enqueue J1              -> enqueued
			0s show counters           -> completed=0 failed=0
			0s claim                   -> J1#1
			0s complete J1 token=1     -> ok
			0s show counters           -> completed=1 failed=0`},
	{"queue_pause", `
			0s enqueue J1              -> enqueued
			0s read-pause              -> ok
			0s pause                   -> ok
			0s read-pause              -> paused
			0s show J1                 -> pending attempts=0 payload= state=pending
			0s resume                  -> ok
			0s read-pause              -> ok
			0s claim                   -> J1#1`},
	{"drain", `
			0s enqueue J1              -> enqueued
			0s claim                   -> J1#1
			0s enqueue J2              -> enqueued
			0s enqueue-in J3           -> scheduled until=1s
			0s drain                   -> ok moved=1
			0s show J2                 -> nothing
			0s show J3                 -> schedule@1s attempts=0 payload= state=scheduled
			0s drain all               -> ok moved=1
			0s show J3                 -> nothing
			0s show J1                 -> active@30s attempts=1 payload= state=active`},
	{"update_data", `
			0s enqueue J1 payload=a    -> enqueued
			0s update-data J1 payload=b -> ok
			0s show J1                 -> pending attempts=0 payload=b state=pending
			0s update-data J2 payload=b -> gone`},
	{"remove_job", `
			0s enqueue J1              -> enqueued
			0s claim                   -> J1#1
			0s remove J1               -> ok
			0s show J1                 -> nothing
			0s complete J1 token=1     -> gone`},
	{"reprocess_job", `
			0s enqueue J1 payload=a    -> enqueued
			0s reprocess J1            -> not-dead
			0s claim                   -> J1#1 payload=a
			0s retry J1 token=1 max=1 error=x -> dead
			0s reprocess J1            -> ok
			0s show J1                 -> pending attempts=1 payload=a state=pending`},
	{"lock_extend", `
			0s  enqueue J1             -> enqueued
			0s  claim lease=10s        -> J1#1
			5s  extend J1 token=1 lease=10s -> ok until=15s
			10s reap                   -> ok
			10s extend J1 token=2      -> stale
			10s extend J2 token=1      -> gone
			15s reap                   -> ok moved=1`},
	{"stalled", `
			0s enqueue J1 payload=a    -> enqueued
			0s claim lease=1s          -> J1#1 payload=a
			1s sweep max=2             -> ok moved=1
			1s show J1                 -> pending attempts=1 payload=a stalled=1 state=pending
			1s claim lease=1s          -> J1#2 payload=a
			2s sweep max=2             -> ok dead=1
			2s show J1                 -> dead attempts=2 last_error=stalled payload=a stalled=2 state=dead
			2s show counters           -> completed=0 failed=1`},
	{"extend_locks_batch", `
			0s enqueue J1              -> enqueued
			0s enqueue J2              -> enqueued
			0s claim-batch limit=2     -> ok J1#1 J2#1
			5s extend-batch pairs=J1:1,J2:9,J3:1 -> ok J2#9 J3#1
			5s show J1                 -> active@35s attempts=1 payload= state=active
			5s show J2                 -> active@30s attempts=1 payload= state=active`},
}

// Run asks a new queue for each thing that every queue must do, as a subtest of its
// name, and for each capability that it claims (see Capability), by itself or as part
// of EchoMQ, and says in a line what a queue that claims too much does otherwise. A queue that claims nothing is
// asked for the least: that a job which is enqueued is served, is over when it is
// completed, and comes back when its lease is over or it is retried.
//
// NewQueue returns an empty queue each time, which may be the same one, emptied.
// Closing it is the test's own affair.
//
// Of a queue that claims EchoMQ, what a scenario shows of rows and sets is judged
// where it is a model.Snapshotter, and skipped aloud where it is none.
func Run(t *testing.T, newQueue func() model.Queue, caps ...Capability) {
	if err := CheckClaims(caps...); err != nil {
		t.Fatal(err)
	}
	run(t, "starts-empty", func(t *testing.T) {
		for _, wrong := range startsEmpty(newQueue) {
			t.Error(wrong)
		}
	})
	for _, b := range everyQueue {
		run(t, b.name, func(t *testing.T) {
			for _, wrong := range judge(newQueue, b.ask) {
				t.Errorf("every queue must do this, but %s", wrong)
			}
		})
	}
	for _, c := range claimed(caps) {
		if c == EchoMQ {
			runConformance(t, newQueue)
			continue
		}
		run(t, string(c), func(t *testing.T) {
			for _, wrong := range complaints(newQueue, c) {
				t.Error(wrong)
			}
		})
	}
}

// startsEmpty asks a new queue, and then another new one the same, which must answer the
// same: otherwise it remembers the one before. The tokens may well go on rising.
func startsEmpty(newQueue func() model.Queue) []string {
	var lists [2][]string
	for i := range lists {
		wrong := judge(newQueue, func(p *probe) {
			p.hears = func(req *model.Request, rep *model.Reply) {
				said := fmt.Sprintf("%s at %s was answered %s", req.Op, p.when(), rep.Answer)
				if !rep.ID.IsZero() {
					said += fmt.Sprintf(" (%s, payload %q)", name(rep.ID), model.Safe(rep.Payload))
				}
				lists[i] = append(lists[i], said)
			}
			completes(p)
		})
		if i == 0 && len(wrong) > 0 {
			return nil // which is told under another name
		}
	}
	for i, first := range lists[0] {
		if i >= len(lists[1]) || lists[1][i] != first {
			then := append(lists[1], "nothing")[min(i, len(lists[1]))]
			return []string{fmt.Sprintf("newQueue must return an empty queue each time, but of two that were asked the same the first said: %s; and the second: %s; what do they share?", first, then)}
		}
	}
	return nil
}

func runConformance(t *testing.T, newQueue func() model.Queue) {
	for _, s := range conformance {
		run(t, s.name, func(t *testing.T) {
			q := newQueue()
			if q == nil {
				t.Fatal("newQueue returned nil")
			}
			bare.Tell(t, q, "", s.script)
		})
	}
}

// run is t.Run for code of others: neither a panic of theirs nor a runtime.Goexit ends
// the test program.
func run(t *testing.T, name string, f func(*testing.T)) {
	t.Run(name, func(t *testing.T) {
		over := false
		defer func() {
			if v := recover(); v != nil {
				t.Error(panicked(name, v))
			} else if !over && !t.Failed() {
				t.Fatal("the queue, or newQueue, ended the test's goroutine (runtime.Goexit, or t.FailNow and what calls it): let it return")
			}
		}()
		f(t)
		over = true
	})
}

// panicked tells of a panic, and where it was thrown. It is called by the deferred
// function that recovered.
func panicked(doing string, v any) string {
	where := "a place unknown"
	lines := strings.Split(string(debug.Stack()), "\n") // two a call: its function, and its place
	i := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "panic(") })
	for i += 2; i > 1 && i+1 < len(lines); i += 2 {
		if !strings.HasPrefix(lines[i], "runtime.") && !strings.HasPrefix(lines[i], "panic(") {
			where, _, _ = strings.Cut(strings.TrimSpace(lines[i+1]), " +0x")
			break
		}
	}
	return fmt.Sprintf("the queue panicked in %s: %s, thrown at %s", doing, model.Safe(fmt.Sprint(v)), where)
}
