package scenarios_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// pinnedSeeds is how many random worlds of each story are pinned; it is what
// `ackgap digests` runs unless it is told otherwise.
const pinnedSeeds = 200

const worldsHead = `# What 200 random worlds of each story of the catalogue leave: the digest of the
# story as written, that of the worlds of seeds 1 to 200 in this order (- where it
# has none), and its name, as ` + "`ackgap digests`" + ` prints it on every machine. A line
# moves only in a commit that says why.
`

// 200 random worlds of each story are pinned, each run twice in this process.
func TestRandomWorldsArePinned(t *testing.T) {
	const file = "testdata/worlds.golden"
	got := []byte(worldsHead)
	for _, name := range scenarios.Catalogue() {
		d, err := load(t, name).Digests(pinnedSeeds)
		if err != nil {
			t.Fatal(err)
		}
		worlds := "-"
		if d.Worlds != nil {
			worlds = d.Folded().String()
		}
		got = fmt.Appendf(got, "%s %-16s %s\n", d.Plain, worlds, name)
	}
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pinned, now := strings.SplitAfter(string(want), "\n"), strings.SplitAfter(string(got), "\n")
	if !slices.Equal(pinned, now) {
		t.Errorf("random worlds left other histories; pinned and no longer left are\n%snow left and not pinned are\n%s", without(pinned, now), without(now, pinned))
	}
}

// without returns the lines of a that are not in b.
func without(a, b []string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(a), func(line string) bool { return slices.Contains(b, line) }), "")
}

// The digest of many worlds is of all of them and of their order.
func TestAFoldedDigestIsOfEachWorldInItsPlace(t *testing.T) {
	fold := func(worlds ...model.Digest) model.Digest { return (&scenarios.Digests{Worlds: worlds}).Folded() }
	seen := map[model.Digest]string{}
	for _, worlds := range [][]model.Digest{{1, 2, 3}, {2, 1, 3}, {1, 3, 2}, {1, 2}, {1, 2, 4}, {7, 2, 3}} {
		d := fold(worlds...)
		if seen[d] != "" {
			t.Errorf("%v and %s are one digest: %s", worlds, seen[d], d)
		}
		seen[d] = fmt.Sprint(worlds)
	}
}

// Two histories that are the same have nothing to tell apart, however many
// records were kept.
func TestTheSameHistoryIsTheSame(t *testing.T) {
	a, b := strict(t, load(t, "lost-ack")), strict(t, load(t, "lost-ack"))
	if err := scenarios.Same(a.History, b.History); err != nil {
		t.Error(err)
	}
}

// Where two histories part, the first differing record is named, by number and
// text, on both sides; a wider column before it is no difference.
func TestTheFirstDifferingRecordIsNamed(t *testing.T) {
	const world = "worker w1\nworker a-long-name\njob J1\nhorizon 20s\n"
	done := mustRun(t, world)
	lost := mustRun(t, world+"fault drop-reply complete J1#1\n")
	d := divergedOf(t, scenarios.Same(done.History, lost.History))
	n := d.Record - 1
	if n < 1 || done.History.Events[n] == lost.History.Events[n] {
		t.Fatalf("record %d is the same in both", d.Record)
	}
	for i := range n {
		if done.History.Events[i] != lost.History.Events[i] {
			t.Fatalf("record %d differs already, and %d is named", i+1, d.Record)
		}
	}
	if !strings.Contains(d.A, "answered complete J1#1 -> ok") || !strings.Contains(d.B, "lost reply to complete J1#1") {
		t.Errorf("the sides are\n%s\n%s", d.A, d.B)
	}
}

// A witness holds copies of records, which a report prints: where a copy says something
// else than the history, in whatever field, the run was judged in another way.
func TestACopyOfARecordThatDiffersIsNamed(t *testing.T) {
	out := strict(t, load(t, "lost-ack"))
	broken := slices.IndexFunc(out.Verdicts, func(v model.Verdict) bool { return v.Value == model.Broken })
	first := out.Judged()
	for field, change := range map[string]func(*model.Event){
		"until": func(e *model.Event) { e.Until++ }, "token": func(e *model.Event) { e.Token++ }, "who": func(e *model.Event) { e.Proc++ },
		"id": func(e *model.Event) { e.ID.Value++ }, "flags": func(e *model.Event) { e.Flags ^= model.IsLate }, "number": func(e *model.Event) { e.Seq++ },
	} {
		e := &out.Verdicts[broken].Witness.Events[0]
		copied := *e
		change(e)
		if about, a, b := scenarios.JudgedApart(first, out.Judged()); about != "verdict of no-duplicate-effect" || a == b {
			t.Errorf("another %s: what differs is %q\n%s\n%s", field, about, a, b)
		}
		*e = copied
	}
}

// A history that ends early parts from a longer one at the first record that it
// lacks.
func TestAHistoryThatEndedIsSaidToHaveEnded(t *testing.T) {
	whole := strict(t, load(t, "lost-ack")).History
	cut := &model.History{Names: whole.Names}
	for _, e := range whole.Events[:5] {
		cut.Add(e, nil)
	}
	d := divergedOf(t, scenarios.Same(whole, cut))
	if d.Record != 6 || d.A == "" || d.B != "" || !strings.Contains(d.Error(), "then   (no such record: the history has ended)") {
		t.Errorf("they part at record %d: %v", d.Record, d)
	}
}

// What no run can show is not made up: two digests without records.
func TestWithoutRecordsNoneIsNamed(t *testing.T) {
	err := scenarios.Same(&model.History{Digest: 1}, &model.History{Digest: 2})
	if d := divergedOf(t, err); d.Record != 0 || strings.Contains(d.Error(), "record") {
		t.Errorf("record %d: %v", d.Record, d)
	}
}

// The classic defect, sown on purpose: a queue that ranges over a map. It is
// caught in the plain run and in the random worlds, and the first record in which
// two runs part is named.
func TestAQueueThatRangesOverAMapIsCaught(t *testing.T) {
	registerShuffled()
	const text = "queue echomq backend=shuffled\nworkers 8\njobs 64 every=1ms\nchaos drop rate=1%\n"
	story := mustParse(t, "shuffled", text)
	a, b := mustRun(t, text), mustRun(t, text)
	plain := divergedOf(t, scenarios.Same(a.History, b.History))
	checkNamed(t, plain, a.History, b.History)

	_, err := story.Digests(3)
	if worlds := divergedOf(t, err); worlds.Record < 1 || !strings.HasPrefix(err.Error(), "shuffled, seed 3: ") {
		t.Errorf("record %d: %v", worlds.Record, err)
	}

	story.NoChaos = true
	_, err = story.Digests(3)
	if worlds := divergedOf(t, err); worlds.Record < 1 || !strings.HasPrefix(err.Error(), "shuffled: ") {
		t.Errorf("record %d: %v", worlds.Record, err)
	}
}

// checkNamed demands that d names the first line in which the texts of two
// histories of one width differ, and that it is a claim whose lease differs.
func checkNamed(t *testing.T, d *scenarios.Diverged, a, b *model.History) {
	t.Helper()
	as, bs := bytes.Split(a.AppendText(nil), []byte("\n")), bytes.Split(b.AppendText(nil), []byte("\n"))
	n := 0
	for bytes.Equal(as[n], bs[n]) {
		n++
	}
	if d.Record != n+1 || d.A != unspaced(as[n]) || d.B != unspaced(bs[n]) {
		t.Errorf("the first differing lines are %d:\n%s\n%s\nnamed is %v", n+1, as[n], bs[n], d)
	}
	for _, side := range []string{d.A, d.B} {
		if !strings.Contains(side, "queue applied claim J") || !strings.Contains(side, " until=") || !strings.Contains(d.Error(), side) {
			t.Errorf("the sides are\n%s\n%s\nof %v", d.A, d.B, d)
		}
	}
}

func unspaced(line []byte) string { return strings.Join(strings.Fields(string(line)), " ") }

// shuffled is the Go machine with one defect: a claim is leased for as long as
// the lane says that a map yields first. In 64 jobs there are 64 such draws of 64
// lanes: if each came out the same half of the time, two runs would still be the
// same only once in 2^64.
type shuffled struct {
	machine
	lanes map[int]time.Duration
}

// machine is what a queue must have for the workers to know when to claim.
type machine interface {
	model.Queue
	model.Toucher
}

// Apply makes the mistake and passes everything on.
func (q shuffled) Apply(now model.Time, req model.Request) model.Reply {
	if req.Op == model.OpClaim {
		for _, lease := range q.lanes {
			req.Lease = lease
			break
		}
	}
	return q.machine.Apply(now, req)
}

// registerShuffled makes the backend known to this test alone; to run the test
// twice is no defect.
func registerShuffled() {
	honest, _ := model.FindBody("echomq", "go")
	if _, known := model.FindBody("echomq", "shuffled"); known {
		return
	}
	model.Register(model.Body{Protocol: "echomq", Backend: "shuffled", Unlisted: true, Open: func(variant string) (model.Queue, error) {
		queue, err := honest.Open(variant)
		lanes := map[int]time.Duration{}
		for i := range 64 {
			lanes[i] = 30*time.Second + time.Duration(i)*time.Second
		}
		return shuffled{queue.(machine), lanes}, err
	}})
}

func divergedOf(t *testing.T, err error) *scenarios.Diverged {
	t.Helper()
	var d *scenarios.Diverged
	if !errors.As(err, &d) {
		t.Fatalf("the error is %v, and should be that two histories part", err)
	}
	return d
}

func mustRun(t *testing.T, text string) *scenarios.Outcome {
	t.Helper()
	return strict(t, mustParse(t, "shuffled", text))
}
