package queuetest

import (
	"time"

	"github.com/ackgap/ackgap/model"
)

// question is what a queue is asked, by name.
type question struct {
	name string
	ask  func(*probe)
}

// everyQueue is what every queue is asked, whatever it claims.
var everyQueue = []question{
	{"completes", completes}, {"comes-back", comesBack}, {"retries", retries}, {"reads-pause", readsPause},
	{"serves-its-own", servesItsOwn},
}

// servesItsOwn asks a queue to which nothing was given, for ten seconds.
func servesItsOwn(p *probe) {
	for d := time.Duration(0); d <= 10*time.Second && len(p.wrong) == 0; d += 250 * time.Millisecond {
		p.at(d)
		p.getsNothing("nobody has enqueued a job")
	}
}

func completes(p *probe) {
	p.admits(1)
	p.accepts(model.OpComplete, p.gets(1, "it was enqueued"), "its lease runs")
	p.at(later)
	p.getsNothing("J1 is completed")
}

func comesBack(p *probe) {
	p.admits(1)
	p.gets(1, "it was enqueued")
	p.at(later)
	p.accepts(model.OpComplete, p.gets(1, "its lease is over, and nobody settled it"), "its second lease runs")
	p.at(2 * later)
	p.getsNothing("J1 is completed")
}

func retries(p *probe) {
	p.admits(1)
	p.accepts(model.OpRetry, p.gets(1, "it was enqueued"), "its lease runs")
	p.at(later)
	p.gets(1, "it was sent back to be retried")
}

func readsPause(p *probe) {
	if got := p.apply(model.Request{Op: model.OpReadPause}).Answer; got == model.QueuePaused {
		p.fail("a read-pause was answered %s, and nobody has paused it: no worker would ever claim a job", got)
	}
}

// What it is asked for what it claims. How soon a job comes back is nobody's claim: all
// that is to come back has come back by later.

func exclusive(p *probe) {
	p.tells = true
	p.admits(1)
	g := p.gets(1, "it was enqueued")
	p.at(lease - time.Second)
	p.getsNothing("the lease of J1 runs for another second")
	p.at(lease)
	p.now = p.now.Add(200 * time.Millisecond)
	looksAgain(p, g)
}

// looksAgain is for a reaper that looks in one tick and acts in the next: by then the job
// may have been settled, let in anew, and leased anew. A queue that refuses one of these
// is not asked.
func looksAgain(p *probe, g model.Grant) {
	if !p.says(model.OpComplete, g, 100).Accepted() || p.enqueue(1, payload(1)) != model.Enqueued {
		return
	}
	if rep := p.apply(model.Request{Op: model.OpClaim, Lease: lease}); rep.Answer == model.OK {
		p.at(lease + 5*time.Second)
		p.getsNothing("J1 was completed, enqueued and leased anew: the reaper must not act by what it saw before")
	}
}

func byToken(p *probe) {
	p.admits(1)
	g := p.gets(1, "it was enqueued")
	forged := g
	forged.Token += 1000
	p.refuses(model.OpComplete, forged, "its token was never handed out")
	p.refuses(model.OpRetry, forged, "its token was never handed out")
	p.accepts(model.OpComplete, g, "its token was handed out, and its lease runs")
}

func fence(p *probe) {
	p.admits(1)
	old := p.gets(1, "it was enqueued")
	p.at(later)
	g := p.gets(1, "its lease is over")
	const why = "it speaks for the first delivery, and there is a second"
	p.refuses(model.OpExtend, old, why)
	p.refuses(model.OpRetry, old, why)
	p.refuses(model.OpComplete, old, why)
	p.accepts(model.OpComplete, g, "what the first delivery said must not have changed anything")
}

func tokensRise(p *probe) {
	p.admits(1)
	last := p.gets(1, "it was enqueued").Token
	for n := 1; n <= 2; n++ {
		p.at(time.Duration(n) * later)
		if token := p.gets(1, "its lease is over").Token; token <= last {
			p.fail("claim %d of J1 was given the token %d, and the one before it %d: want a higher one", n+1, token, last)
		} else {
			last = token
		}
	}
}

// settlesOnce settles one delivery by each verb, and after that by each once more.
func settlesOnce(p *probe) {
	p.admits(1)
	settles := []model.Op{model.OpRetry, model.OpComplete}
	for n, first := range settles {
		g := p.gets(1, "it was enqueued, or sent back to be retried")
		p.accepts(first, g, "its lease runs")
		for _, then := range settles {
			p.refuses(then, g, "this delivery was settled by a "+first.String())
		}
		p.at(time.Duration(n+1) * later)
	}
	p.getsNothing("J1 is completed")
}

func dedup(p *probe) {
	p.admits(1)
	p.duplicate("J1 is pending")
	g := p.gets(1, "it was enqueued")
	p.duplicate("J1 is leased")
	p.getsNothing("J1 was let in once, and is leased")
	p.accepts(model.OpComplete, g, "its lease runs")
	p.admits(1)
}

// duplicate enqueues J1 once more.
func (p *probe) duplicate(why string) {
	if got := p.enqueue(1, "another"); got != model.Duplicate {
		p.fail("the enqueue of J1 at %s was answered %s, want %s: %s", p.when(), got, model.Duplicate, why)
	}
}

func dedupWindow(p *probe, window time.Duration) {
	p.admits(1)
	p.duplicate("J1 was let in within the window, and is pending")
	g := p.gets(1, "it was enqueued")
	p.duplicate("J1 was let in within the window, and is leased")
	p.getsNothing("J1 was let in once, and is leased")
	p.accepts(model.OpComplete, g, "its lease runs")
	p.at((window - time.Millisecond).Truncate(time.Millisecond))
	p.duplicate("J1 was let in within the window")
	p.getsNothing("J1 is completed")
	p.at(window + time.Millisecond)
	p.admits(1)
	p.gets(1, "it was let in again after the window")
}

// ordered asks for those that came in no order, and once more for the same when they have
// come back.
func ordered(p *probe) {
	p.admits(3, 1, 2)
	for range 2 {
		for n := range 3 {
			p.gets(n+1, "it is the smallest id of those that are pending")
		}
		p.at(later)
	}
}

func conserving(p *probe) {
	p.admits(1, 2, 3)
	for n := range 3 {
		if rep := p.apply(model.Request{Op: model.OpClaim, Lease: lease}); rep.Answer != model.OK {
			p.fail("claim %d was answered %s, though %d of 3 jobs were pending", n+1, rep.Answer, 3-n)
		}
	}
}

func extends(p *probe) {
	p.tells = true
	p.admits(1)
	g := p.gets(1, "it was enqueued")
	p.at(lease - time.Second)
	p.accepts(model.OpExtend, g, "its lease runs")
	p.at(2*lease - 2*time.Second)
	p.getsNothing("the lease of J1 was extended, and runs for another second")
	p.at(later)
	p.gets(1, "what it was extended by is over")
}

func schedules(p *probe) {
	rep := p.apply(model.Request{Op: model.OpEnqueueIn, ID: job(1), Payload: payload(1), Delay: 5 * time.Second})
	if rep.Answer != model.Scheduled {
		p.fail("an enqueue-in of J1 was answered %s, want %s", rep.Answer, model.Scheduled)
	}
	p.at(5*time.Second - time.Millisecond)
	p.getsNothing("J1 was enqueued for 5s")
	p.at(later)
	p.accepts(model.OpRetry, p.gets(1, "its time has come"), "its lease runs") // by 1s
	p.at(later + time.Second - time.Millisecond)
	p.getsNothing("J1 was sent back for 1s")
	p.at(2 * later)
	p.gets(1, "the delay of its retry is over")
}

func deadLetters(p *probe) {
	p.admits(1)
	p.answers(p.gets(1, "it was enqueued"), model.Scheduled, "it is the first of 2 attempts")
	p.at(later)
	p.answers(p.gets(1, "it was sent back to be retried"), model.DeadLettered, "it is the second of 2 attempts")
	p.at(2 * later)
	p.getsNothing("J1 is dead")
}

// answers retries a delivery of a job that has two attempts.
func (p *probe) answers(g model.Grant, want model.Answer, why string) {
	if got := p.says(model.OpRetry, g, 2); got != want {
		p.fail("a retry of J1 at %s was answered %s, want %s: %s", p.when(), got, want, why)
	}
}

func bounded(p *probe) {
	p.admits(1)
	for n := range 3 {
		p.gets(1, "it was handed out less than three times")
		p.at(time.Duration(n+1) * later)
	}
	p.getsNothing("J1 was handed out three times")
}

func serverClock(p *probe) {
	p.admits(1)
	p.reads(-time.Hour)
	p.gets(1, "it was enqueued")
	p.at(lease - time.Second)
	p.reads(time.Hour)
	p.pump()
	p.getsNothing("by the server's clock the lease of J1 runs for another second, whatever the clock of who asks shows")
	p.at(later)
	p.reads(-time.Hour)
	p.pump()
	p.gets(1, "by the server's clock its lease is over, whatever the clock of who asks shows")
}
