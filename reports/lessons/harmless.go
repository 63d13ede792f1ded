package lessons

import "github.com/ackgap/ackgap/faults/script"

// order is one of the three orders of marker and effect, and what came of it.
type order struct {
	title, consumer string
	crash, pause    strip
}

// orders sweeps each order with crashes and with pauses.
func (b *bench) orders() []order {
	list := []order{
		{title: "the marker, then the effect", consumer: "marker-first"},
		{title: "the effect, then the marker", consumer: "marker-last"},
		{title: "both in one step", consumer: "atomic"},
	}
	for i := range list {
		o := &list[i]
		o.crash, o.pause = b.crashes(o.consumer, "late"), b.pauses(o.consumer, "late")
	}
	return list
}

// harm says in how many runs the order lost the job, and in how many it doubled it.
func (o *order) harm() string {
	return "of its " + script.Count(len(o.crash.steps)+len(o.pause.steps), "run") + ", " +
		number(o.crash.count(0)+o.pause.count(0)) + " lost the job and " +
		number(o.crash.count(2)+o.pause.count(2)) + " did it twice."
}

func harmless(a *author) {
	list := a.orders()
	var figures []Figure
	for _, o := range list {
		figures = append(figures, lines(o.title), columns(2, [][]string{o.crash.row("  crash"), o.pause.row("  pause")}))
	}
	atomic := a.shipped("lost-ack-atomic")
	a.say("If a job can come twice, make the second time harmless: *idempotent*.")
	a.say("The worker leaves a *marker* in its store.")
	a.say("Each run looks for the marker, and skips the effect if it is there.")
	a.bet("In which order are marker and effect written?",
		no(list[0].title, "%s", list[0].harm()),
		no(list[1].title, "%s", list[1].harm()),
		yes(list[2].title, "%s", list[2].harm()))
	a.say("One worker is struck behind each step, and another one gets the job:")
	a.show(stack("", append(figures, lines("", legend))...))
	a.say("To look first is no help: who stands still behind the look acts on old news.")
	a.say("The cure is a *transaction* with a unique key, which leaves no step in between.")
	a.say("In lost-ack-atomic the job was delivered %s and done %s.", times(atomic.deliveries()), times(atomic.effects()))
	a.say("The argument stands, and the customer is happy.")
	a.ends(mythDedupe, mythLookOnce)
	a.try(0, "ackgap run marker-first-loses marker-last-doubles marker-last-race", counted(a.shipped("marker-last-race")))
	a.try(0, "ackgap run lost-ack-atomic", "effect "+itoa(atomic.effects()))
}
