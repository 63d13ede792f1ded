// Package simtest puts your own consumer, as ordinary sequential Go, into worlds in
// which everything goes wrong that a leased job queue can bear, under go test; and
// your own queue (see below).
//
//	func TestShip(t *testing.T) { simtest.CheckConsumer(t, ship) }
//
//	func ship(ctx context.Context, job simtest.Job) error { ... }
//
// # What runs
//
// Each world has one queue (EchoMQ as built), two workers and three jobs, unless
// the options say otherwise. A worker claims a job, calls the handler, and settles:
// complete if it returned nil, retry if it returned an error. Time is virtual: a
// minute costs nothing. Each seed draws what goes wrong: claims, ACKs and calls to the
// outside service are lost, late and doubled, retries lost and late, or their answers
// are lost and late; workers crash and stand still; links are cut; effects are refused;
// the queue's clock jumps forward and its server restarts:
//
//	chaos drop claim complete retry apply rate=10%
//	chaos drop-reply claim complete retry apply rate=10%
//	chaos delay claim complete retry apply rate=5% by=1ms..60s
//	chaos delay-reply claim complete retry apply rate=5% by=1ms..60s
//	chaos duplicate claim complete apply rate=5% by=1ms..60s
//	chaos crash WORKERS rate=3% restart=1s..60s count=0..2
//	chaos pause WORKERS rate=3% for=1s..90s count=0..2
//	chaos partition WORKERS rate=30% for=1s..90s count=0..2
//	chaos error apply rate=5%
//	chaos clock queue rate=50% jump=+1s..+60s count=0..2
//	chaos crash queue rate=50% restart=1s..60s count=0..2
//	quiet time=2m
//
// About half of that is left out in each world, so that what one mishap hides another
// world shows.
//
// # What a point is
//
// The handler runs as a coroutine of the simulator. It has the turn until it
// reaches for the outside: Job.KV, Job.Sink, Job.Transport, Job.Sleep, a *sql.DB of
// package simsql, or Job.Do for an adapter of your own. Each such call is one
// atomic step with a name, and a point on both of its sides:
//
//	read    a read that changes nothing
//	write   a write that stands by itself, or within a SQL transaction
//	apply   an effect on the Sink, or a request to the outside service
//	commit  a transaction becomes true
//	sleep   time passes
//
// Before and after a step the process may crash or stand still: `fault crash w1
// after=write J1#2 nth=3` is the crash of w1 after the third write of the second
// delivery of J1. An apply or a commit may be refused instead (`fault error apply
// J1#1`), and a request or its answer lost, late or doubled (`fault drop-reply apply
// J1#1`). Between two calls nothing can happen: what the handler computes takes no
// time but what Work says, before its first call.
//
// # What is promised
//
// The same seed leaves the same bytes, if the handler is a function of its context,
// its job and what its calls return. What makes it another is found, and named:
// a failing world is run again before it is shown, and the first one after all others.
//
// A crash ends the process where it stands. What it had in memory is gone, if the
// handler was made by PerProcess; what it had open is rolled back; what it has sent
// arrives. No code of the handler after the call that it is in is run, and nothing
// that it still does leaves the process: a call to the outside from a deferred
// function does not return. No goroutine is left behind.
//
// Whether deferred functions run is a matter of how the test is built. Go gives a
// package no way to leave a stack without running them, but to keep the stack for
// ever. So by default they do run, in a process that is dead: that releases locks
// in memory that outlives the process, as database/sql needs it, and can be seen
// only in such memory. With
//
//	go test -tags ackgap_exact -ldflags=-checklinkname=0
//
// a crash runs none, by three functions of the runtime that packages may not reach
// otherwise; then a mutex that is held at a crash stays locked, and a transaction of
// database/sql that is crashed in the middle of a statement leaves the goroutine
// that watches its context. The race detector does not know these functions: do not
// use -race with the tag. Both ways leave the same histories. 100,000 crashes of
// each are part of this package's tests.
//
// The context is cancelled, with the cause ErrLeaseLost, when the handler goes on
// and its worker knows that the lease is over: its own clock says so, or a
// heartbeat was refused. Sleeps and waits for the service end then. A process that
// stood still in the middle of a call takes that step first: it is the zombie that
// believes what it believed. IgnoresContext is for handlers that do not look.
//
// # What green means
//
// In none of the worlds that were run was a job lost, an effect there twice, or a
// job left without an end (Promises). An effect is a change that somebody outside
// would see: Sink, Tx.Apply, a request that is no GET, HEAD or OPTIONS and was answered below 400
// and under no Idempotency-Key that was known, the growth of simsql's query. A
// check in which no effect was ever counted fails, and so does one with a world that
// could not be judged.
//
// # What green does not mean
//
// It is no proof: other seeds are other worlds (package sim/explore enumerates, for
// consumers that are built in). It says nothing about code between two calls that
// goroutines of the handler's own would run at once, nothing about a queue other
// than the one that runs, and nothing about an outside that does not do as the
// interfaces here do: KV.Update is serializable, SQLite has one writer. Deadlines of
// the real clock (context.WithTimeout, http.Client.Timeout) never pass in virtual
// time, and time.Now hardly moves in thousands of worlds, so that what goes wrong with a key
// or an expiry made of it goes unseen: Job.Now has the world's time, and Bubble gives it to
// time.Now. A handler that blocks for real (a channel, a mutex of another delivery)
// hangs the test, and so does a loop that never reaches for the outside. One that
// does so more than 10,000 times in one delivery (MaxCalls) is taken for a loop
// without end, and fails. A Job belongs to its handler's goroutine alone: to another
// that calls it the call returns an error, and the test fails. It does not own its thread:
// runtime.LockOSThread in a handler that does not unlock it before its next call ends the
// program, by a rule of iter.Pull.
//
// Under testing/synctest, with the option Bubble, what the handler sleeps by
// time.Sleep passes for its worker. Such a handler stays reproducible while it is
// one goroutine; Bubble says where that ends.
//
// # A queue
//
// CheckQueue puts your own queue into such worlds, in memory or a client of a real
// server: anything with the one method of model.Queue.
//
//	func TestQueue(t *testing.T) {
//		queuetest.Run(t, newQueue, queuetest.Exclusive, queuetest.Fence)
//		simtest.CheckQueue(t, newQueue, simtest.Claims(queuetest.Exclusive, queuetest.Fence))
//	}
//
// Its workers have a consumer that is right, so that what breaks is the queue's
// doing; of three or more jobs the last two fail once and twice, so that there is
// something to retry. It is judged by what every queue must do and by what it
// claims, and only that goes wrong which its claims let it bear: see Claims and
// package queuetest. Green means that none of this broke in the worlds that were
// run, and that what is claimed was tried in them (a property of its claims that was
// never looked at is red, but in a world of one's own, where it is only said); it
// does not mean that a consumer which needs more than was claimed is safe on it.
// Consumes puts your consumer on your queue. One request is one atomic step: what a
// client does in two transactions, others come between only where it says so by two
// requests, as package sqlqueue does with its reaper.
//
// # What a failure says
//
// The first world that fails is shrunk, to the fewest and weakest faults, and told
// in at most 25 lines: the verdict, the diagram, why, and the line that runs it
// again, ACKGAP_REPLAY=TOKEN go test -run NAME. The story is kept as
// testdata/ackgap/NAME--PROPERTY.story beside the test, and run before everything
// else from then on; delete it when it says nothing any more. The report, the world
// as it was found, the history and JSON go to t.ArtifactDir; t.Attr carries
// ackgap.seed, ackgap.property and ackgap.report.
//
// # More than a check
//
// NewConsumer and NewQueue give runs one by one (World, Run, RunPlan, Find), for
// properties of your own; package gen has generators for them, FuzzConsumer and
// FuzzQueue fuzz targets whose corpus can be read, BenchConsumer and BenchQueue the
// worlds a second. CheckHistory judges a log instead of a run.
package simtest
