package scenarios

import (
	"time"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios/actors"
)

// The limits of a world. Above them a story is refused; they keep a hostile
// line such as `jobs 999999999` from costing more than a message.
const (
	MaxJobs      = 100_000
	MaxWorkers   = 10_000
	MaxProducers = 1_000
	MaxSpeakers  = 1_000 // names that only `do` lines use
	MaxPayload   = 512   // bytes
	MaxRetries   = 1_000_000
	MaxSteps     = 3_000_000 // of processes in one run, which is inconclusive then: 2 GB of history
)

// Story is a scenario, its faults and what must come of it, as plain values:
// what Parse reads and Text writes. reports/docs/stories.md is its grammar. Processes and jobs
// are numbered as Cast says. Each Line is where a part was written, from 1, and
// 0 for what is implied.
type Story struct {
	File    string // as Parse was told
	Name    string
	Seed    uint64
	Horizon time.Duration // the latest end of virtual time; above zero

	Queue     Queue
	Producers []Producer // never empty: one named `p` is implied
	Workers   []Worker
	Jobs      []Job
	Speakers  []string // processes that only `do` lines name, by first appearance
	Spoken    []string // jobs that only `do enqueue` lines name, by first appearance

	Network  Network
	Chaos    []Chaos
	NoChaos  bool          // `chaos off`
	Quiet    time.Duration // from then on nothing is drawn; 0: never quiet
	MayBreak []string      // properties that chaos must break in some seed, and that a story without expect lines may break

	Plan    faults.Plan
	Dos     []Do
	Expects []Expect

	HasHistory bool   // a line `----` was there
	History    string // what stood behind it, word for word
}

// Queue is the queue line. A period of 0 is a pump that is off.
type Queue struct {
	Protocol, Variant, Backend          string // Variant "" is the protocol as built
	Lease, RetryDelay                   time.Duration
	ReapEvery, PromoteEvery, SweepEvery time.Duration
	MaxAttempts, MaxStalled, Line       int
}

// Producer is one producer line.
type Producer struct {
	Name    string
	Retries int // how often an unanswered enqueue is sent again
	Timeout time.Duration
	FreshID bool // it is sent again under a new id
	Line    int
}

// Worker is one worker.
type Worker struct {
	Name          string
	Consumer      actors.Consumer
	MarkerLife    time.Duration // TTLMarker: how long a marker is remembered; else 0
	Handler       string        // Handled: the name under which the code is registered; else ""
	EarlyAck      bool
	Work          time.Duration
	WorkIsMean    bool          // the work of each delivery is drawn from the exponential distribution
	Heartbeat     time.Duration // the period; 0 is off
	Poll, Timeout time.Duration
	SettleRetries int
	Line          int
}

// longestWork is what one delivery's work takes at most.
func (w *Worker) longestWork() time.Duration {
	if w.WorkIsMean {
		return model.MaxExponential(w.Work)
	}
	return w.Work
}

// Job is one job line: one intent of a producer.
type Job struct {
	Name    string
	At      model.Time
	By      model.Proc
	Delay   time.Duration // how long it is scheduled at admission
	Fails   int           // deliveries 1..Fails return an error
	Payload string        // untrusted, at most MaxPayload bytes
	Line    int
}

// Network is what every link between producer, worker and queue does.
type Network struct {
	Latency, Jitter            time.Duration
	Loss, Duplicate, ReplyLoss script.PPM
	Until                      time.Duration // losses and duplicates end then; 0: never
	Line                       int
}

// Chaos is one chaos line: what a seed may draw in the random worlds of a story.
type Chaos struct {
	Kind  faults.Kinds // one of them
	Reply bool         // drop-reply, delay-reply
	Ops   []model.Op   // messages: which; none is all that cross the network
	Procs []model.Proc // the others: who; none is all whom the kind can befall
	Rate  script.PPM   // the chance of each point, or of each window; above zero

	By, For, Restart, Jump Span // as the kind needs them; else zero
	Count                  Span // how many windows a slot can hold, as plain numbers
	Line                   int
}

// Span is a range of durations (or of numbers), both ends included.
type Span struct{ Low, High time.Duration }

// What a `do` line leaves out is the queue's own.
const (
	OwnToken model.Token   = -1 // the token that the delivery was given
	OwnDelay time.Duration = -1 // retry: retry-delay
	OwnMax                 = 0  // retry: max-attempts; sweep: max-stalled
)

// Do is one raw request that the queue applies at exactly At.
type Do struct {
	Op    model.Op
	Job   model.Job // NoJob for claims and queue-wide verbs
	N     int32     // the delivery; 0 where the verb takes a job
	By    model.Proc
	At    model.Time
	Token model.Token   // OwnToken, or what is sent instead
	Delay time.Duration // retry, delay
	Max   int           // retry, sweep
	Line  int

	Optional bool // written `do?`: no fault of the story if its delivery does not exist by then
}

// ExpectKind is what an expect line speaks about.
type ExpectKind uint8

// The kinds of expectations.
const (
	ExpectVerdict    ExpectKind = iota // Properties have the Verdict
	ExpectEffects                      // the effects of Job are Cmp Count
	ExpectDeliveries                   // the deliveries of Job are Cmp Count
	ExpectAnswer                       // the last Op of Job#N was answered Answer; `refused` is Stale
	ExpectTwin                         // a history in which a work never ran has the same queue view
	ExpectNoTwin
	ExpectState // Job ends in State
)

// Cmp compares what was counted with what was expected.
type Cmp uint8

// The comparisons.
const (
	Equal Cmp = iota
	AtLeast
	AtMost
)

// Expect is one expect line.
type Expect struct {
	Kind       ExpectKind
	Verdict    model.Value
	Properties []string
	Job        model.Job // ExpectTwin: NoJob for any delivery
	N          int32
	Op         model.Op
	Answer     model.Answer
	Refused    bool // written `refused`
	Cmp        Cmp
	Count      int
	State      string // one word, or sets joined by + in the order pending active schedule dead
	Line       int
}

// Holds reports whether a counted n meets the expectation's Cmp and Count.
func (e *Expect) Holds(n int) bool {
	switch e.Cmp {
	case AtLeast:
		return n >= e.Count
	case AtMost:
		return n <= e.Count
	}
	return n == e.Count
}

// What a story is unless its lines say otherwise.
var (
	defaultQueue = Queue{
		Protocol: "echomq", Backend: "go",
		Lease: 30 * time.Second, RetryDelay: time.Second, MaxAttempts: 3, MaxStalled: 1,
		ReapEvery: time.Second, PromoteEvery: time.Second,
	}
	defaultProducer = Producer{Name: "p", Retries: 3, Timeout: 5 * time.Second}
	defaultWorker   = Worker{Work: 20 * time.Millisecond, Poll: 50 * time.Millisecond, Timeout: 5 * time.Second}
	defaultNetwork  = Network{Latency: time.Millisecond}
	defaultHorizon  = 10 * time.Minute
	defaultEvery    = 50 * time.Millisecond
)

// The bracketed ranges of the chaos grammar.
var (
	defaultBy      = Span{time.Millisecond, time.Minute}
	defaultFor     = Span{time.Second, 90 * time.Second}
	defaultRestart = Span{time.Second, time.Minute}
	defaultJump    = Span{time.Second, time.Minute}
	defaultCount   = Span{0, 2}
)
