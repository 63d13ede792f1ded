package sim

import (
	"time"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
)

// process is what the kernel knows of one process. What it needs at every step
// stands together, in two lines of a cache. The rest is in a plight of its own.
type process[M Message] struct {
	impl   Process[M]
	skew   time.Duration
	life   int32 // rises with each crash; what belongs to an earlier one is void
	alive  bool
	paused bool
	stall  bool
	wants  bool // a step is to come that it asked for
	timers [Slots]timer
}

// plight is what holds a process up, and what that keeps waiting.
type plight struct {
	next     nextStep     // that it wants, where it has a name
	window   faults.Point // the slot that holds it up, to be told fired; zero if none
	stalls   faults.Point // likewise for its heartbeat
	wakes    model.Time   // when its pause ends
	calms    model.Time   // when its heartbeat's stall ends
	inbox    []int32      // envelopes that wait for a paused process, in order of arrival
	held     nextStep     // a step that a pause holds up
	heldKind InputKind
}

// timer is one slot. A slot keeps one entry in the agenda: when that surfaces before the
// timer is due, it is moved on, so that re-arming it to later costs nothing.
type timer struct {
	at     model.Time // when it runs out, or was to last; its entry is not after that
	key    key        // 0: it is not armed; else that of the entry by which it runs out
	queued key        // key of its entry in the agenda; 0 if it has none
}

// isOver reports whether t ran out while the process stood still.
func (t *timer) isOver() bool { return t.key != 0 && t.queued == 0 }

func (k *Kernel[M]) resetProcs(procs []Process[M]) {
	k.procs = resize(k.procs, len(procs))
	k.plights = resize(k.plights, len(procs))
	for i, impl := range procs {
		k.procs[i] = process[M]{impl: impl, alive: true}
		k.plights[i] = plight{inbox: k.plights[i].inbox[:0]}
	}
}

func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return append(s[:cap(s)], make([]T, n-cap(s))...)
	}
	return s[:n]
}

// armAll arms and disarms what the step wants, one after the other.
func (k *Kernel[M]) armAll() {
	k.arm(k.fx.arm)
	k.fx.arm.proc = model.NoProc
	for _, a := range k.fx.arms {
		k.arm(a)
	}
	k.fx.arms = k.fx.arms[:0]
}

// arm arms or disarms one timer.
func (k *Kernel[M]) arm(a arming) {
	pr := &k.procs[a.proc]
	t := &pr.timers[a.slot%Slots]
	if a.at == model.Never || !pr.alive {
		k.disarm(t)
		return
	}
	if t.queued != 0 {
		k.rearm(t, a)
		return
	}
	if t.key == 0 {
		k.live++
	}
	e := entry{max(a.at, k.now), k.key(ordinary).about(aTimer, int32(a.proc), a.slot)}
	t.at, t.key, t.queued = e.at, e.key, e.key
	if k.agenda.few.isTaken() && e.at < k.agenda.edge { // add, a call less
		k.agenda.few.replay(e)
	} else {
		k.agenda.admit(e)
	}
}

// rearm is arm for a timer that has an entry in the agenda.
func (k *Kernel[M]) rearm(t *timer, a arming) {
	if t.at == a.at && t.key != 0 {
		return // it keeps its turn among what comes at that instant
	}
	if t.key == 0 {
		k.live++
	}
	e, before := entry{max(a.at, k.now), k.key(ordinary).about(aTimer, int32(a.proc), a.slot)}, t.at
	if t.at, t.key = e.at, e.key; e.at < before {
		t.queued = e.key
		k.agenda.add(e)
	}
}

func (k *Kernel[M]) disarm(t *timer) {
	if t.key != 0 {
		k.live--
	}
	t.key = 0
}

// fetch reads what the timers that come next are going to need: all of it at once,
// where each would else wait for the one before. It is called where so much is pending that
// the processes do not fit into the cache, as in the column of 100,000 in
// sim/bench/RESULTS.md; what it saves there is no line of its own.
func (k *Kernel[M]) fetch(list []entry) {
	var sum key
	for _, e := range list {
		if e.key.what() == aTimer {
			pr := &k.procs[e.key.ref()]
			sum += pr.timers[e.key.slot()%Slots].queued + key(pr.life)
		}
	}
	k.fetched = sum
}

// standStill marks the step to come of p, whose heartbeat is stalled, if it is that one's.
func (k *Kernel[M]) standStill(p model.Proc) {
	if k.bell.Stalled = k.bell.Slot == k.cfg.StallSlot; k.bell.Stalled {
		k.fired(&k.plights[p].stalls)
	}
}

// notNow handles an entry of the timer t that is void, early or held up.
func (k *Kernel[M]) notNow(e entry, t *timer) {
	if t.queued != e.key {
		return
	}
	t.queued = 0
	switch {
	case t.key == 0:
	case t.key != e.key:
		t.queued = t.key
		k.agenda.add(entry{t.at, t.key})
	default:
		k.now = e.at
		k.touchPause(model.Proc(e.key.ref()))
	}
}

// strike does to p what the outcome of a step point says.
func (k *Kernel[M]) strike(p model.Proc, o faults.Outcome) {
	if o.Has(faults.Pause) {
		k.pause(p, k.now.Add(o.For), faults.Point{})
	}
	if o.Has(faults.Crash) {
		k.crash(p, o)
	}
}

// crash ends the life of p: messages that wait, timers and the next step are
// gone with it. What it has sent is on its way and still arrives.
func (k *Kernel[M]) crash(p model.Proc, o faults.Outcome) {
	pr := &k.procs[p]
	if !pr.alive {
		return
	}
	until := model.Never
	if o.Restarts {
		until = k.now.Add(o.Restart)
		k.schedule(until, control{do: doRestart, proc: p})
	}
	k.record(model.Event{Kind: model.Crashed, Proc: p, Until: until})
	pr.alive, pr.paused, pr.life = false, false, pr.life+1
	pl := &k.plights[p]
	pr.wants, pl.held.wanted = false, false
	for slot := range Slots {
		k.arm(arming{p, uint8(slot), model.Never})
	}
	for _, ref := range pl.inbox {
		k.drop(ref, model.ByDeath)
	}
	pl.inbox = pl.inbox[:0]
	pr.impl.Crash(k.now, o.Lose)
}

// restart lets p begin its next life with the step to come. The process writes the record itself,
// since it alone knows what it has forgotten.
func (k *Kernel[M]) restart(p model.Proc) {
	pr := &k.procs[p]
	pr.alive = true
	k.about(Restart)
}

// pause holds p up until the instant until. Window is the slot that did it.
func (k *Kernel[M]) pause(p model.Proc, until model.Time, window faults.Point) {
	pr, pl := &k.procs[p], &k.plights[p]
	if !pr.alive || pr.paused && pl.wakes >= until {
		return
	}
	if !pr.paused {
		k.record(model.Event{Kind: model.Paused, Proc: p, Until: until})
	}
	pr.paused, pl.wakes, pl.window = true, until, window
	k.schedule(until, control{do: doWake, proc: p, life: pr.life})
}

// wake lets p go on: with the messages that waited, then with the step it was
// about to take, then with the timers that ran out meanwhile or do so now.
func (k *Kernel[M]) wake(p model.Proc) {
	pr, pl := &k.procs[p], &k.plights[p]
	if !pr.paused || pl.wakes > k.now {
		return
	}
	pr.paused = false
	k.record(model.Event{Kind: model.Woke, Proc: p})
	for _, ref := range pl.inbox {
		k.agenda.push(entry{k.now, k.key(woken).about(aMessage, ref, 0)})
	}
	pl.inbox = pl.inbox[:0]
	if pl.held.wanted {
		pr.wants, pl.next = true, pl.held
		k.post(p, pl.heldKind, woken)
		pl.held.wanted = false
	}
	k.wakeTimers(p)
}

// wakeTimers lets the timers that ran out during a pause run out now, in the
// order in which they were due.
func (k *Kernel[M]) wakeTimers(p model.Proc) {
	pr := &k.procs[p]
	for {
		first := -1
		for i := range pr.timers {
			if pr.timers[i].isOver() && (first < 0 || pr.timers[i].earlier(&pr.timers[first])) {
				first = i
			}
		}
		if first < 0 {
			return
		}
		k.arm(arming{p, uint8(first), k.now})
	}
}

func (t *timer) earlier(o *timer) bool {
	return t.at < o.at || t.at == o.at && t.key < o.key
}

// Alive reports whether p runs: it has not crashed, or is back.
func (k *Kernel[M]) Alive(p model.Proc) bool { return k.procs[p].alive }

// touchPause tells that the window which holds p up has changed something.
func (k *Kernel[M]) touchPause(p model.Proc) { k.fired(&k.plights[p].window) }

// fired reports a window once.
func (k *Kernel[M]) fired(window *faults.Point) {
	if window.Family != 0 && k.cfg.Fired != nil {
		k.cfg.Fired(*window)
	}
	*window = faults.Point{}
}

func (k *Kernel[M]) record(e model.Event) {
	k.fx.event = e
	k.fx.event.At = k.now
	k.cfg.Sink.Record(&k.fx.event, nil)
}
