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

// BenchmarkOverBareLoop compares three loops on one server, a stretch of each in
// turn, so that all meet the same weather: the scripts called by their digests by
// a client that does nothing else; a request and its answer in words, which is
// what the simulator adds where no property reads the sets; and the same with the
// look at what it changed. The ratios are to the first.
func BenchmarkOverBareLoop(b *testing.B) {
	for _, address := range servers(b) {
		b.Run(address, func(b *testing.B) {
			q := open(b, address)
			var took [3]time.Duration
			for range b.N {
				took[0] += stretch(func(i int) { bareCall(b, q.conn, i) })
				took[1] += stretch(func(i int) { answerOnly(b, q, i) })
				took[2] += stretch(func(i int) { q.Apply(0, cycle[i]) })
				if q.err != nil {
					b.Fatal(q.err)
				}
			}
			calls := float64(b.N * rounds * len(cycle))
			b.ReportMetric(float64(took[0])/calls, "ns/bare-call")
			b.ReportMetric(float64(took[1])/float64(took[0]), "x-with-words")
			b.ReportMetric(float64(took[2])/float64(took[0]), "x-with-looks")
		})
	}
}

// rounds is how often a stretch goes through the cycle.
const rounds = 100

func stretch(call func(i int)) time.Duration {
	began := time.Now()
	for range rounds {
		for i := range cycle {
			call(i)
		}
	}
	return time.Since(began)
}

func bareCall(b *testing.B, c *conn, i int) {
	r, err := c.call(bareCalls[i]...)
	if said, isError := r.(error); isError || err != nil {
		b.Fatal(said, err)
	}
}

func answerOnly(b *testing.B, q *Queue, i int) {
	req := &cycle[i]
	answer, _ := q.run(0, req.Op, q.arguments(nil, req), model.ID{})
	if rep := q.decode(0, req, answer); rep.Answer == model.UnknownAnswer {
		b.Fatal(rep.Err)
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
	b.ResetTimer()
	for i := range b.N {
		e.server.Dispatch(e.peer, bareCalls[i%len(bareCalls)])
	}
	e.writer.Flush()
	if said := e.out.String(); strings.Contains(said, "-") {
		b.Fatalf("%.200q", said)
	}
}

// BenchmarkKeptState is the bare loop on the embedded server, which keeps one.
func BenchmarkKeptState(b *testing.B) {
	q := open(b, "")
	for i := range b.N {
		bareCall(b, q.conn, i%len(bareCalls))
	}
}

// bareCalls are the commands that the cycle comes to.
var bareCalls = func() (calls [len(cycle)][]string) {
	q := &Queue{scripts: virtual, keys: keysOf("ackgap")}
	for i := range cycle {
		call := q.arguments([]string{"EVALSHA", virtual.of[cycle[i].Op].sha}, &cycle[i])
		calls[i] = append(call, strconv.FormatInt(model.EpochMillis*1000, 10))
	}
	return calls
}()

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
