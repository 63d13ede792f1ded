package lessons

import (
	"time"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
)

// The grid of lesson 7: how long a marker is kept, and how late the job comes back.
var (
	kept  = []string{"ttl-marker:30s", "ttl-marker:5m", "ttl-marker:24h", "atomic"}
	named = []string{"for 30s", "for 5m", "for 24h", "for good"}
	backs = []time.Duration{time.Minute, time.Hour, 7 * 24 * time.Hour}
	after = []string{"a minute", "an hour", "a week"}
)

// remember runs the story back-late with a marker that is kept for some time, and the
// worker restarted after each time of backs.
func (b *bench) remember(consumer string) []int {
	var effects []int
	for _, back := range backs {
		death := faults.Outcome{Kinds: faults.Crash, Restarts: true, Restart: back}
		effects = append(effects, b.run(b.instead(b.set(b.open("back-late", ""), "w1.consumer", consumer), death)).effects())
	}
	return effects
}

func memory(a *author) {
	rows := [][]string{append([]string{"back after"}, after...)}
	for i, consumer := range kept {
		row := []string{"kept " + named[i]}
		for _, n := range a.remember(consumer) {
			row = append(row, marks(n))
		}
		rows = append(rows, row)
	}
	fresh := a.shipped("lost-enqueue-fresh-id")
	var tokens []model.Token
	for _, e := range fresh.all(model.Applied, model.OpClaim) {
		tokens = append(tokens, e.Token)
	}
	a.say("A marker takes room, so somebody forgets it after a while.")
	a.say("But a job has time: its worker does the work, dies, and is started again next week.")
	a.bet("How long must the marker be kept?",
		no("for as long as a lease", "the lease runs out before the job comes back, and nothing says how long before."),
		no("for a day", "nobody promised that the job comes back within a day."),
		yes("for longer than the longest way back", "and where nothing bounds that way, for good."))
	a.show(stack("\n", table(rows...), lines(legend)))
	a.say("Each memory with an end was outlasted, and only the last row is safe.")
	a.say("What the marker is filed under, its key, matters as much: it has to follow from the job, and not from the attempt.")
	a.say("In lost-enqueue-fresh-id a producer tries again under a new id.")
	a.say("The consumer remembers for good, and still the work was done %s, each time on attempt %d.",
		times(fresh.effects()), common(tokens))
	a.ends(mythMemory, mythAttempt)
	a.try(0, "ackgap teach --story back-late | ackgap run -", "effect 2")
	a.try(0, "ackgap run ttl-marker-forgets ttl-marker-remembers lost-enqueue-fresh-id", counted(fresh))
}
