package simtest_test

import (
	"context"
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/echomq"
	"github.com/ackgap/ackgap/model/queuetest"
	"github.com/ackgap/ackgap/scenarios/simtest"
	"github.com/ackgap/ackgap/scenarios/simtest/internal/tbtest"
)

// variant makes queues of a variant of EchoMQ, "" for the one as built.
func variant(t testing.TB, name string) func() model.Queue {
	return func() model.Queue {
		q, err := echomq.New(name)
		if err != nil {
			t.Fatal(err)
		}
		return q
	}
}

// blind is a queue that says nothing but its answers.
type blind struct{ model.Queue }

func blinded(newQueue func() model.Queue) func() model.Queue {
	return func() model.Queue { return blind{newQueue()} }
}

// held is what EchoMQ as built holds in all that a check lets go wrong. It cannot
// extend there: a heartbeat that is late brings a dead job back.
var held = []queuetest.Capability{
	queuetest.Exclusive, queuetest.ByToken, queuetest.Fence, queuetest.TokensRise,
	queuetest.Dedup, queuetest.Ordered, queuetest.Conserving, queuetest.Schedules, queuetest.DeadLetters, queuetest.ServerClock,
}

// failingQueue checks a queue that fails, in a folder of its own.
func failingQueue(t *testing.T, newQueue func() model.Queue, opts ...simtest.Option) *tbtest.TB {
	t.Helper()
	tb := tbtest.Run(t, func(tb testing.TB) { simtest.CheckQueue(tb, newQueue, opts...) })
	if !tb.Broke {
		t.Fatalf("it passed:\n%s", tb.Text())
	}
	return tb
}

func TestAQueueHoldsWhatItClaims(t *testing.T) {
	simtest.CheckQueue(t, variant(t, ""), simtest.Claims(held...), simtest.Runs(500))
	simtest.CheckQueue(t, variant(t, "hardened"), simtest.Claims(append(held, queuetest.Extends, queuetest.SettlesOnce)...), simtest.Runs(500))
	simtest.CheckQueue(t, variant(t, "bounded"), simtest.Claims(append(held, queuetest.Bounded)...), simtest.Runs(500))
}

func TestAQueueThatClaimsTooMuchIsCaughtAndShrunk(t *testing.T) {
	for _, c := range []struct {
		variant  string
		claims   queuetest.Capability
		property string
	}{
		{"no-fence", queuetest.Fence, "stale-token-rejected"},
		{"double-settle", queuetest.SettlesOnce, "settled-once"},
		{"early-expiry", queuetest.Exclusive, "single-holder"},
		{"token-reset", queuetest.TokensRise, "tokens-rise"},
		{"lifo", queuetest.Ordered, "mint-order"},
		{"claim-ignores-pending", queuetest.Conserving, "work-conserving"},
		{"retry-never-dead", queuetest.DeadLetters, "attempts-bounded"},
		{"shortening-extend", queuetest.Extends, "deadline-monotone"},
		{"bounded-leaks", queuetest.Bounded, "deliveries-bounded"},
	} {
		found, err := simtest.NewQueue(t, variant(t, c.variant), simtest.Claims(c.claims), simtest.MayBreak(asBuilt...)).Find()
		switch {
		case err != nil || found == nil:
			t.Errorf("%s: %v, %v", c.variant, found, err)
		case found.Property != c.property || len(found.Small.Story.Plan) > 5:
			t.Errorf("%s: %s broke, want %s\n%s", c.variant, found.Property, c.property, found.Small.Story.Text())
		}
	}
}

// asBuilt are what EchoMQ as built breaks with late heartbeats.
var asBuilt = []string{"one-place", "no-ghost", "terminal-absorbing"}

// Without a fence it is not exclusive either: a retry that comes late puts the job off
// under its new holder's hands, and it is served once more.
func TestAQueueIsNotJudgedByWhatItDoesNotClaim(t *testing.T) {
	simtest.CheckQueue(t, variant(t, "no-fence"), simtest.Claims(queuetest.TokensRise), simtest.Runs(500))
}

// speechless says of no lease until when it runs.
type speechless struct{ model.Queue }

func (q speechless) Apply(now model.Time, req model.Request) model.Reply {
	rep := q.Queue.Apply(now, req)
	rep.Until = 0
	return rep
}

// By a queue's own word that a lease is over nobody would ever hold a job twice.
func TestAQueueThatLeavesOutUntilIsNotHeldToBeExclusive(t *testing.T) {
	early := variant(t, "early-expiry")
	tb := failingQueue(t, func() model.Queue { return speechless{early()} }, simtest.Claims(queuetest.Exclusive), simtest.Runs(20))
	if !strings.Contains(tb.Text(), "(single-holder is unknown): the queue answered a claim or an extend with an end of the lease (Reply.Until)") {
		t.Error(tb.Text())
	}
	tb = tbtest.Run(t, func(tb testing.TB) {
		simtest.CheckQueue(tb, func() model.Queue { return speechless{early()} }, simtest.Runs(20))
	})
	if tb.Broke {
		t.Errorf("it does not claim to be exclusive:\n%s", tb.Text())
	}
}

func TestOfEveryQueueALossIsHeldAgainstIt(t *testing.T) {
	for _, c := range []struct {
		newQueue func() model.Queue
		property string
	}{
		{variant(t, "reap-forgets"), "no-loss"},
		{blinded(variant(t, "reap-forgets")), "drains"},
	} {
		if found, err := simtest.NewQueue(t, c.newQueue).Find(); err != nil || found == nil || found.Property != c.property || len(found.Small.Story.Plan) != 1 {
			t.Errorf("%+v, %v, want %s by one fault", found, err, c.property)
		}
	}
}

func TestAQueueThatDoesNotTellIsJudgedByItsAnswersAndThatIsSaid(t *testing.T) {
	tb := tbtest.Run(t, func(tb testing.TB) {
		simtest.CheckQueue(tb, blinded(variant(tb, "")), simtest.Claims(queuetest.Fence), simtest.Runs(200))
	})
	if tb.Broke || !strings.Contains(tb.Text(), "does not tell what it touches (model.Toucher), so no-loss, one-place, ") ||
		!strings.Contains(tb.Text(), "every promise that can be judged is held") {
		t.Errorf("%v\n%s", tb.Broke, tb.Text())
	}
}

// A failing check of a queue says what one of a consumer says, keeps it, and runs it
// again.
func TestAFailureOfAQueueIsToldKeptAndReplayed(t *testing.T) {
	t.Chdir(t.TempDir())
	fence := simtest.Claims(queuetest.Fence)
	tb := failingQueue(t, variant(t, "no-fence"), fence)
	if n := len(strings.Split(tb.Text(), "\n")); n > 25 {
		t.Errorf("%d lines", n)
	}
	for _, part := range []string{"BROKEN        stale-token-rejected", "WHY  ", "  Then  ", "fault ", "go test -run '^TestAFailureOfAQueue"} {
		if !strings.Contains(tb.Text(), part) {
			t.Errorf("no %q in\n%s", part, tb.Text())
		}
	}
	kept := "testdata/ackgap/TestAFailureOfAQueueIsToldKeptAndReplayed--stale-token-rejected.story"
	next := failingQueue(t, variant(t, "no-fence"), fence, simtest.Runs(1))
	if !strings.Contains(next.Text(), kept) {
		t.Errorf("%s was not run first:\n%s", kept, next.Text())
	}
	if err := os.RemoveAll("testdata"); err != nil {
		t.Fatal(err)
	}
	t.Setenv(simtest.Replay, regexp.MustCompile(`ackgap1\.\S+`).FindString(tb.Text()))
	again := failingQueue(t, variant(t, "no-fence"), fence)
	if !strings.Contains(again.Text(), "BROKEN        stale-token-rejected") || strings.Contains(again.Text(), "is another by now") {
		t.Errorf("%s", again.Text())
	}
	right := tbtest.Run(t, func(tb testing.TB) { simtest.CheckQueue(tb, variant(tb, ""), fence) })
	if right.Broke || !strings.Contains(right.Text(), "every promise is held") {
		t.Errorf("the repaired queue: %s", right.Text())
	}
}

// What is unknown of a queue that does not tell is not what a failure is about.
func TestAFailureOfAQueueThatDoesNotTellIsToldWithItsPicture(t *testing.T) {
	t.Chdir(t.TempDir())
	tb := failingQueue(t, blinded(variant(t, "no-fence")), simtest.Claims(queuetest.Fence))
	if text := tb.Text(); strings.Contains(text, "UNKNOWN") || !strings.Contains(text, "<- BROKEN stale-token-rejected") || !strings.Contains(text, "  Then  ") {
		t.Error(text)
	}
}

// mortal is a client whose server goes away after some requests.
type mortal struct {
	model.Queue
	left int
}

func (m *mortal) Apply(now model.Time, req model.Request) model.Reply {
	m.left--
	return m.Queue.Apply(now, req)
}

func (m *mortal) Err() error {
	if m.left < 0 {
		return errors.New("connection refused")
	}
	return nil
}

func TestOfAQueueThatIsLostNothingIsHeldAndNothingBroken(t *testing.T) {
	tb := failingQueue(t, func() model.Queue { return &mortal{variant(t, "no-fence")(), 100} }, simtest.Claims(queuetest.Fence))
	if !strings.Contains(tb.Text(), "unknown: the queue was lost, and what it answered since is not judged: connection refused") || strings.Contains(tb.Text(), "BROKEN") {
		t.Error(tb.Text())
	}
}

// heldOpen is a queue that has to be closed.
type heldOpen struct {
	model.Queue
	open *int
}

func (h heldOpen) Close() error { *h.open--; return nil }

func TestEachQueueThatWasMadeIsClosed(t *testing.T) {
	made, open := 0, 0
	tbtest.Run(t, func(tb testing.TB) {
		simtest.CheckQueue(tb, func() model.Queue { made++; open++; return heldOpen{variant(tb, "")(), &open} }, simtest.Runs(10))
	})
	if made < 10 || open != 0 {
		t.Errorf("%d of %d are open", open, made)
	}
}

func TestWorldsThatAreCutBeforeTheirEndAreNoSuccess(t *testing.T) {
	cut := simtest.Story("horizon 5s\nworkers 2 work=10s\njobs 2")
	for _, newQueue := range []func() model.Queue{variant(t, ""), blinded(variant(t, ""))} {
		if tb := failingQueue(t, newQueue, cut, simtest.Runs(50)); !strings.Contains(tb.Text(), "50 worlds could not be judged") {
			t.Error(tb.Text())
		}
	}
}

// forgetful is a client whose Reset leaves something behind.
type forgetful struct {
	model.Queue
	worlds int
}

func (f *forgetful) Reset() { f.worlds++; f.Queue.(model.Resetter).Reset() }

func (f *forgetful) Apply(now model.Time, req model.Request) model.Reply {
	if f.worlds > 0 && req.Op == model.OpReap {
		return model.Reply{Answer: model.OK}
	}
	return f.Queue.Apply(now, req)
}

func TestAQueueThatRemembersTheWorldBeforeIsCalledSo(t *testing.T) {
	tb := failingQueue(t, func() model.Queue { return &forgetful{Queue: variant(t, "")()} })
	if !strings.Contains(tb.Text(), "the queue is not deterministic") {
		t.Error(tb.Text())
	}
}

// A handler of one's own on a queue of one's own.
func TestTheWorkersOfAQueueCanHaveAHandler(t *testing.T) {
	calls := 0
	q := simtest.NewQueue(t, variant(t, ""), simtest.Consumes(func(ctx context.Context, job simtest.Job) error {
		calls++
		return job.Sink().ApplyKey(ctx, job.ID)
	}))
	if out, err := q.Run(); err != nil || out.Met != 0 || calls != simtest.DefaultJobs {
		t.Errorf("%d calls, %v", calls, err)
	}
}

func TestClaimsShapeTheWorld(t *testing.T) {
	text := func(opts ...simtest.Option) string {
		return string(simtest.NewQueue(t, variant(t, ""), opts...).Story().Text())
	}
	for _, c := range []struct {
		claim queuetest.Capability
		says  string
	}{
		{queuetest.Extends, "heartbeat=10s"},
		{queuetest.Extends, "chaos drop extend rate=10%"},
		{queuetest.ServerClock, "chaos clock w1 w2 rate=30% jump=-1m..+1m count=0..1"},
	} {
		if got := text(simtest.Claims(c.claim)); !strings.Contains(got, c.says) {
			t.Errorf("%s: no %q in\n%s", c.claim, c.says, got)
		}
		if got := text(); strings.Contains(got, c.says) {
			t.Errorf("%q without a claim in\n%s", c.says, got)
		}
	}
}

func TestBehindAWindowOfDeduplicationProducersSendAgain(t *testing.T) {
	for window, again := range map[time.Duration]int{time.Minute: 0, 5 * time.Minute: 3} {
		q := simtest.NewQueue(t, variant(t, ""), simtest.Claims(queuetest.DedupWindow(window)))
		if got := q.Story().Producers[0].Retries; got != again {
			t.Errorf("a window of %v: %d times, want %d", window, got, again)
		}
	}
}

// window lets no id in a second time.
type window struct {
	model.Queue
	seen map[model.ID]bool
}

func (w window) Apply(now model.Time, req model.Request) model.Reply {
	if req.Op.Admits() {
		if w.seen[req.ID] {
			return model.Reply{Answer: model.Duplicate}
		}
		w.seen[req.ID] = true
	}
	return w.Queue.Apply(now, req)
}

// sentAgain counts the jobs that were enqueued twice.
type sentAgain struct {
	model.Queue
	seen  map[model.ID]bool
	again *int
}

func (s sentAgain) Apply(now model.Time, req model.Request) model.Reply {
	if req.Op.Admits() && s.seen[req.ID] {
		*s.again++
	}
	s.seen[req.ID] = true
	return s.Queue.Apply(now, req)
}

func TestAWindowOfDeduplicationBearsThat(t *testing.T) {
	again := 0
	newQueue := func() model.Queue {
		w := window{variant(t, "")(), map[model.ID]bool{}}
		return sentAgain{w, map[model.ID]bool{}, &again}
	}
	simtest.CheckQueue(t, newQueue, simtest.Runs(200),
		simtest.Claims(queuetest.Exclusive, queuetest.Fence, queuetest.TokensRise, queuetest.DedupWindow(time.Hour)))
	if again == 0 {
		t.Error("no enqueue was sent again")
	}
}

func TestAStoryOfAQueueNeedNotNameIt(t *testing.T) {
	for _, story := range []string{
		"queue lease=7s\nworkers 2\njobs 2", "workers 2\njobs 2", "queue # mine\nworkers 2\njobs 2",
	} {
		text := string(simtest.NewQueue(t, variant(t, ""), simtest.Story(story)).Story().Text())
		if !strings.Contains(text, "queue TestAStoryOfAQueueNeedNotNameIt") {
			t.Errorf("%q became\n%s", story, text)
		}
	}
}

func TestWrongOptionsOfAQueueFailAtOnceWithTheRule(t *testing.T) {
	none := func() model.Queue { return nil }
	for _, c := range []struct {
		newQueue func() model.Queue
		opts     []simtest.Option
		says     string
	}{
		{nil, nil, "newQueue is nil: pass a func() model.Queue"},
		{none, nil, "newQueue returned nil"},
		{variant(t, ""), []simtest.Option{simtest.Claims("fenced")}, `there is no capability "fenced"`},
		{variant(t, ""), []simtest.Option{simtest.Consumes(nil)}, "Consumes gives the workers of CheckQueue a handler"},
	} {
		if tb := failingQueue(t, c.newQueue, c.opts...); !strings.Contains(tb.Text(), c.says) {
			t.Errorf("%s\nwant %q", tb.Text(), c.says)
		}
	}
	if tb := failing(t, naive, simtest.Claims(queuetest.Fence)); !strings.Contains(tb.Text(), "Claims is for CheckQueue") {
		t.Error(tb.Text())
	}
}

// deaf lets nothing in that it serves.
type deaf struct{ model.Queue }

func (d deaf) Apply(now model.Time, req model.Request) model.Reply {
	if req.Op.Admits() {
		return model.Reply{Answer: model.WrongKind}
	}
	return d.Queue.Apply(now, req)
}

func TestACheckInWhichNothingWasServedFails(t *testing.T) {
	tb := failingQueue(t, func() model.Queue { return deaf{variant(t, "")()} }, simtest.Runs(10))
	if !strings.Contains(tb.Text(), "no worker did a job's work in any of 10 worlds") {
		t.Error(tb.Text())
	}
}
