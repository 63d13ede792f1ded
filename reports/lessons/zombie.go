package lessons

import "github.com/ackgap/ackgap/model"

// guards are the places where a token, or a marker, can be looked at, each with the
// story in which a zombie comes by.
var guards = [...]struct{ place, story string }{
	{"the worker looks, then writes", "marker-last-race"},
	{"the queue compares tokens", "zombie-fenced"},
	{"the store compares tokens", "fenced-store-refuses"},
}

func zombie(a *author) {
	rows := [][]string{{"who is on guard", "zombie hears", "work done", "story"}}
	var all []*trial
	for _, g := range guards {
		t := a.shipped(g.story)
		all = append(all, t)
		rows = append(rows, []string{g.place, refused(t), times(t.effects()), g.story})
	}
	ack := a.shipped("fenced-store-lost-ack")
	a.say("A worker stands still past its lease, wakes up and goes on: a *zombie*.")
	a.say("Its job is somebody else's by now, with a higher *token*.")
	a.say("So let a *fence* compare them.")
	a.bet("Where must the fence stand, so that the zombie writes nothing?",
		no("in the worker, which looks before it writes", "it looked, stood still, and wrote: the work was done %s.", times(all[0].effects())),
		no("in the queue", "the queue refused its ACK, and the work was done %s: the write does not pass the queue.", times(all[1].effects())),
		yes("in the store", "there alone the zombie's write meets its successor's token."))
	a.show(tale(all[2]))
	a.show(columns(2, rows))
	a.say("A fence is no marker, though: it asks who is younger, and not what is done.")
	a.say("When an ACK is lost, the next delivery is the youngest, passes, and the work was done %s.", times(ack.effects()))
	a.ends(mythLock)
	a.try(0, "ackgap run fenced-store-refuses", "no effect: token below the highest")
	a.try(0, "ackgap run marker-last-race zombie-fenced fenced-store-lost-ack", counted(ack))
}

// refused says whether the queue refused something that ends the first delivery.
func refused(t *trial) string {
	if t.refusals(model.OpComplete)+t.refusals(model.OpRetry) > 0 {
		return "refused"
	}
	return "accepted"
}
