package exhaust_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/exhaust"
	"github.com/ackgap/ackgap/sim/explore"
)

// drainsOf judges drains alone.
func drainsOf(t *testing.T, text string, scope exhaust.Scope, o explore.Options) *exhaust.Report {
	t.Helper()
	r, err := newWorld(t, "story draining\n"+text, scope).Explore(o, "drains")
	if err != nil {
		t.Fatal(err)
	}
	if r.Result.Ending != explore.Exhausted {
		t.Fatalf("the search is %s\n%s", r.Result.Ending, text)
	}
	return r
}

const atomic = "producer p retries=0\nworkers 1 consumer=atomic\njobs 1\n"

// Each outcome has a world, most of them of a variant of the catalogue. What never
// comes to an end is a story in which the simulator finds the same.
func TestDrainsHasAWorldOfEachOutcome(t *testing.T) {
	slow := strings.Replace(atomic, "atomic", "atomic work=15s", 1)
	beating := strings.Replace(atomic, "atomic", "atomic heartbeat=10s work=12s", 1)
	for _, c := range []struct {
		name, text          string
		claims              int
		stuck, fair, unfair bool
	}{
		{name: "drains", text: "queue echomq\n" + atomic, claims: 3},
		{name: "nobody takes back", text: "queue echomq reap-every=off\n" + atomic, claims: 3, stuck: true},
		{name: "taken back and put nowhere", text: "queue echomq variant=reap-forgets\n" + atomic, claims: 3, stuck: true},
		{name: "work outlasts its lease, and a late ACK counts", text: "queue echomq lease=10s\n" + slow, claims: 3},
		{name: "work outlasts its lease, and it does not", text: "queue echomq lease=10s variant=hardened\n" + slow, claims: 3, fair: true},
		{name: "an ACK changes nothing", text: "queue echomq variant=ignores-ack\n" + atomic, claims: 3, fair: true},
		{name: "and claims are bounded", text: "queue echomq lease=10s variant=bounded\n" + slow, claims: 4},
		{name: "a heart beats for ever", text: "queue echomq\n" + beating, claims: 3, unfair: true},
		{name: "every second claim is served", text: "queue echomq variant=claim-ignores-pending\n" + atomic, claims: 4},
	} {
		r := drainsOf(t, c.text, exhaust.Scope{Claims: c.claims, Kinds: exhaust.Reference}, explore.Options{Faults: 1})
		d := r.Result.Drained
		if d.Stuck > 0 != c.stuck || d.Fair > 0 != c.fair || d.Unfair > 0 != c.unfair || d.Doubts != 0 {
			t.Errorf("%s: %+v", c.name, d)
		}
		if d.IsOpen() || d.Holds() == (c.stuck || c.fair) {
			t.Errorf("%s: holds %t, is open %t", c.name, d.Holds(), d.IsOpen())
		}
		neverEnds(t, c.name, r.Stuck, c.stuck)
		neverEnds(t, c.name, r.Round, c.fair)
	}
}

// neverEnds asks the simulator about a run that is to be there or not.
func neverEnds(t *testing.T, name string, s *exhaust.Stay, want bool) {
	t.Helper()
	if (s != nil) != want {
		t.Errorf("%s: %+v", name, s)
	}
	if s == nil {
		return
	}
	if s.Concrete == nil {
		t.Fatalf("%s is abstract only:\n%s\nand again\n%s", name, strings.Join(s.Path, "\n"), strings.Join(s.Cycle, "\n"))
	}
	story := parse(t, string(s.Concrete.Story.Text()))
	out, err := story.Run(scenarios.Options{})
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(out.Verdicts, func(v model.Verdict) bool { return v.Property == "drains" })
	if v := out.Verdicts[i]; v.Value != model.Broken || len(story.Plan) != s.Faults {
		t.Errorf("%s: drains is %s with %d faults of %d\n%s", name, v.Value, len(story.Plan), s.Faults, story.Text())
	}
	if isCut := out.End != model.Quiet; isCut != (len(s.Cycle) > 0) {
		t.Errorf("%s: the run ends with %v, and the cycle has %d steps", name, out.End, len(s.Cycle))
	}
}

// A job that fails as often as it is claimed goes no round: it is counted, and what
// follows the last claim is not judged.
func TestWhatIsBeyondTheLastClaimIsNotJudged(t *testing.T) {
	const text = "queue echomq variant=retry-never-dead\nproducer p retries=0\nworkers 1 consumer=atomic\njobs 1 fails=4\n"
	scope := exhaust.Scope{Claims: 4, Kinds: exhaust.Reference}
	d := drainsOf(t, text, scope, explore.Options{}).Result.Drained
	if d.Edge == 0 || d.Beyond == 0 || !d.IsOpen() || d.Stuck+d.Fair+d.Doubts > 0 {
		t.Errorf("%d claims: %+v", scope.Claims, d)
	}
	scope.Claims = 5
	if d = drainsOf(t, text, scope, explore.Options{}).Result.Drained; d.Edge+d.Beyond > 0 || d.IsOpen() || !d.Holds() {
		t.Errorf("%d claims: %+v", scope.Claims, d)
	}
}

// A queue that counts the lapses of a lease goes round until it buries the job: rounds
// that end so are none.
func TestARoundThatEndsIsNone(t *testing.T) {
	const text = "queue echomq lease=10s variant=hardened sweep-every=1s reap-every=off max-stalled=5\nproducer p retries=0\nworkers 1 consumer=atomic work=15s\njobs 1\n"
	d := drainsOf(t, text, exhaust.Scope{Claims: 3, Kinds: exhaust.Reference}, explore.Options{}).Result.Drained
	if d.Fair > 0 || d.Doubts == 0 || !d.IsOpen() {
		t.Errorf("%+v", d)
	}
}

func TestWhoPausesTheQueueResumesIt(t *testing.T) {
	pause, _ := exhaust.ParseActs("pause")
	scope := exhaust.Scope{Claims: 3, Acts: pause}
	r := drainsOf(t, "queue echomq\n"+atomic, scope, explore.Options{Faults: 1})
	if d := r.Result.Drained; !d.Holds() || d.IsOpen() {
		t.Errorf("%+v: %v", d, r.Stuck)
	}
	r = drainsOf(t, "queue echomq variant=ignores-ack\n"+atomic, scope, explore.Options{Faults: 1})
	neverEnds(t, "paused", r.Round, true)
}

func TestDrainsIsTheSameOnAnyNumberOfCores(t *testing.T) {
	for i := range 10 {
		d := draws{seed: model.Seed(i).Fork("cores")}
		text := strings.TrimPrefix(d.alikeStory(alikeVariants...), "story alike\n")
		scope := exhaust.Scope{Claims: 3, Kinds: exhaust.Reference}
		one := drainsOf(t, text, scope, explore.Options{Faults: 1}).Result.Drained
		for _, o := range []explore.Options{{Faults: 1, Cores: 3}, {Faults: 1, Compact: true}} {
			if other := drainsOf(t, text, scope, o).Result.Drained; !reflect.DeepEqual(one, other) {
				t.Fatalf("%+v\n%+v\n%+v\n%s", o, one, other, text)
			}
		}
	}
}

func TestWhereDrainsCannotBeJudgedItIsRefused(t *testing.T) {
	for _, c := range []struct {
		text  string
		scope exhaust.Scope
		want  string
	}{
		{"producer p\njob J1", exhaust.Scope{Claims: 3}, "without workers"},
		{atomic, exhaust.Scope{Claims: 3, PartialOrder: true}, "switch the partial order off"},
		{atomic, exhaust.Scope{Claims: 3, Symmetry: true}, "switch the symmetry off"},
	} {
		_, err := newWorld(t, "story s\nqueue echomq\n"+c.text+"\n", c.scope).Explore(explore.Options{}, "drains")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.want, err)
		}
	}
}
