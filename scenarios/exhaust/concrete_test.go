package exhaust_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/exhaust"
	"github.com/ackgap/ackgap/sim/explore"
)

// TestEveryBreachIsAStoryThatTheSimulatorReplays finds every root cause in worlds of
// all sorts and asks the timed simulator about each: the story, read from its own
// text, breaks the same property, with as many faults as the path has.
func TestEveryBreachIsAStoryThatTheSimulatorReplays(t *testing.T) {
	t.Parallel()
	breaches, abstract := 0, 0
	for i, c := range []struct{ text, acts string }{
		{"queue echomq\nproducer p retries=0\nworkers 2 consumer=atomic\njobs 1\n", ""},
		{"queue echomq\nproducer p retries=1\nworkers 2 consumer=naive heartbeat=10s work=12s\njobs 1 fails=1\n", ""},
		{"queue echomq\nproducer p retries=0\nworkers 2 consumer=marker-last\njobs 2\n", ""},
		{"queue echomq\nproducer p retries=0\nworkers 2 consumer=marker-first ack=early\njobs 1\n", ""},
		{"queue echomq\nproducer p retries=0\nworkers 2 consumer=ttl-marker:5m\njobs 1\n", ""},
		{"queue echomq sweep-every=1s\nproducer p retries=0\nworkers 2 consumer=external-key settle-retries=1\njobs 1\n", ""},
		{"queue echomq\nproducer p retries=0\nworkers 2 consumer=atomic\njobs 1\n", "remove,reprocess,extend"},
		{"queue echomq\nproducer p retries=0\nworkers 2 consumer=naive\njobs 1 fails=1\n", "complete,retry,delay,enqueue,drain"},
		{"queue echomq variant=no-fence\nproducer p retries=0\nworkers 2 consumer=naive\njobs 1\n", ""},
		{"queue echomq variant=reap-forgets\nproducer p retries=0\nworkers 2 consumer=naive\njobs 1\n", ""},
		{"queue echomq variant=token-reset\nproducer p retries=0\nworkers 2 consumer=fenced\njobs 1\n", ""},
		{"queue echomq variant=early-expiry\nproducer p retries=0\nworkers 2 consumer=naive\njobs 1\n", ""},
		{"queue echomq variant=lifo\nproducer p retries=0\nworkers 1 consumer=naive\njobs 2\n", ""},
		{"queue echomq sweep-every=1s\nproducer p retries=1\nworkers 2 consumer=atomic heartbeat=10s settle-retries=1\njob J1 fails=1 delay=5s\n", ""},
	} {
		if i%within(2, 1) > 0 {
			continue
		}
		scope := exhaust.Scope{Claims: 3, Kinds: exhaust.DefaultKinds, Symmetry: true}
		if c.acts != "" {
			scope.Acts, _ = exhaust.ParseActs(c.acts)
		}
		r, err := newWorld(t, "story world\n"+c.text, scope).ExploreAll(explore.Options{Faults: 2})
		if err != nil {
			t.Fatalf("%s%v", c.text, err)
		}
		for i := range r.Sought {
			if f := &r.Sought[i]; f.Concrete != nil {
				confirm(t, f)
			} else {
				t.Errorf("abstract only: %s by %s while the job is %s\n%s%s", f.Property, f.Verb, f.State, c.text, strings.Join(f.Path, "\n"))
			}
		}
		breaches, abstract = breaches+len(r.Sought), abstract+r.AbstractOnly()
	}
	t.Logf("%d root causes, %d of them abstract only", breaches, abstract)
	if breaches < within(60, 300) || abstract > 0 {
		t.Errorf("%d root causes are abstract only, of %d (%d and more)", abstract, breaches, within(60, 300))
	}
}

// A job that comes to one of two unequal workers has its story, though the other is the first
// to ask, and though neither is asked to wait.
func TestTheWorkerThatThePathMeansIsTheOneThatIsGranted(t *testing.T) {
	const world = "story s\nqueue echomq max-attempts=3 reap-every=off sweep-every=1s max-stalled=2\nproducer p retries=1\n"
	const slow, beating = "worker w1 work=40s\n", "worker w2 consumer=external-key heartbeat=20s work=45s\n"
	for _, workers := range []string{slow + beating, beating + slow} {
		r := misjudged(t, world+workers+"job J1 fails=2\njob J2 at=1s\n", 0, "no-duplicate-effect")
		if len(r.Sought) != 1 || r.AbstractOnly() > 0 {
			t.Fatalf("%d breaches, %d of them without a story\n%s", len(r.Sought), r.AbstractOnly(), workers)
		}
		confirm(t, &r.Sought[0])
	}
}

func confirm(t *testing.T, f *exhaust.Finding) {
	t.Helper()
	story, err := scenarios.Parse("again.story", f.Concrete.Story.Text())
	if err != nil {
		t.Fatal(err)
	}
	out, err := story.Run(scenarios.Options{})
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(out.Verdicts, func(v model.Verdict) bool { return v.Property == f.Property })
	if v := out.Verdicts[i]; v.Value != model.Broken || out.History.Digest != f.Concrete.Outcome.History.Digest || len(out.Unfired) > 0 {
		t.Errorf("%s is %s in its own story, %d faults of which did not strike\n%s", f.Property, v.Value, len(out.Unfired), story.Text())
	}
	if n := len(story.Plan) + len(story.Dos); n != f.Faults {
		t.Errorf("a path with %d faults has become a story with %d\n%s\n%s", f.Faults, n, strings.Join(f.Path, "\n"), story.Text())
	}
}
