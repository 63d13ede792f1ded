package reports

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// asked are the questions of which the golden files keep every answer.
var asked = []struct{ what, observer, story string }{
	{"a lost ACK", "queue", "worker w1\nworker w2\njob J1\nfault drop complete J1#1"},
	{"the same, and the worker asks", "w1", "worker w1\nworker w2\njob J1\nfault drop complete J1#1"},
	{"a worker that dies before its next job", "queue", "worker w1\njob J1\njob J2 at=5s\nfault crash w1 after=apply J1#1 restart=3s"},
	{"a worker that is back too early", "queue", "worker w1\nworker w2\njob J1\nfault pause w1 before=apply J1#1 for=45s"},
	{"nobody reaps", "queue", "queue echomq reap-every=off\nworker w1\nworker w2\njobs 5\nfault drop complete J1#1"},
	{"who acknowledges first and dies", "queue", "worker w1 ack=early\njob J1\nfault crash w1 before=apply J1#1"},
	{"who acknowledges first and works", "w1", "worker w1 ack=early\njob J1\nfault drop-reply complete J1#1"},
	{"the queue ignores an ACK", "queue", "queue echomq variant=ignores-ack\nworker w1\nworker w2\njob J1"},
	{"a worker whose heartbeat is refused", "w1", "worker w1 heartbeat=2s work=3s\njob J1\nfault drop-reply complete J1#1"},
	{"the handler fails in every history", "queue", "worker w1\njob J1 fails=1"},
	{"what differs is no message about it", "queue",
		"worker w1 work=20s heartbeat=10s\nworker w2 work=1s\njob J1\nfault duplicate extend J1#1 after=25s\nfault crash w1 time=12s"},
	{"a store with a fence", "queue", "workers 2 consumer=fenced\njob J1\nfault pause w1 before=apply J1#1 for=45s"},
	{"a dead worker's job, of which no reaper knows", "queue", "queue echomq reap-every=off\nworkers 2 consumer=atomic\njob J1\nfault crash w1 after=claim J1#1"},
	{"a worker that is told too late", "w1", "worker w1\nworker w2\njob J1\nfault pause w1 after=apply J1#1 for=45s"},
}

// answered runs a story and asks the observer about J1#1.
func answered(t *testing.T, text, observer string) *Run {
	t.Helper()
	out := outcomeOf(t, text)
	p, _ := out.Story.Cast().Proc(observer)
	property, _ := out.CouldHaveKnown(p)
	k := out.Story.FindTwin(out.History, p, 1, 1)
	return &Run{History: out.History, Known: KnownOf(out, property, k, "")}
}

func outcomeOf(t *testing.T, text string) *scenarios.Outcome {
	t.Helper()
	story, err := scenarios.Parse("t.story", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	out, err := story.Run(scenarios.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Each answer is told in Unicode and in ASCII, byte for byte, with the two histories
// side by side where there are two.
func TestEveryAnswerIsPinned(t *testing.T) {
	var text, ascii []byte
	for _, a := range asked {
		r := answered(t, a.story, a.observer)
		heading := "# " + a.what + "\n"
		text = append(AppendTwin(append(text, heading...), r, Style{}), '\n')
		ascii = append(AppendTwin(append(ascii, heading...), r, Style{ASCII: true}), '\n')
	}
	golden(t, "twin.txt", text)
	golden(t, "twin.ascii.txt", ascii)
}

// In 80 columns, in both forms, the bars of the two histories stand under each other.
func TestTheSidesStandUnderEachOther(t *testing.T) {
	for _, a := range asked {
		r := answered(t, a.story, a.observer)
		for _, style := range []Style{{Full: true}, {Full: true, ASCII: true}} {
			_, sides, _ := strings.Cut(string(AppendTwin(nil, r, style)), "\n\n")
			for line := range strings.Lines(sides) {
				cells := []rune(strings.TrimRight(line, "\n"))
				bars := []rune{'│', '|'}
				if len(cells) > textWidth || !contains(bars, cells, 33) || !contains(bars, cells, 56) {
					t.Errorf("%s: %q", a.what, line)
				}
			}
		}
	}
}

// A time in nanoseconds widens the first column, and no line grows over the page.
func TestTheSidesLeaveRoomForTimesInNanoseconds(t *testing.T) {
	r := answered(t, "network latency=1234567ns\nworker w1\nworker w2\njob J1\nfault drop complete J1#1", "queue")
	_, sides, _ := strings.Cut(string(AppendTwin(nil, r, Style{})), "\n\n")
	if !strings.HasPrefix(sides, "         time A: J1#1 had its effect") {
		t.Errorf("the column of times is not 13 wide:\n%s", sides)
	}
	for line := range strings.Lines(sides) {
		if width(strings.TrimRight(line, "\n")) > textWidth {
			t.Errorf("%q", line)
		}
	}
}

func contains(bars, cells []rune, at int) bool {
	return at < len(cells) && strings.ContainsRune(string(bars), cells[at])
}

// A report asks where a broken property is about an effect, and says where to see
// both histories; a brief one asks nothing.
func TestAReportAsksWhereTheBrokenPropertyIsAboutAnEffect(t *testing.T) {
	const lost = "worker w1\njob J1\nfault drop complete J1#1"
	for _, c := range []struct {
		story, again, want, not string
	}{
		{lost, "ackgap run my.story --set w1.work=1s --strict", "\n  SIDE BY SIDE  ackgap twin my.story --set w1.work=1s\n", "time A:"},
		{lost, "ackgap replay ackgap1.x", "\n  SIDE BY SIDE  ackgap twin ackgap1.x\n", "time A:"},
		{lost, "", "COULD THE QUEUE HAVE KNOWN?  No.\n", "SIDE BY SIDE"},
		{"queue echomq variant=ignores-ack\nworker w1\nworker w2\njob J1", "ackgap run x", "COULD THE QUEUE HAVE KNOWN?  Yes.\n", "SIDE BY SIDE"},
		{"worker w1\njob J1", "ackgap run x", "PROPERTIES", "COULD"},
		{"queue echomq variant=lifo\nworker w1 work=1s\njobs 4", "ackgap run x", "mint-order is broken", "COULD"},
	} {
		text := string(AppendText(nil, Of(outcomeOf(t, c.story), "", c.again), Style{}))
		if !strings.Contains(text, c.want) || strings.Contains(text, c.not) {
			t.Errorf("%q, run again by %q: want %q and not %q in\n%s", c.story, c.again, c.want, c.not, text)
		}
	}
	if text := AppendText(nil, Of(outcomeOf(t, lost), "", ""), Style{Brief: true}); bytes.Contains(text, []byte("COULD")) {
		t.Errorf("a brief report asks:\n%s", text)
	}
}

// A long view is shown from its end, unless all is asked for.
func TestALongViewIsShownFromItsEnd(t *testing.T) {
	r := answered(t, asked[4].story, "queue")
	short, full := string(AppendTwin(nil, r, Style{})), string(AppendTwin(nil, r, Style{Full: true}))
	if !strings.Contains(short, "⋮  6 events before, --full\n") || strings.Contains(full, "--full") {
		t.Errorf("in short\n%s\nin full\n%s", short, full)
	}
	if got := strings.Count(full, "answered") - strings.Count(short, "answered"); got != 6 {
		t.Errorf("%d records more in full", got)
	}
}

// A run that is too long is not asked about, and says so.
func TestALongRunIsNotAsked(t *testing.T) {
	out := outcomeOf(t, asked[0].story)
	for len(out.History.Events) <= askLimit {
		out.History.Events = append(out.History.Events, model.Event{Kind: model.Sent, Seq: int32(len(out.History.Events) + 1)})
	}
	r := Of(out, "", "ackgap run long")
	r.History = &model.History{}
	text := string(AppendText(nil, r, Style{}))
	for _, want := range []string{"Not asked: the run has 50001 events", "  SIDE BY SIDE  ackgap twin long\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if r := Of(out, "", ""); jsonTwinOf(r) != nil {
		t.Error("JSON has an answer")
	}
}

// Names are untrusted in every answer, and are cut where they are long.
func TestAnswersKeepNamesHarmless(t *testing.T) {
	for _, a := range asked {
		r := answered(t, a.story, a.observer)
		bad := "x\x1b[31m\n\u202e" + strings.Repeat("long", 9)
		for _, names := range [][]string{r.History.Names.Procs[3:], r.History.Names.Jobs[1:]} {
			for i := range names {
				names[i] = bad
			}
		}
		for _, c := range string(AppendTwin(nil, r, Style{})) {
			if c == '\x1b' || c == '\u202e' {
				t.Errorf("%s: %q stands bare", a.what, c)
			}
		}
	}
}

// The JSON of every answer keeps the schema, and says the same.
func TestJSONAnswers(t *testing.T) {
	s := schema(t)
	for i, known := range map[int]string{0: "no", 4: "no", 5: "no", 7: "yes"} {
		out := outcomeOf(t, asked[i].story)
		text := AppendJSON(nil, Of(out, "", ""))
		if err := validate(t, s, text); err != nil {
			t.Errorf("%s: %v", asked[i].what, err)
		}
		var doc struct{ Twin jsonTwin }
		if err := json.Unmarshal(text, &doc); err != nil {
			t.Fatal(err)
		}
		if doc.Twin.Known != known || (doc.Twin.Other != nil) != (known == "no") || (doc.Twin.Told != nil) != (known == "yes") {
			t.Errorf("%s: known is %q in\n%s", asked[i].what, doc.Twin.Known, text)
		}
	}
	if jsonTwinOf(Of(outcomeOf(t, "worker w1\njob J1"), "", "")) != nil {
		t.Error("a run in which all is well is asked")
	}
}

func TestJSONOfATwin(t *testing.T) {
	out := outcomeOf(t, "story lost\n"+asked[0].story)
	_, k := out.CouldHaveKnown(faults.Queue)
	want := &jsonTwin{
		Property: "no-duplicate-effect", Observer: "queue", Job: "J1", N: 1, Known: "no", Fact: true,
		View: []int32{2, 7, 18}, Digest: k.View.Digest().String(), Tried: 1,
		Other: &jsonOther{
			Faults: []string{"drop-reply claim J1#1"}, View: k.View.Digest().String(), History: k.Twin.History.Digest.String(),
			Story: "story lost-twin\nqueue echomq\nworker w1\nworker w2\njob J1\n\nfault drop-reply claim J1#1\n\nexpect effects J1 = 1\n",
		},
		Rules: []jsonRule{{"deliver again", 2, 1, true}, {"stay silent", 1, 0, false}},
	}
	if diff := cmp.Diff(want, jsonTwinOf(Of(out, "", ""))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
