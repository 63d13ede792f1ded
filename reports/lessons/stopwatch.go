package lessons

import (
	"time"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
)

// The grid of lesson 5: leases, and how long the worker stands still.
var (
	leases = []time.Duration{10 * time.Second, 30 * time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute}
	delays = []time.Duration{5 * time.Second, 20 * time.Second, 45 * time.Second, 2 * time.Minute, 10 * time.Minute, 20 * time.Minute}
)

// held is what came of one lease: the effects after each pause, and how long the job
// of a worker that died had to wait.
type held struct {
	lease   time.Duration
	effects []int
	waits   model.Time
}

// hold runs one lease against each pause, and against a death.
func (b *bench) hold(lease time.Duration) held {
	h := held{lease: lease}
	for _, d := range delays {
		h.effects = append(h.effects, b.clocked(lease, faults.Outcome{Kinds: faults.Pause, For: d}).effects())
	}
	if done := b.clocked(lease, faults.Outcome{Kinds: faults.Crash}).all(model.Effected, model.OpNone); len(done) > 0 {
		h.waits = done[0].At
	}
	return h
}

// clocked runs the story stopwatch with another lease and another fault of w1.
func (b *bench) clocked(lease time.Duration, o faults.Outcome) *trial {
	return b.run(b.instead(b.set(b.open("stopwatch", ""), "queue.lease", script.FormatDuration(lease)), o))
}

func (h *held) row() []string {
	row := []string{"lease " + script.FormatDuration(h.lease)}
	for _, n := range h.effects {
		row = append(row, marks(n))
	}
	return append(row, script.FormatDuration(time.Duration(h.waits).Round(time.Second)))
}

// doubled returns the first pause that doubled the work.
func (h *held) doubled() time.Duration {
	for i, n := range h.effects {
		if n > 1 {
			return delays[i]
		}
	}
	return 0
}

// isRight reports whether the lease did what the lesson asks for.
func (h *held) isRight() bool {
	return h.doubled() == 0 && h.waits <= model.Time(time.Minute)
}

func stopwatch(a *author) {
	rows := [][]string{{"pause of"}}
	for _, d := range delays {
		rows[0] = append(rows[0], script.FormatDuration(d))
	}
	rows[0] = append(rows[0], "it dies: done after")
	var all []held
	right := 0
	for _, lease := range leases {
		h := a.hold(lease)
		all, rows = append(all, h), append(rows, h.row())
		if h.isRight() {
			right++
		}
	}
	short, long := all[0], all[len(all)-1]
	a.say("A lease is a stopwatch: when it has run down, the job goes to somebody else.")
	a.say("But a worker need not be dead to be silent: a *pause* is enough.")
	a.bet("Which lease lets no pause double the work, and no dead worker's job wait for more than a minute?",
		no("a short one, "+script.FormatDuration(short.lease), "a pause of %s doubled the work.", script.FormatDuration(short.doubled())),
		no("a long one, "+script.FormatDuration(long.lease), "a pause of %s doubled it even so, and a dead worker's job was done after %s.",
			script.FormatDuration(long.doubled()), script.FormatDuration(time.Duration(long.waits).Round(time.Second))),
		yes("there is none", "for each lease there is a longer pause."))
	a.show(stack("\n", table(rows...), lines(legend)))
	a.say("Of %s leases, %s is right.", number(len(all)), number(right))
	a.say("A short lease doubles often, and a long one lets the job wait.")
	a.say("A timeout chooses how often you are wrong; it does not choose whether.")
	a.ends(mythLease)
	a.try(0, "ackgap teach --story stopwatch | ackgap run -", "effect 2")
	a.try(0, "ackgap teach --story stopwatch | ackgap run - --set queue.lease=1m", "effect 1")
}
