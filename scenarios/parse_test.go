package scenarios_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/actors"
)

var update = flag.Bool("update", false, "rewrite the golden files of this package")

func TestAnEmptyStoryIsAllDefaults(t *testing.T) {
	want := &scenarios.Story{
		File: "some/Two Generals.story", Name: "two-generals", Horizon: 10 * time.Minute,
		Queue: scenarios.Queue{
			Protocol: "echomq", Backend: "go", Lease: 30 * time.Second, MaxAttempts: 3, RetryDelay: time.Second,
			ReapEvery: time.Second, PromoteEvery: time.Second, MaxStalled: 1,
		},
		Producers: []scenarios.Producer{{Name: "p", Retries: 3, Timeout: 5 * time.Second}},
		Network:   scenarios.Network{Latency: time.Millisecond},
	}
	if diff := cmp.Diff(want, mustParse(t, "some/Two Generals.story", "# nothing\n")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestAPartWithoutOptionsIsAllDefaults(t *testing.T) {
	s := mustParse(t, "f", "worker w1\njobs 2\nproducer ann\n")
	worker := scenarios.Worker{Name: "w1", Work: 20 * time.Millisecond, Poll: 50 * time.Millisecond, Timeout: 5 * time.Second, Line: 1}
	if diff := cmp.Diff([]scenarios.Worker{worker}, s.Workers); diff != "" {
		t.Errorf("worker (-want +got)\n%s", diff)
	}
	jobs := []scenarios.Job{{Name: "J1", By: 3, Line: 2}, {Name: "J2", At: ms(50), By: 3, Line: 2}}
	if diff := cmp.Diff(jobs, s.Jobs); diff != "" {
		t.Errorf("jobs (-want +got)\n%s", diff)
	}
	producer := scenarios.Producer{Name: "ann", Retries: 3, Timeout: 5 * time.Second, Line: 3}
	if diff := cmp.Diff([]scenarios.Producer{producer}, s.Producers); diff != "" {
		t.Errorf("the implied producer gives way (-want +got)\n%s", diff)
	}
}

func TestTheWorldIsReadAsWritten(t *testing.T) {
	s := mustParse(t, "f", `
story every-option
seed 0x2a
horizon 1h
queue echomq variant=no-fence lease=10s max-attempts=5 retry-delay=2s reap-every=off promote-every=3s sweep-every=4s max-stalled=2 backend=valkey
network latency=2ms jitter=1ms loss=0.5% duplicate=1% reply-loss=2% until=1m
producer ann retries=0 timeout=1s fresh-id
producer bob
worker w1 consumer=ttl-marker:5m ack=early work=1s heartbeat=10s poll=1ms timeout=2s settle-retries=3
job J1 at=1s by=bob delay=3s fails=2 payload="a # b"
quiet time=2m
`)
	want := &scenarios.Story{
		File: "f", Name: "every-option", Seed: 42, Horizon: time.Hour, Quiet: 2 * time.Minute,
		Queue: scenarios.Queue{
			Protocol: "echomq", Variant: "no-fence", Backend: "valkey", Lease: 10 * time.Second, MaxAttempts: 5, MaxStalled: 2,
			RetryDelay: 2 * time.Second, PromoteEvery: 3 * time.Second, SweepEvery: 4 * time.Second, Line: 5,
		},
		Network: scenarios.Network{
			Latency: 2 * time.Millisecond, Jitter: time.Millisecond, Loss: 5_000, Duplicate: 10_000, ReplyLoss: 20_000,
			Until: time.Minute, Line: 6,
		},
		Producers: []scenarios.Producer{
			{Name: "ann", Timeout: time.Second, FreshID: true, Line: 7},
			{Name: "bob", Retries: 3, Timeout: 5 * time.Second, Line: 8},
		},
		Workers: []scenarios.Worker{{
			Name: "w1", Consumer: actors.TTLMarker, MarkerLife: 5 * time.Minute, EarlyAck: true, Work: time.Second,
			Heartbeat: 10 * time.Second, Poll: time.Millisecond, Timeout: 2 * time.Second, SettleRetries: 3, Line: 9,
		}},
		Jobs: []scenarios.Job{{Name: "J1", At: ms(1000), By: 4, Delay: 3 * time.Second, Fails: 2, Payload: "a # b", Line: 10}},
	}
	if diff := cmp.Diff(want, s); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// Spans may be drawn: work anew for each delivery, gaps between jobs as they are
// read, so that they are the same in each run and others under another prefix.
func TestExponentialSpansAreReadAsWritten(t *testing.T) {
	s := mustParse(t, "f", "worker w1 work=exp:20ms\njobs 3 every=exp:1s\njobs 3 prefix=K every=exp:1s\njob L\n")
	if w := s.Workers[0]; !w.WorkIsMean || w.Work != ms(20).Sub(0) {
		t.Errorf("%+v", w)
	}
	gap := func(i int) time.Duration { return s.Jobs[i].At.Sub(s.Jobs[i-1].At) }
	if gap(1) == gap(2) || gap(1) == gap(4) || gap(2) == gap(5) || s.Jobs[3].At != 0 {
		t.Errorf("%+v", s.Jobs)
	}
}

func TestChaosIsReadAsWritten(t *testing.T) {
	s := mustParse(t, "f", `worker w1 heartbeat=1s
chaos drop-reply complete claim rate=5%
chaos delay rate=1% by=2ms..3ms
chaos crash w1 queue rate=100% restart=5s count=1..3
chaos stall w1 rate=2%
chaos clock queue rate=0.0001% jump=-2s..+3s
`)
	usual := scenarios.Span{Low: 0, High: 2}
	want := []scenarios.Chaos{
		{Kind: faults.Drop, Reply: true, Ops: []model.Op{model.OpComplete, model.OpClaim}, Rate: 50_000, Line: 2},
		{Kind: faults.Delay, Rate: 10_000, By: scenarios.Span{Low: 2e6, High: 3e6}, Line: 3},
		{Kind: faults.Crash, Procs: []model.Proc{4, 1}, Rate: script.Whole, Restart: scenarios.Span{Low: 5e9, High: 5e9}, Count: scenarios.Span{Low: 1, High: 3}, Line: 4},
		{Kind: faults.Stall, Procs: []model.Proc{4}, Rate: 20_000, For: scenarios.Span{Low: 1e9, High: 90e9}, Count: usual, Line: 5},
		{Kind: faults.Clock, Procs: []model.Proc{1}, Rate: 1, Jump: scenarios.Span{Low: -2e9, High: 3e9}, Count: usual, Line: 6},
	}
	if diff := cmp.Diff(want, s.Chaos); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if !mustParse(t, "f", "chaos off").NoChaos {
		t.Error("chaos off is not off")
	}
}

func TestDeedsAreReadAsWritten(t *testing.T) {
	s := mustParse(t, "f", `worker w1
do enqueue J1 time=0s
do claim by=ann time=1s
do complete J1#1 by=ann time=2s token=7
do retry J1#1 by=w1 time=3s delay=4s max=5
do delay J1#2 by=bob time=4s delay=0s
do sweep time=5s max=2
do drain time=6s by=ann
`)
	const w1, ann, bob = 4, 5, 6
	want := []scenarios.Do{
		{Op: model.OpEnqueue, Job: 1, At: ms(0), Token: scenarios.OwnToken, Delay: scenarios.OwnDelay, Line: 2},
		{Op: model.OpClaim, By: ann, At: ms(1000), Token: scenarios.OwnToken, Delay: scenarios.OwnDelay, Line: 3},
		{Op: model.OpComplete, Job: 1, N: 1, By: ann, At: ms(2000), Token: 7, Delay: scenarios.OwnDelay, Line: 4},
		{Op: model.OpRetry, Job: 1, N: 1, By: w1, At: ms(3000), Token: scenarios.OwnToken, Delay: 4 * time.Second, Max: 5, Line: 5},
		{Op: model.OpDelay, Job: 1, N: 2, By: bob, At: ms(4000), Token: scenarios.OwnToken, Line: 6},
		{Op: model.OpSweep, At: ms(5000), Token: scenarios.OwnToken, Delay: scenarios.OwnDelay, Max: 2, Line: 7},
		{Op: model.OpDrain, By: ann, At: ms(6000), Token: scenarios.OwnToken, Delay: scenarios.OwnDelay, Line: 8},
	}
	if diff := cmp.Diff(want, s.Dos); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]string{"ann", "bob"}, s.Speakers); diff != "" {
		t.Errorf("speakers (-want +got)\n%s", diff)
	}
}

func TestExpectationsAreReadAsWritten(t *testing.T) {
	s := mustParse(t, "f", `job J1
expect held no-loss drains saw-redelivery
expect broken no-duplicate-effect
expect unknown one-place
expect effects J1 = 2
expect deliveries J1 >= 3
expect deliveries J1 <= 4
expect refused complete J1#1
expect answer complete J1#2 = lost-reply
expect answer enqueue J1 = duplicate
expect twin
expect twin J1#1
expect no twin
expect state J1 = active+pending
expect state J1 = ghost
expect chaos may-break no-loss
expect chaos may-break drains
`)
	want := []scenarios.Expect{
		{Properties: []string{"no-loss", "drains", "saw-redelivery"}, Line: 2},
		{Verdict: model.Broken, Properties: []string{"no-duplicate-effect"}, Line: 3},
		{Verdict: model.Unknown, Properties: []string{"one-place"}, Line: 4},
		{Kind: scenarios.ExpectEffects, Job: 1, Count: 2, Line: 5},
		{Kind: scenarios.ExpectDeliveries, Job: 1, Cmp: scenarios.AtLeast, Count: 3, Line: 6},
		{Kind: scenarios.ExpectDeliveries, Job: 1, Cmp: scenarios.AtMost, Count: 4, Line: 7},
		{Kind: scenarios.ExpectAnswer, Op: model.OpComplete, Job: 1, N: 1, Answer: model.Stale, Refused: true, Line: 8},
		{Kind: scenarios.ExpectAnswer, Op: model.OpComplete, Job: 1, N: 2, Answer: model.LostReply, Line: 9},
		{Kind: scenarios.ExpectAnswer, Op: model.OpEnqueue, Job: 1, Answer: model.Duplicate, Line: 10},
		{Kind: scenarios.ExpectTwin, Line: 11},
		{Kind: scenarios.ExpectTwin, Job: 1, N: 1, Line: 12},
		{Kind: scenarios.ExpectNoTwin, Line: 13},
		{Kind: scenarios.ExpectState, Job: 1, State: "pending+active", Line: 14},
		{Kind: scenarios.ExpectState, Job: 1, State: "ghost", Line: 15},
	}
	if diff := cmp.Diff(want, s.Expects); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]string{"no-loss", "drains"}, s.MayBreak); diff != "" {
		t.Errorf("may-break (-want +got)\n%s", diff)
	}
}

func TestACountIsComparedAsWritten(t *testing.T) {
	for _, c := range []struct {
		cmp  scenarios.Cmp
		want [3]bool // of 1, 2 and 3 against 2
	}{
		{scenarios.Equal, [3]bool{false, true, false}},
		{scenarios.AtLeast, [3]bool{false, true, true}},
		{scenarios.AtMost, [3]bool{true, true, false}},
	} {
		e := scenarios.Expect{Cmp: c.cmp, Count: 2}
		if got := [3]bool{e.Holds(1), e.Holds(2), e.Holds(3)}; got != c.want {
			t.Errorf("comparison %d: got %v, want %v", c.cmp, got, c.want)
		}
	}
}

func TestFaultsAreReadWithTheNamesOfTheStory(t *testing.T) {
	s := mustParse(t, "f", `fault crash w2 after=mark J2#1 # before its names are declared
worker w1
worker w2 consumer=atomic
jobs 2
fault partition queue w1 time=1s for=1s
fault partition w1 queue time=5s for=1s
`)
	want := faults.Plan{
		{Point: faults.Point{Family: faults.Step, Step: model.StepApply, After: true, Proc: 5, Job: 2, N: 1, Nth: 1}, Outcome: faults.Outcome{Kinds: faults.Crash}, Line: 1},
		{Point: faults.Point{Family: faults.Slot, Slot: faults.SlotPartition, Proc: 4, Peer: 1, Nth: 1}, Outcome: faults.Outcome{Kinds: faults.Partition, At: ms(1000), For: time.Second}, Line: 5},
		{Point: faults.Point{Family: faults.Slot, Slot: faults.SlotPartition, Proc: 4, Peer: 1, Nth: 2}, Outcome: faults.Outcome{Kinds: faults.Partition, At: ms(5000), For: time.Second}, Line: 6},
	}
	if diff := cmp.Diff(want, s.Plan); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestACallToAServiceCanBeLostWhenAWorkerMakesOne(t *testing.T) {
	s := mustParse(t, "f", "worker w1 consumer=external\njob J1\nfault drop apply J1#1\n")
	if len(s.Plan) != 1 || s.Plan[0].Point.Op != model.OpApply {
		t.Errorf("the plan is %+v", s.Plan)
	}
}

func TestTheCastIsQueuePumpProducersWorkersSpeakers(t *testing.T) {
	c := mustParse(t, "f", `do claim by=zoe time=1s
do enqueue late time=0s by=ann
worker w1 heartbeat=1s
job J1
producer ann
`).Cast()
	if diff := cmp.Diff([]string{"", "queue", "pump", "ann", "w1", "zoe"}, c.Names.Procs); diff != "" {
		t.Errorf("processes (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]string{"", "J1", "late"}, c.Names.Jobs); diff != "" {
		t.Errorf("jobs (-want +got)\n%s", diff)
	}
	var roles []faults.Role
	for p := range c.Names.Procs {
		roles = append(roles, c.Actor(model.Proc(p)).Role)
	}
	want := []faults.Role{0, faults.RoleQueue, faults.RolePump, faults.RoleProducer, faults.RoleWorker, faults.RoleSpeaker}
	if diff := cmp.Diff(want, roles); diff != "" {
		t.Errorf("roles (-want +got)\n%s", diff)
	}
	if _, ok := c.Proc(""); ok {
		t.Error("nobody has a name")
	}
}

func TestTheHistoryIsKeptWordForWord(t *testing.T) {
	const history = "# no comment\n\n worker queue \"\n----\n"
	s := mustParse(t, "f", "job J1\n---- \r\n"+history)
	if !s.HasHistory || s.History != history {
		t.Errorf("history %v, %q", s.HasHistory, s.History)
	}
	if s := mustParse(t, "f", "job J1\n----"); !s.HasHistory || s.History != "" {
		t.Errorf("an empty history: %v, %q", s.HasHistory, s.History)
	}
	if s := mustParse(t, "f", "job J1 payload=----\n"); s.HasHistory {
		t.Error("a payload is no history mark")
	}
}

func TestTheLimitsThemselvesAreAllowed(t *testing.T) {
	s := mustParse(t, "f", "workers 10000\njobs 99999\njob K payload="+strings.Repeat("x", scenarios.MaxPayload)+"\n")
	if len(s.Workers) != scenarios.MaxWorkers || len(s.Jobs) != scenarios.MaxJobs {
		t.Errorf("%d workers, %d jobs", len(s.Workers), len(s.Jobs))
	}
}

// A hostile story costs no more than its size: each of these is refused after
// the fifty errors that are worth reading, however many lines and names it has.
func TestAHostileStoryIsRefusedAfterFiftyErrors(t *testing.T) {
	w, j, other := strings.Repeat("w", 50), strings.Repeat("J", 50), strings.Repeat("Q", 50)
	world := "workers 10000 consumer=external prefix=" + w + "\njobs 100000 prefix=" + j + "\n"
	for _, line := range []string{
		"wroker w1\n",
		"job J1 by=" + w + "1\n",
		"fault drop complete " + other + "#1\n",
		"fault crash " + other + " time=1s\n",
		"expect state " + other + " = lost\n",
	} {
		_, err := scenarios.Parse("f", []byte(world+strings.Repeat(line, 40_000)))
		var list *script.List
		if !errors.As(err, &list) {
			t.Errorf("%.30q... is accepted: %v", line, err)
			continue
		}
		if n := strings.Count(err.Error(), "\n"); n > 60 {
			t.Errorf("%.30q... has %d lines of errors", line, n)
		}
	}
}

// All of 64 chaos lines are run, and one more is refused where it stands.
func TestAStoryHasAtMostSixtyFourChaosLines(t *testing.T) {
	const line = "chaos drop complete rate=1%\n"
	text := "worker w1\njob J1\nquiet time=1m\n" + strings.Repeat(line, faults.MaxRules)
	if _, err := scenarios.NewCampaign(mustParse(t, "f", text)); err != nil {
		t.Error(err)
	}
	_, err := scenarios.Parse("f", []byte(text+line))
	if want := "f:68: chaos drop: a story may have 64 chaos lines, and this is one more"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// A line that is too long is refused, and not those that speak of what it names.
func TestALineThatIsTooLongNamesItsJob(t *testing.T) {
	text := "worker w1\njob J1 payload=" + strings.Repeat("x", 1_000_000) + "\nfault drop complete J1#1\nexpect effects J1 = 2\n"
	_, err := scenarios.Parse("f", []byte(text))
	if want := "f:2: the line has 1000015 bytes; at most 8192 are read"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// Lines that nobody knows are many in a text of another kind: it is a story wherever the
// first directive stands, and all of them are counted.
func TestUnknownLinesAreCountedToTheEnd(t *testing.T) {
	noise := strings.Repeat("# a title\nzzzzzzzzzz\n", 94)
	for text, want := range map[string]string{
		noise + "worker w1\njob J1\n":      `f:8: unknown directive "zzzzzzzzzz", and 90 more behind it`,
		"worker w1\n" + noise + "job J1\n": `f:9: unknown directive "zzzzzzzzzz", and 90 more behind it`,
		noise:                              "f:2: no line begins with a directive, so this is no story; ",
	} {
		if _, err := scenarios.Parse("f", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %.600v, want %s", err, want)
		}
	}
}

// Each story in testdata/errors.golden is broken in its own way. The file says
// what is said about it.
func TestBrokenStoriesAreRefusedWithReasons(t *testing.T) {
	const file = "testdata/errors.golden"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(text), "=== ")
	var out strings.Builder
	out.WriteString(parts[0])
	for _, part := range parts[1:] {
		title, rest, _ := strings.Cut(part, "\n")
		story, _, ok := strings.Cut(rest, "--- errors\n")
		_, err := scenarios.Parse("f", []byte(story))
		if err == nil || !ok {
			t.Errorf("%s: accepted\n%s", title, story)
			continue
		}
		fmt.Fprintf(&out, "=== %s\n%s--- errors\n%v\n\n", title, story, err)
	}
	if len(parts) < 41 {
		t.Errorf("%d broken stories, at least 40 are due", len(parts)-1)
	}
	if *update {
		if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(text), out.String()); diff != "" && !*update {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func mustParse(t testing.TB, file, text string) *scenarios.Story {
	t.Helper()
	s, err := scenarios.Parse(file, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func ms(n int64) model.Time { return model.Time(n) * model.Time(time.Millisecond) }
