package lessons

import "github.com/ackgap/ackgap/model"

// mishaps are four ways to be silent, each a story of the catalogue.
var mishaps = [...]struct{ story, tale string }{
	{"work-never-ran", "the job is lost on its way to the worker"},
	{"crash-before-effect", "the worker dies before the effect"},
	{"crash-after-effect", "the worker dies after the effect"},
	{"lost-ack", "the ACK is lost"},
}

// views counts how many different views of the queue there are among some runs.
func views(all []*trial) int {
	var known []model.View
next:
	for _, t := range all {
		for _, v := range known {
			if v.Equal(t.seen()) {
				continue next
			}
		}
		known = append(known, t.seen())
	}
	return len(known)
}

func silence(a *author) {
	var all []*trial
	rows := [][]string{{"mishap", "work had run", "record (digest)"}}
	line := "ackgap run"
	for _, m := range mishaps {
		t := a.shipped(m.story)
		all = append(all, t)
		rows = append(rows, []string{m.tale, yesNo(t.hadRun()), t.seen().Digest().String()})
		line += " " + m.story
	}
	a.say("A queue hands a job to a worker for a while: a *lease*.")
	a.say("The worker does the job, and something outside changes: an *effect*.")
	a.say("Then it says so, and the queue forgets the job: an *ACK*.")
	names, given := &all[0].History.Names, all[0].all(model.Applied, model.OpClaim)[0]
	a.say("Here a producer, p, brings the job %s, and %s is its first delivery:", names.Job(theJob), names.Delivery(given))
	a.show(picture(a.with("calm", "")))
	a.say("Now let it go wrong, in %s worlds:", number(len(all)))
	a.show(lines(tales()...))
	a.bet("The lease runs out in each. How many different records do the queues hold?",
		no(number(len(all))+", one for each mishap", "the mishaps differ, but none of them sends the queue a message."),
		no("two: the work ran, or it did not", "that is what one would like to know, and nothing that arrived tells it."),
		yes("one", "all that any of them heard after the claim is silence."))
	a.show(table(rows...))
	a.show(lines(recordOf(all[0])...))
	a.say("The last line is the lease that ran out; this queue calls it reap.")
	a.say("The worlds differ in what was done, and the queues hold %s record.", number(views(all)))
	a.say("A timeout says that nobody spoke; it does not say that the work failed.")
	a.ends(mythTimeout)
	a.try(0, line, counted(all[len(all)-1]))
}

func tales() []string {
	var list []string
	for _, m := range mishaps {
		list = append(list, m.tale)
	}
	return list
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
