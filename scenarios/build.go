package scenarios

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios/actors"
	"github.com/ackgap/ackgap/sim"
)

// worldNames are the names in a world of s: those of the cast, and the store's.
func (s *Story) worldNames() model.Names {
	names := s.names()
	names.Procs = append(names.Procs, "store")
	return names
}

// build makes the world of a story, whose names are these, ready to run.
func (w *world) build(s *Story, names model.Names, queue model.Queue) error {
	store := model.Proc(len(names.Procs) - 1)
	w.story, w.history.Names = s, names
	w.planned.Reset(s.Plan)
	w.wasServing = false
	if err := w.buildQueue(queue); err != nil {
		return err
	}
	w.buildScene(store)
	w.buildProducers()
	w.buildWorkers()
	if err := w.buildOutside(); err != nil {
		return err
	}
	w.buildProcs(store)
	w.kernel.Reset(w.configured(), w.procs)
	w.injectDos()
	return nil
}

func (w *world) buildQueue(queue model.Queue) error {
	_, toucher := queue.(model.Toucher)
	w.blind, w.owed = !toucher, 0
	body, _ := findBody(w.story.Queue.Protocol, w.story.Queue.Backend)
	variant, _ := body.Variant(w.story.Queue.Variant)
	w.duer, _ = queue.(model.Duer)
	w.judge.Reset(w.facts(toucher, variant.BoundsDeliveries))
	keeps := w.forgets()
	if keeps {
		if err := actors.CanRestore(queue); err != nil {
			return fmt.Errorf("%s: %w", w.story.File, err)
		}
	}
	w.broker.Reset(queue, w.ledger, len(w.history.Names.Jobs), keeps)
	w.broker.Recalls = len(w.story.Dos) > 0
	return nil
}

// forgets reports whether the queue may lose writes in this world.
func (w *world) forgets() bool {
	return slices.ContainsFunc(w.story.Plan, func(e faults.Entry) bool {
		return e.Outcome.Lose != faults.Loss{}
	})
}

func (w *world) facts(toucher, bounds bool) model.Facts {
	q := &w.story.Queue
	f := model.Facts{
		SeesClaims: true,
		Toucher:    toucher, Forgets: w.forget, TellsDue: w.duer != nil, BoundsDeliveries: bounds, MaxAttempts: q.MaxAttempts,
		Lease: q.Lease, AsksLease: true, RetryDelay: q.RetryDelay,
		ReapEvery: q.ReapEvery, PromoteEvery: q.PromoteEvery, SweepEvery: q.SweepEvery, MaxStalled: q.MaxStalled,
		Latency: w.story.Network.Latency + w.story.Network.Jitter,
		Queue:   faults.Queue, Pump: faults.Pump,
		Fails: append(slices.Grow(w.fails[:0], len(w.story.Jobs)+1), 0), Workers: w.hands[:0],
	}
	for i := range w.story.Workers {
		k := &w.story.Workers[i]
		f.Workers = append(f.Workers, model.WorkerFacts{
			Proc: w.worker(i), Work: k.longestWork(), Poll: k.Poll, Timeout: k.Timeout, Heartbeat: k.Heartbeat,
			SettleRetries: k.SettleRetries, Steps: len(k.Consumer.Program()),
		})
	}
	for i := range w.story.Jobs {
		f.Fails = append(f.Fails, w.story.Jobs[i].Fails)
	}
	w.fails, w.hands = f.Fails, f.Workers
	return f
}

// producer and worker return the process of the ith of them, as Cast numbers
// them.
func (w *world) producer(i int) model.Proc { return faults.Pump + 1 + model.Proc(i) }
func (w *world) worker(i int) model.Proc {
	return w.producer(len(w.story.Producers)) + model.Proc(i)
}

func (w *world) buildScene(store model.Proc) {
	q := &w.story.Queue
	w.scene.Reset(len(w.history.Names.Jobs))
	w.scene.Queue, w.scene.Pump, w.scene.Store = faults.Queue, faults.Pump, store
	w.scene.Lease, w.scene.RetryDelay = q.Lease, q.RetryDelay
	w.scene.MaxAttempts, w.scene.MaxStalled = int32(q.MaxAttempts), int32(q.MaxStalled)
	w.scene.Work = model.Seed(w.story.Seed).Fork("work")
	w.scene.Outside = model.Mint{NS: model.JOB}
	jobs := append(w.scene.Jobs, actors.JobSpec{})
	for i := range w.story.Jobs {
		j := &w.story.Jobs[i]
		jobs = append(jobs, actors.JobSpec{
			At: j.At, By: j.By, Delay: j.Delay, Fails: int32(j.Fails), Payload: j.Payload,
		})
	}
	for range w.story.Spoken {
		jobs = append(jobs, actors.JobSpec{})
	}
	w.scene.Jobs = jobs
	w.store.Reset(len(jobs))
	w.pump.Reset()
	w.pump.Self = faults.Pump
	w.pump.Every[0], w.pump.Every[1], w.pump.Every[2] = q.ReapEvery, q.PromoteEvery, q.SweepEvery
}

func (w *world) buildProducers() {
	w.producers = slices.Grow(w.producers[:0], len(w.story.Producers))[:len(w.story.Producers)]
	for i := range w.story.Producers {
		p := &w.story.Producers[i]
		w.producers[i].Reset(actors.Producer{
			Self: w.producer(i), Retries: int32(p.Retries), Timeout: p.Timeout, FreshID: p.FreshID,
			Mint: model.Mint{NS: model.JOB, Node: i + 1}, // node 0 is Scene.Outside's
		})
	}
	w.handOutJobs()
}

// handOutJobs gives each producer its jobs by time, ties in file order.
func (w *world) handOutJobs() {
	for j := range w.scene.Jobs {
		if by := w.scene.Jobs[j].By; by != model.NoProc {
			p := &w.producers[by-w.producer(0)]
			p.Jobs = append(p.Jobs, model.Job(j))
		}
	}
	for i := range w.producers {
		slices.SortStableFunc(w.producers[i].Jobs, func(a, b model.Job) int {
			return cmp.Compare(w.scene.Jobs[a].At, w.scene.Jobs[b].At)
		})
	}
}

func (w *world) buildWorkers() {
	w.workers = w.workers[:0]
	for i := range w.story.Workers {
		k := &w.story.Workers[i]
		w.workers = append(w.workers, actors.Worker{
			Self: w.worker(i), Consumer: k.Consumer, MarkerLife: k.MarkerLife, AckEarly: k.EarlyAck,
			Work: k.Work, WorkIsMean: k.WorkIsMean, Heartbeat: k.Heartbeat, Poll: k.Poll, Timeout: k.Timeout,
			SettleRetries: int32(k.SettleRetries),
		})
	}
}

func (w *world) buildProcs(store model.Proc) {
	w.procs = append(w.procs[:0], nil, brokerProcess{w}, pumpProcess{w})
	w.producing, w.working = w.producing[:0], w.working[:0]
	for i := range w.producers {
		w.producing = append(w.producing, producerProcess{w, &w.producers[i]})
	}
	for i := range w.workers {
		w.working = append(w.working, workerProcess{w, &w.workers[i]})
	}
	for i := range w.producing {
		w.procs = append(w.procs, &w.producing[i])
	}
	for i := range w.working {
		w.procs = append(w.procs, &w.working[i])
	}
	for len(w.procs) < int(store) {
		w.procs = append(w.procs, nil) // a speaker of `do` lines is no process
	}
	w.procs = append(w.procs, storeProcess{w})
}

// configured is the config of this run.
func (w *world) configured() sim.Config {
	n, c := &w.story.Network, w.config
	c.Network = sim.Network{
		Latency: n.Latency, Jitter: n.Jitter,
		Loss: uint32(n.Loss), ReplyLoss: uint32(n.ReplyLoss), Duplicate: uint32(n.Duplicate),
		Until: model.Time(n.Until), Seed: model.Seed(w.story.Seed),
	}
	c.Horizon, c.MaxSteps = model.Time(w.story.Horizon), w.maxSteps
	switch {
	case w.drawn != nil:
		c.Adversary, c.Fired = w.drawn, w.drawn.MarkFired
	case len(w.story.Plan) > 0:
		c.Adversary, c.Fired = &w.planned, w.planned.MarkFired
	}
	if quiet := model.Time(w.story.Quiet); quiet > 0 && (c.Network.Until == 0 || c.Network.Until > quiet) {
		c.Network.Until = quiet
	}
	return c
}

// injectDos puts the raw requests of `do` lines into the agenda.
func (w *world) injectDos() {
	for i := range w.story.Dos {
		d := &w.story.Dos[i]
		w.kernel.Inject(d.At, d.By, faults.Queue, w.raw(d))
	}
}

// raw puts a `do` line into a message. What it leaves out is the queue's own.
func (w *world) raw(d *Do) actors.Msg {
	q := &w.story.Queue
	m := actors.Msg{
		Op: d.Op, Speaker: d.By, Job: d.Job, Ref: actors.NoRef, N: d.N, Nth: 1, Line: int32(d.Line),
		Span: d.Delay, Max: int32(d.Max), Named: d.Token != OwnToken,
	}
	if m.Named {
		m.Token = d.Token
	}
	switch d.Op {
	case model.OpClaim, model.OpExtend:
		m.Span = q.Lease
	case model.OpRetry:
		if d.Delay == OwnDelay {
			m.Span = q.RetryDelay
		}
		if d.Max == OwnMax {
			m.Max = int32(q.MaxAttempts)
		}
	case model.OpSweep:
		if d.Max == OwnMax {
			m.Max = int32(q.MaxStalled)
		}
	}
	return m
}
