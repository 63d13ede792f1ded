package valkey

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/echomq"
)

// The scripts and the Go machine do the same, whatever is asked of them: they
// answer alike, report the same touches and leave the same keyspace.
// ACKGAP_STEPS asks for so many commands instead of some thousand.
func TestScriptsDoWhatTheMachineDoes(t *testing.T) {
	q := openTest(t, "")
	differ(t, q, "", steps(t, 6_000))
}

// So do the scripts of the variant that is on the wire.
func TestHardenedScriptsDoWhatTheMachineDoes(t *testing.T) {
	differ(t, openVariantTest(t, ""), "hardened", steps(t, 6_000))
}

func TestHardenedScriptsDoWhatTheMachineDoesOnARealServer(t *testing.T) {
	requireServer(t)
	differ(t, openVariantTest(t, "spawn"), "hardened", steps(t, 6_000))
}

func openVariantTest(t *testing.T, address string) *Queue {
	t.Helper()
	q, err := openScripted(address, hardened)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := q.Close(); err != nil {
			t.Error(err)
		}
	})
	return q
}

// And so they do on a server that is no imitation of one.
func TestScriptsDoWhatTheMachineDoesOnARealServer(t *testing.T) {
	requireServer(t)
	q := openTest(t, "spawn")
	differ(t, q, "", steps(t, 6_000))
}

// perCheck is a little less than what one check of rapid asks.
const perCheck = 28

// differ compares at least about so many commands, in one run of rapid: its seed
// tells which.
func differ(t *testing.T, q *Queue, variant string, commands int) {
	checks := flag.Lookup("rapid.checks").Value
	before := checks.String()
	if err := checks.Set(strconv.Itoa(commands/perCheck + 1)); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = checks.Set(before) }() // it was its value
	asked, settled := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		p := side(t, q, variant)
		asked, settled = asked+p.asked, settled+p.settled
	})
	t.Logf("%d commands compared, %d of them settled a delivery", asked, settled)
	if settled*100 < asked {
		t.Errorf("of %d commands %d settled a delivery, too few to mean something", asked, settled)
	}
}

// side sends the same random commands to both.
func side(t *rapid.T, q *Queue, variant string) *pair {
	q.Reset()
	machine, err := echomq.New(variant)
	if err != nil {
		t.Fatal(err)
	}
	p := &pair{machine: machine, scripts: q, given: map[model.ID]model.Token{}}
	actions := map[string]func(*rapid.T){
		"clock": func(t *rapid.T) { p.now += model.Time(rapid.Int64Range(-20e6, 40e6).Draw(t, "step")) },
	}
	for op := model.OpEnqueue; op <= model.OpDrain; op++ {
		if op != model.OpApply {
			actions[op.String()] = func(t *rapid.T) {
				req := drawRequest(t, op, p.now)
				if !p.last.IsZero() && rapid.Bool().Draw(t, "by the holder") {
					p.aim(&req)
				}
				p.ask(t, req)
			}
		}
	}
	// What moves jobs on comes up more often than what ends them.
	for i := range 3 {
		actions[fmt.Sprint("claim again ", i)] = func(t *rapid.T) { p.ask(t, drawRequest(t, model.OpClaim, p.now)) }
		actions[fmt.Sprint("enqueue again ", i)] = func(t *rapid.T) { p.ask(t, drawRequest(t, model.OpEnqueue, p.now)) }
	}
	actions["settle what was given"] = func(t *rapid.T) {
		op := rapid.SampledFrom([]model.Op{model.OpComplete, model.OpRetry}).Draw(t, "settlement")
		req := drawRequest(t, op, p.now)
		p.aim(&req)
		p.ask(t, req)
	}
	t.Repeat(actions)
	return p
}

// pair is the Go machine and the scripts side by side.
type pair struct {
	machine *echomq.Queue
	scripts *Queue
	now     model.Time
	asked   int
	given   map[model.ID]model.Token // the last of each id: hardened tokens are seldom guessed
	last    model.ID                 // that was given
	settled int                      // commands that settled a delivery
}

// aim makes req speak of the job that was given last, with the tokens that were.
func (p *pair) aim(req *model.Request) {
	if req.Op.Settles() || req.Op == model.OpExtend {
		req.ID = p.last
	}
	req.Token = p.given[req.ID]
	for i, h := range req.Batch {
		req.Batch[i].Token = p.given[h.ID]
	}
}

type fataler interface{ Fatalf(string, ...any) }

func (p *pair) ask(t fataler, req model.Request) {
	p.asked++
	want, got := p.machine.Apply(p.now, req), p.scripts.Apply(p.now, req)
	p.note(req, want)
	diff(t, req, "reply", want, got)
	diff(t, req, "touched", p.machine.Touched(), p.scripts.Touched())
	diff(t, req, "snapshot", p.machine.Snapshot(), p.scripts.Snapshot())
	first, any := p.machine.Peek(p.now)
	second, some := p.scripts.Peek(p.now)
	diff(t, req, "peek", fmt.Sprint(first, any), fmt.Sprint(second, some))
	if err := p.scripts.Err(); err != nil {
		t.Fatalf("after %s the queue has failed: %v", req.Op, err)
	}
}

// note keeps what was given, and counts what was settled.
func (p *pair) note(req model.Request, rep model.Reply) {
	if req.Op == model.OpClaim || req.Op == model.OpClaimBatch {
		for _, g := range append(rep.Batch, rep.Grant) {
			if !g.ID.IsZero() {
				p.given[g.ID], p.last = g.Token, g.ID
			}
		}
	}
	if req.Op.Settles() && rep.Answer.Accepted() {
		p.settled++
	}
}

func diff(t fataler, req model.Request, what string, want, got any) {
	if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
		t.Fatalf("after %+v: %s: the machine (-) and the scripts (+) differ:\n%s", req, what, d)
	}
}

// pool is small, so that ids collide. One of them is of another kind.
var pool = []model.ID{
	{NS: model.JOB, Value: 1}, {NS: model.JOB, Value: 2}, {NS: model.JOB, Value: 3 << 22}, {NS: model.JOB, Value: 1<<63 - 1},
	{NS: [3]byte{'U', 'S', 'R'}, Value: 2},
}

var leases = []time.Duration{1, time.Millisecond - 1, time.Millisecond, 2500 * time.Microsecond, 10 * time.Millisecond, 30 * time.Millisecond, 100 * time.Hour}

var payloads = []string{"", "a", "b", "\x00\r\n$5\r\n\xff", "1e3"}

// drawOffset draws how far from now an instant of the caller's lies: near the
// millisecond in which it falls due, or anywhere.
var drawOffset = rapid.OneOf(rapid.SampledFrom([]int64{-1e6, -1, 0, 1, 1e6, 2e6}), rapid.Int64Range(-30e6, 30e6))

func drawRequest(t *rapid.T, op model.Op, now model.Time) model.Request {
	drawID := rapid.SampledFrom(pool)
	drawToken := rapid.SampledFrom([]model.Token{0, 1, 1, 1, 2, 2, 3, 4, -1})
	req := model.Request{
		Op:      op,
		ID:      drawID.Draw(t, "id"),
		Token:   drawToken.Draw(t, "token"),
		Lease:   rapid.SampledFrom(leases).Draw(t, "lease"),
		Delay:   rapid.SampledFrom(append(leases, 0)).Draw(t, "delay"),
		At:      now + model.Time(drawOffset.Draw(t, "at")),
		Max:     rapid.IntRange(-1, 3).Draw(t, "max"),
		Limit:   rapid.IntRange(0, 2).Draw(t, "limit"),
		All:     rapid.Bool().Draw(t, "all"),
		Payload: rapid.SampledFrom(payloads).Draw(t, "payload"),
		Error:   rapid.SampledFrom([]string{"", "boom", "\n"}).Draw(t, "error"),
	}
	for range rapid.IntRange(0, 4).Draw(t, "pairs") {
		req.Batch = append(req.Batch, model.Holding{ID: drawID.Draw(t, "of"), Token: drawToken.Draw(t, "held")})
	}
	return req
}

// steps is how many commands a differential test compares.
func steps(t *testing.T, few int) int {
	n, err := strconv.Atoi(os.Getenv("ACKGAP_STEPS"))
	switch {
	case os.Getenv("ACKGAP_STEPS") == "":
		return few
	case err != nil || n < 1:
		t.Fatalf("ACKGAP_STEPS=%q must be a number above 0", os.Getenv("ACKGAP_STEPS"))
	}
	return n
}

// requireServer skips a test where no server is installed, unless the
// environment says that nothing may be skipped.
func requireServer(t *testing.T) {
	t.Helper()
	if _, err := FindServer(); err != nil {
		if os.Getenv("ACKGAP_REQUIRE") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
}

func openTest(t *testing.T, address string) *Queue {
	t.Helper()
	q, err := Open(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := q.Close(); err != nil {
			t.Error(err)
		}
	})
	return q
}
