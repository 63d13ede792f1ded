package echomq_test

import "testing"

// What is odd in EchoMQ as built, one story each. None of these may be "fixed"
// in the machine: what they cost is what ackgap is there to show.

func TestClaimOfAnIDWithoutARowMakesABareOne(t *testing.T) {
	tell(t, "", `
		0s enqueue J1 payload=a       -> enqueued
		0s claim                      -> J1#1 payload=a
		1s retry J1 token=1           -> scheduled until=2s
		1s complete J1 token=1        -> ok
		1s show J1                    -> schedule@2s
		2s promote                    -> ok moved=1
		2s show J1                    -> pending state=pending
		2s claim                      -> J1#1 bare
		2s show J1                    -> active@32s attempts=1 state=active
	`)
}

// A row that has a state and no attempts is gone to complete and extend, who ask
// for attempts, and stale to delay, who asks for a row. No token fits it.
func TestARowWithoutAttemptsFitsNoToken(t *testing.T) {
	tell(t, "", `
		0s enqueue J1                 -> enqueued
		0s delay J1 token=0 delay=1s  -> scheduled until=1s
		0s complete J1 token=0        -> ok
		1s promote                    -> ok moved=1
		1s show J1                    -> pending state=pending
		1s complete J1 token=0        -> gone
		1s extend J1 token=0          -> gone
		1s delay J1 token=0           -> stale
		1s retry J1 token=0           -> stale
		1s update-data J1 payload=b   -> ok
		1s show J1                    -> pending payload=b state=pending
	`)
}

func TestClaimDoesNotLookAtThePauseFlag(t *testing.T) {
	tell(t, "", `
		0s enqueue J1                 -> enqueued
		0s pause                      -> ok
		0s read-pause                 -> paused
		0s claim                      -> J1#1
	`)
}

func TestCompleteLeavesTheMemberInDead(t *testing.T) {
	tell(t, "", `
		0s enqueue J1                 -> enqueued
		0s claim                      -> J1#1
		1s retry J1 token=1 max=1     -> dead
		1s complete J1 token=1        -> ok
		1s show J1                    -> dead
		1s show counters              -> completed=1 failed=1
		1s reprocess J1               -> gone
	`)
}

func TestALapsedTokenIsGoodUntilTheNextClaim(t *testing.T) {
	tell(t, "", `
		0s  enqueue J1                -> enqueued
		0s  claim lease=30s           -> J1#1
		30s reap                      -> ok moved=1
		31s complete J1 token=1       -> ok
		31s show J1                   -> nothing
	`)
	tell(t, "", `
		0s  enqueue J1                -> enqueued
		0s  claim lease=30s           -> J1#1
		30s reap                      -> ok moved=1
		30s claim                     -> J1#2
		31s complete J1 token=1       -> stale
		31s complete J1 token=2       -> ok
	`)
}

func TestASecondSettlementOfOneDeliveryIsAccepted(t *testing.T) {
	tell(t, "", `
		0s enqueue J1 payload=a       -> enqueued
		0s claim                      -> J1#1 payload=a
		1s retry J1 token=1 error=x   -> scheduled until=2s
		5s retry J1 token=1 error=y   -> scheduled until=6s
		5s retry J1 token=1 max=1     -> dead
		5s show J1                    -> schedule@6s dead attempts=1 last_error= payload=a state=dead
	`)
}

func TestOnlyRetryCallsAMissingRowStale(t *testing.T) {
	tell(t, "", `
		0s retry J1 token=1           -> stale
		0s complete J1 token=1        -> gone
		0s delay J1 token=1           -> gone
		0s delay-at J1 token=1 at=1s  -> gone
		0s extend J1 token=1          -> gone
		0s remove J1                  -> gone
		0s reprocess J1               -> gone
		0s update-data J1 payload=b   -> gone
	`)
}

func TestExtendPutsAJobIntoActiveThatIsNotThere(t *testing.T) {
	tell(t, "", `
		0s  enqueue J1 payload=a      -> enqueued
		0s  claim lease=30s           -> J1#1 payload=a
		30s reap                      -> ok moved=1
		31s extend J1 token=1         -> ok until=1m1s
		31s show J1                   -> pending active@1m1s attempts=1 payload=a state=pending
		31s complete J1 token=1       -> ok
		31s show J1                   -> pending
	`)
}

func TestDelayOfAReapedJobPutsItInTwoPlaces(t *testing.T) {
	tell(t, "", `
		0s  enqueue J1 payload=a      -> enqueued
		0s  claim lease=30s           -> J1#1 payload=a
		30s reap                      -> ok moved=1
		31s delay J1 token=1 delay=9s -> scheduled until=40s
		31s show J1                   -> pending schedule@40s attempts=1 payload=a state=scheduled
	`)
}

func TestReapNeverGivesUpOnAPoisonJob(t *testing.T) {
	tell(t, "", `
		0s enqueue J1                 -> enqueued
		0s claim lease=1s             -> J1#1
		1s reap                       -> ok moved=1
		1s claim lease=1s             -> J1#2
		2s reap                       -> ok moved=1
		2s claim lease=1s             -> J1#3
		3s reap                       -> ok moved=1
		3s claim lease=1s             -> J1#4
	`)
}

func TestAReprocessedJobIsAtItsCapAlready(t *testing.T) {
	tell(t, "", `
		0s enqueue J1 payload=a       -> enqueued
		0s claim                      -> J1#1 payload=a
		1s retry J1 token=1 max=1     -> dead
		2s reprocess J1               -> ok
		2s show J1                    -> pending attempts=1 payload=a state=pending
		2s claim                      -> J1#2 payload=a
		3s retry J1 token=2 max=1     -> dead
	`)
}

func TestACompletedIDIsAdmittedAfresh(t *testing.T) {
	tell(t, "", `
		0s enqueue J1                 -> enqueued
		0s claim                      -> J1#1
		1s complete J1 token=1        -> ok
		2s enqueue J1                 -> enqueued
		2s claim                      -> J1#1
		2s complete J1 token=1        -> ok
		2s complete J1 token=1        -> gone
	`)
}

func TestAnOldJobGoesBackAheadOfEveryYoungerOne(t *testing.T) {
	tell(t, "", `
		0s  enqueue J2                -> enqueued
		0s  enqueue J1                -> enqueued
		0s  enqueue J3                -> enqueued
		0s  claim lease=30s           -> J1#1
		30s reap                      -> ok moved=1
		30s claim                     -> J1#2
		30s claim                     -> J2#1
	`)
}

func TestTheKindIsAskedBeforeTheRow(t *testing.T) {
	tell(t, "", `
		0s enqueue U1                 -> kind
		0s enqueue-at U1 at=5s        -> kind
		0s enqueue-in U1              -> kind
		0s delay U1 token=1           -> kind
		0s complete U1 token=1        -> gone
	`)
}

func TestAnUnclaimedJobIsSettledByTokenZero(t *testing.T) {
	tell(t, "", `
		0s enqueue J1                 -> enqueued
		0s complete J1 token=0        -> ok
		0s show J1                    -> nothing
	`)
}

// An instant has no part finer than a millisecond, and the server rounds down.
func TestClocksReadWholeMilliseconds(t *testing.T) {
	tell(t, "", `
		0s     enqueue-at J1 at=1999us -> scheduled until=1ms
		999us  promote                 -> ok
		1999us promote                 -> ok moved=1
		1999us claim lease=1500us      -> J1#1
		1999us show J1                 -> active@2ms attempts=1 payload= state=active
		2ms    reap                    -> ok moved=1
	`)
}
