package echomq

import (
	"strings"
	"time"

	"github.com/ackgap/ackgap/model"
)

// Guard is a question that the variant hardened asks and EchoMQ as built does not,
// as a set. With all of them no safety property breaks in any schedule of small
// worlds with up to three faults or operator acts, which scenarios/exhaust visits
// all. Two things no guard can save. Who completes a job that somebody else works on
// ends work that may never run: from an ACK that cannot be told. And a queue that
// forgets what it wrote loses jobs, takes back what it said and may have a second
// holder, since what would tell it is what it forgot; but while it forgets no more
// than its last two writes, and its clock is not set back as well, tokens rise and
// stale ones are refused. (It must be back in a later millisecond than that of its
// last token.) With three it can be led astray: see forgotten-release.
//
// And one thing it leaves as built: while the server's clock is set back, an extend
// shortens the lease (clock-steps-back). A search sets it forward only.
//
// The first four are one question of four transitions: is the job in anybody's
// hand? As built they compare the token and no more, and a token stays good from
// its claim until the next one: after its settlement, after a reap, among the
// dead. The last two are one counter. What it all costs:
//
//   - A settlement that comes after the reap, or at the deadline and after, is
//     refused, though nobody else had claimed the job. The job is delivered once
//     more, which only a consumer whose second run changes nothing can bear. Where
//     work is always longer than the lease and no heartbeat comes, that goes on for
//     ever: as built the job is done if nobody else claimed it meanwhile, and here
//     its world never drains.
//   - So is a heartbeat: a worker that was out of reach for a lease cannot win
//     the job back, though nobody else has it.
//   - A row has a field more, the token, since attempts count something else.
//   - The queue has a key more, one number, which every claim writes. It replaces
//     a tombstone for each id that ever was, and makes all claims of a queue meet
//     in one place (in a cluster: in one slot, where its sets are already).
//   - Tokens are no longer 1, 2, 3: they are milliseconds.
type Guard uint8

// The guards.
const (
	CompletesHeld Guard = 1 << iota // complete is stale unless the job is active
	RetriesHeld                     // so is retry
	DelaysHeld                      // so is delay
	ExtendsHeld                     // so is extend
	LeaseRuns                       // all four are stale from the deadline on, reaped or not
	QueueTokens                     // a token is above all that the queue has given, not only above the row's
	ClockTokens                     // and no token is below the server's clock, in milliseconds since the epoch

	everyGuard = ClockTokens<<1 - 1
)

var guardWords = []string{
	"completes-held", "retries-held", "delays-held", "extends-held", "lease-runs", "queue-tokens", "clock-tokens",
}

// Guards returns every guard, one by one.
func Guards() []Guard {
	list := make([]Guard, len(guardWords))
	for i := range list {
		list[i] = 1 << i
	}
	return list
}

// String returns the words of g, separated by commas.
func (g Guard) String() string {
	var words []string
	for i, w := range guardWords {
		if g&(1<<i) != 0 {
			words = append(words, w)
		}
	}
	return strings.Join(words, ",")
}

// NewHardened returns an empty queue of the variant hardened that lacks some
// guards: what each is needed for is shown by leaving it out.
func NewHardened(without Guard) *Queue {
	return &Queue{rules: rules{guards: everyGuard &^ without}}
}

func (r *rules) asks(g Guard) bool { return r.guards&g != 0 }

// isOpen reports whether the verb whose guard is g may be said of e at now, by
// whoever holds its token.
func (q *Queue) isOpen(e *entry, now model.Time, g Guard) bool {
	if !e.in(active) {
		return !q.rules.asks(g)
	}
	return !q.rules.asks(LeaseRuns) || now < e.scores[active]
}

// fence is the token that the last claim of the job was given: the count of its
// claims, unless it has one that was minted.
func (r *row) fence() model.Token {
	if r.has&hasToken != 0 {
		return r.token
	}
	return r.attempts
}

// mint gives e a token that rises over everything that could have been forgotten:
// the row, with the job (its queue counts), and the count, with the last writes of
// the server (its clock goes on). It is a hybrid clock: Kulkarni, Demirbas and
// others, "Logical Physical Clocks", OPODIS 2014.
func (q *Queue) mint(e *entry, now model.Time) {
	if q.rules.guards == 0 {
		return
	}
	last := e.token
	if q.rules.asks(QueueTokens) {
		last = q.minted
	}
	token := last + 1
	if q.rules.asks(ClockTokens) {
		token = max(token, model.Token(now.Sub(0)/time.Millisecond))
	}
	q.minted = max(q.minted, token)
	e.has, e.token = e.has|hasToken, token
}

// Untimed returns an empty queue of the same variant for a world in which instants
// are only an order, and whether q reads the clock for more than that. Its tokens
// count: like those of a clock they are above all that were given.
func (q *Queue) Untimed() (model.Queue, bool) {
	u := &Queue{rules: q.rules}
	u.rules.guards &^= ClockTokens
	u.outlasts = q.rules.asks(ClockTokens)
	return u, q.rules.guards != 0
}

// Minted returns the highest token that q has given since it was empty, of those
// that it mints.
func (q *Queue) Minted() model.Token { return q.minted }

// Outlast makes every later token of q be above given, if q is Untimed and would
// otherwise know it by its clock.
func (q *Queue) Outlast(given model.Token) {
	if q.outlasts {
		q.minted = max(q.minted, given)
	}
}
