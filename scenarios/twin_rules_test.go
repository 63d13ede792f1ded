package scenarios_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// Whatever a queue does where it cannot know, it does in both histories: one of them
// pays, unless the consumer sees to it.
func TestEachRuleIsRightInOneHistoryAlone(t *testing.T) {
	type rule = scenarios.Rule
	lostAck := "worker w1%s\nworker w2%s\njob J1\nfault drop complete J1#1"
	for _, c := range []struct {
		what, story   string
		again, silent rule
	}{
		{"a naive consumer", with(lostAck, ""), rule{2, 1, true}, rule{1, 0, false}},
		{"an atomic one", with(lostAck, " consumer=atomic"), rule{1, 1, true}, rule{1, 0, false}},
		{"the work never ran", "worker w1\nworker w2\njob J1\nfault drop-reply claim J1#1", rule{1, 2, true}, rule{0, 1, false}},
		{"nobody reaps", "queue echomq reap-every=off\n" + with(lostAck, ""), rule{2, 1, false}, rule{1, 0, true}},
		{"the reaper is dead", with(lostAck, "") + "\nfault crash pump time=10s", rule{2, 1, false}, rule{1, 0, true}},
		{"the mutant that drops what it reaps", "queue echomq variant=reap-forgets\n" + with(lostAck, ""), rule{2, 1, false}, rule{1, 0, true}},
		{"an operator reaps", "queue echomq reap-every=off\n" + with(lostAck, "") + "\ndo reap time=40s", rule{2, 1, true}, rule{1, 0, false}},
		{"the second ACK is lost too", with(lostAck, "") + "\nfault drop complete J1#2", rule{3, 2, true}, rule{1, 0, false}},
	} {
		t.Run(c.what, func(t *testing.T) {
			story, h := ran(t, c.story)
			got, ok := story.Rules(h, story.FindTwin(h, faults.Queue, 1, 1))
			if diff := cmp.Diff(scenarios.Rules{Again: c.again, Silent: c.silent}, got); !ok || diff != "" {
				t.Errorf("ok is %v (-want +got):\n%s", ok, diff)
			}
		})
	}
}

// Silence begins with the act: what was done before it stays done.
func TestSilenceBeginsWithTheAct(t *testing.T) {
	for _, reaps := range []string{"reap-every=off\ndo reap time=40s\ndo reap time=80s", "reap-every=1s"} {
		story, h := ran(t, "worker w1\nworker w2\njob J1\nfault drop complete J1#1\nfault drop complete J1#2\nqueue echomq "+reaps)
		got, ok := story.Rules(h, story.FindTwin(h, faults.Queue, 1, 2))
		want := scenarios.Rules{Again: scenarios.Rule{Here: 3, There: 2, IsRun: true}, Silent: scenarios.Rule{Here: 2, There: 1}}
		if diff := cmp.Diff(want, got); !ok || diff != "" {
			t.Errorf("%s: ok is %v (-want +got):\n%s", reaps, ok, diff)
		}
	}
}

// Where a world cannot be made to follow both rules, nothing is said of either.
func TestARuleThatCannotBeFollowedIsNotTold(t *testing.T) {
	for _, c := range []struct {
		what, story string
		observer    model.Proc
	}{
		{"nobody is there to take it", "queue echomq\nworker w1\njob J1\nfault crash w1 after=apply J1#1", faults.Queue},
		{"it is settled", "worker w1 ack=early\njob J1\nfault crash w1 before=apply J1#1", faults.Queue},
		{"a worker asks", "worker w1\njob J1\nfault drop complete J1#1", worker},
		{"a worker asks, and the job goes on in both", "queue echomq retry-delay=20s\nworker w1\nworker w2\njob J1 fails=1\nfault drop retry J1#1", worker},
		{"only in the run somebody comes back", "worker w1\njob J1\njob J2 at=5s\nfault crash w1 before=apply J1#1 restart=40s", faults.Queue},
		{"there is no twin", "worker w1\njob J1", faults.Queue},
	} {
		story, h := ran(t, c.story)
		k := story.FindTwin(h, c.observer, 1, 1)
		if rules, ok := story.Rules(h, k); ok {
			t.Errorf("%s: and yet %+v (twin %v)", c.what, rules, k.Twin.Wrong())
		}
	}
}

// What is asked of a run is about the first of its broken properties that is about an
// effect, and about the delivery after which the queue might have known better.
func TestWhatIsAskedOfARun(t *testing.T) {
	const lost = "fault drop complete J1#1\n"
	for _, c := range []struct {
		what, story, property string
		j                     model.Job
		n                     int32
	}{
		{"two effects", "worker w1\njob J0\njob J1\n" + lost, "no-duplicate-effect", 2, 1},
		{"the later delivery had its effect first", "worker w1\nworker w2\njob J1\nfault pause w1 before=apply J1#1 for=45s", "no-duplicate-effect", 1, 1},
		{"two effects, and another job is stuck",
			"queue echomq promote-every=off\nworker w1\njob J0 fails=1\njob J1\n" + lost, "no-duplicate-effect", 2, 1},
		{"a loss", "queue echomq variant=reap-forgets\nworker w1\njob J1\n" + lost, "no-loss", 1, 1},
		{"a job that is stuck", "queue echomq reap-every=off\nworker w1\njob J0\njob J1\n" + lost, "drains", 2, 1},
		{"a run that is cut, of which it is unknown", "worker w1\njob J1\nfault drop complete J1#1\nhorizon 20s", "", 0, 0},
		{"all is well", "worker w1\njob J1", "", 0, 0},
		{"two effects of one delivery", "worker w1 consumer=external\njob J1\nfault duplicate apply J1#1 after=1ms", "", 0, 0},
		{"two effects under two ids", "producer p retries=1 fresh-id\nworker w1\njob J1\nfault drop-reply enqueue J1", "", 0, 0},
		{"a property of the queue's own record", "queue echomq variant=lifo\nworker w1 work=1s\njobs 4", "", 0, 0},
		{"a stuck job that nobody claimed", "queue echomq promote-every=off\nworker w1\njob J1 delay=1s", "", 0, 0},
	} {
		t.Run(c.what, func(t *testing.T) {
			story := mustParse(t, "t.story", c.story)
			out := run(t, story)
			property, k := out.CouldHaveKnown(faults.Queue)
			if k == nil {
				k = &scenarios.Knowledge{}
			}
			if property != c.property || k.Job != c.j || k.N != c.n {
				t.Errorf("asked about %d#%d, for %q; broken are %v", k.Job, k.N, property, brokenOf(out))
			}
		})
	}
}

// with puts the options of both workers into a story.
func with(story, options string) string {
	return strings.ReplaceAll(story, "%s", options)
}
