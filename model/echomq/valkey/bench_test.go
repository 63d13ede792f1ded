package valkey

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ackgap/ackgap/model"
)

// cycle is one job's life in three requests: enqueue, claim, complete.
var cycle = [...]model.Request{
	{Op: model.OpEnqueue, ID: pool[0], Payload: "a"},
	{Op: model.OpClaim, Lease: 30 * time.Second},
	{Op: model.OpComplete, ID: pool[0], Token: 1},
}

// BenchmarkQueue is a request to the queue: the call, the look at what it
// changed, and the words.
func BenchmarkQueue(b *testing.B) {
	for _, address := range servers(b) {
		b.Run(address, func(b *testing.B) {
			q := open(b, address)
			for i := range b.N {
				if r := q.Apply(0, cycle[i%len(cycle)]); r.Answer == model.UnknownAnswer {
					b.Fatal(r.Err)
				}
			}
		})
	}
}

// BenchmarkAnswers is a request without the look: what the simulator adds to
// BenchmarkBareLoop where no property reads the sets.
func BenchmarkAnswers(b *testing.B) {
	for _, address := range servers(b) {
		b.Run(address, func(b *testing.B) {
			q := open(b, address)
			for i := range b.N {
				req := &cycle[i%len(cycle)]
				answer, _ := q.run(0, req.Op, q.arguments(nil, 0, req), model.ID{})
				if q.decode(0, req, answer); q.err != nil {
					b.Fatal(q.err)
				}
			}
		})
	}
}

// BenchmarkBareLoop is the same scripts on the same server, called by their
// digests by a client that does nothing else.
func BenchmarkBareLoop(b *testing.B) {
	for _, address := range servers(b) {
		b.Run(address, func(b *testing.B) { bareLoop(b, open(b, address).conn) })
	}
}

// BenchmarkMiniredisEvalsha is the bare loop on miniredis as it comes, with its
// Lua state for every call.
func BenchmarkMiniredisEvalsha(b *testing.B) {
	e, err := newEmbedded()
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close()
	for _, op := range []model.Op{model.OpEnqueue, model.OpClaim, model.OpComplete} {
		e.server.Dispatch(e.peer, []string{"SCRIPT", "LOAD", virtual.of[op].sent})
	}
	calls := bareCalls()
	for i := range b.N {
		e.server.Dispatch(e.peer, calls[i%len(calls)])
	}
	e.writer.Flush()
	if said := e.out.String(); strings.Contains(said, "-") {
		b.Fatalf("%.200q", said)
	}
}

// bareCalls are the commands that the cycle comes to.
func bareCalls() (calls [len(cycle)][]string) {
	q := &Queue{keys: keysOf("ackgap")}
	for i := range cycle {
		call := q.arguments([]string{"EVALSHA", virtual.of[cycle[i].Op].sha}, 0, &cycle[i])
		calls[i] = append(call, strconv.FormatInt(model.EpochMillis*1000, 10))
	}
	return calls
}

func bareLoop(b *testing.B, c *conn) {
	calls := bareCalls()
	b.ResetTimer()
	for i := range b.N {
		if r, err := c.call(calls[i%len(calls)]...); err != nil || r.kind == failure {
			b.Fatal(r.text, err)
		}
	}
}

// servers are the embedded one, and a real one where it is installed.
func servers(b *testing.B) []string {
	if _, err := FindServer(); err != nil && os.Getenv("ACKGAP_REQUIRE") == "" {
		return []string{""}
	}
	return []string{"", "spawn"}
}

func open(b *testing.B, address string) *Queue {
	q, err := Open(address)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := q.Close(); err != nil {
			b.Error(err)
		}
	})
	b.ResetTimer()
	return q
}
