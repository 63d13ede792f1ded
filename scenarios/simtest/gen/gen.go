// Package gen has generators of pgregory.net/rapid for worlds, jobs and plans, so
// that you can state properties of your own over your consumer:
//
//	rapid.Check(t, func(rt *rapid.T) {
//		plan := gen.Plan(c.Story(), 3).Draw(rt, "plan")
//		out, err := c.RunPlan([]byte(plan))
//		...
//	})
//
// What rapid shrinks a plan to are few words of four letters; simtest.Plan says
// what they mean.
package gen

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/simtest"
)

// Plan generates plans of up to most faults for the world s, as text for
// Consumer.RunPlan: "dc11 ca12". The empty plan is among them.
func Plan(s *scenarios.Story, most int) *rapid.Generator[string] {
	words := rapid.SliceOfNDistinct(rapid.SampledFrom(simtest.Words(s)), 0, most, rapid.ID[string])
	return rapid.Map(words, func(list []string) string { return strings.Join(list, " ") })
}

// Jobs generates 1 to most job lines of a story: when each is enqueued, whether it
// is scheduled for later, how often its handler is made to fail (below the
// attempts that a queue allows by default), and what it carries.
func Jobs(most int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		var b strings.Builder
		for i := range rapid.IntRange(1, most).Draw(t, "jobs") {
			fmt.Fprintf(&b, "job J%d at=%dms", i+1, rapid.IntRange(0, 5000).Draw(t, "at"))
			if d := rapid.IntRange(0, 10).Draw(t, "delay"); d > 0 {
				fmt.Fprintf(&b, " delay=%ds", d)
			}
			if n := rapid.IntRange(0, 2).Draw(t, "fails"); n > 0 {
				fmt.Fprintf(&b, " fails=%d", n)
			}
			if p := rapid.StringMatching(`[a-z0-9]{0,8}`).Draw(t, "payload"); p != "" {
				fmt.Fprintf(&b, " payload=%s", p)
			}
			b.WriteString("\n")
		}
		return b.String()
	})
}

// World generates worlds for the option simtest.Story: a queue, one to three
// workers and up to four jobs. What may go wrong in them is the default chaos.
func World() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		lease := rapid.SampledFrom([]int{5, 30, 120}).Draw(t, "lease")
		attempts := rapid.IntRange(3, 6).Draw(t, "attempts")
		workers := rapid.IntRange(1, 3).Draw(t, "workers")
		work := rapid.SampledFrom([]int{0, 20, 1000}).Draw(t, "work")
		jobs := Jobs(4).Draw(t, "jobs")
		return fmt.Sprintf("queue echomq lease=%ds max-attempts=%d\nproducer p retries=0\nworkers %d work=%dms\n%s", lease, attempts, workers, work, jobs)
	})
}
