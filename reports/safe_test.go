package reports

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/ackgap/ackgap/model"
)

func TestSafeShowsWhatCouldDoHarm(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"plain text stays", "J1 é 漢 ◆", "J1 é 漢 ◆"},
		{"ANSI", "\x1b[31mred", `\x1b[31mred`},
		{"C1 control", "\u009b31m", `\u009b31m`},
		{"line breaks", "a\r\n\tb\u2028c", `a\x0d\x0a\x09b\u2028c`},
		{"delete", "\x7f", `\x7f`},
		{"bidirectional", "\u202egnp.exe", `\u202egnp.exe`},
		{"invisible", "a\u200bb\ufeff", `a\u200bb\ufeff`},
		{"combining", "e\u0301", `e\u0301`},
		{"a tag beyond 16 bits", "\U000e0041", `\U000e0041`},
		{"no UTF-8", "a\xff\xc3", `a\xff\xc3`},
		{"the rune of errors itself", "\ufffd", "\ufffd"},
		{"a forged escape", `\x1b`, `\\x1b`},
	} {
		if got := model.Safe(c.in); got != c.want {
			t.Errorf("%s: model.Safe(%q) = %q, want %q", c.name, c.in, got, c.want)
		}
	}
}

func TestShortNeverCutsAnEscape(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"worker", "worker"},
		{"workers", "wor…rs"},
		{"wor\x1b[0m", "wor…0m"},
		{"w\x1b", `w\x1b`},
		{"\xff\xff", `…\xff`},
		{"\xffworkers", "…rkers"},
	} {
		if got := short(c.in, 6); got != c.want {
			t.Errorf("short(%q, 6) = %q, want %q", c.in, got, c.want)
		}
	}
}

// Names differ at their ends, so both are shown; those that differ in the middle alone are
// numbered. No two are alike, also where one is called as another is shown.
func TestNoTwoNamesAreShownAlike(t *testing.T) {
	names := &model.Names{Procs: []string{"", "w1", "the-first-worker", "the-second-worker"},
		Jobs: []string{"", "invoice-2025-0001", "invoice-2025-0002", "invoice-2026-0002", "invoice-2027-0002", "invoic…-0002"}}
	got := labels(names)
	if diff := cmp.Diff(&model.Names{Procs: []string{"", "w1", "the-fi…orker", "the-se…orker"},
		Jobs: []string{"", "invoic…-0001", "invoic…-0002", "invo…0002(2)", "invo…0002(3)", "invo…0002(4)"}}, got); diff != "" {
		t.Error(diff)
	}
	many := make([]string, 20_000)
	for i := range many {
		many[i] = fmt.Sprintf("invoices-%09d-of-last-month", i)
	}
	seen := map[string]bool{}
	for _, label := range Labels(many, nameLimit) {
		if seen[label] || width(label) > nameLimit {
			t.Fatalf("%q, of %d columns, is shown twice or too wide", label, width(label))
		}
		seen[label] = true
	}
}

// Whatever a name holds, the forms for people stay printable lines, as many as
// they were, and the lifelines stay in their columns.
func TestNoNameBreaksAReport(t *testing.T) {
	rows := len(diagramRows(text(lostAck(), Style{})))
	rapid.Check(t, func(rt *rapid.T) {
		r := lostAck()
		names := &r.History.Names
		names.Procs[w1] = "w" + rapid.String().Draw(rt, "w1")
		names.Procs[w2] = "v" + rapid.String().Draw(rt, "w2")
		names.Jobs[1] = rapid.String().Draw(rt, "job")
		if at := firstUnprintable(AppendJSON(AppendText(nil, r, Style{ASCII: true}), r)); at != "" {
			rt.Fatal(at)
		}
		if h := r.History.AppendText(nil); strings.Count(string(h), "\n") != len(r.History.Events) {
			rt.Fatalf("a history of %d events reads\n%s", len(r.History.Events), h)
		}
		if got := len(diagramRows(text(r, Style{}))); got != rows {
			rt.Fatalf("the diagram has %d rows, want %d", got, rows)
		}
		if at := strayLifeline(r, false); at != "" {
			rt.Fatal(at)
		}
	})
}

// firstUnprintable describes the first byte that is neither printable ASCII nor
// the end of a line.
func firstUnprintable(b []byte) string {
	for i, c := range b {
		if c != '\n' && (c < ' ' || c > '~') {
			return fmt.Sprintf("byte %#x after %q", c, b[max(0, i-40):i])
		}
	}
	return ""
}

func TestAJobCannotDrawRows(t *testing.T) {
	r := lostAck()
	r.History.Names.Jobs[1] = "│◆\n  3   0.001s  │"
	want := len(diagramRows(text(lostAck(), Style{})))
	if got := len(diagramRows(text(r, Style{}))); got != want {
		t.Errorf("the diagram has %d rows, want %d", got, want)
	}
}
