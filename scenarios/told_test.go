package scenarios_test

import (
	"bufio"
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// replayer makes the test binary a program that replays the tokens on its
// standard input, one a line: another process than the one that made them.
const replayer = "ACKGAP_TEST_REPLAYER"

func TestMain(m *testing.M) {
	if os.Getenv(replayer) == "" {
		os.Exit(m.Run())
	}
	if err := replayAll(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func replayAll(in io.Reader, out io.Writer) error {
	runner, lines := scenarios.NewRunner(), bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		token, err := scenarios.ParseToken(lines.Text())
		if err != nil {
			return err
		}
		o, err := runner.Run(token.Story, scenarios.Options{Forget: true})
		if err != nil {
			return err
		}
		fmt.Fprintln(out, sumUp(o))
	}
	return lines.Err()
}

// sumUp is the digest of a run, its verdicts and which faults never fired.
func sumUp(o *scenarios.Outcome) string {
	var b strings.Builder
	b.WriteString(o.History.Digest.String())
	for _, v := range append(slices.Clone(o.Verdicts), o.Reach...) {
		fmt.Fprintf(&b, " %d/%d", v.Value, v.Evaluations)
	}
	for _, e := range o.Unfired {
		fmt.Fprintf(&b, " unfired: %s", o.Story.FaultText(e))
	}
	return b.String()
}

// Worlds in which something breaks, of queues and consumers that err in ways of
// their own. Together they draw every kind of chaos there is.
var failingStories = []string{
	// Naive consumers, on a network that is bad by itself too.
	`workers 2
network jitter=5ms loss=1% until=30s
jobs 3 every=1s
chaos drop complete retry rate=10%
chaos drop-reply claim complete rate=10%
chaos crash w1 w2 rate=10%
chaos crash queue rate=50%
chaos clock queue rate=50% jump=+1s..+60s
quiet time=1m`,
	// No fence, and everything late or doubled.
	`queue echomq variant=no-fence sweep-every=2s
workers 2 work=1s heartbeat=10s
jobs 3 every=1s
chaos delay rate=10%
chaos delay-reply rate=10%
chaos duplicate rate=10%
chaos pause rate=20% for=20s..90s
chaos stall rate=30%
chaos error apply rate=10%
quiet time=2m`,
	// A queue that forgets what it reaps, and windows so short and many that some
	// would begin together, and that many of them change nothing.
	`queue echomq variant=reap-forgets lease=1s
workers 2 consumer=atomic timeout=500ms
jobs 4 every=10ms
chaos drop claim complete rate=20%
chaos partition rate=90% for=1ms..1s count=3..6
chaos pause rate=90% for=1ms..100ms count=3..6
quiet time=50ms`,
	// Clocks, calls to an outside service, and operators who speak of deliveries
	// that there may not be.
	`workers 2 consumer=external
jobs 2
do complete J1#2 by=ann time=40s
do reprocess J2 time=50s
chaos clock rate=90% jump=-60s..60s
chaos drop-reply apply rate=30%
chaos delay apply rate=30%
quiet time=2m`,
	// No end to what is drawn.
	`queue echomq variant=early-expiry
workers 3 work=10s
jobs 2
chaos crash rate=20%
chaos drop enqueue rate=30%
chaos drop-reply enqueue rate=30%`,
}

// told is a failing world, its story and what came of it.
type told struct {
	story *scenarios.Story
	token string
	sum   string
}

// tellFailures tells the first n failing worlds of each story.
func tellFailures(t *testing.T, n int) (all []told) {
	t.Helper()
	runner := scenarios.NewRunner()
	for i, text := range failingStories {
		c := campaign(t, mustParse(t, fmt.Sprintf("failing-%d", i+1), text))
		for seed, found := uint64(1), 0; found < n; seed++ {
			if seed > 50*uint64(n) {
				t.Fatalf("story %d: %d of %d worlds fail, which is too few", i+1, found, seed)
			}
			w := world(t, runner, c, seed, false)
			if !slices.ContainsFunc(w.Outcome.Verdicts, func(v model.Verdict) bool { return v.Value == model.Broken }) {
				continue
			}
			found++
			story := c.Tell(w)
			all = append(all, told{story, scenarios.NewToken("a-build", w.Outcome.History.Digest, story), sumUp(w.Outcome)})
		}
	}
	return all
}

// A world is a story: written out and read again it leaves the same history and
// the same verdicts, and each fault that it does not call optional fires.
func TestAWorldToldAsAStoryIsTheSameWorld(t *testing.T) {
	runner, tokens, sums := scenarios.NewRunner(), "", ""
	for _, f := range tellFailures(t, 200) {
		text := f.story.Text()
		again, err := scenarios.Parse(f.story.Name, text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		out, err := runner.Run(again, scenarios.Options{Forget: true})
		if err != nil {
			t.Fatal(err)
		}
		if got := sumUp(out); got != f.sum || len(out.Missing) > 0 {
			t.Errorf("told, it comes to another\n%s\nbefore\n%s\n%s", got, f.sum, text)
		}
		token, err := scenarios.ParseToken(f.token)
		if err != nil {
			t.Fatalf("%v\n%s", err, f.token)
		}
		if !bytes.Equal(token.Story.Text(), text) || token.Build != "a-build" || !strings.HasPrefix(f.sum, token.Digest+" ") {
			t.Errorf("the token holds build %q, digest %s and\n%s\nthe story is\n%s", token.Build, token.Digest, token.Story.Text(), text)
		}
		tokens, sums = tokens+f.token+"\n", sums+f.sum+"\n"
	}
	if n := strings.Count(tokens, "\n"); n != 1000 {
		t.Fatalf("%d worlds were told", n)
	}
	if got := replayElsewhere(t, tokens); got != sums {
		t.Error("another process replays the tokens to something else")
	}
}

// replayElsewhere replays tokens in a process of its own, on one processor and
// with a collector that runs all the time.
func replayElsewhere(t *testing.T, tokens string) string {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.CommandContext(t.Context(), program)
	child.Env = append(os.Environ(), replayer+"=on", "GOMAXPROCS=1", "GOGC=1")
	child.Stdin = strings.NewReader(tokens)
	var errs bytes.Buffer
	child.Stderr = &errs
	out, err := child.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, errs.String())
	}
	return string(out)
}

// A window that changed nothing is written `fault?`, and one that changed something
// is not: the one kind need not fire again, the other must.
func TestAWindowThatChangedNothingIsOptional(t *testing.T) {
	optional, due := 0, 0
	for _, f := range tellFailures(t, 20) {
		for _, e := range f.story.Plan {
			switch {
			case e.Point.Family != faults.Slot:
				if e.Optional {
					t.Errorf("it struck where it was asked, and is optional: %s", f.story.FaultText(e))
				}
			case e.Optional:
				optional++
			default:
				due++
			}
		}
	}
	if optional == 0 || due == 0 {
		t.Errorf("%d windows are optional and %d are due", optional, due)
	}
}

// A world is judged alike however it is told: what may break in the random worlds of a
// story may break in the story of one of them, and where it held nothing is said of it.
func TestWhatMayBreakIsToldWhereItBroke(t *testing.T) {
	const line = "expect chaos may-break no-duplicate-effect\n"
	c := campaign(t, load(t, "lost-ack"))
	runner, broke := scenarios.NewRunner(), 0
	for seed := uint64(1); seed <= 20; seed++ {
		w := world(t, runner, c, seed, false)
		met, isBroken := w.Outcome.Met, slices.Contains(brokenOf(w.Outcome), "no-duplicate-effect")
		text := string(c.Tell(w).Text())
		if strings.Contains(text, line) != isBroken {
			t.Errorf("seed %d: broken is %t, and it is told\n%s", seed, isBroken, text)
		}
		if got := outcomeOf(t, text, scenarios.Options{}).Met; got != met {
			t.Errorf("seed %d: the world is %s, its story %s", seed, met, got)
		}
		if !isBroken {
			continue
		}
		broke++
		if got := outcomeOf(t, strings.Replace(text, line, "", 1), scenarios.Options{}).Met; got != scenarios.No {
			t.Errorf("seed %d: without the line the story is %s", seed, got)
		}
	}
	if broke == 0 {
		t.Error("no world breaks what may break: nothing was seen")
	}
}

// A raw request whose delivery never came is told as a `do?` line: the run waited
// for its time, and one that was told without it would end before.
func TestARawRequestThatFoundNoDeliveryIsOptional(t *testing.T) {
	const deed = " extend J1#3 by=op time=48s\n"
	c := campaign(t, mustParse(t, "waits", "worker w1 consumer=atomic\njob J1\nchaos drop rate=1%\ndo"+deed))
	w := world(t, scenarios.NewRunner(), c, 1, true)
	if len(w.Outcome.Missing) != 1 {
		t.Fatalf("missing is %v; the world was to have no third delivery", w.Outcome.Missing)
	}
	digest := w.Outcome.History.Digest
	text := string(c.Tell(w).Text())
	if !strings.Contains(text, "\ndo?"+deed) {
		t.Fatalf("it is told without the line do?%s%s", deed, text)
	}
	out := outcomeOf(t, text, scenarios.Options{Strict: true})
	if out.History.Digest != digest || len(out.Missing) != 0 || out.Met != scenarios.Yes {
		t.Errorf("told alone it leaves %s, before %s; missing %v, %s", out.History.Digest, digest, out.Missing, out.Met)
	}
	if out := outcomeOf(t, strings.Replace(text, "do?", "do", 1), scenarios.Options{}); len(out.Missing) != 1 || out.Met != scenarios.No {
		t.Errorf("as a do line it is due: missing %v, %s; want it missed", out.Missing, out.Met)
	}
}

const goodDigest = "0123456789abcdef"

// pack makes a token of a text, sound or not.
func pack(text string) string {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestSpeed)
	io.WriteString(w, text)
	w.Close()
	return seal(b.Bytes())
}

// seal puts the checksum before packed bytes.
func seal(packed []byte) string {
	sum := binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(packed))
	return "ackgap1." + base64.RawURLEncoding.EncodeToString(append(sum, packed...))
}

func TestADamagedTokenIsRefused(t *testing.T) {
	good := pack("b " + goodDigest + "\nworker w1\njob J1\n")
	if token, err := scenarios.ParseToken(" \n" + good[:30] + "\r\n" + good[30:] + "\n"); err != nil || token.Digest != goodDigest || token.Build != "b" {
		t.Fatalf("a good one that a mail has broken into lines: %+v, %v", token, err)
	}
	const damaged = "the token is damaged: was it copied whole?"
	const version = `a token begins with "ackgap1."; this one is of another version or no token`
	for _, c := range []struct{ what, token, want string }{
		{"nothing", "", version},
		{"another version", "ackgap2." + good[8:], version},
		{"a story", "worker w1\n", version},
		{"the prefix alone", "ackgap1.", damaged},
		{"the end is missing", good[:len(good)-1], damaged},
		{"half is missing", good[:len(good)/2], damaged},
		{"something behind it", good + "AAAA", damaged},
		{"a letter that is none", good[:20] + "*" + good[21:], damaged},
		{"two letters swapped", good[:20] + good[21:22] + good[20:21] + good[22:], damaged},
		{"sealed, and not deflated", seal([]byte("\xffnone")), damaged},
		{"sealed, and cut off", seal(nil), damaged},
		{"no digest", pack("b\nworker w1\n"), "the token does not begin with a build and a digest"},
		{"a short digest", pack("b 0123\nworker w1\n"), "the token does not begin with a build and a digest"},
		{"a digest that paints", pack("b \x1b[31m56789abcdef\nworker w1\n"), "the token does not begin with a build and a digest"},
		{"empty", pack(""), "the token does not begin with a build and a digest"},
		{"a bad story", pack("b " + goodDigest + "\nwroker w1\n"), "the token's story is refused:\ntoken:1: unknown directive \"wroker\""},
		{"a bomb", pack("b " + goodDigest + "\n" + strings.Repeat("#", 16<<20)), "the token unpacks to more than 16777216 bytes"},
	} {
		if _, err := scenarios.ParseToken(c.token); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s\n got %v\nwant %s", c.what, err, c.want)
		}
	}
}

// A last letter holds bits that mean nothing. They must be zero, or one token
// could be written in several ways.
func TestATokenIsWrittenInOneWay(t *testing.T) {
	good := ""
	for story := "worker w1\n"; len(strings.TrimPrefix(good, "ackgap1."))%4 != 2; story += "#" {
		good = pack("b " + goodDigest + "\n" + story)
	}
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	last := strings.IndexByte(alphabet, good[len(good)-1])
	if _, err := scenarios.ParseToken(good); err != nil || last%16 != 0 {
		t.Fatalf("the last letter is number %d, %v", last, err)
	}
	if _, err := scenarios.ParseToken(good[:len(good)-1] + alphabet[last+1:last+2]); err == nil {
		t.Error("four bits that mean nothing may be one")
	}
}

// However a token is damaged, it is refused or means what it meant.
func TestADamagedTokenIsNeverAnotherStory(t *testing.T) {
	good := pack("b " + goodDigest + "\nseed 7\nworkers 2\njobs 3\nfault drop complete J1#1\n")
	want, err := scenarios.ParseToken(good)
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		b := []byte(good)
		for range rapid.IntRange(1, 4).Draw(t, "damages") {
			at := rapid.IntRange(0, len(b)-1).Draw(t, "at")
			switch rapid.IntRange(0, 3).Draw(t, "damage") {
			case 0:
				b[at] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
			case 1:
				b = slices.Delete(b, at, at+1)
			case 2:
				b = slices.Insert(b, at, rapid.Byte().Draw(t, "byte"))
			default:
				b[at] = rapid.SampledFrom([]byte(good)).Draw(t, "letter")
			}
			if len(b) == 0 {
				return
			}
		}
		got, err := scenarios.ParseToken(string(b))
		if err == nil && (got.Build != want.Build || got.Digest != want.Digest || !bytes.Equal(got.Story.Text(), want.Story.Text())) {
			t.Fatalf("%q is accepted as build %s, digest %s and\n%s", b, got.Build, got.Digest, got.Story.Text())
		}
	})
}

func TestWhatLooksLikeAToken(t *testing.T) {
	for s, want := range map[string]bool{
		"ackgap1.abc": true, "ackgap12.": true, "ackgap1": false, "ackgap.story": false, "ackgap1x.story": false, "lost-ack": false, "": false,
	} {
		if got := scenarios.IsToken(s); got != want {
			t.Errorf("%q: %v", s, got)
		}
	}
}

// Whose run it was can be told also where the code of its story is not.
func TestATokenWhoseStoryIsRefusedStillTellsWhoMadeIt(t *testing.T) {
	forget, err := scenarios.RegisterQueue("mine", false, func() (model.Queue, error) { return nil, nil })
	if err != nil {
		t.Fatal(err)
	}
	s := scenarios.NewToken("build", 0, mustParse(t, "t.story", "queue mine\nworker w1\njob J1\n"))
	forget()
	token, err := scenarios.ParseToken(s)
	if err == nil || !strings.Contains(err.Error(), "the token's story is refused") || token == nil || token.Build != "build" || token.Story != nil {
		t.Errorf("%+v, %v", token, err)
	}
}

// A token is pasted without being read: it must not make anybody connect anywhere.
func TestATokenReachesNoServer(t *testing.T) {
	story := mustParse(t, "t.story", "queue echomq backend=valkey=10.0.0.1:6379\nworker w1\njob J1\n")
	_, err := scenarios.ParseToken(scenarios.NewToken("build", 0, story))
	if err == nil || !strings.Contains(err.Error(), `asks for the server "10.0.0.1:6379"`) {
		t.Errorf("the error is %v", err)
	}
}
