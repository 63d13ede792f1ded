package eventlog

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/model"
)

func spans(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// A lost ACK as its spans tell it: the first settlement failed, since the lock had gone
// to a second receiver, who found the work done.
func TestSpansOfALostAck(t *testing.T) {
	log := spans(t, "orders.otlp.jsonl")
	r := check(t, []byte(log), Options{})
	if len(r.Doubts) > 0 || r.Events != 12 || r.Jobs != 2 || r.Ignored != 1 {
		t.Errorf("%d events of %d jobs, %d ignored: %q", r.Events, r.Jobs, r.Ignored, r.Doubts)
	}
	for property, want := range map[string]model.Value{
		"no-duplicate-effect": model.Held, "stale-token-rejected": model.Held, "settled-once": model.Held,
		"tokens-rise": model.Held, "drains": model.Unknown, "one-place": model.Unknown,
	} {
		if got, why := value(t, log, property); got != want {
			t.Errorf("%s is %s, want %s: %s", property, got, want, why)
		}
	}
	doubled := strings.Replace(log, `{"boolValue":false}`, `{"boolValue":true}`, 1)
	if got, why := value(t, doubled, "no-duplicate-effect"); got != model.Broken {
		t.Errorf("two handlers ran to their end, and no-duplicate-effect is %s: %s", got, why)
	}
	accepted := strings.Replace(log, `,"status":{"code":2,"message":"the lock is lost"}`, ``, 1)
	if got, why := value(t, accepted, "stale-token-rejected"); got != model.Broken {
		t.Errorf("the settlement of a lapsed lock went through, and stale-token-rejected is %s: %s", got, why)
	}
}

// Two subscriptions are given every message, each for itself: their work is no
// duplicate, and a log of both is refused with the way out.
func TestSpansOfTwoSubscriptionsAreNotOneQueue(t *testing.T) {
	log := spans(t, "orders.otlp.jsonl")
	of := func(name string) string {
		const key = `{"key":"messaging.operation.type","value":{"stringValue":"process"}}`
		return key + `,{"key":"messaging.consumer.group.name","value":{"stringValue":"` + name + `"}}`
	}
	const process = `{"key":"messaging.operation.type","value":{"stringValue":"process"}}`
	if n := strings.Count(log, process); n < 2 {
		t.Fatalf("%d process spans", n)
	}
	same := strings.ReplaceAll(log, process, of("mail"))
	if got, why := value(t, same, "no-duplicate-effect"); got != model.Held {
		t.Errorf("of one group no-duplicate-effect is %s: %s", got, why)
	}
	both := strings.Replace(same, of("mail"), of("audit\\u001b[2J"), 1)
	_, err := Check(strings.NewReader(both), Options{})
	if err == nil || !strings.Contains(err.Error(), "judge them one at a time") || !strings.Contains(err.Error(), "line ") || strings.Contains(err.Error(), "\x1b") {
		t.Errorf("%v", err)
	}
}

// Every kind of span becomes what the mapping says.
func TestSpansBecomeEvents(t *testing.T) {
	var got []string
	emit := func(r *record) error {
		got = append(got, strings.Join([]string{kinds[r.kind].name, string(r.job), string(r.worker)}, " "))
		return nil
	}
	for _, file := range []string{"orders.otlp.jsonl", "pubsub.otlp.jsonl"} {
		for line := range strings.Lines(spans(t, file)) {
			r := &reader{feed: &feed{header: &header{}, isTimed: true}}
			r.sorter = newTimed(1, &r.doubts, emit)
			if isSpans([]byte(line)) {
				if err := r.takeSpans([]byte(line)); err != nil {
					t.Fatal(err)
				}
				_ = r.sorter.flush()
			}
		}
	}
	want := []string{
		"admitted order-7 shop", "admitted order-8 shop",
		"claimed order-7 biller-1", "applied order-7 biller-1", "refused order-7 biller-1",
		"claimed order-7 biller-2", "absorbed order-7 biller-2", "settled order-7 biller-2",
		"claimed order-8 biller-2", "failed order-8 biller-2", "dead order-8 biller-2",
		"admitted mail-1 mailer", "claimed mail-1 mailer-1", "applied mail-1 mailer-1", "applied mail-1 mailer-2",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Spans alone are never complete: two effects are two, and nothing is held.
func TestSpansAloneHoldNothing(t *testing.T) {
	r := check(t, []byte(spans(t, "pubsub.otlp.jsonl")), Options{})
	if held := heldIn(r.Verdicts); len(held) > 0 || r.Value() != model.Broken {
		t.Errorf("held: %v; all in all %s", held, r.Value())
	}
	for _, doubt := range []string{"no ended line", "a settle span of which neither disposition nor operation name is known"} {
		if !slices.ContainsFunc(r.Doubts, func(d string) bool { return strings.Contains(d, doubt) }) {
			t.Errorf("%q does not say %q", r.Doubts, doubt)
		}
	}
}

// A span that was exported twice is one event; with one that is missing, the count of the
// end does not agree.
func TestSpansExportedTwiceOrNot(t *testing.T) {
	lines := strings.SplitAfter(spans(t, "orders.otlp.jsonl"), "\n")
	again := check(t, []byte(strings.Join(slices.Insert(slices.Clone(lines), 4, lines[2]), "")), Options{})
	if again.Repeats != 3 || len(again.Doubts) > 0 {
		t.Errorf("%d repeats: %q", again.Repeats, again.Doubts)
	}
	lost := check(t, []byte(strings.Join(slices.Delete(slices.Clone(lines), 2, 3), "")), Options{})
	if len(heldIn(lost.Verdicts)) > 0 {
		t.Errorf("held: %v", heldIn(lost.Verdicts))
	}
}

// Two equal spans that lack an id are one that was exported twice, or two effects: nobody
// knows. Where none is equal to another the ids are not missed.
func TestEqualSpansWithoutIDsAreADoubt(t *testing.T) {
	log := spans(t, "orders.otlp.jsonl")
	for name, ids := range map[string]string{
		"no ids": "", "zeros": `"traceId":"00000000000000000000000000000000","spanId":"0000000000000000",`, "half": `"traceId":"6b8efff798038103d269b633813fc60c",`,
	} {
		bare := regexp.MustCompile(`"traceId":"\w*","spanId":"\w*",`).ReplaceAllString(log, ids)
		if got, why := value(t, bare, "no-duplicate-effect"); bare == log || got != model.Held {
			t.Errorf("%s: no-duplicate-effect is %s: %s", name, got, why)
		}
		lines := strings.SplitAfter(bare, "\n")
		twice := check(t, []byte(strings.Join(slices.Insert(slices.Clone(lines), 4, lines[2]), "")), Options{})
		if len(heldIn(twice.Verdicts)) > 0 || twice.Repeats > 0 || !strings.Contains(strings.Join(twice.Doubts, "|"), "no traceId and spanId") {
			t.Errorf("%s: held are %v, %d repeats, %q", name, heldIn(twice.Verdicts), twice.Repeats, twice.Doubts)
		}
	}
}

// What a failed call did to the queue nobody knows, unless the queue said that it refused;
// what the mapping does not know leaves a doubt; what is no message is ignored.
func TestSpansThatTellTooLittle(t *testing.T) {
	log := spans(t, "orders.otlp.jsonl")
	for name, c := range map[string]struct{ old, new, doubt string }{
		"a settlement that timed out": {"MessageLockLost", "TimeoutException", "line 3 has a receive or settle span that failed"},
		"a receive that failed":       {`"name":"receive orders"`, `"status":{"code":2}`, "line 3 has a receive or settle span that failed"},
		"an operation unknown":        {`"stringValue":"process"`, `"stringValue":"ponder"`, "line 3 has a span of a messaging system with an operation"},
		"a system without operation":  {`{"key":"http.route"`, `{"key":"messaging.system","value":{"stringValue":"x"}},{"key":"http.route"`, "line 2 has a span of a messaging system"},
		"a message without a name":    {`{"key":"messaging.message.id","value":{"stringValue":"order-8"}}],"status"`, `],"status"`, "line 4 has a span about a message without"},
	} {
		r := check(t, []byte(strings.ReplaceAll(strings.Replace(log, c.old, c.new, 1), "},]", "}]")), Options{})
		if len(r.Doubts) == 0 || len(heldIn(r.Verdicts)) > 0 || !strings.Contains(strings.Join(r.Doubts, "|"), c.doubt) {
			t.Errorf("%s: %q, held are %v", name, r.Doubts, heldIn(r.Verdicts))
		}
	}
	failed := strings.Replace(log, `"name":"send orders"`, `"status":{"code":2}`, 1)
	if got := check(t, []byte(failed), Options{}).Events; got != 10 {
		t.Errorf("a send of two messages that failed: %d events, want 10", got)
	}
	old := strings.Replace(spans(t, "pubsub.otlp.jsonl"), `{"key":"messaging.operation","value":{"stringValue":"publish"}}`, `{"key":"messaging.system","value":{"stringValue":"gcp_pubsub"}}`, 1)
	if got, want := check(t, []byte(old), Options{}).Events, check(t, []byte(spans(t, "pubsub.otlp.jsonl")), Options{}).Events; got != want {
		t.Errorf("a producer's span without an operation: %d events, want %d", got, want)
	}
}

// Every settlement that the mapping knows is an event of a kind that takes it.
func TestEverySettlementIsOne(t *testing.T) {
	for _, way := range settlements {
		k := kinds[findKind(way.kind)]
		if !k.is(way.op, way.reply) || !kinds[findKind("refused")].is(way.op, model.Stale) {
			t.Errorf("%v: %s with %s and %s", way.words, way.kind, way.op, way.reply)
		}
	}
}

func TestSpansWithWrongNumbersAreRefused(t *testing.T) {
	log := spans(t, "orders.otlp.jsonl")
	for _, bad := range []string{`"endTimeUnixNano":"9999999999999999999"`, `"endTimeUnixNano":"NaN"`, `"endTimeUnixNano":"-5"`, `"endTimeUnixNano":1.5`} {
		edited := strings.Replace(log, `"endTimeUnixNano":"1772330402000000000"`, bad, 1)
		if _, err := Check(strings.NewReader(edited), Options{}); err == nil || !strings.Contains(err.Error(), "log:3: ") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
