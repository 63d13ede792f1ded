package exhaust

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/actors"
	"github.com/ackgap/ackgap/sim/explore"
)

// World is the bounded world of a story as a model for explore: its jobs, workers,
// consumers and queue, with time as an adversary. It is to be made by New.
type World struct {
	story   *scenarios.Story
	scope   Scope
	jobs    []jobSpec
	workers []workerSpec
	equal   [][]uint8 // workers that are set up alike, where they may change places
	machine *machine

	maxAttempts, maxStalled uint8
	reaps, promotes, sweeps bool // the pumps that are on
	bounds                  bool // the queue promises deliveries-bounded
	anyPlace, anyRunAt      bool // deadlines, run-ats of several classes meet in one set
	trace                   *tracer
}

type jobSpec struct {
	after   int // the job that the same producer sends before; -1 for none
	retries uint8
	delayed bool
	fails   uint8
	unknown bool // scorer: the payload names no game, so that nothing is done
}

type workerSpec struct {
	consumer    actors.Consumer
	program     []model.Step // of it: what reads or changes anything
	marks       bool         // the marker is set in a step of its own
	life        bool         // the marker is forgotten after a time
	early       bool
	retries     uint8
	beats       bool
	beatsInTrip bool    // it beats within a round trip, and so behind its early settlement
	grips       [2]grip // on the lease of a claim, and on one that was extended
}

var _ explore.Forker[State] = (*World)(nil)
var _ explore.Ender[State] = (*World)(nil)

// New returns the world of a story within a scope. What the story says will go
// wrong, its `do` lines and expectations are not read: the explorer chooses. The
// error says what cannot be explored, and what to change.
func New(s *scenarios.Story, scope Scope) (*World, error) {
	if err := scope.check(); err != nil {
		return nil, err
	}
	w := &World{story: bySending(s), scope: scope}
	s = w.story
	if err := w.cast(); err != nil {
		return nil, fmt.Errorf("%s: %w", s.File, err)
	}
	q, variant, err := openQueue(s)
	if err != nil {
		return nil, err
	}
	rule := timing{lease: s.Queue.Lease, retryDelay: s.Queue.RetryDelay}
	for i := range s.Jobs {
		rule.delays = append(rule.delays, s.Jobs[i].Delay)
	}
	if w.machine, err = newMachine(q, rule, len(w.jobs)); err != nil {
		return nil, fmt.Errorf("%s: %w", s.File, err)
	}
	if most := len(w.jobs) * scope.Claims; most > maxToken && countsForAll(s) {
		return nil, fmt.Errorf("%s: its queue counts tokens over all jobs, and a state has room for %d; %d jobs of %d claims each can take %d (--jobs, --claims)",
			s.File, maxToken, len(w.jobs), scope.Claims, most)
	}
	w.bounds = variant.BoundsDeliveries
	w.settings()
	return w, nil
}

func openQueue(s *scenarios.Story) (model.Queue, model.Variant, error) {
	body, ok := model.FindBody(s.Queue.Protocol, s.Queue.Backend)
	if !ok {
		return nil, model.Variant{}, fmt.Errorf("%s: backend %s is not linked into this program", s.File, s.Queue.Backend)
	}
	variant, _ := body.Variant(s.Queue.Variant)
	q, err := body.OpenOn(s.Queue.Backend, s.Queue.Variant)
	return q, variant, err
}

// countsForAll reports whether a second job is given a higher token than the first.
func countsForAll(s *scenarios.Story) bool {
	q, _, err := openQueue(s)
	if err != nil {
		return false
	}
	var tokens []model.Token
	for n := range uint64(2) {
		q.Apply(0, model.Request{Op: model.OpEnqueue, ID: model.ID{NS: model.JOB, Value: n + 1}})
		tokens = append(tokens, q.Apply(0, model.Request{Op: model.OpClaim, Lease: s.Queue.Lease}).Token)
	}
	return tokens[1] > tokens[0]
}

// settings reads what the queue line sets.
func (w *World) settings() {
	q := &w.story.Queue
	w.maxAttempts, w.maxStalled = uint8(min(q.MaxAttempts, 255)), uint8(min(q.MaxStalled, 255))
	w.reaps, w.promotes, w.sweeps = q.ReapEvery > 0, q.PromoteEvery > 0, q.SweepEvery > 0
	w.anyPlace = w.machine.rule.granted != q.Lease
	for _, d := range w.machine.rule.delays {
		w.anyRunAt = w.anyRunAt || d > 0 && d != q.RetryDelay
	}
	for i := range w.workers {
		w.workers[i].grips = w.gripsOf(&w.story.Workers[i])
	}
	if w.scope.Symmetry {
		w.equal = alike(w.workers)
	}
}

// cast reads jobs, producers and workers, and refuses what does not fit.
func (w *World) cast() error {
	s := w.story
	if len(s.Jobs) == 0 || len(s.Jobs) > MaxJobs || len(s.Workers) > MaxWorkers {
		return fmt.Errorf("it has %d jobs and %d workers; 1 to %d jobs and up to %d workers can be explored (--jobs, --workers)",
			len(s.Jobs), len(s.Workers), MaxJobs, MaxWorkers)
	}
	last := map[model.Proc]int{}
	for i := range s.Jobs {
		j := &s.Jobs[i]
		p := &s.Producers[int(j.By)-firstProducer]
		if p.FreshID {
			return fmt.Errorf("producer %s sends under fresh ids, and a job under several ids cannot be explored; leave fresh-id out", p.Name)
		}
		before, ok := last[j.By]
		if !ok {
			before = -1
		}
		last[j.By] = i
		w.jobs = append(w.jobs, jobSpec{after: before, retries: uint8(min(p.Retries, maxFaults)), delayed: j.Delay > 0, fails: uint8(min(j.Fails, 15)), unknown: isUnknown(j.Payload)})
	}
	for i := range s.Workers {
		if k := &s.Workers[i]; k.Consumer == actors.Handled {
			return fmt.Errorf("the consumer of worker %s is Go code (handler:%s), whose state can be neither copied nor compared, so that no two states of its world can be told to be one; explore it with one of %s in its place",
				script.Quote(k.Name), model.Safe(k.Handler), strings.Join(actors.ConsumerNames(), ", "))
		}
		if k := &s.Workers[i]; k.WorkIsMean {
			return fmt.Errorf("the work of worker %s is drawn (work=exp:%v), and every length of it is explored anyway; write work=%[2]v", script.Quote(k.Name), k.Work)
		}
		w.workers = append(w.workers, w.workerSpec(&s.Workers[i]))
	}
	return w.patient()
}

// firstProducer is the process number of the first producer: see scenarios.Cast.
const firstProducer = 3

// bySending returns the story with its jobs in the order in which they are sent, which
// is that of their ids. When each is sent is free from then on, but for this order.
func bySending(s *scenarios.Story) *scenarios.Story {
	sorted := *s
	sorted.Jobs = slices.Clone(s.Jobs)
	slices.SortStableFunc(sorted.Jobs, func(a, b scenarios.Job) int { return cmp.Compare(a.At, b.At) })
	return &sorted
}

// isUnknown reports whether a scorer finds no game behind a payload.
func isUnknown(payload string) bool {
	n, err := strconv.Atoi(payload)
	return payload != "" && (err != nil || n < 0 || n > 600)
}

func (w *World) workerSpec(k *scenarios.Worker) workerSpec {
	spec := workerSpec{
		consumer: k.Consumer, life: k.MarkerLife > 0, early: k.EarlyAck, retries: uint8(min(k.SettleRetries, maxFaults)),
		beats: k.Heartbeat > 0, beatsInTrip: k.EarlyAck && k.Heartbeat > 0 && k.Heartbeat <= 2*w.slowest(),
	}
	for _, step := range k.Consumer.Program() {
		if step == model.StepCheck || step == model.StepMark || step == k.Consumer.Effect() {
			spec.program = append(spec.program, step)
		}
		spec.marks = spec.marks || step == model.StepMark
	}
	return spec
}

// patient refuses who gives up before an answer can be there: here an answer that nothing
// befalls is heard.
func (w *World) patient() error {
	there := 2 * w.slowest()
	refuse := func(who, name string, timeout time.Duration) error {
		if timeout > there {
			return nil
		}
		return fmt.Errorf("%s %s gives up after %v, and an answer can take %v (twice latency and jitter): one that is too late without a fault is not explored; write a timeout of more than %[4]v",
			who, script.Quote(name), timeout, there)
	}
	for i := range w.story.Producers {
		if p := &w.story.Producers[i]; refuse("producer", p.Name, p.Timeout) != nil {
			return refuse("producer", p.Name, p.Timeout)
		}
	}
	for i := range w.story.Workers {
		if k := &w.story.Workers[i]; refuse("worker", k.Name, k.Timeout) != nil {
			return refuse("worker", k.Name, k.Timeout)
		}
	}
	return nil
}

// alike groups the workers that are set up alike.
func alike(workers []workerSpec) (groups [][]uint8) {
	for i := range workers {
		at := -1
		for g := range groups {
			if workers[groups[g][0]].same(&workers[i]) {
				at = g
			}
		}
		if at < 0 {
			groups, at = append(groups, nil), len(groups)
		}
		groups[at] = append(groups[at], uint8(i))
	}
	return groups
}

func (k *workerSpec) same(o *workerSpec) bool {
	return k.consumer == o.consumer && k.life == o.life && k.early == o.early && k.retries == o.retries &&
		k.beats == o.beats && k.beatsInTrip == o.beatsInTrip && k.grips == o.grips
}

// Initial returns the state in which nothing was sent.
func (w *World) Initial() State { return State{queue: w.machine.initial()} }

// Fork returns a world for another goroutine: it shares what does not change.
func (w *World) Fork() explore.Model[State] { return w.fork() }

func (w *World) fork() *World {
	f := *w
	f.machine = w.machine.fork()
	return &f
}

// own returns w of whatever wraps it.
func (w *World) own() *World { return w }

// Join takes over the states of the queue that forks have entered.
func (w *World) Join(forks []explore.Model[State]) {
	for _, f := range forks {
		w.machine.join(f.(interface{ own() *World }).own().machine)
	}
}

// queue returns the state of the queue in s.
func (w *World) queue(s *State) *queueState { return w.machine.state(s.queue) }
