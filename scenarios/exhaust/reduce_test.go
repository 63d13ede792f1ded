package exhaust_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios/exhaust"
	"github.com/ackgap/ackgap/sim/explore"
)

// verdicts lists what a search found: each hit with the fewest faults that it takes.
func verdicts(r *explore.Result) []string {
	list := map[string]bool{}
	for _, f := range r.Found {
		list[fmt.Sprintf("%s %d: %d faults", exhaust.Names[f.Hit.Property], f.Hit.Group, f.Faults)] = true
	}
	return slices.Sorted(maps.Keys(list))
}

// ender notes the ends that a search reaches: states in which nothing can happen any
// more. Each is noted as the world as stands for it.
type ender struct {
	*exhaust.World
	as   *exhaust.World
	ends map[string]bool
}

func (e ender) Actions(s *exhaust.State, list []explore.Action) []explore.Action {
	list = e.World.Actions(s, list)
	if len(list) == 0 {
		end := e.as.Normalise(*s)
		e.ends[string(e.AppendState(nil, &end))] = true
	}
	return list
}

// searchEnds explores a world, and lists its ends as a world of another scope has
// them.
func searchEnds(t *testing.T, text string, scope exhaust.Scope, o explore.Options, as exhaust.Scope) (*explore.Result, map[string]bool) {
	t.Helper()
	w := newWorld(t, text, scope)
	e := ender{w, w, map[string]bool{}}
	if as.Symmetry {
		e.as = w.Alike(as)
	}
	r, err := explore.Run[exhaust.State](e, o)
	if err != nil {
		t.Fatal(err)
	}
	return r, e.ends
}

// TestReductionsFindWhatThePlainSearchFinds explores small worlds, most of them
// random, plainly and with each reduction: what breaks, with how many faults, and the
// states in which nothing can happen any more are the same. A reduction of this kind
// was published, used for twenty years and wrong; ours are trusted as far as this test
// goes.
func TestReductionsFindWhatThePlainSearchFinds(t *testing.T) {
	t.Parallel()
	var sum reductions
	acts, _ := exhaust.ParseActs("remove,reprocess,extend,claim")
	for i := range within(96, 72) {
		d := draws{seed: model.Seed(i).Fork("reduce")}
		text := d.alikeStory(alikeVariants...)
		scope := exhaust.Scope{Claims: 3, Kinds: exhaust.DefaultKinds}
		switch i % 8 {
		case 0:
			scope.Acts = acts[:1+d.below(len(acts))]
		case 1:
			scope.Kinds = exhaust.EveryKind
		case 2, 3, 4, 5:
			scope.Kinds &^= exhaust.Refuse // so that the partial order has more to do
		}
		sum.compare(t, text, scope, explore.Options{Faults: 1 + d.below(2), MaxStates: within(20_000, 150_000)})
	}
	sum.log(t)
	if sum.ended < 1000 {
		t.Errorf("only %d ends were compared", sum.ended)
	}
	if s := sum.states; sum.compared < 50 || s[1] >= s[0] || s[2] >= s[0] || s[3] >= s[1] {
		t.Errorf("%d worlds were compared, or a reduction reduces nothing", sum.compared)
	}
}

// TestReductionsOfLaterVariants compares them in worlds of the variants that came later.
func TestReductionsOfLaterVariants(t *testing.T) {
	var sum reductions
	for _, variant := range laterVariants() {
		for i := range 4 {
			d := draws{seed: model.Seed(i).Fork("reduce " + variant)}
			text := d.alikeStory(variant)
			sum.compare(t, text, exhaust.Scope{Claims: 3, Kinds: exhaust.DefaultKinds &^ exhaust.Refuse}, explore.Options{Faults: 1, MaxStates: 20_000})
		}
	}
	if sum.log(t); sum.compared < 6 || sum.ended < 50 {
		t.Errorf("only %d worlds and %d ends were compared", sum.compared, sum.ended)
	}
}

// reductions sums up states without a reduction, by symmetry, by the partial order and by both.
type reductions struct {
	states          [4]int
	compared, ended int
}

func (c *reductions) log(t *testing.T) {
	s := c.states
	t.Logf("%d worlds; states: plain %d, symmetry %d (%d%%), partial order %d (%d%%), both %d (%d%%)", c.compared, s[0],
		s[1], 100*s[1]/s[0], s[2], 100*s[2]/s[0], s[3], 100*s[3]/s[0])
}

// compare holds each reduction of a world against the plain search, if that comes to an end.
func (c *reductions) compare(t *testing.T, text string, scope exhaust.Scope, o explore.Options) {
	t.Helper()
	want, ends := searchEnds(t, text, scope, o, scope)
	if want.Ending != explore.Exhausted {
		return
	}
	alike := scope
	alike.Symmetry = true
	_, alikeEnds := searchEnds(t, text, scope, o, alike)
	for k := range c.states {
		reduced := scope
		reduced.Symmetry, reduced.PartialOrder = k&1 != 0, k&2 != 0
		got, gotEnds := searchEnds(t, text, reduced, o, reduced)
		if diff := cmp.Diff(verdicts(want), verdicts(got)); diff != "" {
			t.Fatalf("%s\n%s%+v", diff, text, reduced)
		}
		wantEnds := ends
		if reduced.Symmetry {
			wantEnds = alikeEnds
		}
		if !maps.Equal(wantEnds, gotEnds) {
			t.Fatalf("%d ends are reached, plainly %d\n%s%+v", len(gotEnds), len(wantEnds), text, reduced)
		}
		c.states[k] += got.States
	}
	c.compared, c.ended = c.compared+1, c.ended+len(ends)
}

// TestAHeartbeatIsSomethingToMeet has a world that is cut too far if a worker whose heart
// beats is taken for one that nobody can meet: in which order two leases end is lost, and
// with it where jobs come to stand that nobody reaps.
func TestAHeartbeatIsSomethingToMeet(t *testing.T) {
	const text = "story beating\nqueue echomq reap-every=off\nproducer p retries=0\nworkers 2 consumer=naive heartbeat=10s\njobs 2\n"
	plain := exhaust.Scope{Claims: 3, Kinds: exhaust.DefaultKinds &^ exhaust.Refuse}
	ordered := plain
	ordered.PartialOrder = true
	o := explore.Options{Faults: 2}
	_, want := searchEnds(t, text, plain, o, plain)
	_, got := searchEnds(t, text, ordered, o, ordered)
	if len(want) != 67 || !maps.Equal(want, got) {
		t.Errorf("%d ends are reached, plainly %d, which were 67", len(got), len(want))
	}
}

// TestDrainsIsTheSameUnderSymmetry compares whether anything is ever stuck.
func TestDrainsIsTheSameUnderSymmetry(t *testing.T) {
	stuck, judged := 0, 0
	for i := range within(20, 40) {
		d := draws{seed: model.Seed(i).Fork("drains")}
		text := d.alikeStory(alikeVariants...)
		scope := exhaust.Scope{Claims: 3, Kinds: exhaust.DefaultKinds}
		o := explore.Options{Faults: 1, Drains: true, MaxStates: 100_000}
		plain := search(t, text, scope, o)
		scope.Symmetry = true
		if plain.Drained == nil {
			continue
		}
		judged++
		if got := search(t, text, scope, o); (got.Drained.Stuck > 0) != (plain.Drained.Stuck > 0) {
			t.Fatalf("plainly %d states are stuck, with symmetry %d\n%s", plain.Drained.Stuck, got.Drained.Stuck, text)
		}
		if plain.Drained.Stuck > 0 {
			stuck++
		}
	}
	if stuck == 0 || stuck == judged || judged < within(12, 30) {
		t.Errorf("%d of %d worlds can be stuck: nothing is compared", stuck, judged)
	}
}

func search(t *testing.T, text string, scope exhaust.Scope, o explore.Options) *explore.Result {
	t.Helper()
	r, err := explore.Run[exhaust.State](newWorld(t, text, scope), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// alikeVariants are those of the random worlds of reductions.
var alikeVariants = append([]string{"", "", "", "hardened", "hardened"}, firstVariants...)

// alikeStory draws a small world in which workers, and often jobs, are alike.
func (d *draws) alikeStory(variants ...string) string {
	variant := d.pick(variants...)
	if variant != "" {
		variant = " variant=" + variant
	}
	return fmt.Sprintf("story alike\nqueue echomq%s sweep-every=%s reap-every=%s\nproducer p retries=%d\nworkers %d consumer=%s%s%s%s\njobs %d fails=%d\n%s",
		variant, d.pick("off", "off", "1s"), d.pick("1s", "1s", "1s", "off"), d.below(2), 1+d.below(3),
		d.pick("naive", "marker-first", "marker-last", "atomic", "natural", "fenced", "external", "external-key", "ttl-marker:5m"),
		d.pick("", "", " ack=early"), d.pick("", "", " heartbeat=10s"), d.pick("", "", " settle-retries=1"),
		1+d.below(2), max(0, d.below(3)-1), d.pick("", "", "job other fails=1\n"))
}
