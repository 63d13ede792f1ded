package lessons

import "github.com/ackgap/ackgap/model"

func moments(a *author) {
	admission, fence, effect := a.shipped("duplicate-enqueue"), a.shipped("zombie-fenced"), a.shipped("lost-ack-atomic")
	card, key := a.shipped("outside-call"), a.shipped("outside-call-with-key")
	outbox := a.crashes("marker-last", "late")
	a.say("Three moments of a job are called exactly-once.")
	a.say("The queue takes an id once: *admission*.")
	a.say("The queue lets one worker end the job: *settlement*.")
	a.say("The consumer changes the world once, by its marker.")
	a.bet("Which of them makes delivery happen once?",
		no("admission", "a copy of the enqueue came when the job was done, and counted as new: the work was done %s.", times(admission.effects())),
		no("settlement behind a fence", "it refused %s ACK, when the job had been delivered %s already.",
			number(fence.refusals(model.OpComplete)), times(fence.deliveries())),
		no("the marker", "it made the effect happen %s; the job was delivered %s.", times(effect.effects()), times(effect.deliveries())),
		yes("none of them", "delivery cannot be had once, and each moment is good for something else."))
	a.show(table(
		[]string{"moment", "delivered", "work done", "story"},
		moment("admission", admission, "duplicate-enqueue"),
		moment("settlement, fenced", fence, "zombie-fenced"),
		moment("effect, with a marker", effect, "lost-ack-atomic"),
		moment("effect beyond the store", card, "outside-call"),
		moment("the same, with a key", key, "outside-call-with-key"),
	))
	a.say("So ask of every once: once where?")
	a.say("It ends at the edge of the transaction: a card beyond it was charged %s.", times(card.effects()))
	a.say("With a key that its owner remembers, it was charged %s.", times(key.effects()))
	a.say("An *outbox* only moves the edge: it publishes, then marks, and to die in between doubled the work in %s.", places(outbox.count(2)))
	a.say("Say at-least-once delivery and exactly-once effect, and say where.")
	a.ends(mythSetting, mythOutbox)
	a.try(0, "ackgap run duplicate-enqueue zombie-fenced lost-ack-atomic", counted(effect))
	a.try(0, "ackgap run outside-call outside-call-with-key", counted(key))
}

func moment(title string, t *trial, story string) []string {
	return []string{title, times(t.deliveries()), times(t.effects()), story}
}
