package exhaust

import (
	"encoding/binary"
	"slices"

	"github.com/ackgap/ackgap/model"
)

// The limits of a bounded world. They keep a state small.
const (
	MaxJobs    = 6
	MaxWorkers = 6
	MaxClaims  = 7 // of one job, over all its incarnations
	maxMail    = 8
	maxFaults  = maxMail // each puts at most one letter on its way
)

// State is one state of the world: a value of a few dozen bytes, whose queue is
// told by the number of its state. Jobs and workers count from 0 here.
type State struct {
	queue   uint64                 // the state of the queue
	past    [maxForgotten]restored // what the queue was before its last writes; lost writes only
	due     uint8                  // how many members of active are beyond their deadline: the first ones
	mailed  uint8
	jobs    [MaxJobs]job
	workers [MaxWorkers]worker
	mail    [maxMail]letter // sorted: which of two came first does not matter, for each may overtake the other
}

// maxForgotten is how many writes a crash of the queue can lose.
const maxForgotten = 2

// restored is a state of the queue to which a crash may bring it back.
type restored struct {
	queue uint64 // 0: none is known
	due   uint8
	relet uint8 // the job whose lease the next write set, as a bit
}

// job is what the producer, the outside world and the ledger know of one job.
type job struct {
	sends   uint8 // enqueues that were sent
	end     ending
	flags   jobFlags
	effects uint8 // 0, 1, or 2 for more
	n       uint8 // deliveries so far
	claims  uint8 // of them in this incarnation
	fence   uint8 // the highest token that the store saw
	settled uint8 // by delivery: a settlement of it was accepted
	tokens  [MaxClaims]uint8
}

type jobFlags uint8

const (
	isSent      jobFlags = 1 << iota // the producer is done with it
	isAdmitted                       // a producer was told that it is in, or who spoke a raw enqueue
	isCompleted                      // a complete was accepted, ever
	isMarked                         // the consumer's marker is there
	isUpserted                       // the effect's own row is there
	isOver                           // the lease of the last delivery has ended
	isBeyond                         // it ends after the job's deadline in active: that one was forgotten in a crash, or somebody else shortened it
	isBehind                         // it ends before that one: somebody else extended it
)

func (j *job) has(f jobFlags) bool { return j.flags&f != 0 }

// ending is how an incarnation ended, as the ledger has it.
type ending uint8

const (
	notEnded ending = iota
	completed
	dead
	removed
)

func (e ending) terminal() bool { return e == completed || e == dead }

// worker is one worker between two of its steps.
type worker struct {
	phase phase
	flags workerFlags
	job   uint8
	n     uint8 // the delivery that it believes to hold
	token uint8
	step  uint8 // stepping: into its consumer's program; isAnswered: 1 if its job was postponed since
	sends uint8 // settling: how often it was sent
	spent uint8 // how many of its heartbeats in a row have failed, where that can end its lease
	verb  model.Op
}

// phase is what a worker does next.
type phase uint8

const (
	idle     phase = iota // ask for a job
	stepping              // the next step of its program
	settling              // settle
	waiting               // give up waiting for the answer to its last settlement; its heart beats on
	down                  // nothing, until it is restarted
	calling               // give up waiting for the outside service; its heart beats on
)

type workerFlags uint8

const (
	isPaused    workerFlags = 1 << iota
	isSettled               // early ack: the settlement is behind it
	isOverdue               // it stood still past its heartbeat, which comes behind the step that it takes now
	isCurtailed             // its lease was extended, by a queue that keeps such a lease for less long
	isAnew                  // it was granted the job while heartbeats of another were on their way, who come before what it sends
)

func (w *worker) has(f workerFlags) bool { return w.flags&f != 0 }

// isAnswered reports whether the answer to w's settlement is on its way, and heartbeats
// that it sent before may be, too. They come before what it sends next.
func (w *worker) isAnswered() bool { return w.phase == waiting && w.sends == 0 }

// holds reports whether w believes to hold a job.
func (w *worker) holds() bool { return w.phase != idle && w.phase != down }

// trails reports whether heartbeats may be on their way behind an answered settlement.
func (w *World) trails(s *State) bool {
	return slices.ContainsFunc(s.workers[:len(w.workers)], func(k worker) bool { return k.isAnswered() })
}

// letter is a request that is on its way beyond the patience of its speaker: a late
// one, or the copy that the network made. Nobody waits for the answer.
type letter struct {
	op    model.Op
	who   uint8 // which worker asked; copies and late ones of producers: 0
	job   uint8
	n     uint8 // 0: an enqueue or a claim
	token uint8
}

func (l letter) compare(m letter) int {
	return slices.Compare([]uint8{uint8(l.op), l.job, l.n, l.token, l.who}, []uint8{uint8(m.op), m.job, m.n, m.token, m.who})
}

// letters returns what is on its way. The slice is the state's own.
func (s *State) letters() []letter { return s.mail[:s.mailed] }

// post puts l on its way. Who spoke it matters to the outside service alone.
func (s *State) post(l letter) {
	if l.op != model.OpApply {
		l.who = 0
	}
	at, _ := slices.BinarySearchFunc(s.letters(), l, letter.compare)
	copy(s.mail[at+1:], s.mail[at:s.mailed])
	s.mail[at] = l
	s.mailed++
}

// take takes the letter at i off its way.
func (s *State) take(i int) letter {
	l := s.mail[i]
	copy(s.mail[i:], s.mail[i+1:s.mailed])
	s.mailed--
	s.mail[s.mailed] = letter{}
	return l
}

// AppendState appends the bytes of s.
func (w *World) AppendState(b []byte, s *State) []byte {
	b = binary.LittleEndian.AppendUint64(b, s.queue)
	if w.scope.forgets() {
		for _, p := range s.past {
			b = append(binary.LittleEndian.AppendUint64(b, p.queue), p.due, p.relet)
		}
	}
	b = append(b, s.due<<4|s.mailed)
	for i := range w.jobs {
		j := &s.jobs[i]
		b = append(b, j.sends, uint8(j.flags), uint8(j.end)|j.effects<<2|j.n<<4, j.claims|j.fence<<4, j.settled)
		b = append(b, j.tokens[:j.n]...)
	}
	for i := range w.workers {
		b = appendWorker(b, &s.workers[i])
	}
	for _, l := range s.letters() {
		b = append(b, uint8(l.op), l.who<<4|l.job, l.n<<4|l.token)
	}
	return b
}

func appendWorker(b []byte, k *worker) []byte {
	b = append(b, uint8(k.phase)|uint8(k.flags)<<3)
	if k.holds() {
		b = append(b, k.job<<4|k.n, k.token<<4|k.step, uint8(k.verb), k.sends|k.spent<<4)
	}
	return b
}

// LoadState makes s the state whose bytes b are.
func (w *World) LoadState(b []byte, s *State) {
	*s = State{queue: binary.LittleEndian.Uint64(b)}
	b = b[8:]
	if w.scope.forgets() {
		for i := range s.past {
			s.past[i] = restored{binary.LittleEndian.Uint64(b), b[8], b[9]}
			b = b[10:]
		}
	}
	s.due, s.mailed = b[0]>>4, b[0]&15
	b = b[1:]
	for i := range w.jobs {
		j := &s.jobs[i]
		*j = job{
			sends: b[0], flags: jobFlags(b[1]), end: ending(b[2] & 3), effects: b[2] >> 2 & 3, n: b[2] >> 4,
			claims: b[3] & 15, fence: b[3] >> 4, settled: b[4],
		}
		b = b[5+copy(j.tokens[:j.n], b[5:]):]
	}
	for i := range w.workers {
		b = loadWorker(b, &s.workers[i])
	}
	for i := range s.letters() {
		s.mail[i] = letter{model.Op(b[0]), b[1] >> 4, b[1] & 15, b[2] >> 4, b[2] & 15}
		b = b[3:]
	}
}

func loadWorker(b []byte, k *worker) []byte {
	k.phase, k.flags = phase(b[0]&7), workerFlags(b[0]>>3)
	b = b[1:]
	if k.holds() {
		k.job, k.n, k.token, k.step = b[0]>>4, b[0]&15, b[1]>>4, b[1]&15
		k.verb, k.sends, k.spent = model.Op(b[2]), b[3]&15, b[3]>>4
		b = b[4:]
	}
	return b
}
