package reports

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/argue"
)

func explanation(t *testing.T, name string, runs uint64) *argue.Explanation {
	t.Helper()
	story, err := scenarios.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	e, err := argue.Explain(story, argue.Options{Runs: runs})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// The lost ACK is explained word for word, in Unicode, in ASCII and as JSON.
func TestTheExplanationOfALostAckIsPinned(t *testing.T) {
	e := explanation(t, "lost-ack", 1000)
	golden(t, "explain-lost-ack.txt", AppendExplanation(nil, e, "ackgap run small.story", Style{}))
	golden(t, "explain-lost-ack.ascii.txt", AppendExplanation(nil, e, "ackgap run small.story", Style{ASCII: true}))
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, AppendExplanationJSON(nil, e, "ackgap run small.story"), "", "  "); err != nil {
		t.Fatal(err)
	}
	golden(t, "explain-lost-ack.json", pretty.Bytes())
}

// So is a loss that two changes fix together.
func TestTheExplanationOfAnEarlyAckIsPinned(t *testing.T) {
	e := explanation(t, "early-ack-loses", 500)
	golden(t, "explain-early-ack.txt", AppendExplanation(nil, e, "ackgap run small.story", Style{}))
}

// What no fault is needed for, what only `do` lines say, and what cannot be shown
// by random worlds: each has the words for it, keeps its schema and fits the page.
func TestEveryExplanationHasItsWords(t *testing.T) {
	s := compile(t, SchemaExplain)
	for name, says := range map[string][]string{
		"slow-worker-refused":    {"no fault: it fails by itself", "lease 30s       1s .. 30s fail; 45s .. 10m hold"},
		"late-extend-two-places": {"  d1 do enqueue J1 time=0s: needed", "extend J1#1 by w1 with token 1, answered ok"},
		"lossy-network":          {"FIX: nothing breaks", "variant=hardened         holds     the queue with its oddities put right"},
		"dedup-forgotten":        {"NO single change fixes it, and none of "},
		"mutants/nobody-reaps":   {"FIX: nothing breaks", "reap-every=1s            holds     somebody takes lapsed jobs back"},
		"mutants/bounded-leaks":  {"nothing breaks: deliveries-bounded is never", "  f3 fault drop complete J1#3: needed"},
	} {
		e := explanation(t, name, 60)
		text := string(AppendExplanation(nil, e, "again", Style{ASCII: true}))
		for _, part := range says {
			if !strings.Contains(text, part) {
				t.Errorf("%s: nothing says %q in\n%s", name, part, text)
			}
		}
		_, after, _ := strings.Cut(text, "WHAT THIS FAILURE NEEDS")
		for _, line := range strings.Split(after, "\n") {
			if width(line) > textWidth || strings.TrimRight(line, " ") != line {
				t.Errorf("%s: a line of %d columns, or with a space at its end: %q", name, width(line), line)
			}
		}
		if err := validate(t, s, AppendExplanationJSON(nil, e, "again")); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What was cut short, and what worlds cannot show, is said.
func TestTheLegendSaysWhatTheTableCannot(t *testing.T) {
	e := explanation(t, "lost-ack", 250)
	e.Cut, e.AsIs.Broken = true, nil
	e.Fixes[0].Worlds, e.Fixes[0].Fix = 0, false
	e.Fixes[1].Worlds, e.Fixes[1].Fix, e.Fixes[1].Open = 250, false, 3
	text := strings.Join(strings.Fields(string(AppendExplanation(nil, e, "again", Style{}))), " ")
	for _, part := range []string{"The search was cut", "nothing is called a fix", "not tried in any world", "0 duplicates, 3 unknown"} {
		if !strings.Contains(text, part) {
			t.Errorf("nothing says %q in\n%s", part, text)
		}
	}
}

// The schema refuses what is not promised.
func TestTheSchemaOfAnExplanationIsClosed(t *testing.T) {
	s := compile(t, SchemaExplain)
	good := string(AppendExplanationJSON(nil, explanation(t, "lost-ack", 10), "again"))
	for name, change := range map[string][2]string{
		"another version":     {`"ackgap-explain/1"`, `"ackgap-explain/2"`},
		"runs as a number":    {`"runs":"10"`, `"runs":10`},
		"an unknown answer":   {`"answer":"fails"`, `"answer":"broken"`},
		"a field nobody knew": {`"cut":`, `"color":"red","cut":`},
		"a missing list":      {`"pairs":[],`, ``},
	} {
		bad := strings.Replace(good, change[0], change[1], 1)
		if bad == good {
			t.Fatalf("%s: nothing to change in %s", name, good)
		}
		if err := validate(t, s, []byte(bad)); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

// Every kind of record can be what changes first, and is a sentence.
func TestEveryDeedIsASentence(t *testing.T) {
	names := &model.Names{Procs: []string{"", "queue\x1b"}, Jobs: []string{"", "J1"}}
	for k := model.Sent; k.String() != "invalid"; k++ {
		for _, flags := range []model.Flags{0, model.IsReply} {
			e := model.Event{Seq: 1, Kind: k, Proc: 1, Job: 1, N: 1, Op: model.OpComplete, Flags: flags}
			if got := deedText(names, &e); got == "" || strings.ContainsRune(got, '\x1b') {
				t.Errorf("%s: %q", k, got)
			}
		}
	}
	if got := momentText(names, &model.Event{}); got != "the end of the history" {
		t.Errorf("no record is %q", got)
	}
}

func TestThousands(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 10_000: "10,000", 1234567: "1,234,567"} {
		if got := thousands(n); got != want {
			t.Errorf("%d is %s, want %s", n, got, want)
		}
	}
}
