package echomq_test

import (
	"strings"
	"testing"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/echomq"
)

// differences tells for each variant how it differs from the queue as built
// ("AS BUILT ! VARIANT"), and next to that what it has in common with it.
var differences = []struct{ variant, script string }{
	{"hardened", `
		0s  enqueue J1                  -> enqueued
		0s  claim lease=30s             -> J1#1
		1s  retry J1 token=1            -> scheduled until=2s
		1s  retry J1 token=1            -> scheduled until=2s ! stale
		1s  extend J1 token=1           -> ok until=31s ! stale
		1s  show J1                     -> active@31s schedule@2s attempts=1 last_error= payload= state=scheduled ! schedule@2s attempts=1 last_error= payload= state=scheduled token=1
		1s  complete J1 token=1         -> ok ! stale
		1s  enqueue J2                  -> enqueued
		1s  claim lease=1s              -> J2#1 ! J2#1000
		1s  remove J2                   -> ok
		1s  enqueue J2                  -> enqueued
		1s  claim lease=1s              -> J2#1 ! J2#1001
		2s  complete J2 token=1         -> ok ! stale`},
	{"no-fence", `
		0s  enqueue J1 payload=a        -> enqueued
		0s  claim lease=30s             -> J1#1 payload=a
		30s reap                        -> ok moved=1
		30s claim lease=30s             -> J1#2 payload=a
		31s extend J1 token=1           -> stale
		31s delay J1 token=1            -> stale ! scheduled until=32s
		32s promote                     -> ok ! ok moved=1
		32s retry J1 token=1            -> stale ! scheduled until=33s
		32s complete J1 token=1         -> stale ! ok
		32s complete J1 token=2         -> ok ! gone`},
	{"no-extend-fence", `
		0s  enqueue J1                  -> enqueued
		0s  claim lease=30s             -> J1#1
		1s  extend J1 token=9 lease=60s -> stale ! ok until=1m1s
		1s  extend-batch pairs=J1:9     -> ok J1#9 ! ok
		1s  extend J2 token=1           -> gone
		1s  complete J1 token=9         -> stale
		1s  complete J1 token=1         -> ok`},
	{"reap-forgets", `
		0s  enqueue J1 payload=a        -> enqueued
		0s  claim lease=30s             -> J1#1 payload=a
		30s reap                        -> ok moved=1
		30s show J1                     -> pending attempts=1 payload=a state=pending ! attempts=1 payload=a state=pending
		30s claim                       -> J1#2 payload=a ! empty
		30s enqueue J2                  -> enqueued
		30s claim lease=1s              -> J2#1
		31s sweep max=2                 -> ok moved=1`},
	{"lifo", `
		0s  enqueue J1                  -> enqueued
		0s  enqueue J2                  -> enqueued
		0s  enqueue J3                  -> enqueued
		0s  claim                       -> J1#1 ! J3#1
		0s  claim-batch                 -> ok J2#1 J3#1 ! ok J2#1 J1#1
		0s  claim                       -> empty`},
	{"token-reset", `
		0s  enqueue J1                  -> enqueued
		0s  claim lease=30s             -> J1#1
		30s reap                        -> ok moved=1
		30s claim lease=30s             -> J1#2 ! J1#1
		31s complete J1 token=1         -> stale ! ok
		31s complete J1 token=2         -> ok ! gone
		31s enqueue J2                  -> enqueued
		31s claim lease=1s              -> J2#1
		32s sweep max=2                 -> ok moved=1
		32s claim                       -> J2#2`},
	{"double-admission", `
		0s  enqueue J1 payload=a        -> enqueued
		0s  claim lease=30s             -> J1#1 payload=a
		1s  enqueue J1 payload=b        -> duplicate ! enqueued
		1s  show J1                     -> active@30s attempts=1 payload=a state=active ! pending active@30s attempts=0 payload=b state=pending
		1s  claim                       -> empty ! J1#1 payload=b
		2s  retry J1 token=1 error=x    -> scheduled until=3s
		2s  enqueue J1 payload=c        -> duplicate ! enqueued
		2s  show J1                     -> schedule@3s attempts=1 last_error=x payload=a state=scheduled ! pending schedule@3s attempts=0 payload=c state=pending
		1s  enqueue U1                  -> kind`},
	{"phantom-duplicate", `
		0s  enqueue J1                  -> enqueued
		0s  enqueue J1                  -> duplicate
		0s  claim                       -> J1#1
		0s  complete J1 token=1         -> ok
		0s  show J1                     -> nothing
		9h  retry J1 token=1            -> stale
		9h  enqueue J1                  -> enqueued ! duplicate
		9h  enqueue J2                  -> enqueued
		9h  remove J2                   -> ok
		9h  enqueue J2                  -> enqueued`},
	{"early-expiry", `
		0s  enqueue J1                  -> enqueued
		0s  enqueue J2                  -> enqueued
		0s  claim lease=60s             -> J1#1
		0s  claim lease=100s            -> J2#1
		29s reap                        -> ok
		30s show J1                     -> active@1m0s attempts=1 payload= state=active
		30s reap                        -> ok ! ok moved=1
		49s sweep                       -> ok
		50s sweep max=9                 -> ok ! ok moved=1
		60s reap                        -> ok moved=1 ! ok`},
	{"shortening-extend", `
		0s  enqueue J1                  -> enqueued
		0s  claim lease=30s             -> J1#1
		1s  extend J1 token=1 lease=30s -> ok until=31s ! ok until=16s
		16s reap                        -> ok ! ok moved=1
		16s extend J1 token=2           -> stale`},
	{"settle-keeps-active", `
		0s  enqueue J1                  -> enqueued
		0s  claim lease=30s             -> J1#1
		0s  complete J1 token=1         -> ok
		0s  show J1                     -> nothing ! active@30s
		30s reap                        -> ok ! ok moved=1
		30s claim                       -> empty ! J1#1 bare
		30s enqueue J2                  -> enqueued
		30s claim lease=1s              -> J2#1
		31s reap                        -> ok moved=1
		31s complete J2 token=1         -> ok
		31s show J2                     -> nothing`},
	{"retry-never-dead", `
		0s  enqueue J1                  -> enqueued
		0s  claim                       -> J1#1
		0s  retry J1 token=1 max=1      -> dead ! scheduled until=1s
		0s  enqueue J2                  -> enqueued
		0s  claim lease=1s              -> J2#1
		1s  sweep max=1                 -> ok dead=1`},
	{"dead-early", `
		0s  enqueue J1                  -> enqueued
		0s  claim                       -> J1#1
		0s  retry J1 token=1 max=3      -> scheduled until=1s
		1s  promote                     -> ok moved=1
		1s  claim                       -> J1#2
		1s  retry J1 token=2 max=3      -> scheduled until=2s ! dead`},
	{"attempts-reset", `
		0s  enqueue J1                  -> enqueued
		0s  claim                       -> J1#1
		0s  retry J1 token=1 max=2 delay=1ms -> scheduled until=1ms
		2ms promote                     -> ok moved=1
		2ms show J1                     -> pending attempts=1 last_error= payload= state=pending ! pending attempts=0 last_error= payload= state=pending token=1
		2ms claim                       -> J1#2
		2ms retry J1 token=2 max=2      -> dead ! scheduled until=1.002s`},
	{"stale-ack-frees", `
		0s  enqueue J1 payload=a        -> enqueued
		0s  claim lease=30s             -> J1#1 payload=a
		30s reap                        -> ok moved=1
		30s claim lease=30s             -> J1#2 payload=a
		31s complete J1 token=1         -> stale
		31s show J1                     -> active@1m0s attempts=2 payload=a state=active ! attempts=2 payload=a state=active
		60s reap                        -> ok moved=1 ! ok`},
	{"claim-ignores-pending", `
		0s  claim                       -> empty
		0s  enqueue J1                  -> enqueued
		0s  enqueue J2                  -> enqueued
		0s  enqueue J3                  -> enqueued
		0s  claim                       -> J1#1
		0s  claim                       -> J2#1 ! empty
		0s  claim-batch                 -> ok J3#1 ! ok J2#1 J3#1
		0s  enqueue J4                  -> enqueued
		0s  claim-batch                 -> ok J4#1 ! empty`},
	{"double-settle", `
		0s  enqueue J1                  -> enqueued
		0s  claim                       -> J1#1
		0s  complete J1 token=2         -> stale
		0s  complete J1 token=1         -> ok
		0s  complete J1 token=1         -> gone ! ok
		0s  retry J1 token=1            -> stale
		0s  show counters               -> completed=1 failed=0`},
	{"resurrect", `
		0s  enqueue J1 payload=a        -> enqueued
		0s  claim lease=30s             -> J1#1 payload=a
		30s reap                        -> ok moved=1
		30s claim                       -> J1#2 payload=a
		31s retry J1 token=1            -> stale
		31s complete J1 token=2         -> ok
		31s show J1                     -> nothing
		32s complete J1 token=1         -> gone
		32s retry J1 token=1            -> stale ! scheduled until=33s
		33s promote                     -> ok ! ok moved=1
		33s claim                       -> empty ! J1#3 payload=a
		33s retry J2 token=1            -> stale
		34s complete J1 token=3         -> gone ! ok
		34s retry J1 token=1 max=9      -> stale ! scheduled until=35s
		35s promote                     -> ok ! ok moved=1
		35s claim                       -> empty ! J1#4 payload=a
		36s complete J1 token=4         -> gone ! ok
		36s enqueue J1                  -> enqueued`},
	{"ignores-ack", `
		0s  enqueue J1                  -> enqueued
		0s  claim lease=30s             -> J1#1
		1s  complete J1 token=2         -> stale
		1s  complete J1 token=1         -> ok
		1s  show J1                     -> nothing ! active@30s attempts=1 payload= state=active
		1s  show counters               -> completed=1 failed=0 ! completed=0 failed=0
		30s reap                        -> ok ! ok moved=1
		30s claim                       -> empty ! J1#2`},
	{"retry-misses-pending", `
		0s  enqueue J1 payload=a        -> enqueued
		0s  claim lease=30s             -> J1#1 payload=a
		1s  retry J1 token=1 error=x    -> scheduled until=2s
		2s  show J1                     -> schedule@2s attempts=1 last_error=x payload=a state=scheduled
		2s  promote                     -> ok moved=1
		2s  claim lease=30s             -> J1#2 payload=a
		32s reap                        -> ok moved=1
		33s retry J1 token=2 error=y    -> scheduled until=34s
		33s show J1                     -> schedule@34s attempts=2 last_error=y payload=a state=scheduled ! pending schedule@34s attempts=2 last_error=y payload=a state=scheduled
		33s claim                       -> empty ! J1#3 payload=a`},
	{"bounded", `
		0s  enqueue J1                  -> enqueued
		0s  claim lease=1s              -> J1#1
		1s  reap                        -> ok moved=1
		1s  claim lease=1s              -> J1#2
		2s  retry J1 token=2 max=9      -> scheduled until=3s
		3s  promote                     -> ok moved=1
		3s  claim lease=1s              -> J1#3
		4s  reap                        -> ok moved=1
		4s  show J1                     -> pending attempts=3 last_error= payload= state=pending ! dead attempts=3 last_error=max-claims payload= state=dead
		4s  show counters               -> completed=0 failed=0 ! completed=0 failed=1
		4s  claim lease=1s              -> J1#4 ! empty
		5s  sweep max=9                 -> ok moved=1 ! ok
		5s  reprocess J1                -> not-dead ! ok
		5s  show J1                     -> pending attempts=4 last_error= payload= stalled=1 state=pending ! dead attempts=3 last_error=max-claims payload= state=dead
		6s  remove J1                   -> ok
		6s  enqueue J1                  -> enqueued
		6s  claim lease=1s              -> J1#1
		6s  delay J1 token=1            -> scheduled until=7s
		7s  promote                     -> ok moved=1
		7s  claim lease=1s              -> J1#2
		8s  sweep max=9                 -> ok moved=1
		8s  claim lease=1s              -> J1#3
		9s  sweep max=9                 -> ok moved=1 ! ok dead=1
		9s  extend J1 token=3 lease=1s  -> ok until=10s ! stale
		9s  delay J1 token=3            -> scheduled until=10s ! stale
		9s  complete J1 token=3         -> ok ! stale`},
	{"bounded-leaks", `
		0s  enqueue J1                  -> enqueued
		0s  claim lease=1s              -> J1#1
		1s  reap                        -> ok moved=1
		1s  claim lease=1s              -> J1#2
		2s  reap                        -> ok moved=1
		2s  claim lease=1s              -> J1#3
		3s  reap                        -> ok moved=1
		3s  claim lease=1s              -> J1#4
		4s  reap                        -> ok moved=1
		4s  show J1                     -> pending attempts=4 payload= state=pending ! dead attempts=4 last_error=max-claims payload= state=dead`},
	{"stale-nak-requeues", `
		0s  enqueue J1                  -> enqueued
		0s  claim lease=30s             -> J1#1
		30s reap                        -> ok moved=1
		30s retry J1 token=9            -> stale
		30s show J1                     -> pending attempts=1 payload= state=pending
		30s claim lease=30s             -> J1#2
		31s retry J1 token=1            -> stale
		31s show J1                     -> active@1m0s attempts=2 payload= state=active ! pending attempts=2 payload= state=pending`},
	{"pop-then-mark", `
		0s  enqueue J1                  -> enqueued
		0s  enqueue J2                  -> enqueued
		0s  claim lease=30s             -> J1#1
		0s  claim lease=30s             -> J2#1
		9s  extend J2 token=1 lease=30s -> ok until=39s
		30s reap                        -> ok moved=1 ! ok
		39s sweep max=9                 -> ok moved=1
		40s claim                       -> J1#2 ! J2#2`},
	{"two-clock-reads", `
		0ms   enqueue J1                -> enqueued
		0ms   enqueue J2                -> enqueued
		0ms   claim lease=1s            -> J1#1
		10ms  claim lease=1s            -> J2#1
		1s    reap                      -> ok moved=1 ! ok moved=2
		1s    show J1                   -> pending attempts=1 payload= state=pending
		1s    show J2                   -> active@1.01s attempts=1 payload= state=active ! attempts=1 payload= state=pending`},
	{"rescue-overwrites", `
		0s  enqueue J1 payload=a        -> enqueued
		0s  enqueue J2 payload=b        -> enqueued
		0s  claim lease=30s             -> J1#1 payload=a
		0s  claim lease=30s             -> J2#1 payload=b
		30s reap                        -> ok moved=2 ! ok
		30s complete J1 token=1         -> ok
		30s show J1                     -> nothing
		30s retry J2 token=1 error=x    -> scheduled until=31s
		31s reap                        -> ok ! ok moved=2
		31s show J1                     -> nothing ! pending attempts=1 payload=a state=pending
		31s show J2                     -> schedule@31s attempts=1 last_error=x payload=b state=scheduled ! pending attempts=1 last_error=x payload=b state=pending
		32s reap                        -> ok`},
	{"prefetch-expires", `
		0s  enqueue J1 payload=a        -> enqueued
		0s  enqueue J2 payload=b        -> enqueued
		0s  claim lease=30s             -> J1#1 payload=a
		0s  show J2                     -> pending attempts=0 payload=b state=pending ! active@30s attempts=1 payload=b state=active
		0s  complete J1 token=1         -> ok
		30s reap                        -> ok ! ok moved=1
		31s claim lease=30s             -> J2#1 payload=b
		31s claim lease=30s             -> empty ! J2#2 payload=b`},
}

func TestEachVariantDiffersAsDeclared(t *testing.T) {
	for _, d := range differences {
		t.Run(d.variant, func(t *testing.T) {
			if !strings.Contains(d.script, " ! ") {
				t.Fatal("the story shows no difference")
			}
			tell(t, "", d.script)
			tell(t, d.variant, d.script)
		})
	}
}

// No variant touches the paths on which its rule does not bear: the first job
// that is claimed and completed, and the first that is scheduled and tried again.
func TestVariantsShareTheStraightPaths(t *testing.T) {
	for _, v := range registered(t).Variants {
		tell(t, v.Name, `
			0s enqueue J1 payload=a -> enqueued
			0s claim                -> J1#1 payload=a
			1s complete J1 token=1  -> ok
			1s claim                -> empty
		`)
		if v.Name == "hardened" || v.Name == "attempts-reset" {
			continue // their tokens tell the time, see TestHardenedSharesTheStraightPaths
		}
		tell(t, v.Name, `
			0s enqueue-in J1        -> scheduled until=1s
			1s promote              -> ok moved=1
			1s claim lease=30s      -> J1#1
			2s reap                 -> ok
			2s retry J1 token=1     -> scheduled until=3s
			3s promote              -> ok moved=1
			3s show J1              -> pending attempts=1 last_error= payload= state=pending
			3s remove J1            -> ok
			3s show J1              -> nothing
		`)
	}
}

// A buffer is told of a lease as if it began there: the holder of J2 believes in 40s, and the
// queue takes it back at 30s.
func TestAGrantFromABufferSaysThatItsLeaseBeginsNow(t *testing.T) {
	q := open(t, "prefetch-expires")
	for _, req := range []model.Request{enqueue(j1), enqueue(j2), claim} {
		q.Apply(0, req)
	}
	if r := q.Apply(10e9, claim); r.ID != j2 || r.Until != 40e9 {
		t.Errorf("the grant is %s until %s, want %s until 40s", r.ID, r.Until, j2)
	}
	if lapse, _ := q.NextDue(); lapse != 30e9 {
		t.Errorf("its lease ends at %s, want 30s", lapse)
	}
}

// A variant without a story would be a claim that nobody has seen.
func TestEachVariantHasAStoryAndADoc(t *testing.T) {
	var told []string
	for _, d := range differences {
		told = append(told, d.variant)
	}
	var named []string
	for _, v := range registered(t).Variants {
		named = append(named, v.Name)
		if v.Doc == "" || strings.Contains(v.Doc, "\n") {
			t.Errorf("%s: the doc is not one line: %q", v.Name, v.Doc)
		}
		if bounds := strings.HasPrefix(v.Name, "bounded"); v.BoundsDeliveries != bounds {
			t.Errorf("%s: that it bounds deliveries is said to be %v", v.Name, v.BoundsDeliveries)
		}
	}
	diff(t, "variants with a story", named, told)
}

func TestUnknownVariantIsRefusedWithTheKnownOnes(t *testing.T) {
	_, err := echomq.New("no\x1bfence")
	if err == nil {
		t.Fatal("accepted")
	}
	for _, word := range []string{`"no\x1bfence"`, "no-fence", "ignores-ack", "as built"} {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("the error does not say %s: %v", word, err)
		}
	}
	q, err := registered(t).Open("nonsense")
	if q != nil || err == nil {
		t.Errorf("Open of an unknown variant gave %v, %v; want a nil queue and an error", q, err)
	}
}

func registered(t *testing.T) model.Body {
	t.Helper()
	body, ok := model.FindBody("echomq", "go")
	if !ok {
		t.Fatal("echomq on go is not registered")
	}
	return body
}
