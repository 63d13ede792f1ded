package lessons

func poison(a *author) {
	early, late := a.crashes("naive", "early"), a.crashes("naive", "late")
	lost := a.shipped("early-ack-loses")
	a.say("A worker can send its ACK before the work, or after it.")
	a.say("And it can die at any instant.")
	a.bet("Which of the two is safe?",
		no("the ACK first", "a worker that dies behind its ACK takes the job along: the queue has forgotten it."),
		no("the ACK last", "a worker that dies before its ACK leaves a job that is done, and is handed out again."),
		yes("neither", "between effect and ACK there is always an instant to die in."))
	a.say("Each mark is a run, in which the worker dies between two of its steps:")
	a.show(stack("\n", table(early.row("ACK first"), late.row("ACK last")), lines(legend)))
	a.say("The ACK first lost the job in %s, and never doubled it: *at most once*.", places(early.count(0)))
	a.say("The ACK last doubled it in %s, and never lost it: *at least once*.", places(late.count(2)))
	a.say("You can make that zone short; you cannot make it empty, for an effect and an ACK are two steps.")
	a.say("So the choice is not a matter of taste: it chooses the harm.")
	a.ends(mythChoice)
	a.try(0, "ackgap run early-ack-loses crash-after-effect", counted(lost))
}

// places is how many instants of a strip there are, as prose writes it.
func places(n int) string {
	if n == 1 {
		return "one place"
	}
	return number(n) + " places"
}
