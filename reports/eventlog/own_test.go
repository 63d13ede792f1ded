package eventlog

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/model"
)

// Logs as people write them: a header, and events with a job, a worker, a token and a
// time. A line is told by words, "claimed J w1 token=1".

const ownHeader = `{"format":"ackgap-log/1","lease":"30s","max-attempts":3,"tokens":"attempts",` +
	`"records":["admitted","enqueued","claimed","extended","settled","dead","operated","applied"]}`

// own writes a log of these events, a second apart, numbered and ended.
func own(header string, events ...string) string {
	lines := []string{header}
	for i, event := range slices.Concat(events, []string{"ended cause=quiet"}) {
		if !strings.Contains(event, "time=") {
			event += fmt.Sprintf(" time=%d", i*1_000_000_000)
		}
		lines = append(lines, fmt.Sprintf(`{"seq":%d,%s}`, i+1, told(event)))
	}
	return strings.Join(lines, "\n") + "\n"
}

// told turns "claimed J w1 token=1" into fields. Numbers stand bare.
func told(event string) string {
	words := strings.Fields(event)
	fields := []string{fmt.Sprintf(`"kind":%q`, words[0])}
	for i, word := range words[1:] {
		key, value, ok := strings.Cut(word, "=")
		if !ok {
			key, value = []string{"job", "worker"}[i], word
		}
		if strings.Trim(value, "0123456789") != "" {
			value = fmt.Sprintf("%q", value)
		}
		fields = append(fields, fmt.Sprintf("%q:%s", key, value))
	}
	return strings.Join(fields, ",")
}

// value returns what a log says of a property, with the reason.
func value(t *testing.T, log, property string) (model.Value, string) {
	t.Helper()
	r := check(t, []byte(log), Options{})
	i := slices.IndexFunc(r.Verdicts, func(v model.Verdict) bool { return v.Property == property })
	return r.Verdicts[i].Value, r.Verdicts[i].Witness.Says + "|" + strings.Join(r.Doubts, "|")
}

var lostAck = []string{
	"admitted J shop", "enqueued J shop", "claimed J w1 token=1", "applied J w1", "reaped",
	"claimed J w2 token=2 until=99000000000", "applied J w2", "settled J w2 token=2", "refused J w1 token=1",
}

// Each property that needs no touches is held, and is broken, by a log of a few lines.
func TestAFewLinesAreEnough(t *testing.T) {
	once := []string{"admitted J shop", "enqueued J shop", "claimed J w1 token=1", "applied J w1", "settled J w1 token=1"}
	for _, c := range []struct {
		property string
		value    model.Value
		events   []string
	}{
		{"no-duplicate-effect", model.Held, once},
		{"no-duplicate-effect", model.Broken, lostAck},
		{"stale-token-rejected", model.Held, once},
		{"stale-token-rejected", model.Broken, append(slices.Clone(lostAck[:7]), "settled J w1 token=1")},
		{"settled-once", model.Held, once},
		{"settled-once", model.Broken, append(slices.Clone(once), "settled J w1 token=1")},
		{"tokens-rise", model.Held, once},
		{"tokens-rise", model.Broken, append(slices.Clone(once), "enqueued J shop", "claimed J w1 token=1")},
		{"single-holder", model.Held, once},
		{"single-holder", model.Broken, lostAck},
		{"attempts-bounded", model.Held, append(slices.Clone(once[:3]), "settled J w1 token=1 op=retry answer=scheduled")},
		{"attempts-bounded", model.Broken, append(slices.Clone(once[:3]), "dead J w1 token=1")},
		{"deadline-monotone", model.Held, append(slices.Clone(once[:3]), "extended J w1 token=1")},
		{"deadline-monotone", model.Broken, append(slices.Clone(once[:3]), "extended J w1 token=1 until=20000000000")},
		{"drains", model.Held, once},
		{"drains", model.Broken, once[:4]},
		{"no-loss", model.Unknown, once},
		{"no-loss", model.Broken, slices.Delete(slices.Clone(once), 3, 4)},
	} {
		if got, why := value(t, own(ownHeader, c.events...), c.property); got != c.value {
			t.Errorf("%s is %s, want %s: %s\n%s", c.property, got, c.value, why, strings.Join(c.events, "\n"))
		}
	}
}

// What a property needs and the log has not, the verdict names; and what is broken
// stays so only where nothing that is missing could excuse it.
func TestAVerdictNamesWhatIsMissing(t *testing.T) {
	twice := own(ownHeader, lostAck...)
	lines := strings.SplitAfter(twice, "\n")
	lacking := strings.Join(slices.Delete(lines, 5, 6), "")
	for _, c := range []struct {
		name, log, property string
		value               model.Value
		says                string
	}{
		{"touches", twice, "one-place", model.Unknown, "the log does not tell where the jobs stand"},
		{"a kind", strings.Replace(twice, `"extended",`, "", 1), "single-holder", model.Unknown, "records in the header does not list extended"},
		{"a kind that excuses nothing", strings.Replace(twice, `,"applied"`, "", 1), "no-duplicate-effect", model.Broken, "changed the outside ledger"},
		{"a deadline", strings.Replace(twice, `"lease":"30s",`, "", 1), "single-holder", model.Unknown, "the event in line 4 does not say until when"},
		{"a token", strings.Replace(twice, `,"token":1`, "", 1), "tokens-rise", model.Unknown, "the claim in line 4 has no token"},
		{"a cap", own(strings.Replace(ownHeader, `"max-attempts":3,`, "", 1), "claimed J w1 token=1", "dead J w1 token=1"), "attempts-bounded",
			model.Unknown, "the retry in line 3 does not say at how many attempts"},
		{"what tokens mean", strings.NewReplacer(`"tokens":"attempts",`, "", `"admitted","enqueued",`, `"admitted",`).Replace(twice), "attempts-bounded", model.Unknown, "does not tell the attempts"},
		{"what tokens mean, and the claims are told", strings.Replace(twice, `"tokens":"attempts",`, "", 1), "attempts-bounded", model.Held, ""},
		{"a claim that may be missing", strings.Replace(own(strings.Replace(ownHeader, `"tokens":"attempts",`, "", 1), "enqueued J shop", "claimed J w1 token=9", "dead J w1 token=9"), `{"format"`, `{"complete":false,"format"`, 1), "attempts-bounded", model.Unknown, "not complete"},
		{"whose word it is", own(ownHeader, "claimed J w1 token=1", "settled J w2 token=7"), "settled-once", model.Unknown, "line 3 speaks for a delivery that is none"},
		{"the end", strings.Replace(twice, `"cause":"quiet"`, `"cause":"horizon"`, 1), "drains", model.Unknown, "the recording stopped before the queue was quiet"},
		{"an event", lacking, "settled-once", model.Unknown, "event 5 is missing"},
		{"an event, and two effects stay two", lacking, "no-duplicate-effect", model.Broken, ""},
		{"the first effect", own(ownHeader, "applied J w1 effect=2"), "no-duplicate-effect", model.Broken, "line 2 counts a delivery or an effect that does not follow"},
		{"the second token", own(ownHeader, "claimed J w1 token=1", "claimed J w2"), "tokens-rise", model.Unknown, "the claim in line 3 has no token; else it would be broken"},
		{"one id", own(ownHeader, "claimed J w1 token=1", "settled J w1 token=1 id=JOB0NgWEfAEJfs"), "settled-once", model.Unknown, "line 3 has an id that other lines about the job lack"},
		{"an id of its own", own(ownHeader, "claimed J w1 token=1 id=JOB0NgWEfAEJfs", "claimed K w1 token=1 id=JOB0NgWEfAEJfs"), "tokens-rise", model.Unknown, "or that is another job's"},
		{"a clock", own(ownHeader, "claimed J w1 token=1", "claimed K w1 token=1", "settled J w1 token=1", "claimed L w1 token=1 time=0"), "single-holder", model.Unknown, "the queue's clock goes back in line 5"},
		{"one word for one event", strings.Replace(twice, "\n", "\n"+`{"seq":4,"time":3000000000,"kind":"absorbed","job":"J"}`+"\n", 1), "no-duplicate-effect", model.Unknown, "another line tells in another way"},
		{"any job", own(ownHeader), "no-duplicate-effect", model.Unknown, "the log tells of no job"},
	} {
		if got, why := value(t, c.log, c.property); got != c.value || !strings.Contains(why, c.says) {
			t.Errorf("without %s: %s is %s, want %s: %s", c.name, c.property, got, c.value, why)
		}
	}
}

// A queue that comes back without a pause or a resume that it had answered says so by its
// answer: an empty claim is no idle queue then.
func TestAQueueComesBackPaused(t *testing.T) {
	log := `{"format":"ackgap-log/1","records":"all","touches":true,"queue":"q","workers":[]}
{"seq":1,"time":0,"kind":"enqueued","job":"J","id":"JOB0NgWEfAEJfs","touched":[{"id":"JOB0NgWEfAEJfs","after":{"sets":"pending","row":"full"}}]}
{"seq":2,"time":1,"kind":"operated","op":"pause"}
{"seq":3,"time":2,"kind":"operated","op":"resume"}
{"seq":4,"time":3,"kind":"restarted","worker":"q","answer":"paused"}
{"seq":5,"time":4,"kind":"idle","worker":"w1"}
{"seq":6,"time":5,"kind":"ended","cause":"quiet"}
`
	if got, why := value(t, log, "work-conserving"); got != model.Held {
		t.Errorf("paused, and work-conserving is %s: %s", got, why)
	}
	if got, _ := value(t, strings.Replace(log, `,"answer":"paused"`, ``, 1), "work-conserving"); got != model.Broken {
		t.Errorf("not paused, and work-conserving is %s", got)
	}
}

// A property that is named must have had something to judge.
func TestANamedPropertyMustBeJudged(t *testing.T) {
	log := own(ownHeader, "claimed J w1 token=1")
	r := check(t, []byte(log), Options{Properties: []string{"deadline-monotone"}})
	if len(r.Verdicts) != 1 || r.Value() != model.Unknown {
		t.Errorf("%+v", r.Verdicts)
	}
	if v, _ := value(t, log, "deadline-monotone"); v != model.Held {
		t.Errorf("not named, it is %s", v)
	}
}

// A delivery is known by its token, or by its worker where tokens repeat or there are
// none; where neither tells, nothing is guessed.
func TestADeliveryIsKnownByTokenOrWorker(t *testing.T) {
	for _, c := range []struct {
		claims, word string
		known        bool
	}{
		{"claimed J w1 token=1;claimed J w2 token=2", "settled J w2 token=2", true},
		{"claimed J w1 token=1;claimed J w2 token=2", "settled J w9 token=2", true},
		{"claimed J w1 token=1;claimed J w2 token=1", "settled J w2 token=1", true},
		{"claimed J w1 token=1;claimed J w1 token=1", "settled J w1 token=1", false},
		{"claimed J w1;claimed J w2", "settled J w1", true},
		{"claimed J w1;claimed J w1", "settled J w1", false},
		{"claimed J w1;claimed J w2", "settled J", false},
		{"claimed J w1", "settled J", true},
		{"claimed J w1 token=1", "settled J w1 token=5", false},
		{"claimed K w1 token=1", "settled J w1 token=1", false},
		{strings.Repeat("claimed J w1 token=1;", maxSearch) + "claimed J w2 token=9", "settled J w2 token=9", false},
	} {
		_, why := value(t, own(ownHeader, append(strings.Split(c.claims, ";"), c.word)...), "settled-once")
		if known := !strings.Contains(why, "speaks for a delivery"); known != c.known {
			t.Errorf("%s; %s: known is %v, want %v", c.claims, c.word, known, c.known)
		}
	}
}

// A log without seq is sorted by time, and is complete by its header's word and the count
// of its end; repeats are known by their event id.
func TestALogWithoutNumbers(t *testing.T) {
	header := strings.Replace(ownHeader, "{", `{"complete":true,`, 1)
	lines := []string{
		`{"event":"a","time":"2026-03-01T02:00:00Z","kind":"claimed","job":"J","worker":"w1","token":1}`,
		`{"event":"b","time":"2026-03-01T02:00:02Z","kind":"settled","job":"J","worker":"w1","token":1}`,
		`{"event":"c","time":"2026-03-01T03:00:01+01:00","kind":"applied","job":"J","worker":"w1"}`,
		`{"event":"b","time":"2026-03-01T02:00:02Z","kind":"settled","job":"J","worker":"w1","token":1}`,
		`{"time":"2026-03-01T04:00:00Z","kind":"ended","cause":"quiet","events":3}`,
	}
	for _, c := range []struct {
		name   string
		edit   func(l []string, h *string)
		value  model.Value
		doubts string
	}{
		{"as it should be", func([]string, *string) {}, model.Held, ""},
		{"nobody vouches", func(_ []string, h *string) { *h = ownHeader }, model.Unknown, `does not say "complete": true`},
		{"nobody counts", func(l []string, _ *string) { l[4] = strings.Replace(l[4], `,"events":3`, "", 1) }, model.Unknown, "does not count them"},
		{"one more was counted", func(l []string, _ *string) { l[4] = strings.Replace(l[4], `:3`, `:4`, 1) }, model.Unknown, "counts 4 events before it, and there are 3"},
		{"one id, two events", func(l []string, _ *string) { l[3] = strings.Replace(l[3], `02Z`, `03Z`, 1) }, model.Unknown, "another line tells in another way"},
		{"equal lines without id", func(l []string, _ *string) {
			l[1], l[3] = strings.Replace(l[1], `"event":"b",`, "", 1), strings.Replace(l[3], `"event":"b",`, "", 1)
		}, model.Unknown, "has no event id"},
		{"one instant", func(l []string, _ *string) {
			l[1], l[3] = strings.Replace(l[1], `02Z`, `00Z`, 1), strings.Replace(l[3], `02Z`, `00Z`, 1)
		}, model.Unknown, "no seq says which was first"},
	} {
		h, l := header, slices.Clone(lines)
		c.edit(l, &h)
		got, why := value(t, h+"\n"+strings.Join(l, "\n")+"\n", "settled-once")
		if got != c.value || !strings.Contains(why, c.doubts) {
			t.Errorf("%s: %s, want %s: %s", c.name, got, c.value, why)
		}
	}
}

// What is broken only by the order of two lines with one time may not be broken at all.
func TestALogWithoutNumbersDoubtsWhatRestsOnOneInstant(t *testing.T) {
	log := strings.Replace(ownHeader, "{", `{"complete":true,`, 1) + `
{"time":1,"kind":"claimed","job":"J","worker":"w1","token":1}
{"time":9,"kind":"claimed","job":"J","worker":"w2","token":2}
{"time":8,"kind":"settled","job":"J","worker":"w1","token":1}
{"time":10,"kind":"ended","cause":"quiet","events":3}
`
	for at, want := range map[string]model.Value{"8": model.Held, "9": model.Unknown, "10": model.Broken} {
		edited := strings.NewReplacer(`"time":8,`, `"time":`+at+`,`, `"time":10,"kind":"ended"`, `"time":11,"kind":"ended"`).Replace(log)
		if got, why := value(t, edited, "stale-token-rejected"); got != want {
			t.Errorf("settled at %s: %s, want %s: %s", at, got, want, why)
		}
	}
}

// The bound of drains counts the jobs that were done after the last disturbance; it is not
// set by those alone that are remembered.
func TestTheBoundOfDrainsCountsEveryJob(t *testing.T) {
	header := strings.Replace(ownHeader, "{", `{"workers":[{"name":"w1","work":"1s"}],`, 1)
	events := []string{"admitted stuck shop"}
	for i := range 40 {
		events = append(events, fmt.Sprintf("admitted J%d shop", i), fmt.Sprintf("claimed J%d w1 token=1", i), fmt.Sprintf("applied J%d w1", i), fmt.Sprintf("settled J%d w1 token=1", i))
	}
	log := strings.Replace(own(header, events...), `"cause":"quiet","time":161000000000`, `"cause":"horizon","time":9161000000000`, 1)
	for remember, want := range map[int]model.Value{0: model.Broken, 20: model.Unknown} {
		r := check(t, []byte(log), Options{Remember: remember, Properties: []string{"drains"}})
		if got := r.Verdicts[0]; got.Value != want {
			t.Errorf("remembered for %d events, drains is %s, want %s: %s", remember, got.Value, want, got.Witness.Says)
		}
	}
}

// An event may be late by as many places as the window has, and no more.
func TestTheWindowIsAsLongAsItSays(t *testing.T) {
	var events []string
	for i := range 20 {
		events = append(events, fmt.Sprintf("claimed J%d w1 token=1", i))
	}
	lines := strings.SplitAfter(own(ownHeader, events...), "\n")
	for late := 1; late <= 12; late++ {
		moved := slices.Insert(slices.Delete(slices.Clone(lines), 2, 3), 2+late, lines[2])
		r := check(t, []byte(strings.Join(moved, "")), Options{Window: 8})
		if complete := len(r.Doubts) == 0; complete != (late <= 8) {
			t.Errorf("%d places late in a window of 8: %v", late, r.Doubts)
		}
	}
}

// What comes later than that is not judged, and the log says which line it was.
func TestWhatComesTooLateIsNamed(t *testing.T) {
	var events []string
	for i := range 40 {
		events = append(events, fmt.Sprintf("claimed J%d w1 token=1", i))
	}
	numbered := own(ownHeader, events...)
	for form, log := range map[string]string{"numbered": numbered, "timed": regexp.MustCompile(`"seq":\d+,`).ReplaceAllString(numbered, "")} {
		lines := strings.SplitAfter(log, "\n")
		moved := slices.Insert(slices.Delete(slices.Clone(lines), 2, 3), 30, lines[2])
		r := check(t, []byte(strings.Join(moved, "")), Options{Window: 8})
		if !slices.Contains(r.Doubts, "line 31 arrived too late to be put into its place") {
			t.Errorf("%s: %q", form, r.Doubts)
		}
	}
}

// Where there are more workers than a history can number, they are not told apart: that
// is doubted.
func TestMoreWorkersThanNumbers(t *testing.T) {
	var events []string
	for i := range 33_000 {
		events = append(events, fmt.Sprintf("claimed J%d w%d token=1", i, i))
	}
	for _, c := range []struct{ workers, doubts int }{{32_000, 0}, {33_000, 1}} {
		r := check(t, []byte(own(ownHeader, events[:c.workers]...)), Options{})
		if len(r.Doubts) != c.doubts {
			t.Errorf("%d workers: %q", c.workers, r.Doubts)
		}
	}
}

// Repeats within the window are dropped; a number that comes again long after may be
// another event, as when a writer begins to count anew.
func TestARepeatLongAfterIsDoubted(t *testing.T) {
	var events []string
	for i := range 40 {
		events = append(events, fmt.Sprintf("claimed J%d w1 token=1", i))
	}
	lines := strings.SplitAfter(own(ownHeader, events...), "\n")
	for _, c := range []struct{ at, doubts int }{{4, 0}, {30, 1}} {
		r := check(t, []byte(strings.Join(slices.Insert(slices.Clone(lines), c.at, lines[2]), "")), Options{Window: 8})
		if len(r.Doubts) != c.doubts {
			t.Errorf("a repeat in line %d: %q", c.at, r.Doubts)
		}
	}
}

// A cut last line is dropped and doubted; a bad line anywhere else is refused.
func TestOnlyTheLastLineMayBeCut(t *testing.T) {
	log := own(ownHeader, lostAck...)
	r := check(t, []byte(log[:len(log)-10]), Options{})
	if !slices.ContainsFunc(r.Doubts, func(d string) bool { return strings.Contains(d, "line 11, the last one, is cut") }) {
		t.Errorf("%q", r.Doubts)
	}
	if _, err := Check(strings.NewReader(log[:len(log)-10]+"\n"), Options{}); err == nil {
		t.Error("a bad line that has an end is taken")
	}
}
