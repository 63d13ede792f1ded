// Package eventlog judges what a queue and its consumers did by the log that they
// left: the same judge and the same properties as in a run of a story, fed from a
// file.
//
// # The form
//
// A log is a text of JSON objects, one a line (reports/schema/ackgap-log.schema.json).
// The first line is the header; each other line is one event, in the past tense, or
// one document of OpenTelemetry spans (OTLP/JSON), of which otlp.go says what they
// become.
//
//	{"format":"ackgap-log/1","records":["admitted","claimed","applied","settled","dead"]}
//	{"seq":1,"time":"2026-03-01T02:00:00Z","kind":"admitted","job":"order-7","worker":"shop"}
//	{"seq":2,"time":"2026-03-01T02:00:01Z","kind":"claimed","job":"order-7","worker":"w1","token":1}
//	{"seq":3,"time":"2026-03-01T02:00:02Z","kind":"applied","job":"order-7","worker":"w1","token":1}
//	{"seq":4,"time":"2026-03-01T02:00:03Z","kind":"settled","job":"order-7","worker":"w1","token":1}
//	{"seq":5,"time":"2026-03-01T03:00:00Z","kind":"ended","cause":"horizon"}
//
// The kinds that most logs need: admitted (a producer was told that the job is in),
// enqueued (the queue answered an enqueue), claimed, extended, settled, refused (a
// settlement or an extension was), dead, reaped, promoted, operated (an operator's
// verb), applied (the outside world changed) and absorbed (it did not, for a marker or
// the like). kinds.go has the table. Time is RFC 3339, or an integer of nanoseconds
// since 2025-01-01T00:00:00Z.
//
// # What makes a log complete
//
// Nothing is called held of a log from which something may be missing. A log is
// complete when all of this is so:
//
//   - Its header lists in records the kinds of which it holds every event that there
//     was. A property is judged where all the kinds that it needs are listed.
//   - Either each event has a seq, from 1 on without a gap; or the header says
//     "complete": true and the ended line counts the distinct events before it. With
//     "complete": false it is not, whatever seq says.
//   - It ends with a line of the kind ended: with the cause quiet, after which nothing
//     will happen any more, or horizon, where the recording stopped.
//
// A digest at the end of the ended line, as Append writes it, covers every byte before
// it: with another one, nothing is believed.
//
// In every other case a property is unknown, with what is missing. What is broken
// stays so only where nothing that is missing could excuse it (needs.go: standsAlone).
//
// # What each property needs
//
// These kinds must stand in records, the queue's events must be touched where it says so
// (which a log of a run is), and no event may lack the fields that come last. QUEUE is
// enqueued, claimed, extended, settled, dead, refused, reaped, promoted and operated.
//
//	no-loss               QUEUE applied admitted touched
//	no-duplicate-effect   applied
//	stale-token-rejected  claimed extended settled dead
//	settled-once          claimed settled dead
//	one-place             QUEUE touched
//	no-ghost              QUEUE touched
//	tokens-rise           claimed token
//	single-holder         claimed extended settled dead operated until time
//	terminal-absorbing    QUEUE touched
//	admission-honest      QUEUE touched
//	attempts-bounded      settled dead token max
//	deliveries-bounded    enqueued claimed
//	mint-order            QUEUE touched
//	deadline-monotone     claimed extended settled dead operated until time
//	work-conserving       QUEUE idle touched
//	drains                settled dead operated admitted
//
// Token matters where a claim has none, until where neither the event nor a lease in the
// header tells it, max where neither the retry nor max-attempts in the header does, time
// where that of the queue's events goes back. Attempts-bounded asks besides for tokens
// that count the attempts ("tokens": "attempts"), deliveries-bounded for a queue that
// promises it (bounds-deliveries), and drains, where the recording stopped before the
// queue was quiet, for the workers by which it sets its bound. Where the header says that
// every claim and extend asked for the same lease ("asks-lease": true), an until that is not
// the queue's time plus lease leaves single-holder and deadline-monotone unknown. No-loss cannot be held
// without touched, but is broken by a completed job that had no effect.
//
// A value of 0 that cannot be (a token, a delivery n, a cap), a lease that is over when it
// is given, a delivery that was given another token, work on a job that nobody claimed, a
// clock of the queue that is never, nothing or a day off: each leaves a doubt. Leave out
// what is not known.
//
// # Order, repeats, cuts
//
// Numbered events are judged in the order of seq, others by their time, in the order of
// the file where times are equal (two events of the queue about one job at one
// instant leave a doubt). Events may stand up to Window places from their own. A
// repeat (the same seq, or the same event id) is dropped if it is the same line; if not,
// or if it comes so late that the lines cannot be compared, it leaves a doubt. A
// last line that is cut is dropped and leaves a doubt; any other line that is wrong
// is an error that names the line, the field, the rule and the way out.
//
// # Memory
//
// Check keeps what it must know of each open job and its deliveries.
// Open is every job of which no end was told: a log that lists nothing but applied has no
// other, and its memory grows with its jobs. A job that has
// ended is remembered for the next Remember events; after that a filter of fixed size
// knows that there was one, so that its return leaves a doubt instead of a wrong
// verdict. The filter takes some three million ended jobs; with many more, logs in which
// no job returns come out unknown too.
package eventlog
