package reports

import (
	"slices"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// late are messages that a fault delays, each with the rows that say so: where the
// request was sent; where it arrived if nobody recorded that; where its answer was given.
var late = []struct{ what, story, rows string }{
	{"complete", "worker w1\njob J1\nfault delay complete J1#1 by=20s",
		"0.024s complete J1#1: late by 20s"},
	{"enqueue", "worker w1\njob J1\nfault delay enqueue J1 by=100ms",
		"0.000s enqueue J1: late by 100ms"},
	{"the second of two enqueues", "worker w1\njob J1\nfault drop enqueue J1\nfault delay enqueue J1 by=100ms nth=2",
		"0.000s enqueue J1: lost\n5.000s enqueue J1: late by 100ms"},
	{"a claim that is served another job", "worker w1 work=1m\njob J1 at=1s\njob J2 at=8s\nfault delay claim J1#1 by=10s",
		"1.052s claim: late by 10s"},
	{"one claim of two whose answers are late as well", "network latency=3s\nworkers 2\njobs 2 every=0s\nfault delay claim J2#1 by=1s",
		"5.000s claim: late by 1s"},
	{"both of two claims", "workers 2\njob J1\nfault delay claim J1#1 by=1s\nfault delay claim J1#1 by=1s nth=2",
		"0.002s claim: late by 1s\n0.002s claim: late by 1s"},
	{"the later and the earlier of two claims", "workers 2\njob J1\nfault delay claim J1#1 by=1s nth=2\nfault delay claim J1#1 by=3s",
		"0.002s claim: late by 3s\n0.002s claim: late by 1s"},
	{"a claim that the network alone may have held up", "network latency=1s jitter=2s\nworker w1\njob J1\nfault delay claim J1#1 by=1s",
		""},
	{"a beat", "worker w1 work=45s heartbeat=10s\njob J1\nfault delay extend J1#1 by=2s nth=2",
		"20.004s extend J1#1: late by 2s"},
	{"what is lost later all the same", "worker w1\njob J1\nfault delay complete J1#1 by=20s\nfault crash queue time=20s restart=2s",
		"0.024s complete J1#1: late by 20s\n20.000s : queue crashes, back at 22.000s"},
	{"what is on its way at the end", "worker w1\njob J1\nhorizon 3s\nfault delay complete J1#1 by=20s",
		"0.024s complete J1#1: late by 20s"},
	{"a call to the outside", "worker w1 consumer=external\njob J1\nfault delay apply J1#1 by=20s",
		"20.024s apply: effect 2, late by 20s"},
	{"a raw request", "do enqueue J1 time=0s\ndo claim by=w1 time=1s\ndo extend J1#1 by=w1 time=2s\nfault delay extend J1#1 by=3s\nfault delay claim J1#1 by=500ms",
		"1.500s J1#1: token 1, lease 30s, by hand, late by 500ms\n5.000s extend J1#1: until 35.000s, by hand, late by 3s"},
	{"a raw request that comes when the next is due", "do enqueue J1 time=0s\ndo claim by=w1 time=1s\ndo extend J1#1 by=w1 time=2s\ndo extend J1#1 by=w1 time=5s\nfault delay extend J1#1 by=3s",
		""},
	{"a call to the outside that is doubled", "worker w1 consumer=external\njob J1\nfault delay apply J1#1 by=2s\nfault duplicate apply J1#1 after=1s",
		"2.024s apply: effect 2, late by 2s"},
	{"one that is doubled later still", "worker w1 consumer=external\njob J1\nfault delay apply J1#1 by=1s\nfault duplicate apply J1#1 after=2s",
		"1.024s apply: effect 1, late by 1s"},
	{"the answer to a complete", "worker w1\njob J1\nfault delay-reply complete J1#1 by=9s",
		"0.025s complete J1#1: done, answer late by 9s"},
	{"the first answer to an enqueue", "worker w1\njob J1\nfault drop enqueue J1\nfault delay-reply enqueue J1 by=1ms",
		"0.000s enqueue J1: lost\n5.001s enqueue J1: enqueued, answer late by 1ms"},
	{"the answer to a beat", "worker w1 work=45s heartbeat=10s\njob J1\nfault delay-reply extend J1#1 by=2s nth=3",
		"30.005s extend J1#1: until 60.005s, answer late by 2s"},
	{"a grant", "worker w1\njob J1\nfault delay-reply claim J1#1 by=100ms",
		"0.003s J1#1: token 1, lease 30s, there at 0.104s"},
	{"a grant that is on its way at the end", "worker w1\njob J1\nhorizon 3s\nfault delay-reply claim J1#1 by=20s",
		"0.003s J1#1: token 1, lease 30s, still on its way at the end"},
	{"the answer from the outside", "worker w1 consumer=external\njob J1\nfault delay-reply apply J1#1 by=20s",
		"0.024s apply: effect 1, answer late by 20s"},
	{"what the link loses at once is not late", "worker w1\njob J1\nfault delay complete J1#1 by=20s\nfault partition w1 queue time=23ms for=1s",
		"0.023s cut: nothing passes until 1.023s"},
}

func TestWhatAFaultDelaysIsMarkedAsOne(t *testing.T) {
	for _, c := range late {
		t.Run(c.what, func(t *testing.T) {
			var got []string
			for _, r := range rowsOf(Of(outcomeOf(t, c.story), "", "")) {
				if note, _, isFault := strings.Cut(r.note, byFault); isFault {
					got = append(got, r.at.String()+" "+r.label+": "+note)
				}
			}
			if got := strings.Join(got, "\n"); got != c.rows {
				t.Errorf("the rows of faults are\n%s\nwant\n%s", got, c.rows)
			}
		})
	}
}

// Of a message that is late and arrives the row where it was sent has no cross.
func TestALateMessageIsNotDrawnAsLost(t *testing.T) {
	rows := rowsOf(Of(outcomeOf(t, late[0].story), "", ""))
	i := slices.IndexFunc(rows, func(r row) bool { return strings.HasPrefix(r.note, "late by") })
	if i < 0 || !rows[i].isOpen || isLostMessage(&rows[i]) {
		t.Errorf("row %d of %+v: want one that is open", i, rows)
	}
}

// In random worlds each delay is found, whatever else befalls the world, but of messages that
// are lost as well.
func TestEveryDelayOfARandomWorldIsFound(t *testing.T) {
	story, err := scenarios.Parse("late", []byte(`workers 3 heartbeat=10s work=12s settle-retries=1
jobs  5 every=300ms
chaos delay rate=15% by=1ms..60s
chaos delay-reply rate=15% by=1ms..60s
chaos duplicate rate=3%
chaos drop rate=3%
chaos pause rate=5% for=1s..40s
quiet time=2m
`))
	if err != nil {
		t.Fatal(err)
	}
	campaign, err := scenarios.NewCampaign(story)
	if err != nil {
		t.Fatal(err)
	}
	delays := 0
	runner := scenarios.NewRunner()
	for seed := range uint64(100) {
		world, err := runner.World(campaign, seed+1, true)
		if err != nil {
			t.Fatal(err)
		}
		told, want := campaign.Tell(world), 0
		for _, e := range told.Plan {
			isLost := func(o faults.Entry) bool { return o.Point == e.Point && o.Outcome.Has(faults.Drop) }
			if e.Outcome.Has(faults.Delay) && !slices.ContainsFunc(told.Plan, isLost) {
				want++
			}
		}
		list := lateOf(told, world.Outcome.History)
		if list = slices.Compact(list); len(list) != want {
			t.Errorf("seed %d: %d of %d delays are found", seed+1, len(list), want)
		}
		delays += want
	}
	if err := runner.Close(); err != nil {
		t.Error(err)
	}
	if delays < 300 {
		t.Errorf("%d delays are too few to mean something", delays)
	}
}

// Calls to the outside are told by their numbers, and not by when they arrive.
func TestTheNthCallIsTheOneOfTheNthNumber(t *testing.T) {
	h := &model.History{}
	call := model.Event{Kind: model.Effected, Job: 1, N: 1, Call: 7}
	for _, e := range []model.Event{{Kind: model.TimedOut, Op: model.OpApply, Job: 1, N: 1, Call: 5}, call, {Kind: model.Lost, Op: model.OpApply, Job: 1, N: 1, Call: 6}} {
		h.Add(e, nil)
	}
	call.Call = 5
	h.Add(call, nil)
	for nth, want := range []int32{1: 4, 2: 0, 3: 2, 4: 0} {
		d := faults.Entry{Point: faults.Point{Family: faults.Message, Op: model.OpApply, Job: 1, N: 1, Nth: int32(nth)}, Outcome: faults.Outcome{Kinds: faults.Delay}}
		got := int32(0)
		for _, l := range lateOf(&scenarios.Story{Plan: faults.Plan{d}}, h) {
			got = l.Seq
		}
		if nth > 0 && got != want {
			t.Errorf("call %d is told at event %d, want %d", nth, got, want)
		}
	}
}
