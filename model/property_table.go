package model

// properties is DESIGN.md's table, in its order and its words.
//
// Terms. Delivery J#N: the Nth claim of J that the queue applied, whether or not
// anybody got the answer. Incarnation: opened by an enqueue answered enqueued
// (or scheduled). Admitted: a producer was told so, or the speaker of a raw
// enqueue, who stands beside the queue. Settling verbs: complete, retry, delay.
// Accepted: answered ok, scheduled or dead. A lease runs on the server clock from
// its claim and ends once and for all at its deadline, at an accepted settlement
// of its delivery, or when an operator removes the job; a reap or sweep before
// the deadline does not end it. Dead is not lost.
var properties = []*Property{
	{
		Name: "no-loss", Claim: Always,
		Column: "each Apply; end",
		Doc: "J was admitted, no operator removed it, and (always) it is in no set with a full row though no settlement " +
			"ended it, or (end) it is completed or gone with 0 effects (\"completed\" work that never ran is lost). Unknown " +
			"if the horizon cut the run while J was reachable or in a worker's hand",
		Source: "at-least-once delivery; the two generals: Gray, \"Notes on Data Base Operating Systems\", 1978",
		Holds:  "J1 is admitted, its worker dies, the lease lapses, J1 is pending again",
		Breaks: "J1 is admitted, the queue crashes and forgets it, and nobody sends it again",
		kinds:  []Kind{Applied, Restarted, Admitted}, readsSets: true,
		after: admittedStaysFound, end: doneMeansWorked,
	},
	{
		Name: "no-duplicate-effect", Claim: Always,
		Column: "each effect",
		Doc:    "the outside ledger changed twice under one job id, over all incarnations",
		Source: "Saltzer, Reed and Clark, \"End-to-End Arguments in System Design\", 1984: only the consumer can suppress duplicates",
		Holds:  "J1#1 changes the ledger, its ACK is lost, J1#2 finds the marker and changes nothing",
		Breaks: "J1#1 changes the ledger, its ACK is lost, J1#2 changes it again",
		kinds:  []Kind{Effected}, before: effectOnce,
	},
	{
		Name: "stale-token-rejected", Claim: Always,
		Column: "each settling verb or extend applied",
		Doc: "the speaker's delivery is J#N, some J#M with M > N was applied before, and it is accepted or changes J's row " +
			"or sets. Judged by delivery, never by token value. Late but unopposed (no later claim) is not stale",
		Source: "Kleppmann, \"How to do distributed locking\", 2016; Chubby's sequencers: Burrows, OSDI 2006",
		Holds:  "J1#2 is out, and the complete of J1#1 is answered stale",
		Breaks: "J1#2 is out, and the complete of J1#1 is answered ok",
		kinds:  []Kind{Applied}, ops: speaksToken, before: staleRejected,
	},
	{
		Name: "settled-once", Claim: Always,
		Column: "each accepted settlement",
		Doc:    "J#N already had one",
		Source: "RabbitMQ closes the channel of a consumer that acknowledges one delivery tag twice",
		Holds:  "the complete of J1#1 is doubled by the network, and the copy is answered gone",
		Breaks: "both copies are answered ok",
		kinds:  []Kind{Applied}, ops: Op.Settles, before: settledOnce,
	},
	{
		Name: "one-place", Claim: Always,
		Column: "each Apply, ids touched",
		Doc:    "the id is in two of pending, active, schedule, dead",
		Source: "BullMQ and EchoMQ move an id between sets within one script, so that no reader sees it in two",
		Holds:  "a reap takes J1 out of active and puts it into pending",
		Breaks: "a reap puts J1 into pending and leaves it in active",
		kinds:  []Kind{Applied}, readsSets: true, before: onePlace,
	},
	{
		Name: "no-ghost", Claim: Always,
		Column: "each Apply, ids touched",
		Doc:    "a member's row lacks state, attempts or payload; or a row is in no set",
		Source: "BullMQ's \"Missing key for job\": an id in a list whose hash is gone",
		Holds:  "a complete takes J1 out of active and deletes its row",
		Breaks: "a remove deletes the row of J1 and leaves its id in pending",
		kinds:  []Kind{Applied}, readsSets: true, before: noGhost,
	},
	{
		Name: "tokens-rise", Claim: Always,
		Column: "each claim",
		Doc:    "the token is not above every earlier token of J, across incarnations",
		Source: "fencing tokens: Kleppmann, 2016; Chubby's lock generations: Burrows, OSDI 2006",
		Holds:  "J1#1 is given 1 and J1#2 is given 2",
		Breaks: "J1 is completed, enqueued anew and claimed: its counter starts over, and J1#2 is given 1 like J1#1",
		kinds:  []Kind{Applied}, ops: isClaim, before: tokensRise,
	},
	{
		Name: "single-holder", Claim: Always,
		Column: "each claim",
		Doc:    "the lease of an earlier delivery of J has not ended",
		Source: "Gray and Cheriton, \"Leases: An Efficient Fault-Tolerant Mechanism for Distributed File Cache Consistency\", SOSP 1989",
		Holds:  "J1#1 lapses at 30s, and J1#2 is claimed at 31s",
		Breaks: "J1#1 runs until 30s, a reap takes J1 back at 20s, and J1#2 is claimed at 21s",
		kinds:  []Kind{Applied}, ops: leases, before: singleHolder,
	},
	{
		Name: "terminal-absorbing", Claim: Always,
		Column: "each Apply",
		Doc:    "a completed or dead incarnation is settled, delivered or moved again, except by reprocess or remove",
		Source: "a decision is never taken back: two-phase commit, Gray, 1978",
		Holds:  "J1 is dead, and an operator's reprocess makes it pending",
		Breaks: "J1 is completed, and a late retry of it is answered scheduled",
		kinds:  []Kind{Applied}, readsSets: true, before: terminalAbsorbing,
	},
	{
		Name: "admission-honest", Claim: Always,
		Column: "each enqueue answer",
		Doc:    "`duplicate` though no full row existed, or `enqueued` though one did",
		Source: "idempotent admission by job id, as in BullMQ: an id that exists is not added again",
		Holds:  "the enqueue of J1 is sent again while J1 is pending, and is answered duplicate",
		Breaks: "a ghost of J1 is left behind, and the enqueue of J1 is answered duplicate",
		kinds:  []Kind{Applied}, ops: Op.Admits, readsSets: true, before: admissionHonest,
	},
	{
		Name: "attempts-bounded", Claim: Always,
		Column: "each accepted retry",
		Doc:    "answered `dead` below max-attempts, or `scheduled` at or above it",
		Source: "BullMQ's attempts and its dead-letter rule",
		Holds:  "the third retry of J1 under max-attempts=3 is answered dead",
		Breaks: "the third retry of J1 under max-attempts=3 is answered scheduled",
		kinds:  []Kind{Applied}, ops: isRetry, before: attemptsBounded,
	},
	{
		Name: "deliveries-bounded", Claim: Always, Optional: true,
		Column: "each claim",
		Doc: "more claims than max-attempts in one incarnation; judged where the queue declares it, as built it does not " +
			"(a poison crasher is never dead)",
		Source: "SQS's maxReceiveCount, which counts receipts and not failures",
		Holds:  "J1 kills its worker three times under max-attempts=3, and is dead",
		Breaks: "J1 kills its worker three times under max-attempts=3, and J1#4 is claimed",
		kinds:  []Kind{Applied}, ops: isClaim, before: deliveriesBounded,
	},
	{
		Name: "mint-order", Claim: Always,
		Column: "each claim",
		Doc:    "the id served is not the smallest in pending at that instant",
		Source: "sortable ids: Twitter's Snowflake, 2010; EchoMQ serves pending by id",
		Holds:  "J1 and J2 are pending, and a claim is served J1",
		Breaks: "J1 and J2 are pending, and a claim is served J2",
		kinds:  []Kind{Applied}, ops: isClaim, readsSets: true, after: mintOrder,
	},
	{
		Name: "deadline-monotone", Claim: Always,
		Column: "each accepted extend of a live lease",
		Doc:    "the new deadline is earlier",
		Source: "Gray and Cheriton, SOSP 1989: a renewal never shortens what was granted",
		Holds:  "J1#1 holds until 30s, and its extend at 10s is answered 40s",
		Breaks: "the server's clock is set back, and the extend is answered 20s",
		kinds:  []Kind{Applied}, ops: leases, before: deadlineMonotone,
	},
	{
		Name: "work-conserving", Claim: Always,
		Column: "each claim answered empty",
		Doc:    "pending was not empty and the queue not paused",
		Source: "Kleinrock, \"Queueing Systems\", volume 2, 1976: no server idles while work waits",
		Holds:  "pending is empty, and a claim is answered empty",
		Breaks: "J1 is pending, and a claim is answered empty",
		kinds:  []Kind{Applied}, ops: isClaim, readsSets: true, before: workConserving,
	},
	{
		Name: "drains", Claim: Eventually,
		Column: "end",
		Doc: "a job is not terminal at T0 + B: T0 the end of the last fault, job line or operator verb, " +
			"B = lag + lease + reap-every + sweep-every + silence + (1 + sum of turns) * attempt, where " +
			"lag is how far the server's clock was set back, " +
			"silence the longest timeout * (1 + settle-retries) of a live worker, " +
			"turns for each id not terminal at T0 the failures left plus 1, and " +
			"attempt = poll + (4 + 2*steps)*latency + work + retry-delay + promote-every of the slowest live worker. " +
			"With work beyond the lease and no heartbeat that is heard in time there is no bound: livelock. " +
			"The verdict names why each stuck job is stuck. Not judged in a story without workers",
		Source: "liveness: Alpern and Schneider, \"Defining Liveness\", 1985; bounded, so that a run can refute it",
		Holds:  "an ACK is lost, the lease lapses, the second delivery completes, and the run goes quiet",
		Breaks: "the only worker dies with J1 and reap-every is off: the run goes quiet with J1 active",
		end:    everyJobEnds,
	},
}
