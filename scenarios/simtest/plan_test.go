package simtest_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/ackgap/ackgap/model/queuetest"
	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/actors"
	"github.com/ackgap/ackgap/scenarios/simtest"
)

func TestAPlanOfBytesCanBeRead(t *testing.T) {
	s := simtest.NewConsumer(t, naive).Story()
	for _, c := range []struct {
		plan string
		want []string
	}{
		{"", nil},
		{"dc11", []string{"drop complete J1#1"}},
		{"dc11 dc11", []string{"drop complete J1#1"}},
		{"ra32", []string{"drop-reply apply J3#2"}},
		{"cm21", []string{"crash w1 after=commit J2#1 restart=5s", "crash w2 after=commit J2#1 restart=5s"}},
		{"Pk11", []string{"pause w1 before=settle J1#1 for=45s", "pause w2 before=settle J1#1 for=45s"}},
		{"ea11 dc", []string{"error apply J1#1"}},
	} {
		if diff := cmp.Diff(c.want, simtest.Plan(s, []byte(c.plan))); diff != "" {
			t.Errorf("%q: %s", c.plan, diff)
		}
	}
}

func TestEveryByteStringIsAPlanThatRuns(t *testing.T) {
	c := simtest.NewConsumer(t, keyPerJob)
	rapid.Check(t, func(t *rapid.T) {
		plan := rapid.SliceOfN(rapid.Byte(), 0, 24).Draw(t, "plan")
		if _, err := c.RunPlan(plan); err != nil {
			t.Fatalf("%q: %v", plan, err)
		}
	})
}

func TestAPlanOfAWorldWithoutJobsIsEmpty(t *testing.T) {
	c := simtest.NewConsumer(t, keyPerJob, simtest.Story("worker w1\nchaos drop claim rate=10%\nquiet time=1m"))
	if got := simtest.Plan(c.Story(), []byte("dc11 ca12")); got != nil {
		t.Errorf("it names %v", got)
	}
}

func TestEveryWordMeansAnotherFault(t *testing.T) {
	s := simtest.NewConsumer(t, naive).Story()
	seen := map[string]string{}
	for _, w := range simtest.Words(s) {
		fault := strings.Join(simtest.Plan(s, []byte(w)), "; ")
		if before, twice := seen[fault]; twice || fault == "" {
			t.Errorf("%s and %s both mean %q", before, w, fault)
		}
		seen[fault] = w
	}
}

// A queue's workers have steps of their own.
func TestAPlanForAQueueNamesWhatItsWorkersDo(t *testing.T) {
	plain := simtest.NewQueue(t, variant(t, ""))
	beating := simtest.NewQueue(t, variant(t, ""), simtest.Claims(queuetest.Extends))
	for _, c := range []struct {
		queue *simtest.Queue
		plan  string
		want  []string
	}{
		{plain, "ch11", []string{"crash w1 after=check J1#1 restart=5s", "crash w2 after=check J1#1 restart=5s"}},
		{plain, "cm11 da11 dx11", nil},
		{beating, "dx11", []string{"drop extend J1#1"}},
	} {
		if diff := cmp.Diff(c.want, simtest.Plan(c.queue.Story(), []byte(c.plan))); diff != "" {
			t.Errorf("%q: %s", c.plan, diff)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		plan := rapid.SliceOfN(rapid.Byte(), 0, 24).Draw(t, "plan")
		if _, err := beating.RunPlan(plan); err != nil {
			t.Fatalf("%q: %v", plan, err)
		}
	})
}

func FuzzHardened(f *testing.F) {
	simtest.FuzzQueue(f, variant(f, "hardened"), simtest.Claims(append(held, queuetest.Extends)...))
}

func FuzzKeyPerJob(f *testing.F) { simtest.FuzzConsumer(f, keyPerJob) }

func BenchmarkKeyPerJob(b *testing.B) { simtest.BenchConsumer(b, keyPerJob) }

// The line that a fuzz target prints runs the story and no plan.
func TestAFuzzTargetReplaysAToken(t *testing.T) {
	forget, err := scenarios.RegisterHandler("FuzzKeyPerJob", func() actors.Outside { return nil }) // in the other process it is there
	if err != nil {
		t.Fatal(err)
	}
	defer forget()
	story, err := scenarios.Parse("t.story", []byte("worker w1 consumer=handler:FuzzKeyPerJob\njob J1\nfault drop complete J1#1\n"))
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(os.Args[0], "-test.run=^FuzzKeyPerJob$", "-test.v")
	c.Env = append(os.Environ(), simtest.Replay+"="+scenarios.NewToken("simtest:FuzzKeyPerJob", 0, story))
	out, err := c.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "every promise is held") || !strings.Contains(string(out), "fault drop complete J1#1") {
		t.Errorf("%v: %s", err, out)
	}
}
