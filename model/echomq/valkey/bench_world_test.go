package valkey

import (
	"net"
	"testing"
	"time"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// busy is a world in which workers seldom wait: what a run takes is the queue
// and the simulator.
const busy = `story  busy
queue  echomq lease=2s retry-delay=100ms reap-every=100ms promote-every=100ms max-attempts=1000000
producer p retries=0
workers 20 consumer=atomic work=20ms timeout=500ms poll=10ms
network loss=0.1% jitter=1ms
jobs   200 every=1ms
horizon 60m
`

// BenchmarkSimulatorOverBareLoop is what the whole simulator adds to a server:
// its world, history and verdicts, and each request put into words and back. A
// run of a story is held against a client that sends the same commands and does
// nothing else, on the same connection, a run of each in turn. x-simulator is
// with nothing read back but the answers; x-with-looks is the same run with a
// look at the rows and sets after each call. Both are ratios to the bare client, of
// the fastest run of each: what else the machine does must not count.
func BenchmarkSimulatorOverBareLoop(b *testing.B) {
	story, err := scenarios.Parse("busy", []byte(busy))
	if err != nil {
		b.Fatal(err)
	}
	for _, address := range servers(b) {
		b.Run(address, func(b *testing.B) {
			q := open(b, address)
			run := simulatorOf(b, story, q)
			commands := record(q, run)
			bare, simulator, looks := time.Hour, time.Hour, time.Hour
			for range b.N {
				bare = min(bare, timed(func() { repeat(b, q.conn, commands) }))
				simulator = min(simulator, timed(run))
				q.isBlind = false
				looks = min(looks, timed(run))
				q.isBlind = true
			}
			calls := float64(len(commands))
			b.ReportMetric(calls/bare.Seconds(), "bare-calls/s")
			b.ReportMetric(calls/simulator.Seconds(), "simulated-calls/s")
			b.ReportMetric(simulator.Seconds()/bare.Seconds(), "x-simulator")
			b.ReportMetric(looks.Seconds()/bare.Seconds(), "x-with-looks")
		})
	}
}

// benched is the queue of backend "benched".
var benched model.Queue

func init() {
	model.Register(model.Body{Protocol: "echomq", Backend: "benched", Open: func(string) (model.Queue, error) { return benched, nil }})
}

// simulatorOf returns what runs the story once more on q.
func simulatorOf(b *testing.B, story *scenarios.Story, q *Queue) func() {
	benched = q.Blind()
	story.Queue.Backend = "benched"
	runner := scenarios.NewRunner()
	return func() {
		out, err := runner.Run(story, scenarios.Options{})
		if err != nil || out.Lost != nil {
			b.Fatal(err, out.Lost)
		}
	}
}

func timed(f func()) time.Duration {
	began := time.Now()
	f()
	return time.Since(began)
}

// recorder keeps what is written through it.
type recorder struct {
	net.Conn
	written []byte
}

func (r *recorder) Write(b []byte) (int, error) {
	r.written = append(r.written, b...)
	return r.Conn.Write(b)
}

// record returns the commands of a run that follows another one.
func record(q *Queue, run func()) (commands [][]string) {
	run()
	tap := &recorder{Conn: q.conn.guard.Conn}
	q.conn.guard.Conn = tap
	run()
	q.conn.guard.Conn = tap.Conn
	for rest := tap.written; len(rest) > 0; {
		args, size, _ := readRequest(rest)
		commands, rest = append(commands, args), rest[size:]
	}
	return commands
}

func repeat(b *testing.B, c *conn, commands [][]string) {
	for _, args := range commands {
		if _, err := c.call(args...); err != nil {
			b.Fatal(err)
		}
	}
}
