package scenarios_test

import (
	"strings"
	"testing"
	"time"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/echomq"
	"github.com/ackgap/ackgap/scenarios"
)

// listener is EchoMQ as built, which notes what the clocks of those who ask show.
type listener struct {
	model.Queue
	claimed map[time.Duration]bool // by how far the speaker's clock is off
}

func (l *listener) Apply(now model.Time, req model.Request) model.Reply {
	if req.Op == model.OpClaim {
		l.claimed[req.Clock.Sub(now)] = true
	}
	return l.Queue.Apply(now, req)
}

// lend gives a queue a name for the test.
func lend(t *testing.T, name string) (q *listener, forget func()) {
	t.Helper()
	built, err := echomq.New("")
	if err != nil {
		t.Fatal(err)
	}
	q = &listener{built, map[time.Duration]bool{}}
	forget, err = scenarios.RegisterQueue(name, false, func() (model.Queue, error) { return q, nil })
	if err != nil {
		t.Fatal(err)
	}
	return q, forget
}

const ownQueue = "queue Mine lease=10s\nworkers 2\njob J1\njob J2\n"

func TestAStoryRunsOnAQueueOfOnesOwn(t *testing.T) {
	q, forget := lend(t, "Mine")
	defer forget()
	s, err := scenarios.Parse("mine", []byte(ownQueue))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Run(scenarios.Options{}); err != nil || len(q.claimed) == 0 {
		t.Errorf("the queue was not asked: %v", err)
	}
	if text := string(s.Text()); !strings.Contains(text, "queue Mine lease=10s") {
		t.Errorf("the story does not name it:\n%s", text)
	}
}

func TestARequestCarriesTheClockOfWhoSpeaks(t *testing.T) {
	q, forget := lend(t, "Mine")
	defer forget()
	s, err := scenarios.Parse("mine", []byte(ownQueue+"fault clock w2 skew=+40s\n"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Run(scenarios.Options{}); err != nil || !q.claimed[0] || !q.claimed[40*time.Second] || len(q.claimed) != 2 {
		t.Errorf("the clocks were off by %v: %v", q.claimed, err)
	}
}

func TestAQueueThatIsForgottenIsNoWordOfStories(t *testing.T) {
	_, forget := lend(t, "Mine")
	forget()
	if _, err := scenarios.Parse("mine", []byte(ownQueue)); err == nil || !strings.Contains(err.Error(), "Mine") {
		t.Errorf("%v", err)
	}
}

func TestANameOfAQueueIsTakenOnceAndCanStandInAStory(t *testing.T) {
	_, forget := lend(t, "Mine")
	defer forget()
	for _, name := range []string{"Mine", "echomq", "", "two words", "a#2"} {
		if _, err := scenarios.RegisterQueue(name, false, nil); err == nil {
			t.Errorf("%q was accepted", name)
		}
	}
}

// leftover is a queue that holds a job of another run.
type leftover struct{ model.Queue }

func (l leftover) Apply(now model.Time, req model.Request) model.Reply {
	rep := l.Queue.Apply(now, req)
	if req.Op == model.OpClaim && rep.Answer == model.Empty {
		rep.Answer, rep.ID = model.OK, model.ID{NS: model.JOB, Value: 1}
	}
	return rep
}

// What a server holds that another run has left there is no fault of the story's,
// and nothing is held of it.
func TestAJobThatNobodyEnqueuedMakesEverythingUnknown(t *testing.T) {
	built, err := echomq.New("")
	if err != nil {
		t.Fatal(err)
	}
	forget, err := scenarios.RegisterQueue("Left", false, func() (model.Queue, error) { return leftover{built}, nil })
	if err != nil {
		t.Fatal(err)
	}
	defer forget()
	s, err := scenarios.Parse("left", []byte("queue Left\nworkers 2\njob J1\n"))
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.Run(scenarios.Options{})
	if err != nil || out.Lost == nil || !strings.Contains(out.Lost.Error(), "an id that nobody enqueued") || out.Met != scenarios.Inconclusive {
		t.Errorf("err %v, lost %v, %s", err, out.Lost, out.Met)
	}
}
