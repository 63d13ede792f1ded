package scenarios_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/actors"
)

const toSet = `# comments count as lines

workers 3 work=1s
job J1
fault pause w2 after=apply J1#1 for=45s
do retry J1#1 by=w1 time=1s
expect broken no-duplicate-effect
expect chaos may-break no-loss
----
a history
`

func TestSetChangesOneOptionAndNothingElse(t *testing.T) {
	for _, c := range []struct {
		key, value string
		change     func(*scenarios.Story)
	}{
		{"w2.consumer", "atomic", func(s *scenarios.Story) { s.Workers[1].Consumer = actors.Atomic }},
		{"w3.work", "5s", func(s *scenarios.Story) { s.Workers[2].Work = 5 * time.Second }},
		{"queue.lease", "10s", func(s *scenarios.Story) { s.Queue.Lease = 10 * time.Second }},
		{"queue.sweep-every", "1s", func(s *scenarios.Story) { s.Queue.SweepEvery = time.Second }},
		{"network.loss", "5%", func(s *scenarios.Story) { s.Network.Loss = 50_000 }},
		{"p.fresh-id", "on", func(s *scenarios.Story) { s.Producers[0].FreshID = true }},
		{"J1.payload", "a b # c", func(s *scenarios.Story) { s.Jobs[0].Payload = "a b # c" }},
	} {
		want := mustParse(t, "f", toSet)
		want.Expects, want.MayBreak, want.HasHistory, want.History = nil, nil, false, ""
		c.change(want)
		got, err := mustParse(t, "f", toSet).Set(c.key, c.value)
		if err != nil {
			t.Errorf("%s=%s: %v", c.key, c.value, err)
			continue
		}
		if diff := cmp.Diff(want, got, butLines); diff != "" {
			t.Errorf("%s=%s (-want +got)\n%s", c.key, c.value, diff)
		}
	}
}

func TestSetCanBeRepeatedAndTakenBack(t *testing.T) {
	s := mustParse(t, "f", toSet)
	on, err := s.Set("p.fresh-id", "on")
	if err != nil {
		t.Fatal(err)
	}
	off, err := on.Set("p.fresh-id", "off")
	if err != nil {
		t.Fatal(err)
	}
	if !on.Producers[0].FreshID || off.Producers[0].FreshID || s.Producers[0].FreshID {
		t.Errorf("fresh-id is %v, then %v; in the original %v", on.Producers[0].FreshID, off.Producers[0].FreshID, s.Producers[0].FreshID)
	}
}

func TestSetLeavesLinesWhereTheyWere(t *testing.T) {
	s, err := mustParse(t, "f", toSet).Set("w2.consumer", "atomic")
	if err != nil {
		t.Fatal(err)
	}
	if got := [4]int{s.Workers[1].Line, s.Jobs[0].Line, s.Plan[0].Line, s.Dos[0].Line}; got != [4]int{3, 4, 5, 6} {
		t.Errorf("worker, job, fault and deed are at lines %v", got)
	}
}

func TestSetRefusesWhatTheStoryCannotBe(t *testing.T) {
	for _, c := range []struct{ key, value, want string }{
		{"w2", "atomic", `--set "w2": write OWNER.OPTION=VALUE, as w1.consumer=atomic or queue.lease=10s`},
		{"w2.", "atomic", `--set "w2.": write OWNER.OPTION=VALUE, as w1.consumer=atomic or queue.lease=10s`},
		{"w4.consumer", "atomic", `--set "w4.consumer": unknown owner "w4"; did you mean "w1"? allowed: queue, network, p, w1, w2, w3, J1`},
		{"w2.consmer", "atomic", "--set \"w2.consmer\"=\"atomic\":\n" + `f:3: worker w2: unknown option "consmer"; did you mean "consumer"? allowed: consumer, ack, work, heartbeat, poll, timeout, settle-retries`},
		{"w2.work", "-1s", "--set \"w2.work\"=\"-1s\":\nf:3: worker w2: work=-1s must not be negative"},
		{"w2.consumer", "scorer", "--set \"w2.consumer\"=\"scorer\":\n" + `f:5: fault pause w2: unknown step of its consumer "apply"; allowed: claim, read, insert, count, board, publish, close, pay, settle`},
		{"w2.\x1b", "x", "--set \"w2.\\x1b\"=\"x\":\n" + `f:3: worker w2: unknown option "\x1b"; allowed: consumer, ack, work, heartbeat, poll, timeout, settle-retries`},
	} {
		_, err := mustParse(t, "f", toSet).Set(c.key, c.value)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s=%s\n got %v\nwant %s", c.key, c.value, err, c.want)
		}
	}
}

func TestSetRefusesAStoryTooLargeForOneLineAJob(t *testing.T) {
	s := mustParse(t, "f", "jobs 100000 payload="+strings.Repeat("x", scenarios.MaxPayload))
	if _, err := s.Set("queue.lease", "1s"); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Errorf("got %v", err)
	}
}
