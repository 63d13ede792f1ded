package sqlqueue_test

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/queuetest"
	"github.com/ackgap/ackgap/scenarios/simtest"
	"github.com/ackgap/ackgap/scenarios/simtest/sqlqueue"
)

// with makes queues with the faults.
func with(f sqlqueue.Faults) func() model.Queue {
	return func() model.Queue { return sqlqueue.Must(f) }
}

func TestTheQueueHasWhatItClaims(t *testing.T) {
	queuetest.Run(t, with(sqlqueue.Faults{}), sqlqueue.Claims...)
}

// Who puts a job off is told that it was not done.
func TestADelayThatIsNotDoneIsNotAnsweredOK(t *testing.T) {
	q := sqlqueue.Must(sqlqueue.Faults{})
	defer func() { _ = q.Close() }()
	id := model.ID{NS: model.JOB, Value: 1}
	q.Apply(0, model.Request{Op: model.OpEnqueue, ID: id})
	g := q.Apply(0, model.Request{Op: model.OpClaim, Lease: time.Minute}).Grant
	if got := q.Apply(0, model.Request{Op: model.OpDelay, ID: id, Token: g.Token, Delay: time.Hour}).Answer; got.Accepted() {
		t.Errorf("it was answered %s, and changes nothing", got)
	}
}

// A queue that has no pause does not say that it paused, and nobody believes that it did.
func TestAVerbThatTheQueueHasNotChangesNothing(t *testing.T) {
	q := sqlqueue.Must(sqlqueue.Faults{})
	defer func() { _ = q.Close() }()
	for _, op := range []model.Op{model.OpPause, model.OpRemove, model.OpDrain, model.OpExtendBatch, model.OpDelayAt} {
		if rep := q.Apply(0, model.Request{Op: op}); rep.Answer.Accepted() || rep.Err == "" {
			t.Errorf("%s was answered %s without a word of why", op, rep.Answer)
		}
	}
	simtest.CheckQueue(t, with(sqlqueue.Faults{}), simtest.Claims(sqlqueue.Claims...), simtest.Runs(50),
		simtest.Story("workers 1\njob J1\ndo pause time=1ms\ndo drain time=2ms\ndo remove J1 time=3ms"))
}

// A job for later waits until the instant that was asked for.
func TestAJobForLaterWaitsForItsInstant(t *testing.T) {
	q := sqlqueue.Must(sqlqueue.Faults{})
	defer func() { _ = q.Close() }()
	at := model.Time(time.Hour)
	rep := q.Apply(0, model.Request{Op: model.OpEnqueueAt, ID: model.ID{NS: model.JOB, Value: 1}, At: at})
	early := q.Apply(at-1, model.Request{Op: model.OpPromote}).Moved
	if due := q.Apply(at, model.Request{Op: model.OpPromote}).Moved; rep.Answer != model.Scheduled || rep.Until != at || early != 0 || due != 1 {
		t.Errorf("%s until %s; %d moved before the instant, %d at it", rep.Answer, rep.Until, early, due)
	}
}

// The right queue holds 1,000 worlds here and 100,000 in .ci/run, which sets
// ACKGAP_RUNS.
func TestTheRightQueueHoldsEveryWorld(t *testing.T) {
	runs := 1000
	if n, err := strconv.Atoi(os.Getenv("ACKGAP_RUNS")); err == nil {
		runs = n
	}
	simtest.CheckQueue(t, with(sqlqueue.Faults{}), simtest.Claims(sqlqueue.Claims...), simtest.Runs(runs))
}

// slowReaper is a world in which a reaper that takes its time, between its scan and
// what it does, has work: jobs come in all the while.
const slowReaper = `
	queue    reap-every=5s
	producer p retries=0
	workers  2 work=6s
	jobs     10 every=5s`

// classics are the faults, and what comes of them.
var classics = []struct {
	name     string
	faults   sqlqueue.Faults
	world    []simtest.Option
	most     int // faults that are left of the world in which it is found
	property string
	why      string
}{
	{"settle by id", sqlqueue.Faults{SettlesByID: true}, nil, 2, "stale-token-rejected",
		"e1 delivered the job again; e2 speaks for an earlier delivery and was accepted"},
	{"scan, then apply", sqlqueue.Faults{ScansThenApplies: true}, []simtest.Option{simtest.Story(slowReaper)}, 3, "single-holder",
		"e1 leased the job until an instant that the server's clock has not reached; e2 leased it to a second holder"},
	{"the client's clock", sqlqueue.Faults{ClientClock: true}, nil, 2, "single-holder",
		"e1 leased the job until an instant that the server's clock has not reached; e2 leased it to a second holder"},
}

// Each fault is caught within 100 worlds, shrunk to few mishaps, and blamed for what
// it does.
func TestEachClassicFaultIsCaughtWithTheRightWhy(t *testing.T) {
	for _, c := range classics {
		opts := append([]simtest.Option{simtest.Claims(sqlqueue.Claims...), simtest.Runs(100)}, c.world...)
		found, err := simtest.NewQueue(t, with(c.faults), opts...).Find()
		if err != nil || found == nil {
			t.Errorf("%s: %v, %v", c.name, found, err)
			continue
		}
		t.Logf("%s: world %d\n%s", c.name, found.Seed, found.Small.Story.Text())
		if n := len(found.Small.Story.Plan); found.Property != c.property || found.Why() != c.why || n > c.most {
			t.Errorf("%s: %s broke, by %d faults: %s", c.name, found.Property, n, found.Why())
		}
	}
}

func TestTheRightQueueHoldsBehindASlowReaper(t *testing.T) {
	simtest.CheckQueue(t, with(sqlqueue.Faults{}), simtest.Claims(sqlqueue.Claims...), simtest.Story(slowReaper), simtest.Runs(300))
}

// An instant that SQLite cannot reckon stops the reaper in the middle of its scan.
func TestAScanThatDoesNotComeToItsEndIsToldByErr(t *testing.T) {
	q := sqlqueue.Must(sqlqueue.Faults{ScansThenApplies: true})
	id := model.ID{NS: model.JOB, Value: 1}
	q.Apply(0, model.Request{Op: model.OpEnqueue, ID: id})
	q.Apply(0, model.Request{Op: model.OpClaim})
	q.Exec(`ALTER TABLE jobs RENAME TO kept`)
	q.Exec(`CREATE VIEW jobs AS SELECT id, state, abs(deadline - 9223372036854775807 - 1) AS deadline FROM kept`)
	if q.Err() != nil {
		t.Fatal(q.Err())
	}
	q.Apply(0, model.Request{Op: model.OpReap})
	if err := q.Err(); err == nil || !strings.Contains(err.Error(), "integer overflow") {
		t.Errorf("Err tells %v", err)
	}
}

// One queue that is emptied and one that is new leave the same.
func TestTheSameSeedLeavesTheSameBytes(t *testing.T) {
	a := simtest.NewQueue(t, with(sqlqueue.Faults{}), simtest.Claims(sqlqueue.Claims...))
	for seed := range uint64(100) {
		b := simtest.NewQueue(t, with(sqlqueue.Faults{}), simtest.Claims(sqlqueue.Claims...))
		first, err := a.World(seed)
		if err != nil {
			t.Fatal(err)
		}
		then, err := b.World(seed)
		if err != nil {
			t.Fatal(err)
		}
		if x, y := first.Outcome.History.Digest, then.Outcome.History.Digest; x != y {
			t.Fatalf("seed %d left %s and then %s", seed, x, y)
		}
	}
}

func BenchmarkWorlds(b *testing.B) {
	simtest.BenchQueue(b, with(sqlqueue.Faults{}), simtest.Claims(sqlqueue.Claims...))
}
