package outside

import (
	"strings"
	"testing"

	"github.com/joshdk/go-junit"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/reports"
	"github.com/ackgap/ackgap/scenarios"
)

func catalogue() []string { return scenarios.Catalogue() }

// The parser of go-junit (https://github.com/joshdk/go-junit) finds what failed.
func TestAnotherParserReadsJUnit(t *testing.T) {
	failing := runText(t, "mine", "worker w1\nworker w2\njob J1\nfault drop complete J1#1\n")
	file := reports.AppendJUnit(nil, []reports.Case{reports.CaseOf(runOf(t, "lost-ack")), reports.CaseOf(failing)})
	suites, err := junit.Ingest(file)
	if err != nil {
		t.Fatal(err)
	}
	tests := suites[0].Tests
	if len(suites) != 1 || len(tests) != 2 || tests[0].Status != junit.StatusPassed || tests[1].Status != junit.StatusFailed {
		t.Fatalf("%+v", suites)
	}
	if !strings.Contains(tests[1].Error.Error(), "no-duplicate-effect") || !strings.HasSuffix(tests[1].Message, "Run again: ackgap run mine") {
		t.Errorf("the failure says %q", tests[1].Message)
	}
}

// The Collector's own reader of OTLP/JSON takes every document, and finds a span for
// each delivery, as long as its lease, in the trace of its job.
func TestTheCollectorReadsTheSpans(t *testing.T) {
	for _, name := range catalogue() {
		r := runOf(t, name)
		traces, err := (&ptrace.JSONUnmarshaler{}).UnmarshalTraces(reports.AppendOTLP(nil, r))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		attempts, seen := 0, map[string]bool{}
		spans := traces.ResourceSpans().At(0).ScopeSpans().At(0).Spans()
		for i := range spans.Len() {
			span := spans.At(i)
			if id := span.SpanID().String(); seen[id] || span.SpanID().IsEmpty() || span.TraceID().IsEmpty() {
				t.Errorf("%s: span %q of %q", name, id, span.Name())
			} else {
				seen[id] = true
			}
			if span.EndTimestamp() < span.StartTimestamp() {
				t.Errorf("%s: %s ends before it starts", name, span.Name())
			}
			if p := span.ParentSpanID(); !p.IsEmpty() && !seen[p.String()] {
				t.Errorf("%s: %s has a parent that is nowhere", name, span.Name())
			}
			if strings.HasPrefix(span.Name(), "attempt ") {
				attempts++
			}
		}
		want := 0
		for i := range r.History.Events {
			if e := &r.History.Events[i]; e.Kind == model.Applied && e.Op == model.OpClaim && e.Answer == model.OK {
				want++
			}
		}
		if attempts != want {
			t.Errorf("%s: %d attempts, want %d", name, attempts, want)
		}
	}
}
