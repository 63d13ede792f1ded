package scenarios_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// What is left, line by line: what each kind of step makes of a story.
func TestWhatIsLeftOfAStory(t *testing.T) {
	const world = "queue echomq\nworker w1\njob J1\n\n"
	for _, c := range []struct{ says, story, property, want string }{
		{"a crash is a late ACK", "worker bob\njob A\nfault crash bob after=apply A#1 restart=7s\n", "",
			world + "fault delay complete J1#1 by=45s\n"},
		{"a partition is one lost message", "workers 2\njob J1\nfault partition w1 queue time=20ms for=50s\n", "",
			world + "fault drop complete J1#1\n"},
		{"chance is told as a fault", "workers 2\njobs 9\nnetwork loss=9% jitter=3ms\nseed 6\n", "no-duplicate-effect",
			world + "fault drop complete J1#1\n"},
		{"a duplicate needs no round time of its own", "worker w1 work=1s\njob J1 at=1234567us\nfault delay complete J1#1 by=77s\nfault delay enqueue J1 by=3s\n", "",
			world + "fault delay complete J1#1 by=45s\n"},
		{"a server that forgot a second forgets one write", "workers 2\njob J1\nfault crash queue time=30ms lose=10ms restart=3s\n", "no-duplicate-effect",
			world + "fault crash queue time=10ms lose=1w restart=1ms\n"},
		{"do lines go as faults do", "do enqueue A time=1s\ndo enqueue B time=2s\ndo claim by=bob time=3s\ndo claim by=ann time=4s\ndo claim by=ann time=40s\ndo reap time=39s\n" +
			"do complete A#1 by=bob time=5s\ndo complete B#2 by=ann time=41s\ndo remove B time=50s\ndo enqueue B time=51s\ndo claim by=bob time=52s\n", "tokens-rise",
			"queue echomq\n\ndo enqueue J1 time=0s\ndo claim by=ann time=0s\ndo remove J1 time=0s\ndo enqueue J1 time=0s\ndo claim by=bob time=0s\n"},
		{"what the workers are stays", "workers 3 consumer=fenced ack=late heartbeat=1h poll=20ms\nproducer q retries=0\njobs 4 payload=x by=q\nfault drop complete J3#1\nfault? pause w3 time=9m for=1s\n", "",
			"queue echomq\nworker w1 consumer=fenced\njob J1\n\nfault drop complete J1#1\n"},
		{"what it expects, and what may be drawn, go", "workers 2\njobs 2\nchaos drop rate=5%\nquiet time=2m\nfault? drop complete J2#1\nexpect broken no-duplicate-effect\nexpect answer complete J2#1 = lost-request\n", "",
			world + "fault drop complete J1#1\n"},
		{"the first default property that is broken counts", "queue echomq max-attempts=1 promote-every=off\nworker w1 consumer=atomic\njob J1\njob J2 delay=5s\nfault drop complete J1#1\n", "",
			"queue echomq promote-every=off\nworker w1 consumer=atomic\njob J1 delay=5s\n"},
		{"producers go with what they enqueue", "producer a retries=0\nproducer b retries=0\nworker w1\nworker w2\njob A by=a\njob B by=b\nfault drop complete B#1\n", "",
			world + "fault drop complete J1#1\n"},
		{"a job that is enqueued again is one", "producer q\nworker w1\nworker w2\njob A by=q\njob B by=q\ndo enqueue B time=10s by=q\ndo enqueue A time=11s by=q\n", "",
			world + "do enqueue J1 by=p time=0s\n"},
		{"deeds of workers stay theirs", "worker w1\nworker bob\njob A\ndo pause time=0s\ndo claim by=bob time=2s\ndo claim by=bob time=40s\ndo resume time=50s\nfault drop complete A#3\n", "",
			world + "fault drop complete J1#3\n\ndo pause time=0s\ndo claim by=w1 time=10ms\ndo claim by=w1 time=45s\ndo resume time=45s\n"},
		{"a crash at a time is one at a step", "worker w1 consumer=atomic ack=early work=2s\njob J1 at=3s\nfault crash w1 time=4s restart=5s\n", "no-loss",
			"queue echomq\nworker w1 consumer=atomic ack=early\njob J1\n\nfault crash w1 after=settle J1#1 restart=1ms\n"},
		{"a pause before a retry is a late retry", "queue echomq variant=resurrect\nworkers 2 consumer=atomic\njob J1\nfault error apply J1#1\nfault pause w1 before=settle J1#1 for=37s\n", "terminal-absorbing",
			"queue echomq variant=resurrect\nworker w1 consumer=atomic\njob J1\n\nfault error apply J1#1\nfault delay retry J1#1 by=45s\n"},
		{"workers that are alike are told on one line", "worker a consumer=marker-last\nworker b consumer=marker-last\njob J1\nfault pause a before=mark J1#1 for=37s\n", "",
			"queue echomq\nworkers 2 consumer=marker-last\njob J1\n\nfault pause w1 before=mark J1#1 for=45s\n"},
		{"each option goes that is not needed", "seed 7\nqueue echomq reap-every=off lease=20s max-attempts=5 retry-delay=3s promote-every=2s max-stalled=2\nproducer q retries=1 timeout=7s fresh-id\n" +
			"worker w1 work=30ms heartbeat=7s poll=70ms timeout=6s settle-retries=2\njob A at=3s delay=2s fails=1 payload=x\nfault crash w1 after=claim A#1 restart=7s\n", "drains",
			"queue echomq reap-every=off\nworker w1\njob J1\n\nfault delay-reply claim J1#1 by=5s\n"},
		{"a job fails no oftener than is needed", "queue echomq promote-every=off sweep-every=9s\nworker w1\njob A fails=2\n", "drains",
			"queue echomq promote-every=off\nworker w1\njob J1 fails=1\n"},
		{"a heartbeat that is needed stays", "workers 2 work=45s heartbeat=10s\njob J1\nfault stall heartbeat w1 time=1s for=43s\n", "",
			"queue echomq\nworker w1 work=45s heartbeat=10s\njob J1\n\nfault stall heartbeat w1 time=10ms for=30s\n"},
		{"nobody takes the name of one who only speaks", "worker bob\njob Z\ndo enqueue J1 time=20s\ndo claim by=w1 time=21s\ndo complete J1#1 by=w1 time=22s\ndo enqueue J1 time=23s by=w1\ndo claim by=w2 time=24s\n", "no-duplicate-effect",
			"queue echomq\nworker w2\n\ndo enqueue J1 time=0s\ndo enqueue J1 by=w1 time=100ms\n"},
		{"three doubles are one", "queue echomq variant=double-settle\nworkers 2\njobs 3\nfault duplicate complete J1#1 after=5ms\nfault duplicate complete J2#1 after=7s\nfault duplicate claim J1#1 after=5ms\n", "",
			"queue echomq variant=double-settle\nworker w1\njob J1\n\nfault duplicate complete J1#1 after=1ms\n"},
		{"three re-sends are one", "queue echomq variant=double-settle\nworkers 2 settle-retries=3\njobs 2\nfault drop-reply complete J1#1\nfault duplicate complete J1#1 after=6s nth=2\n", "",
			"queue echomq variant=double-settle\nworker w1 settle-retries=1\njob J1\n\nfault drop-reply complete J1#1\n"},
		{"latencies are nominal", "network latency=7ms jitter=3ms\nseed 9\nworkers 2\njobs 2\nfault drop complete J2#1\n", "",
			world + "fault drop complete J1#1\n"},
		{"all begins at once", "queue echomq variant=lifo\nworkers 1 consumer=atomic\njobs 3 every=500ms at=500ms\nfault delay complete J1#1 by=1s\n", "mint-order",
			"queue echomq variant=lifo\nworker w1 consumer=atomic\njobs 2 every=10ms\njob J3 at=100ms\n\nfault delay complete J1#1 by=100ms\n"},
		{"faults are told delivery by delivery", "queue echomq variant=retry-never-dead\nworker w1\njob J1\nfault error apply J1#3\nfault error apply J1#2\nfault error apply J1#1\n", "attempts-bounded",
			"queue echomq variant=retry-never-dead\nworker w1\njob J1\n\nfault error apply J1#1\nfault error apply J1#2\nfault error apply J1#3\n"},
		{"work that was drawn is steady", "seed 7\nqueue echomq lease=5s\nworkers 3 work=exp:3s\njobs 6 every=exp:500ms\n", "no-duplicate-effect",
			"queue echomq lease=5s\nworker w1 work=10s\nworker w2\njob J1\n"},
		{"work that was drawn and is not at stake is as long as any", "seed 7\nworkers 2 work=exp:3s\njobs 3\nfault drop complete J2#1\n", "no-duplicate-effect",
			world + "fault drop complete J1#1\n"},
	} {
		small := shrunk(t, mustParse(t, "it", c.story), c.property)
		if _, text, _ := strings.Cut(string(small.Story.Text()), "\n"); text != c.want {
			t.Errorf("%s: (-want +got)\n%s", c.says, cmp.Diff(c.want, text))
		}
	}
}

// What is drawn for a delivery moves with the number of its job. No worker and no job is
// left that is there to keep the numbers as they are.
func TestNobodyIsLeftForTheSakeOfADraw(t *testing.T) {
	failed := 0
	for seed := range 60 {
		s := mustParse(t, "drawn", fmt.Sprintf("seed %d\nqueue echomq lease=5s\nworkers 3 work=exp:3s\njobs 6 every=exp:500ms\n", seed))
		small, err := s.Shrink("no-duplicate-effect")
		if errors.Is(err, scenarios.ErrNothingBroke) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if failed++; small.After.Workers > 2 || small.After.Jobs > 1 || strings.Contains(string(small.Story.Text()), "exp:") {
			t.Errorf("seed %d is left with\n%s", seed, small.Story.Text())
		}
	}
	if failed < 40 {
		t.Errorf("only %d of 60 seeds fail", failed)
	}
}

// A world that fails by itself when an option is put back is another failure: here
// a heartbeat stalls, and work that outlives its lease without any heartbeat is no
// smaller story of that.
func TestAFailureThatNeedsAFaultGoesOnNeedingOne(t *testing.T) {
	small := shrunk(t, mustParse(t, "stalls", "workers 2 work=45s heartbeat=10s\njob J1\nfault stall heartbeat w1 time=1s for=43s\n"), "")
	if text := string(small.Story.Text()); small.After.Faults != 1 || !strings.Contains(text, "heartbeat=10s") {
		t.Errorf("%s", text)
	}
	if small := shrunk(t, mustParse(t, "lives", "worker w1 work=45s\nworker w2 work=45s\njob J1\nfault drop claim J1#1\n"), ""); small.After.Faults != 0 {
		t.Errorf("it fails without a fault, and is left with one:\n%s", small.Story.Text())
	}
}

// What is tried in the place of a fault, the weakest first: of a crash a late message,
// then a pause; of what stops at a time what stops at a step; of a partition and of an
// outage each message that was lost; of a server that forgets one that forgets less;
// and of any fault the same at an earlier delivery.
func TestFaultsAreWeakenedInOrder(t *testing.T) {
	for _, c := range []struct{ says, story, want string }{
		{"a crash after the claim", "queue echomq lease=20s\nworkers 2\njob J1\nfault crash w1 after=claim J1#1 restart=7s\n",
			"delay-reply claim J1#1 by=40s | delay complete J1#1 by=40s | delay retry J1#1 by=40s | " +
				"pause w1 after=claim J1#1 for=40s | crash w1 after=claim J1#1 restart=7s"},
		{"a crash elsewhere, that lasts", "workers 2 consumer=marker-last\njob J1\nfault crash w1 before=mark J1#1 restart=70s\n",
			"delay complete J1#1 by=1m10s | delay retry J1#1 by=1m10s | pause w1 before=mark J1#1 for=1m10s | " +
				"crash w1 before=mark J1#1 restart=1m10s"},
		{"a crash at a time", "workers 2\njobs 2 every=0s\nfault crash w2 time=10ms restart=95s\n",
			"delay-reply claim J2#1 by=1m35s | delay complete J2#1 by=1m35s | delay retry J2#1 by=1m35s | " +
				"pause w2 after=claim J2#1 for=1m35s | pause w2 before=settle J2#1 for=1m35s | pause w2 after=settle J2#1 for=1m35s | " +
				"pause w2 time=10ms for=1m35s | crash w2 after=claim J2#1 restart=1m35s | crash w2 before=settle J2#1 restart=1m35s | " +
				"crash w2 after=settle J2#1 restart=1m35s | crash w2 time=10ms restart=1m35s"},
		{"a crash of one who holds nothing", "workers 2\njob J1\nfault crash w2 time=10ms restart=95s\n",
			"pause w2 time=10ms for=1m35s | crash w2 time=10ms restart=1m35s"},
		{"a crash of the pump", "workers 2\njob J1\nfault crash pump time=10ms restart=50s\n",
			"pause pump time=10ms for=1m | crash pump time=10ms restart=50s"},
		{"a pause", "workers 2\njob J1\nfault pause w1 after=apply J1#1 for=50s\n",
			"delay complete J1#1 by=50s | delay retry J1#1 by=50s | pause w1 after=apply J1#1 for=50s"},
		{"a pause at a time", "worker w1\njobs 2 every=0s\nfault pause w1 time=40ms for=50s\n",
			"delay-reply claim J2#1 by=50s | delay complete J2#1 by=50s | delay retry J2#1 by=50s | " +
				"pause w1 after=claim J2#1 for=50s | pause w1 before=settle J2#1 for=50s | pause w1 after=settle J2#1 for=50s | " +
				"pause w1 time=40ms for=50s"},
		{"a pause when the claim is answered", "worker w1\njobs 2 every=0s\nfault pause w1 time=4ms for=50s\n",
			"pause w1 time=4ms for=50s"},
		{"a pause just before the claim is answered", "worker w1\njob J1\nfault pause w1 time=3ms for=50s\n",
			"pause w1 time=3ms for=50s"},
		{"a partition", "producer p\nworkers 2\njob J1\nfault partition w1 queue time=20ms for=50s\n",
			"drop complete J1#1 | partition w1 queue time=20ms for=50s oneway | partition queue w1 time=20ms for=50s oneway"},
		{"a partition of one with nothing to do", "workers 2\njob J1\nfault partition w2 queue time=0s for=50s\n",
			"partition w2 queue time=0s for=50s oneway | partition queue w2 time=0s for=50s oneway"},
		{"a partition that cuts copies too", "worker w1 heartbeat=10s work=15s settle-retries=1\njob J1\nfault partition w1 queue time=5s for=18s\nfault duplicate extend J1#1 after=50ms\n",
			"drop extend J1#1 | drop complete J1#1 | drop extend J1#1 nth=2 | drop complete J1#1 nth=2 | " +
				"partition w1 queue time=5s for=18s oneway | partition queue w1 time=5s for=18s oneway"},
		{"a partition beside a lost message", "worker w1 settle-retries=2\njob J1\nfault partition w1 queue time=3s for=3s\nfault drop complete J1#1\n",
			"drop complete J1#1 nth=2 | partition w1 queue time=3s for=3s oneway | partition queue w1 time=3s for=3s oneway"},
		{"a partition one way", "worker w1\njob J1\nfault partition queue w1 time=2ms for=9s oneway\n",
			"drop-reply claim J1#1"},
		{"an outage", "workers 2\njobs 2\nfault crash queue time=21ms restart=5s\n",
			"drop complete J1#1 | drop enqueue J2"},
		{"an outage that forgets", "workers 2\njobs 2\nfault crash queue time=21ms restart=5s lose=3w\n",
			"drop complete J1#1 | drop enqueue J2 | crash queue time=21ms restart=5s | crash queue time=21ms lose=1w restart=5s | " +
				"crash queue time=21ms lose=2w restart=5s"},
		{"an outage that forgets much", "worker w1\njob J1\nfault crash queue time=2s restart=5s lose=11w\n",
			"crash queue time=2s restart=5s | crash queue time=2s lose=1w restart=5s | crash queue time=2s lose=2w restart=5s | " +
				"crash queue time=2s lose=3w restart=5s | crash queue time=2s lose=4w restart=5s | " +
				"crash queue time=2s lose=5w restart=5s | crash queue time=2s lose=6w restart=5s | " +
				"crash queue time=2s lose=7w restart=5s | crash queue time=2s lose=8w restart=5s"},
		{"an outage that forgets a time", "worker w1\njob J1\nfault crash queue time=2s restart=5s lose=20ms\n",
			"crash queue time=2s restart=5s | crash queue time=2s lose=1w restart=5s | crash queue time=2s lose=2w restart=5s | " +
				"crash queue time=2s lose=3w restart=5s | crash queue time=2s lose=4w restart=5s | " +
				"crash queue time=2s lose=5w restart=5s | crash queue time=2s lose=6w restart=5s | " +
				"crash queue time=2s lose=7w restart=5s | crash queue time=2s lose=8w restart=5s"},
		{"a lost message", "worker w1\njob J1\nfault drop complete J1#1\n", ""},
		{"a late one", "worker w1\njob J1\nfault delay complete J1#5 by=2s nth=2\n",
			"delay complete J1#1 by=2s | delay complete J1#2 by=2s | delay complete J1#3 by=2s | delay complete J1#5 by=2s"},
		{"a lost reply", "worker w1\njob J1\nfault drop-reply complete J1#2\n",
			"drop-reply complete J1#1"},
		{"a lost second reply", "worker w1\njob J1\nfault drop-reply complete J1#2 nth=2\n",
			"drop-reply complete J1#1 | drop-reply complete J1#2"},
		{"a lost enqueue", "worker w1\njob J1\nfault drop enqueue J1 nth=2\n",
			"drop enqueue J1"},
		{"a stalled heartbeat", "worker w1 heartbeat=10s\njob J1\nfault stall heartbeat w1 time=3s for=7s\n", ""},
		{"an error", "worker w1\njob J1\nfault error apply J1#2\n",
			"error apply J1#1"},
		{"the third double", "worker w1\njob J1\nfault duplicate complete J1#1 after=7s nth=3\n",
			"duplicate complete J1#1 after=7s"},
	} {
		s := mustParse(t, "it", c.story)
		var tried []string
		for _, weaker := range scenarios.WeakerThanFirst(s) {
			for line := range strings.Lines(string(weaker.Text())) {
				if rest, ok := strings.CutPrefix(line, "fault "); ok {
					tried = append(tried, strings.TrimSpace(rest))
					break
				}
			}
		}
		if got := strings.Join(tried, " | "); got != c.want {
			t.Errorf("in the place of %s is tried\n%s\nwant\n%s", c.says, got, c.want)
		}
	}
}

// A time is tried as each round one below it, the shortest first, and one that is not
// round as the next round one above it and as a coarser one. A round one grows no more.
func TestTimesAreRoundedInOrder(t *testing.T) {
	const ms, s, m = time.Millisecond, time.Second, time.Minute
	for d, want := range map[time.Duration][]time.Duration{
		ms:                nil,
		5 * s:             {ms, 10 * ms, 100 * ms, s, 2 * s},
		-7 * s:            {-ms, -10 * ms, -100 * ms, -s, -2 * s, -5 * s, -10 * s},
		1234567:           {ms, 10 * ms, 2 * ms},
		123456 * ms / 100: {ms, 10 * ms, 100 * ms, s, 2 * s, 2 * s, 1300 * ms, 1240 * ms, 1235 * ms},
		2 * time.Hour:     {ms, 10 * ms, 100 * ms, s, 2 * s, 5 * s, 10 * s, 20 * s, 30 * s, 45 * s, m, 2 * m, 5 * m, 10 * m, 30 * m, time.Hour},
	} {
		if diff := cmp.Diff(want, scenarios.Rounder(d)); diff != "" {
			t.Errorf("%v: (-want +got)\n%s", d, diff)
		}
	}
}

// All happens earlier, jobs, deeds and windows alike, from the first job or deed on,
// be it the one or the other.
func TestAllBeginsAtOnce(t *testing.T) {
	for _, c := range []struct{ was, is string }{
		{"job J1 at=3s\njob J2 at=5s\n\nfault pause w1 time=1s for=2s\nfault drop complete J1#1\nfault clock queue time=10s jump=+1s\n\ndo reap time=4s\n",
			"job J1\njob J2 at=2s\n\nfault pause w1 time=0s for=2s\nfault drop complete J1#1\nfault clock queue time=7s jump=+1s\n\ndo reap time=1s\n"},
		{"job J1 at=3s\n\ndo reap time=2s\n", "job J1 at=1s\n\ndo reap time=0s\n"},
		{"job J1\njob J2 at=1s\n", "job J1\njob J2 at=1s\n"},
	} {
		const world = "story it\nqueue echomq\nworker w1\n"
		got := string(scenarios.BegunAtOnce(mustParse(t, "it", world+c.was)).Text())
		want := string(mustParse(t, "it", world+c.is).Text())
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	}
}

// What is dropped first changes nothing: the network draws as long as it did. And the
// story that was given stays as it was.
func TestTheFirstRunIsThatOfTheStory(t *testing.T) {
	tried := 0
	for seed := range 12 {
		for _, quiet := range []string{"", "quiet time=10s\n", "quiet time=10h\n"} {
			for _, until := range []string{"", " until=9s", " until=11s"} {
				text := fmt.Sprintf("producer p\nworker w1\nworker w2\njobs 9 every=2s\nnetwork loss=20%%%s\nseed %d\n%sfault? pause w2 time=1h for=1s\n", until, seed, quiet)
				s := mustParse(t, "it", text)
				whole := string(s.Text())
				out, err := s.Run(scenarios.Options{})
				if err != nil {
					t.Fatal(err)
				}
				small, err := s.Shrink("no-duplicate-effect")
				if errors.Is(err, scenarios.ErrNothingBroke) {
					continue
				}
				if tried++; err != nil || small.Before.Events != len(out.History.Events) {
					t.Errorf("%d events, before shrinking %+v, %v:\n%s", len(out.History.Events), small.Before, err, text)
				}
				if diff := cmp.Diff(whole, string(s.Text())); diff != "" {
					t.Errorf("(-as it was +after shrinking)\n%s", diff)
				}
			}
		}
	}
	if tried < 50 {
		t.Errorf("only %d of the worlds fail", tried)
	}
}

// What the network draws is told as faults, of which some are needed.
func TestChanceIsToldAsFaults(t *testing.T) {
	for _, network := range []string{"loss=30%", "loss=20% reply-loss=20% jitter=5ms", "loss=10% duplicate=30%", "loss=20% reply-loss=20% duplicate=30% jitter=5ms"} {
		eachFailing(t, "producer p\nworkers 2 settle-retries=1\njobs 3\nnetwork "+network+"\n", func(t *testing.T, small *scenarios.Shrunk) {
			if text := string(small.Story.Text()); small.After.Faults == 0 || !small.Minimal || strings.Contains(text, "network") {
				t.Errorf("minimal %v:\n%s", small.Minimal, text)
			}
		})
	}
}

// Without what the network draws the heartbeats hold, and so they go on in what is
// left.
func TestAFailureByChanceGoesOnNeedingAFault(t *testing.T) {
	eachFailing(t, "workers 2 work=45s heartbeat=10s\njobs 2\nnetwork loss=50%\n", func(t *testing.T, small *scenarios.Shrunk) {
		if text := string(small.Story.Text()); small.After.Faults == 0 {
			t.Error(text)
		}
	})
}

// eachFailing shrinks the story of each of some seeds that does an effect twice.
func eachFailing(t *testing.T, text string, check func(*testing.T, *scenarios.Shrunk)) {
	t.Helper()
	const seeds, enough = 60, 5
	tried := 0
	for seed := range seeds {
		s := mustParse(t, "it", fmt.Sprint(text, "seed ", seed, "\n"))
		small, err := s.Shrink("no-duplicate-effect")
		if errors.Is(err, scenarios.ErrNothingBroke) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		tried++
		check(t, small)
	}
	if tried < enough {
		t.Errorf("of %d only %d fail:\n%s", seeds, tried, text)
	}
}

// A queue that cannot be opened any more ends the search with its error, whenever
// that is.
func TestAQueueThatCannotBeOpenedEndsTheSearch(t *testing.T) {
	s := mustParse(t, "it", "queue echomq backend=closing\nworkers 2\njobs 2\nfault drop complete J2#1\n")
	for opens := 0; ; opens++ {
		closing.opens = opens
		small, err := s.Shrink("")
		if err == nil {
			if opens < 20 || !small.Minimal || small.Outcome == nil {
				t.Errorf("after %d runs it is shrunk to %+v", opens, small)
			}
			return
		}
		if !errors.Is(err, errClosed) || small != nil {
			t.Fatalf("after %d runs: %v, %v", opens, small, err)
		}
		if closing.opens < -1 {
			t.Fatalf("after %d runs the queue was closed, and it was opened %d times more", opens, -closing.opens)
		}
	}
}

// closing is a backend that can be opened so many times. Its queues cannot be emptied,
// so that each run opens one.
var closing struct{ opens int }

var errClosed = errors.New("it is closed")

func init() {
	honest, _ := model.FindBody("echomq", "go")
	model.Register(model.Body{Protocol: "echomq", Backend: "closing", Unlisted: true, Open: func(variant string) (model.Queue, error) {
		if closing.opens--; closing.opens < 0 {
			return nil, errClosed
		}
		queue, err := honest.Open(variant)
		return struct{ machine }{queue.(machine)}, err
	}})
}
