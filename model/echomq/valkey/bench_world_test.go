//go:build unix

package valkey

import (
	"net"
	"slices"
	"strconv"
	"strings"
	"syscall"
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
network jitter=1ms
jobs   500 every=1ms
horizon 60m
`

// BenchmarkSimulatorOverBareLoop is what the whole simulator adds to a server:
// its world, history and verdicts, and each request put into words and back. A
// run of a story is held against a client that sends the same commands and does
// nothing else, on the same connection, a run of each in turn. x-simulator is
// with nothing read back but the answers; x-with-looks is the same run with a
// look at the rows and sets after each call. Both are ratios to the bare client.
//
// What is compared is the time of processors, ours and the server's together, in
// the median of the runs. Time on the wall tells where the kernel puts the two
// processes: a call took 42 us where both shared a core, and 90 us where each had
// its own and had to be woken, so a ratio of it came out at 0.6 or at 2.7.
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
			var bare, added, withLooks []float64 // a call's, in us
			for range b.N {
				one := spent(b, q, address, func() { repeat(b, q.conn, commands) })
				simulator := spent(b, q, address, run)
				q.isBlind = false
				looks := spent(b, q, address, run)
				q.isBlind = true
				bare = append(bare, one/float64(len(commands)))
				added = append(added, (simulator-one)/one)
				withLooks = append(withLooks, (looks-one)/one)
			}
			b.ReportMetric(median(bare), "us/bare-call")
			b.ReportMetric(1+median(added), "x-simulator")
			b.ReportMetric(1+median(withLooks), "x-with-looks")
		})
	}
}

func median(of []float64) float64 {
	slices.Sort(of)
	return of[len(of)/2]
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

// spent is the time of processors that f takes, in us, of this process and of the server
// that has one of its own.
func spent(b *testing.B, q *Queue, address string, f func()) float64 {
	began := ownTime(b) + serverTime(q, address)
	f()
	return float64(ownTime(b)+serverTime(q, address)-began) / float64(time.Microsecond)
}

func ownTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// serverTime is what the server says of itself, in lines as "used_cpu_user:1.25".
func serverTime(q *Queue, address string) (all time.Duration) {
	if address == "" {
		return 0
	}
	for line := range strings.Lines(textOf(q.ask("INFO", "cpu"))) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		if name == "used_cpu_user" || name == "used_cpu_sys" {
			seconds, _ := strconv.ParseFloat(value, 64)
			all += time.Duration(seconds * float64(time.Second))
		}
	}
	return all
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
