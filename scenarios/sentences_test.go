package scenarios_test

import (
	"strings"
	"testing"

	"github.com/ackgap/ackgap/scenarios"
)

// Each story stands for one sentence of the language: what it says happens at
// the edges, where two readings would differ in what comes of the story.
var sentences = []struct{ says, story string }{
	{"a claim request that is lost was one for the delivery that it would have got", `
		do enqueue J1 time=0s
		do claim by=w1 time=1s
		fault drop claim J1#1
		expect answer claim J1#1 = lost-request
		expect deliveries J1 = 0`},
	{"nth counts requests, those that a partition swallows too", `
		worker w1 settle-retries=2 work=1s
		job J1
		fault partition w1 queue time=500ms for=4s
		fault drop complete J1#1 nth=2
		expect answer complete J1#1 = ok
		expect deliveries J1 = 1`},
	{"the partition that swallows a message has fired, not one that is over", `
		worker w1 work=1s
		job J1
		fault partition w1 queue time=500ms for=10s
		fault? partition w1 queue time=600ms for=100ms
		expect answer complete J1#1 = lost-request
		expect broken no-duplicate-effect`},
	{"an answer that waits is taken on waking, before the timeout of that very instant", `
		worker w1 settle-retries=1
		job J1
		fault pause w1 time=25ms for=4999ms
		expect answer complete J1#1 = ok
		expect effects J1 = 1`},
	{"a stall within a stall ends nothing", `
		worker w1 work=80s heartbeat=10s
		worker w2 work=1s consumer=atomic
		job J1
		fault stall heartbeat w1 time=3s for=60s
		fault? stall heartbeat w1 time=4s for=1s
		expect deliveries J1 = 2
		expect answer complete J1#1 = gone
		expect broken no-duplicate-effect`},
	{"the pump ticks at k*period, after a pause too", `
		do enqueue J1 time=0s
		do claim by=a time=1s
		fault pause pump time=30500ms for=3s
		do claim by=b time=33999ms
		expect deliveries J1 = 1
		expect state J1 = pending`},
	{"a resume of a queue that is not paused is no write", `
		do enqueue J1 time=1s
		do enqueue J2 time=1s
		do resume time=1s
		fault crash queue time=2s lose=1w restart=1s
		do claim by=a time=4s
		do claim by=a time=4s
		expect deliveries J1 = 1
		expect deliveries J2 = 0
		expect broken no-loss`},
	{"attempts are the row's, whatever token the speaker of a retry holds", `
		queue echomq variant=no-fence reap-every=off
		do enqueue J1 time=0s
		do claim by=a time=1s
		do reap time=31s
		do claim by=b time=32s
		do reap time=62s
		do claim by=c time=63s
		do retry J1#1 by=a time=64s
		expect answer retry J1#1 = dead
		expect held attempts-bounded
		expect broken stale-token-rejected`},
	{"a pause that a crash forgets is a write", `
		worker w1
		job J1
		do pause time=5s
		do enqueue J2 time=6s
		fault crash queue time=7s lose=2w restart=1s
		do enqueue J3 time=9s
		expect state J3 = completed
		expect state J2 = lost
		expect broken no-loss drains`},
	{"a job that the queue let in is admitted, whoever spoke for it", `
		do enqueue J1 time=0s
		do claim by=a time=1s
		expect held no-loss`},
	{"a job that was never enqueued is gone, and the story goes on", `
		job J1 at=5s
		do remove J1 time=1s
		do reprocess J1 time=2s
		expect answer remove J1 = gone
		expect answer reprocess J1 = gone
		expect state J1 = pending`},
	{"a job whose enqueue was answered to nobody is not admitted", `
		do enqueue J1 time=0s
		fault drop-reply enqueue J1
		fault crash queue time=1s lose=1w restart=1s
		do claim by=a time=5s
		expect answer enqueue J1 = lost-reply
		expect state J1 = absent`},
}

func TestASentenceHoldsAtItsEdges(t *testing.T) {
	for _, s := range sentences {
		t.Run(strings.ReplaceAll(s.says, " ", "-"), func(t *testing.T) {
			story, err := scenarios.Parse("sentence.story", []byte(s.story))
			if err != nil {
				t.Fatal(err)
			}
			out := strict(t, story)
			for _, r := range out.Results {
				if r.Met != scenarios.Yes {
					t.Errorf("%s, but expect %s: %s", s.says, story.ExpectText(r.Expect), r.Got)
				}
			}
			if out.Met != scenarios.Yes {
				t.Errorf("%s, but: %s; unfired %v, broken though unnamed %v", s.says, out.Met, out.Unfired, out.Unnamed)
			}
		})
	}
}
