package exhaust_test

import (
	"strings"
	"testing"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/exhaust"
)

// recorded tells of each story below scenarios/stories/echomq which finding of a
// search it tells: what breaks, at which verb, where the job stood.
var recorded = map[string]string{
	"complete-of-scheduled":  "no-ghost complete scheduled",
	"complete-of-dead":       "no-ghost complete dead",
	"complete-of-promoted":   "settled-once complete pending",
	"retry-of-scheduled":     "settled-once retry scheduled",
	"retry-of-dead":          "one-place retry dead",
	"delay-of-reaped":        "one-place delay pending",
	"delay-of-scheduled":     "settled-once delay scheduled",
	"delay-of-dead":          "one-place delay dead",
	"extend-of-reaped":       "one-place extend pending",
	"extend-of-scheduled":    "one-place extend scheduled",
	"extend-of-dead":         "one-place extend dead",
	"token-after-complete":   "tokens-rise claim pending",
	"token-after-remove":     "tokens-rise claim pending",
	"token-after-drain":      "tokens-rise claim pending",
	"enqueue-beside-ghost":   "one-place enqueue scheduled, no row",
	"promote-of-ghost":       "terminal-absorbing promote scheduled, no row",
	"claim-of-ghost":         "terminal-absorbing claim pending, no row",
	"duplicate-of-ghost":     "admission-honest enqueue pending, half a row",
	"complete-of-two-places": "no-ghost complete pending+active",
	"drain-of-two-places":    "no-ghost drain pending+active",
	"sweep-of-two-places":    "one-place sweep pending+active",
	"claim-of-leased":        "single-holder claim pending+active",
	"forgotten-claim":        "tokens-rise claim pending",
	"forgotten-lapse":        "stale-token-rejected complete active",
	"forgotten-complete":     "terminal-absorbing claim pending",
	"forgotten-enqueue":      "no-loss crash gone",
}

// beyond are those that no search within its bounds finds: it forgets two writes at
// most, and this takes three.
const beyond = "forgotten-release"

// A search of small worlds of EchoMQ as built (one job, one worker) finds, within two
// faults or acts, what each story tells: all but lost writes with every act, and lost
// writes with one.
func TestASearchFindsTheTrackRecord(t *testing.T) {
	found := map[string]bool{}
	acts, writes := everythingBut(exhaust.LoseWrites), everythingBut(exhaust.EveryKind&^exhaust.LoseWrites)
	acts.Acts, writes.Acts = actsBut(model.OpNone), []model.Op{model.OpComplete}
	for _, text := range hardenedWorlds() {
		text = strings.Replace(strings.Replace(text, "variant=hardened", "", 1), "worker w2 consumer=atomic heartbeat=10s settle-retries=1\n", "", 1)
		for _, scope := range []exhaust.Scope{acts, writes} {
			for _, f := range exploreAll(t, text, scope, 2).Findings {
				found[f.Property+" "+verbOf(f)+" "+f.State] = true
			}
		}
	}
	stories := 0
	for _, name := range scenarios.Catalogue() {
		name, ok := strings.CutPrefix(name, "echomq/")
		if !ok || name == beyond {
			continue
		}
		stories++
		if what := recorded[name]; !found[what] {
			t.Errorf("%s: no search finds %q", name, what)
		}
	}
	if stories != len(recorded) {
		t.Errorf("%d stories are told, and %d findings", stories, len(recorded))
	}
	t.Logf("%d different findings, of which %d stories tell", len(found), stories)
}

func verbOf(f exhaust.Finding) string {
	if f.Verb == model.OpNone {
		return "crash"
	}
	return f.Verb.String()
}
