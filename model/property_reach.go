package model

// reach lists the claims of the form "in some run it happens at all". A campaign
// in which one was never seen has tested less than it says.
var reach = []*Property{
	{
		Name: "saw-redelivery", Claim: Sometimes,
		Column: "each claim",
		Doc:    "a job was delivered a second time",
		Source: "at-least-once delivery: Spector, \"Performing Remote Operations Efficiently on a Local Computer Network\", 1982",
		Holds:  "J1#1 lapses, and J1#2 is claimed",
		Breaks: "every job is claimed once",
		kinds:  []Kind{Applied}, ops: isClaim,
		before: func(l *Ledger, m *moment) finding {
			return m.sight(m.event.Answer == OK && m.event.N > 1, "e1 delivered the job once more")
		},
	},
	{
		Name: "saw-stale-refused", Claim: Sometimes,
		Column: "each settling verb or extend applied",
		Doc:    "the fence refused a stale token",
		Source: "Kleppmann, \"How to do distributed locking\", 2016",
		Holds:  "J1#2 is out, and the complete of J1#1 is answered stale",
		Breaks: "every settlement is accepted",
		kinds:  []Kind{Applied}, ops: speaksToken,
		before: func(l *Ledger, m *moment) finding {
			return m.sight(m.event.Answer == Stale, "e1 was refused as stale")
		},
	},
	{
		Name: "saw-expiry", Claim: Sometimes,
		Column: "each reap or sweep",
		Doc:    "a reap or a sweep took a job from its holder",
		Source: "Gray and Cheriton, \"Leases\", SOSP 1989",
		Holds:  "w1 dies with J1, and a reap moves J1 back to pending",
		Breaks: "every delivery is settled within its lease",
		kinds:  []Kind{Applied}, ops: isPump,
		before: func(l *Ledger, m *moment) finding {
			return m.sight(m.event.Moved > 0 || m.event.Dead > 0, "e1 moved what lay beyond its lease")
		},
	},
	{
		Name: "saw-marker-skip", Claim: Sometimes,
		Column: "each look for a marker; each step of a consumer that changed nothing",
		Doc:    "a consumer found the marker of an earlier delivery",
		Source: "the inbox table: Helland, \"Life beyond Distributed Transactions\", CIDR 2007",
		Holds:  "J1#2 finds the marker that J1#1 wrote",
		Breaks: "no second delivery, or no marker",
		kinds:  []Kind{Checked, Absorbed},
		before: func(l *Ledger, m *moment) finding {
			found := m.event.Has(IsFound) || m.event.Cause == ByMarker
			return m.sight(found, "e1 found the marker of an earlier delivery")
		},
	},
	{
		Name: "saw-lost-ack", Claim: Sometimes,
		Column: "each message lost",
		Doc:    "a complete or its answer was lost",
		Source: "Akkoyunlu, Ekanadham and Huber, \"Some Constraints and Tradeoffs in the Design of Network Communications\", SOSP 1975",
		Holds:  "the complete of J1#1 is dropped on its way",
		Breaks: "only claims are lost",
		kinds:  []Kind{Lost},
		before: func(l *Ledger, m *moment) finding {
			return m.sight(m.event.Op == OpComplete, "e1 is the ACK that got lost")
		},
	},
}

// sight is found when what a reach claim looks for is there.
func (m *moment) sight(there bool, says string) finding {
	return m.breach(there, m.event.Job, says, m.event)
}
