package reports

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/model"
)

func text(r *Run, s Style) string { return string(AppendText(nil, r, s)) }

func TestTheVerdictIsTheFirstWord(t *testing.T) {
	for name, want := range map[string]string{"lost-ack": "BROKEN", "crash": "HELD", "partition": "UNKNOWN"} {
		for _, s := range stories {
			if got, _, _ := strings.Cut(text(s.run(), Style{}), " "); s.name == name && got != want {
				t.Errorf("%s begins with %s, want %s", name, got, want)
			}
		}
	}
}

func TestTheLastLineRunsItAgain(t *testing.T) {
	if got := text(lostAck(), Style{}); !strings.HasSuffix(got, "\n\nRUN AGAIN  ackgap run lost-ack\n") {
		t.Errorf("the report ends with %q", got[len(got)-60:])
	}
}

func TestTheSameRunGivesTheSameBytes(t *testing.T) {
	for _, s := range stories {
		r := s.run()
		first := all(r)
		if again := all(r); again != first {
			t.Errorf("%s: a second report of one run differs", s.name)
		}
		if other := all(s.run()); other != first {
			t.Errorf("%s: a report of an equal run differs", s.name)
		}
	}
}

func all(r *Run) string {
	b := AppendText(nil, r, Style{Color: true, Full: true})
	b = AppendSummary(b, r, 10, Style{})
	return string(AppendJSON(r.History.AppendText(b), r))
}

func TestWhatIsAppendedToIsKept(t *testing.T) {
	r, head := lostAck(), "kept "
	for name, got := range map[string][]byte{
		"text":    AppendText([]byte(head), r, Style{}),
		"summary": AppendSummary([]byte(head), r, 8, Style{}),
		"history": r.History.AppendText([]byte(head)),
		"json":    AppendJSON([]byte(head), r),
		"explain": AppendExplain([]byte(head), model.Properties()[0], Style{}),
	} {
		if !strings.HasPrefix(string(got), head) || len(got) < 3*len(head) {
			t.Errorf("%s: %q", name, got[:20])
		}
	}
}

// A long run shows its first 8 rows, its last 12, and between them the
// evidence and what else was done with its job.
func TestALongRunIsCutAroundItsEvidence(t *testing.T) {
	d := layOut(long(), false)
	shown, proof := 0, 0
	for i := range d.rows {
		if d.shown[i] {
			shown++
		}
		if d.rows[i].mustShow && d.shown[i] {
			proof++
		}
	}
	near := 3 // J20 is enqueued, granted and completed
	if shown != firstRows+lastRows+near+2 || proof != 2 {
		t.Errorf("%d rows are shown, %d of them evidence; want 25 and 2", shown, proof)
	}
	hidden := 0
	for _, m := range regexp.MustCompile(`(\d+) rows not shown, --full`).FindAllStringSubmatch(text(long(), Style{}), -1) {
		hidden += atoi(m[1])
	}
	if shown+hidden != len(d.rows) {
		t.Errorf("%d shown and %d said to be hidden are not all of %d rows", shown, hidden, len(d.rows))
	}
}

// However much was done with that job, a page stays a page.
func TestNearRowsDoNotOverflowThePage(t *testing.T) {
	r := long()
	for i := range r.History.Events {
		if e := &r.History.Events[i]; e.Job != model.NoJob {
			e.Job = 20
		}
	}
	d, shown := layOut(r, false), 0
	for _, s := range d.shown {
		if s {
			shown++
		}
	}
	if shown != rowLimit {
		t.Errorf("%d rows are shown, want %d", shown, rowLimit)
	}
}

func atoi(s string) (n int) {
	for _, c := range s {
		n = 10*n + int(c-'0')
	}
	return n
}

func TestAFullReportHidesNothing(t *testing.T) {
	got := text(long(), Style{Full: true})
	if strings.Contains(got, "--full") || !strings.Contains(got, "  w9  ") {
		t.Error("a full report leaves out a row or a worker")
	}
}

// Whoever reads the proof finds each of its events in the diagram.
func TestTheProofCitesRowsThatAreShown(t *testing.T) {
	cited := regexp.MustCompile(`, event (\d+) \(`)
	for _, s := range stories {
		report := text(s.run(), Style{})
		for _, m := range cited.FindAllStringSubmatch(report, -1) {
			if !regexp.MustCompile(`(?m)^ +` + m[1] + ` +\d+\.\d+s  `).MatchString(report) {
				t.Errorf("%s: event %s is cited and has no row", s.name, m[1])
			}
		}
	}
}

func TestTheHeadlineNamesEventsByNumber(t *testing.T) {
	events := []model.Event{{Seq: 8}, {Seq: 19}}
	for says, want := range map[string]string{
		"e1 and e2 changed it": "event 8 and event 19 changed it",
		"(e2), e3, e0, e, me1": "(event 19), e3, e0, e, me1",
		"":                     "",
	} {
		if got := numbered(says, events); got != want {
			t.Errorf("numbered(%q) = %q, want %q", says, got, want)
		}
	}
}

// What was never judged is not called held.
func TestHeldOfNothingIsADash(t *testing.T) {
	if got := text(crash(), Style{}); !regexp.MustCompile(`(?m)^  attempts-bounded +- +0$`).MatchString(got) {
		t.Errorf("attempts-bounded was not judged, and the table says\n%s", got)
	}
}

// Reach is no claim that a run could break: unseen is no bad news.
func TestReachIsSeenOrUnseen(t *testing.T) {
	r := crash()
	r.Verdicts = append(r.Verdicts, model.Verdict{Property: "saw-redelivery", Evaluations: 1},
		model.Verdict{Property: "saw-stale-refused", Value: model.Unknown})
	got := text(r, Style{})
	for _, want := range []string{`saw-redelivery +seen +1$`, `saw-stale-refused +unseen +0$`} {
		if !regexp.MustCompile(`(?m)^  ` + want).MatchString(got) {
			t.Errorf("no line matches %s in\n%s", want, got)
		}
	}
	if !strings.HasPrefix(got, "HELD          6 of 7 properties") || strings.Contains(got, "WHY") {
		t.Errorf("reach counts as a claim:\n%s", got)
	}
}

func TestABrokenPropertyThatNobodyNamedIsSaid(t *testing.T) {
	r := lostAck()
	r.Named = r.Named[1:]
	if got := text(r, Style{}); !strings.HasPrefix(got, "BROKEN        no-duplicate-effect, not named by the story\n") {
		t.Errorf("the first line is %q", strings.SplitN(got, "\n", 2)[0])
	}
}

func TestARunWithoutEventsHasNoDiagram(t *testing.T) {
	r := lostAck()
	r.History = &model.History{Names: r.History.Names}
	got := text(r, Style{})
	if strings.Contains(got, "time  ") || !strings.Contains(got, "e2 = effect 2 of J1#2 by w2") {
		t.Errorf("want a proof and no diagram:\n%s", got)
	}
}

func TestOneLineTellsAStory(t *testing.T) {
	var b []byte
	for _, s := range stories {
		b = AppendSummary(b, s.run(), len("crash-after-apply"), Style{})
	}
	golden(t, "summary.txt", b)
}

// The lapse of the lease belongs to the story of the job, though the pump's
// request names none.
func TestALapseIsNearItsJob(t *testing.T) {
	for _, r := range layOut(lostAck(), false).rows {
		if strings.HasPrefix(r.note, "lease out") && !r.isNear {
			t.Errorf("event %d, %q, is not near J1", r.seq, r.note)
		}
	}
	if d := layOut(lostAck(), false); !slices.ContainsFunc(d.rows, func(r row) bool { return r.isNear }) {
		t.Error("no row is near the job that took effect twice")
	}
}

// Polls that bring no job are no news, answered or not.
func TestIdlePollsAreNotDrawn(t *testing.T) {
	tape := newTape("J1")
	tape.enqueue(1)
	tape.emptyClaim(w1)
	for _, op := range []model.Op{model.OpReadPause, model.OpClaim} {
		e := model.Event{Kind: model.Sent, Proc: w1, Op: op, Call: 7 + int32(op)}
		tape.add(e)
		if op == model.OpReadPause {
			e.Kind, e.Cause = model.Lost, model.ByPartition
			tape.add(e)
		}
		e.Kind, e.Cause = model.TimedOut, model.NoCause
		tape.add(e)
	}
	rows := rowsOf(&Run{History: tape.quiet()})
	if len(rows) != 1 || rows[0].label != "enqueue J1" {
		t.Errorf("%d rows are drawn, want the enqueue alone: %+v", len(rows), rows)
	}
}

// A brief report is the report without its table.
func TestABriefReportLeavesOutTheTable(t *testing.T) {
	whole, brief := text(lostAck(), Style{}), text(lostAck(), Style{Brief: true})
	from, to := strings.Index(whole, "PROPERTIES"), strings.Index(whole, "RUN AGAIN")
	if from < 0 || brief != whole[:from]+whole[to:] {
		t.Errorf("the brief report is\n%s", brief)
	}
}
