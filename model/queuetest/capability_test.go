package queuetest_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/echomq"
	"github.com/ackgap/ackgap/model/queuetest"
)

// variant makes queues of a variant of EchoMQ.
func variant(t *testing.T, name string) func() model.Queue {
	return func() model.Queue {
		q, err := echomq.New(name)
		if err != nil {
			t.Fatal(err)
		}
		return q
	}
}

// odd is EchoMQ as built, to which requests come through a function.
type odd struct {
	model.Queue
	change func(now model.Time, req model.Request) (model.Time, model.Request)
}

func (o odd) Apply(now model.Time, req model.Request) model.Reply {
	return o.Queue.Apply(o.change(now, req))
}

// byClientsClock goes by the clock of whoever asks.
func byClientsClock(t *testing.T) func() model.Queue {
	return func() model.Queue {
		return odd{variant(t, "")(), func(_ model.Time, r model.Request) (model.Time, model.Request) { return r.Clock, r }}
	}
}

// scanner has a reaper that looks for lapsed leases in one tick, and in the next puts
// back what it found, without another look.
type scanner struct {
	model.Queue
	leases map[model.ID]model.Grant
	found  []model.ID
}

func (s *scanner) Apply(now model.Time, req model.Request) model.Reply {
	if req.Op == model.OpReap {
		s.reap(now)
		return model.Reply{Answer: model.OK}
	}
	rep := s.Queue.Apply(now, req)
	if req.Op == model.OpClaim && rep.Answer == model.OK {
		s.leases[rep.ID] = rep.Grant
	}
	return rep
}

func (s *scanner) reap(now model.Time) {
	for _, id := range s.found {
		s.Queue.Apply(now, model.Request{Op: model.OpRetry, ID: id, Token: s.leases[id].Token, Max: 100})
	}
	s.found = nil
	for id, g := range s.leases {
		if g.Until <= now {
			s.found = append(s.found, id)
		}
	}
}

func hasty(t *testing.T) func() model.Queue {
	return func() model.Queue { return &scanner{variant(t, "")(), map[model.ID]model.Grant{}, nil} }
}

// impatient knows no delay.
func impatient(t *testing.T) func() model.Queue {
	return func() model.Queue {
		return odd{variant(t, "")(), func(now model.Time, r model.Request) (model.Time, model.Request) {
			r.Delay = 0
			return now, r
		}}
	}
}

// window calls an id a duplicate for a time after it was let in.
type window struct {
	model.Queue
	span  time.Duration
	since map[model.ID]model.Time
}

func (w window) Apply(now model.Time, req model.Request) model.Reply {
	if !req.Op.Admits() {
		return w.Queue.Apply(now, req)
	}
	if since, known := w.since[req.ID]; known && now < since.Add(w.span) {
		return model.Reply{Answer: model.Duplicate}
	}
	w.since[req.ID] = now
	return w.Queue.Apply(now, req)
}

func windowed(t *testing.T, span time.Duration) func() model.Queue {
	return func() model.Queue { return window{variant(t, "")(), span, map[model.ID]model.Time{}} }
}

func TestQueuesHaveWhatTheyClaimBesides(t *testing.T) {
	queuetest.Run(t, variant(t, "bounded"), queuetest.Bounded)
	queuetest.Run(t, windowed(t, 5*time.Minute), queuetest.DedupWindow(5*time.Minute), queuetest.Fence)
	queuetest.Run(t, variant(t, "no-fence"), queuetest.Exclusive, queuetest.TokensRise)
}

// claimed is a queue that claims too much, and what is said of it.
type claimed struct {
	capability queuetest.Capability
	queue      func() model.Queue
	says       string
}

func tooMuch(t *testing.T) []claimed {
	return []claimed{
		{queuetest.Exclusive, variant(t, "early-expiry"), "a claim at 29s was answered ok (J1), want empty: the lease of J1 runs for another second"},
		{queuetest.Exclusive, hasty(t), "a claim at 35s was answered ok (J1), want empty: J1 was completed, enqueued and leased anew"},
		{queuetest.ByToken, variant(t, "no-fence"), "the complete of J1 at 0s was answered ok, want it refused (stale or gone): its token was never handed out"},
		{queuetest.Fence, variant(t, "no-fence"), "the complete of J1 at 10m0s was answered ok, want it refused (stale or gone): it speaks for the first delivery, and there is a second"},
		{queuetest.Fence, variant(t, "no-extend-fence"), "the extend of J1 at 10m0s was answered ok"},
		{queuetest.TokensRise, variant(t, "token-reset"), "claim 2 of J1 was given the token 1, and the one before it 1: want a higher one"},
		{queuetest.SettlesOnce, variant(t, "double-settle"), "the complete of J1 at 0s was answered ok, want it refused (stale or gone): this delivery was settled by a retry"},
		{queuetest.Dedup, variant(t, "double-admission"), "the enqueue of J1 at 0s was answered enqueued, want duplicate: J1 is pending"},
		{queuetest.Dedup, variant(t, "phantom-duplicate"), "the enqueue of J1, which it does not hold, was answered duplicate at 0s: want enqueued"},
		{queuetest.DedupWindow(5 * time.Minute), variant(t, ""), "the enqueue of J1 at 4m59.999s was answered enqueued, want duplicate: J1 was let in within the window"},
		{queuetest.DedupWindow(5 * time.Minute), variant(t, "double-admission"), "the enqueue of J1 at 0s was answered enqueued, want duplicate: J1 was let in within the window, and is pending"},
		{queuetest.DedupWindow(5 * time.Minute), variant(t, "phantom-duplicate"), "the enqueue of J1, which it does not hold, was answered duplicate at 5m0.001s: want enqueued"},
		{queuetest.DedupWindow(5 * time.Minute), windowed(t, 4*time.Minute), "the enqueue of J1 at 4m59.999s was answered enqueued"},
		{queuetest.Ordered, variant(t, "lifo"), "a claim at 0s was served J3, want J1: it is the smallest id of those that are pending"},
		{queuetest.Conserving, variant(t, "claim-ignores-pending"), "claim 2 was answered empty, though 2 of 3 jobs were pending"},
		{queuetest.Extends, variant(t, "shortening-extend"), "the lease of J1 was extended, and runs for another second"},
		{queuetest.Schedules, impatient(t), "J1 was enqueued for 5s"},
		{queuetest.DeadLetters, variant(t, "retry-never-dead"), "was answered scheduled, want dead: it is the second of 2 attempts"},
		{queuetest.DeadLetters, variant(t, "dead-early"), "was answered dead, want scheduled: it is the first of 2 attempts"},
		{queuetest.Bounded, variant(t, "bounded-leaks"), "want empty: J1 was handed out three times"},
		{queuetest.ServerClock, byClientsClock(t), "by the server's clock the lease of J1 runs for another second"},
	}
}

func TestAQueueThatClaimsTooMuchIsToldInALine(t *testing.T) {
	for _, c := range tooMuch(t) {
		text := strings.Join(queuetest.Complaints(c.queue, c.capability), "\n")
		if want := "the queue claims " + string(c.capability) + ", but "; !strings.Contains(text, want) || !strings.Contains(text, c.says) {
			t.Errorf("%s: no %q in\n%s", c.capability, c.says, text)
		}
	}
}

// modest is a queue that promises little: it says of no lease until when it runs, nothing
// of a pause that it has not, and its reaper looks in one tick and acts in the next but
// one.
type modest struct {
	model.Queue
	looked []model.Time
}

func (m *modest) Apply(now model.Time, req model.Request) model.Reply {
	switch req.Op {
	case model.OpReadPause:
		return model.Reply{}
	case model.OpReap:
		if m.looked = append(m.looked, now); len(m.looked) < 3 {
			return model.Reply{Answer: model.OK}
		}
		now, m.looked = m.looked[0], m.looked[1:]
	}
	r := m.Queue.Apply(now, req)
	r.Until = 0
	return r
}

func TestAQueueIsNotAskedForMoreThanItClaims(t *testing.T) {
	queuetest.Run(t, func() model.Queue { return &modest{Queue: variant(t, "")()} },
		queuetest.ByToken, queuetest.Fence, queuetest.TokensRise, queuetest.Schedules)
}

// Who claims that a lease is its holder's alone, or can be extended, and says of one
// another end than was asked for is told so.
func TestAnEndOfALeaseThatWasNotAskedForIsToldInALine(t *testing.T) {
	for name, change := range map[string]func(*model.Reply, model.Op){
		"ends at 0s":       func(r *model.Reply, _ model.Op) { r.Until = 0 },
		"ends at 1s, want": func(r *model.Reply, _ model.Op) { r.Until = model.Time(time.Second) },
		"of an extend, ends at -1ns": func(r *model.Reply, op model.Op) {
			if op == model.OpExtend {
				r.Until = -1
			}
		},
	} {
		says := strings.TrimPrefix(name, "of an extend, ")
		text := strings.Join(queuetest.Complaints(odds(t, change), queuetest.Extends), "\n")
		if n := strings.Count(text, "Until that the lease "); n != 1 || !strings.Contains(text, says) {
			t.Errorf("%s: told %d times\n%s", name, n, text)
		}
	}
}

// A claim that no queue can fail would be worth nothing.
func TestEachCapabilityHasAQueueThatClaimsItInVain(t *testing.T) {
	for _, c := range queuetest.Capabilities() {
		failed := slices.ContainsFunc(tooMuch(t), func(f claimed) bool { return f.capability == c })
		if !failed && c != queuetest.EchoMQ { // its scenarios fail in TestTheSuiteFailsOnBrokenQueues
			t.Errorf("%s is claimed in vain by no queue of these tests", c)
		}
	}
}

func TestWhatEveryQueueMustDoIsAskedOfThoseThatClaimNothing(t *testing.T) {
	broken := map[string]func() model.Queue{
		"completes":  variant(t, "ignores-ack"),
		"comes-back": variant(t, "reap-forgets"),
		"retries": odds(t, func(r *model.Reply, op model.Op) {
			if op == model.OpRetry {
				r.Answer = model.Gone
			}
		}),
		"reads-pause": odds(t, func(r *model.Reply, op model.Op) {
			if op == model.OpReadPause {
				r.Answer = model.QueuePaused
			}
		}),
	}
	broken["serves-its-own"] = odds(t, func(r *model.Reply, op model.Op) {
		if op == model.OpClaim && r.Answer == model.Empty {
			*r = model.Reply{Answer: model.OK}
			r.ID = model.ID{NS: model.JOB, Value: 999}
		}
	})
	for _, b := range queuetest.EveryQueue {
		if wrong := queuetest.Judge(broken[b.Name()], b.Ask()); len(wrong) == 0 {
			t.Errorf("%s: nothing is found wrong", b.Name())
		}
		if wrong := queuetest.Judge(variant(t, ""), b.Ask()); len(wrong) > 0 {
			t.Errorf("%s: %v", b.Name(), wrong)
		}
	}
}

// answering is EchoMQ as built, whose answers are changed.
type answering struct {
	model.Queue
	change func(*model.Reply, model.Op)
}

func odds(t *testing.T, change func(*model.Reply, model.Op)) func() model.Queue {
	return func() model.Queue { return answering{variant(t, "")(), change} }
}

func (a answering) Apply(now model.Time, req model.Request) model.Reply {
	r := a.Queue.Apply(now, req)
	a.change(&r, req.Op)
	return r
}

// lost is a queue whose server has gone.
type lost struct{ model.Queue }

func (lost) Err() error { return errors.New("connection refused") }

func TestOfAQueueThatIsLostNothingElseIsSaid(t *testing.T) {
	got := queuetest.Complaints(func() model.Queue { return lost{variant(t, "lifo")()} }, queuetest.Ordered)
	if len(got) != 1 || !strings.Contains(got[0], "it was lost, so that nothing is known: connection refused") {
		t.Errorf("%q", got)
	}
}

func TestACapabilityThatThereIsNotIsRefused(t *testing.T) {
	for _, c := range []struct {
		caps []queuetest.Capability
		says string
	}{
		{[]queuetest.Capability{"fenced"}, `there is no capability "fenced"; there are exclusive, by-token, fence`},
		{[]queuetest.Capability{queuetest.DedupWindow(0)}, "DedupWindow of a second or more"},
		{[]queuetest.Capability{queuetest.Dedup, queuetest.DedupWindow(time.Minute)}, "dedup and dedup-window=1m0s contradict each other"},
		{[]queuetest.Capability{queuetest.EchoMQ, queuetest.DedupWindow(time.Minute)}, "echomq and dedup-window=1m0s contradict each other"},
	} {
		if err := queuetest.CheckClaims(c.caps...); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v: %v, want %q", c.caps, err, c.says)
		}
	}
}

// Every property is called for by some capability or of every queue: none is
// forgotten by CheckQueue.
func TestEveryPropertyIsCalledForBySomeClaim(t *testing.T) {
	all := queuetest.Properties(queuetest.Capabilities()...)
	for _, p := range model.Properties() {
		if !slices.Contains(all, p.Name) {
			t.Errorf("%s is called for by no claim", p.Name)
		}
	}
	if least := queuetest.Properties(); slices.Contains(least, "stale-token-rejected") || !slices.Contains(least, "no-loss") {
		t.Errorf("a queue that claims nothing is judged by %v", least)
	}
}

// changed is EchoMQ, hardened, whose answers are changed with a look at the request.
func changed(t *testing.T, change func(*model.Request, *model.Reply)) func() model.Queue {
	return func() model.Queue { return changing{variant(t, "hardened")(), change} }
}

type changing struct {
	model.Queue
	change func(*model.Request, *model.Reply)
}

func (c changing) Apply(now model.Time, req model.Request) model.Reply {
	r := c.Queue.Apply(now, req)
	c.change(&req, &r)
	return r
}

func TestAQueueThatForgetsWhatAJobCarriesIsToldInALine(t *testing.T) {
	empties := changed(t, func(_ *model.Request, r *model.Reply) {
		if !r.ID.IsZero() && r.Until > model.Time(lateDelivery) {
			r.Payload = ""
		}
	})
	for _, b := range queuetest.EveryQueue {
		if name := b.Name(); name != "comes-back" && name != "retries" {
			continue
		}
		if wrong := queuetest.Judge(empties, b.Ask()); len(wrong) != 1 || !strings.Contains(wrong[0], `with the payload "", want "payload of J1"`) {
			t.Errorf("%s: %q", b.Name(), wrong)
		}
	}
}

// lateDelivery ends the lease of every second delivery in these tests, and of no first.
const lateDelivery = 5 * time.Minute

func TestAnAnswerThatItsVerbCannotHaveIsToldOnce(t *testing.T) {
	for _, c := range []struct {
		op     model.Op
		was    model.Answer
		answer model.Answer
		says   string
	}{
		{model.OpComplete, model.OK, model.Scheduled, "complete was answered scheduled, an answer that it cannot have: return ok, stale, gone or locked"},
		{model.OpComplete, model.OK, model.DeadLettered, "complete was answered dead"},
		{model.OpEnqueue, model.Enqueued, model.Scheduled, "enqueue was answered scheduled, an answer that it cannot have: return enqueued, duplicate or kind"},
		{model.OpClaim, model.Empty, model.Gone, "claim was answered gone, an answer that it cannot have: return ok, empty or paused"},
		{model.OpClaim, model.Empty, model.Stale, "claim was answered stale"},
		{model.OpRetry, model.Scheduled, model.Enqueued, "retry was answered enqueued"},
		{model.OpEnqueue, model.Enqueued, model.LostRequest, "enqueue was answered lost-request, which befalls a message on its way and is no answer"},
		{model.OpEnqueue, model.Enqueued, model.UnknownAnswer, "enqueue was answered unknown, an answer that it cannot have"},
	} {
		q := changed(t, func(req *model.Request, r *model.Reply) {
			if req.Op == c.op && r.Answer == c.was {
				r.Answer = c.answer
			}
		})
		var all []string
		for _, b := range queuetest.EveryQueue {
			all = append(all, queuetest.Judge(q, b.Ask())...)
		}
		if !strings.Contains(strings.Join(all, "\n"), c.says) {
			t.Errorf("no %q in\n%s", c.says, strings.Join(all, "\n"))
		}
	}
}
