package scenarios_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/actors"
)

func TestTheCanonicalFormSaysNoDefaultAndKeepsTheOrder(t *testing.T) {
	const text = `# a comment
expect held no-loss
do claim time=61s by=ann
fault   crash w2 restart=5s after=mark J1#1
jobs 3 at=1000ms payload=x every=50ms
worker w2 work=20ms consumer=atomic heartbeat=60s
workers 2 prefix=v poll=50ms
queue echomq max-attempts=3 sweep-every=5s reap-every=off lease=30s
chaos clock queue rate=5.0% jump=1s..60s count=0..1
job K at=0s
producer p retries=3
quiet time=120s
network loss=0%
`
	const want = `story f
queue echomq reap-every=off sweep-every=5s
worker w2 consumer=atomic heartbeat=1m
workers 2 prefix=v
jobs 3 at=1s payload=x
job K

chaos clock queue rate=5% count=0..1
quiet time=2m
fault crash w2 after=apply J1#1 restart=5s

do claim by=ann time=1m1s

expect held no-loss
`
	if diff := cmp.Diff(want, string(mustParse(t, "f", text).Text())); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestWhatWasChangedInAnExpansionIsWrittenOut(t *testing.T) {
	s := mustParse(t, "f", "workers 3\njobs 4 every=1s\n")
	s.Workers[1].Work = time.Second
	s.Jobs = s.Jobs[:3]
	s.Jobs[2].Fails = 1
	const want = `story f
queue echomq
worker w1
worker w2 work=1s
worker w3
jobs 2 every=1s
job J3 at=2s fails=1
`
	if diff := cmp.Diff(want, string(s.Text())); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// Set can put the first of an expansion behind the others, which no `jobs` line
// can say.
func TestJobsThatGoBackInTimeAreWrittenOut(t *testing.T) {
	s, err := mustParse(t, "f", "jobs 3 every=1s\n").Set("J1.at", "9s")
	if err != nil {
		t.Fatal(err)
	}
	const want = `story f
queue echomq
job J1 at=9s
job J2 at=1s
job J3 at=2s
`
	if diff := cmp.Diff(want, string(s.Text())); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestHistoryIsWrittenAsItStood(t *testing.T) {
	s := mustParse(t, "f", "job J1\n----\n1 sent \"x\"\n\n2 lost")
	if got := string(s.Text()); !strings.HasSuffix(got, "\n----\n1 sent \"x\"\n\n2 lost") {
		t.Errorf("the text ends %q", got)
	}
}

func TestAStoryComesBackFromItsText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawStory(t)
		first, err := scenarios.Parse("f", []byte(text))
		if err != nil {
			t.Fatalf("%s\n%v", text, err)
		}
		second, err := scenarios.Parse("f", first.Text())
		if err != nil {
			t.Fatalf("%s\nis written\n%s\n%v", text, first.Text(), err)
		}
		if diff := cmp.Diff(first, second, butLines); diff != "" {
			t.Fatalf("%s\nis written\n%s\n(-first +second)\n%s", text, first.Text(), diff)
		}
	})
}

// butLines leaves out where things were written.
var butLines = cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Line" }, cmp.Ignore())

// drawStory draws a valid story: every directive, each option present or not,
// in any order.
func drawStory(t *rapid.T) string {
	d := drawer{t: t}
	d.line("story", d.pick("a", "lost-ack"))
	d.line("queue echomq", d.options("variant=no-fence", "backend=valkey", "lease="+d.ms(), "max-attempts="+d.num(), "retry-delay="+d.ms(),
		"reap-every="+d.pick("off", d.ms()), "promote-every="+d.ms(), "sweep-every="+d.ms(), "max-stalled="+d.num()))
	d.line("network", d.options("latency="+d.span(), "jitter="+d.span(), "loss="+d.share(), "duplicate="+d.share(), "reply-loss="+d.share(), "until="+d.span()))
	d.maybe("seed", d.num())
	d.maybe("horizon", d.span())
	d.line("producer a1", d.options("retries="+d.num(), "timeout="+d.span(), "fresh-id"))
	d.maybe("producer a2", d.options("retries="+d.num(), "timeout="+d.span(), "fresh-id"))
	d.line("worker v1 heartbeat=10s consumer=external", d.workerOptions())
	d.line("workers", d.pick("1", "2", "11"), d.options("consumer="+d.consumer(), "heartbeat="+d.span(), "prefix="+d.pick("w", "x1")), d.workerOptions())
	d.line("job K", d.jobOptions())
	d.line("jobs", d.pick("1", "2", "11"), d.options("every="+d.pick(d.span(), "exp:"+d.ms())), d.jobOptions())
	for _, form := range mishaps {
		d.maybe(d.pick("fault", "fault?"), strings.ReplaceAll(form, "DUR", d.span()))
	}
	for _, kind := range faults.KindWords() {
		d.maybe("chaos", kind, d.chaosOptions(kind))
	}
	d.maybe("quiet", "time="+d.span())
	for _, form := range deeds {
		d.maybe("do", form, "time="+d.span())
	}
	for _, form := range outcomes {
		d.maybe("expect", form)
	}
	if rapid.Bool().Draw(t, "history") {
		return d.text() + "----\n" + rapid.String().Draw(t, "history text")
	}
	return d.text()
}

var (
	mishaps = []string{
		"drop complete K#1", "delay-reply claim K#2 by=DUR nth=2", "duplicate enqueue J1 after=DUR", "error apply K#1", "drop apply K#1",
		"crash v1 after=apply K#1 restart=DUR", "crash queue time=DUR lose=2w", "pause v1 before=settle K#1 for=DUR",
		"stall heartbeat v1 time=DUR for=DUR", "partition a1 queue time=DUR for=1s oneway", "clock queue jump=-DUR time=1s", "clock v1 skew=DUR",
	}
	deeds = []string{
		"claim by=ann", "complete K#1 by=bob token=3", "retry K#1 by=v1 delay=5ms max=2", "delay K#1 by=ann delay=0s", "enqueue L by=a1",
		"remove J1", "reprocess K", "pause", "resume by=carl", "sweep max=3", "drain",
	}
	outcomes = []string{
		"held no-loss drains", "broken one-place", "unknown saw-redelivery", "effects K = 2", "deliveries K <= 1", "refused extend K#3",
		"answer enqueue K = duplicate", "answer claim K#1 = lost-request", "twin", "twin K#2", "no twin", "state K = dead+pending", "state J1 = lost",
		"chaos may-break no-loss",
	}
)

// drawer writes the lines that it draws, in any order of options.
type drawer struct {
	t     *rapid.T
	lines []string
}

func (d *drawer) line(words ...string) { d.lines = append(d.lines, strings.Join(words, " ")) }

func (d *drawer) maybe(words ...string) {
	if rapid.Bool().Draw(d.t, words[0]) {
		d.line(words...)
	}
}

// text puts the lines in any order: names may be used before they are declared.
func (d *drawer) text() string {
	return strings.Join(rapid.Permutation(d.lines).Draw(d.t, "order"), "\n") + "\n"
}

func (d *drawer) options(all ...string) string {
	some := rapid.Permutation(all).Draw(d.t, "options")
	return strings.Join(some[:rapid.IntRange(0, len(some)).Draw(d.t, "how many")], " ")
}

func (d *drawer) pick(words ...string) string { return rapid.SampledFrom(words).Draw(d.t, "word") }

func (d *drawer) num() string { return fmt.Sprint(rapid.IntRange(1, 1_000_000).Draw(d.t, "number")) }

func (d *drawer) span() string {
	return time.Duration(rapid.Int64Range(1, int64(1000*time.Hour)).Draw(d.t, "span")).String()
}

func (d *drawer) ms() string {
	return (time.Duration(rapid.Int64Range(1, 10_000_000).Draw(d.t, "ms")) * time.Millisecond).String()
}

func (d *drawer) share() string {
	return script.PPM(rapid.IntRange(1, int(script.Whole)).Draw(d.t, "share")).String()
}

func (d *drawer) consumer() string {
	name := d.pick(actors.ConsumerNames()...)
	if name == actors.TTLMarker.String() {
		name += ":" + d.span()
	}
	return name
}

func (d *drawer) workerOptions() string {
	return d.options("ack="+d.pick("early", "late"), "work="+d.pick("", "exp:")+d.span(), "poll="+d.span(), "timeout="+d.span(), "settle-retries="+d.num())
}

func (d *drawer) jobOptions() string {
	payload := script.AppendValue(nil, rapid.StringN(0, 20, -1).Draw(d.t, "payload"))
	return d.options("at="+d.span(), "by="+d.pick("a1"), "delay="+d.ms(), "fails="+d.num(), "payload="+string(payload))
}

func (d *drawer) chaosOptions(kind string) string {
	k, _, _ := faults.ParseKind(kind)
	known := map[faults.Kinds][]string{
		faults.Drop: {}, faults.Refuse: {"apply"}, faults.Delay: {"claim", "by=1ms.." + d.span()[:1] + "h"}, faults.Duplicate: {"by=5s", "extend"},
		faults.Crash: {"v1", "queue", "restart=1s..2s", "count=1..2"}, faults.Pause: {"pump", "for=3s..4s", "count=7"}, faults.Stall: {"v1", "for=1s"},
		faults.Partition: {"a1", "v1", "for=1s"}, faults.Clock: {"queue", "a1", "jump=-5s..+5s", "count=0..1"},
	}
	return d.options(known[k]...) + " rate=" + d.share()
}

func FuzzParse(f *testing.F) {
	for _, file := range seeds(f) {
		f.Add(file)
	}
	f.Fuzz(func(t *testing.T, text string) {
		first, err := scenarios.Parse("f", []byte(text))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f:") {
				t.Errorf("the error names no line: %v", err)
			}
			return
		}
		canonical := string(first.Text())
		second, err := scenarios.Parse("f", []byte(canonical))
		if err != nil {
			t.Fatalf("written as\n%s\n%v", canonical, err)
		}
		if diff := cmp.Diff(first, second, butLines); diff != "" {
			t.Errorf("written as\n%s\n(-first +second)\n%s", canonical, diff)
		}
		if again := string(second.Text()); again != canonical {
			t.Errorf("written as\n%s\nand then as\n%s", canonical, again)
		}
	})
}

// seeds are the stories of the catalogue, the broken ones, and one with odd
// bytes.
func seeds(f *testing.F) []string {
	text, err := os.ReadFile(filepath.Join("testdata", "errors.golden"))
	if err != nil {
		f.Fatal(err)
	}
	out := []string{"worker w1 consumer=atomic\njobs 3 payload=\"\\x00\"\nfault crash w1 after=mark J1#1\nexpect held no-loss\n----\nx"}
	files, _ := filepath.Glob(filepath.Join("stories", "*.story"))
	for _, file := range files {
		story, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		out = append(out, string(story))
	}
	for _, part := range strings.Split(string(text), "=== ")[1:] {
		_, rest, _ := strings.Cut(part, "\n")
		story, _, _ := strings.Cut(rest, "--- errors\n")
		out = append(out, story)
	}
	return out
}
