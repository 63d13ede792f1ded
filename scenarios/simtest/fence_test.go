package simtest_test

import (
	"testing"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/queuetest"
	"github.com/ackgap/ackgap/scenarios/simtest"
)

// byID is a queue that does one verb by the id, whatever the token: what somebody
// forgot when the others were given their fence.
type byID struct {
	model.Queue
	verb model.Op
	last map[model.ID]model.Token
}

func (q byID) Apply(now model.Time, req model.Request) model.Reply {
	if last, claimed := q.last[req.ID]; claimed && req.Op == q.verb {
		req.Token = last
	}
	rep := q.Queue.Apply(now, req)
	if req.Op == model.OpClaim && rep.Answer == model.OK {
		q.last[rep.ID] = rep.Token
	}
	return rep
}

// It is caught within the worlds that a check runs by default, a retry as well: two of
// the three jobs fail.
func TestAVerbWithoutItsFenceIsCaught(t *testing.T) {
	for verb, claims := range map[model.Op][]queuetest.Capability{
		model.OpComplete: {queuetest.Fence},
		model.OpRetry:    {queuetest.Fence},
		model.OpExtend:   {queuetest.Fence, queuetest.Extends},
	} {
		newQueue := func() model.Queue { return byID{variant(t, "hardened")(), verb, map[model.ID]model.Token{}} }
		found, err := simtest.NewQueue(t, newQueue, simtest.Claims(claims...), simtest.Runs(simtest.DefaultRuns)).Find()
		if err != nil || found == nil || found.Property != "stale-token-rejected" {
			t.Errorf("%s by id: %+v, %v", verb, found, err)
			continue
		}
		t.Logf("%s by id: world %d\n%s", verb, found.Seed, found.Small.Story.Text())
	}
}

// leaping is a queue whose tokens rise by ten, and that does not tell what it touches: a
// token is no count of attempts.
type leaping struct{ queue model.Queue }

func (l leaping) Apply(now model.Time, req model.Request) model.Reply {
	req.Token /= 10
	rep := l.queue.Apply(now, req)
	rep.Token *= 10
	return rep
}

func TestATokenThatIsNoCountOfAttemptsIsNotTakenForOne(t *testing.T) {
	t.Chdir(t.TempDir())
	simtest.CheckQueue(t, func() model.Queue { return leaping{variant(t, "")()} }, simtest.Claims(queuetest.Fence, queuetest.DeadLetters), simtest.Runs(500))
	tb := failingQueue(t, func() model.Queue { return leaping{variant(t, "retry-never-dead")()} }, simtest.Claims(queuetest.Fence, queuetest.DeadLetters))
	says(t, tb, "BROKEN        attempts-bounded")
}
