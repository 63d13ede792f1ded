package script_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ackgap/ackgap/faults/script"
)

func TestALineIsAWordThenWordsAndOptionsInAnyOrder(t *testing.T) {
	lines := scan(t, "# a comment\n\n  worker\tw1 work=20ms fresh-id payload=\"a # \\\"b\\\"\" J1#2 # the rest\r\nexpect effects J1 >= 2")
	want := []string{
		`3 worker [w1@10 fresh-id@23 J1#2@52] [work=20ms@13 payload=a # "b"@32]`,
		`4 expect [effects@8 J1@16 >=@19 2@22] []`,
	}
	for i, l := range lines {
		if got := show(l); got != want[i] {
			t.Errorf("line %d scans as\n%s, want\n%s", i, got, want[i])
		}
	}
	if len(lines) != len(want) {
		t.Errorf("%d lines, want %d", len(lines), len(want))
	}
}

func TestWhatCannotBeScannedIsRefusedByLine(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"job J1 payload=\"open", `f:1: the quotes do not end, or a word stands right behind them; write "..." as Go does`},
		{"\njob J1 payload=\"a\"b", `f:2: the quotes do not end, or a word stands right behind them; write "..." as Go does`},
		{"lease=1s", "f:1: the line begins with the option lease=; a directive comes first"},
		{strings.Repeat("x", script.MaxLine+1), "f:1: the line has 8193 bytes; at most 8192 are read"},
		{strings.Repeat("x ", script.MaxFields+1), "f:1: the line has more than 64 words"},
		{strings.Repeat("\n", script.MaxLines+1), "f:250001: the text has more than 250000 lines"},
		{strings.Repeat("\n", script.MaxBytes+1), "f:1: the text has 8388609 bytes; at most 8388608 are read"},
	} {
		errs := script.Errors{File: "f"}
		script.Scan(c.text, &errs)
		if err := errs.Err(); err == nil || err.Error() != c.want {
			t.Errorf("%.20q...: got %v, want %s", c.text, err, c.want)
		}
	}
}

func TestTheLimitsThemselvesAreAllowed(t *testing.T) {
	scan(t, strings.Repeat("x", script.MaxLine))
	scan(t, strings.Repeat("x ", script.MaxFields))
	scan(t, strings.Repeat("\n", script.MaxLines))
}

func TestErrorsComeByLineUntilThereAreTooMany(t *testing.T) {
	errs := script.Errors{File: "f"}
	errs.Add(2, 0, "second")
	errs.Add(1, 5, "first, right")
	errs.Add(1, 1, "first, left")
	if got, want := errs.Err().Error(), "f:1: first, left\nf:1: first, right\nf:2: second"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for i := range script.MaxErrors {
		errs.Add(3+i, 0, "more")
	}
	if got := errs.Err().Error(); !strings.HasSuffix(got, "\nf:49: more\nf: too many errors; the rest was not read") {
		t.Errorf("the list ends %q", got[len(got)-70:])
	}
}

func TestTheNearestWordIsOffered(t *testing.T) {
	words := []string{"claim", "complete", "retry", "extend", "enqueue", "ack"}
	for _, c := range []struct{ word, want string }{
		{"complte", "complete"},
		{"ertry", "retry"}, // neighbours swapped
		{"enqueu", "enqueue"},
		{"extennd", "extend"},
		{"ask", "ack"},
		{"comp", "complete"}, // begun, and meant by no other
		{"enq", "enqueue"},
		{"e", ""},      // several begin so
		{"a", ""},      // not everything is near a short word
		{"reject", ""}, // nothing is near
		{"", ""},
		{strings.Repeat("complete", 20), ""},
	} {
		if got, _ := script.Nearest(c.word, words); got != c.want {
			t.Errorf("nearest to %q is %q, want %q", c.word, got, c.want)
		}
	}
}

func TestALongListOfAllowedWordsIsCutShort(t *testing.T) {
	got := script.Unknown("job", "J9", strings.Fields(strings.Repeat("order ", 50)))
	if !strings.HasSuffix(got, "order, ... (50 in all)") {
		t.Error(got)
	}
}

func TestDurationsAreGos(t *testing.T) {
	for s, want := range map[string]time.Duration{
		"0": 0, "0s": 0, "1.5s": 1500 * time.Millisecond, "+60s": time.Minute, "-5ms": -5 * time.Millisecond,
		"1h0m30s": time.Hour + 30*time.Second, "87600h": script.MaxDuration, "0.000000001s": 1,
	} {
		d, err := script.ParseDuration(s)
		if err != nil || d != want {
			t.Errorf("%q reads as %v, %v; want %v", s, d, err, want)
		}
		if back, err := script.ParseDuration(script.FormatDuration(d)); err != nil || back != d {
			t.Errorf("%v is written %q and comes back as %v, %v", d, script.FormatDuration(d), back, err)
		}
	}
	for d, want := range map[time.Duration]string{
		2 * time.Minute: "2m", time.Hour: "1h", time.Hour + time.Second: "1h0m1s", 10 * time.Second: "10s", 0: "0s", -time.Hour: "-1h",
	} {
		if got := script.FormatDuration(d); got != want {
			t.Errorf("%v is written %q, want %q", d, got, want)
		}
	}
	for s, want := range map[string]string{
		"5":          `"5" is no duration; write it as Go does: 50ms, 1.5s, 2m`,
		"":           `"" is no duration; write it as Go does: 50ms, 1.5s, 2m`,
		"87600h1ns":  `"87600h1ns" is longer than 87600h`,
		"-87600h1ns": `"-87600h1ns" is longer than 87600h`,
	} {
		if _, err := script.ParseDuration(s); err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", s, err, want)
		}
	}
}

func TestPercentagesAreWholeParts(t *testing.T) {
	for s, want := range map[string]script.PPM{"0%": 0, "5%": 50_000, "0.5%": 5_000, "12.0001%": 120_001, "100%": script.Whole} {
		p, err := script.ParsePPM(s)
		if err != nil || p != want || p.String() != s {
			t.Errorf("%s reads as %d and is written %s (%v), want %d", s, p, p, err, want)
		}
	}
	for _, s := range []string{"5", "-1%", "0.00001%", ".5%", "100.0001%", "1000%", "1e1%", "%", "5.x%"} {
		if p, err := script.ParsePPM(s); err == nil {
			t.Errorf("%q reads as %d", s, p)
		}
	}
}

func TestADeliveryIsAJobAndANumber(t *testing.T) {
	for _, c := range []struct {
		s, job string
		n      int32
		ok     bool
	}{
		{"J1#2", "J1", 2, true}, {"J1", "J1", 0, true}, {"J1#1000000", "J1", 1_000_000, true},
		{s: "J1#0"}, {s: "J1#"}, {s: "J1#x"}, {s: "J1#+1"}, {s: "J1#01"}, {s: "J1#1000001"}, {s: "J1#1#2"},
	} {
		job, n, ok := script.ParseDelivery(c.s)
		if ok != c.ok || ok && (job != c.job || n != c.n) {
			t.Errorf("%q reads as %q %d %v", c.s, job, n, ok)
		}
	}
}

func TestNamesAreReadable(t *testing.T) {
	for s, want := range map[string]bool{
		"w1": true, "Order_7-b": true, "7": true, strings.Repeat("x", script.MaxName): true,
		"": false, "-w": false, "a.b": false, "a=b": false, "J#1": false, "é": false, strings.Repeat("x", script.MaxName+1): false,
	} {
		if got := script.IsName(s); got != want {
			t.Errorf("IsName(%q) = %v", s, got)
		}
	}
}

func TestArgsRefuseWhatNobodyAskedFor(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"w a for=1s", ""},
		{"w a for=1s oneway", ""},
		{"w a for=1s oneway=on", ""},
		{"w a fro=1s", `f:1: w: unknown option "fro"; did you mean "for"? allowed: oneway, for`},
		{"w a for=1s for=2s", "f:1: w: for= stands twice"},
		{"w a b", `f:1: w: "b" is one word too many; only options may follow, allowed: oneway, for`},
		{"w a onway", `f:1: w: "onway" is one word too many; did you mean "oneway"?`},
		{"w a for", `f:1: w: "for" is one word too many; did you mean the option for=?`},
		{"w", "f:1: w: the name is missing; write w1"},
		{"w a.b", `f:1: w: "a.b" is no name; use letters, digits, - and _, at most 64, a letter or digit first`},
		{"w a for=-1s", "f:1: w: for=-1s must be above zero"},
		{"w a oneway=maybe", `f:1: w: unknown oneway "maybe"; allowed: on, off`},
	} {
		errs := script.Errors{File: "f"}
		a := script.Open(&scan(t, c.line)[0], &errs)
		a.Name("w1")
		a.Flag("oneway")
		a.Span("for", time.Second)
		closed := a.Close()
		got := ""
		if err := errs.Err(); err != nil {
			got = err.Error()
		}
		if got != c.want || closed != (c.want == "") {
			t.Errorf("%s\n got %s\nwant %s", c.line, got, c.want)
		}
	}
}

func TestValuesComeBackFromTheirQuotes(t *testing.T) {
	for _, s := range []string{"plain", "", "a b", `"`, "tab\there", "\x00\xff", "é", "x#y"} {
		line := scan(t, "w v="+string(script.AppendValue(nil, s)))[0]
		if got := line.Options[0].Text; got != s {
			t.Errorf("%q comes back as %q", s, got)
		}
	}
}

func scan(t *testing.T, text string) []script.Line {
	t.Helper()
	errs := script.Errors{File: "f"}
	lines := script.Scan(text, &errs)
	if err := errs.Err(); err != nil {
		t.Fatal(err)
	}
	return lines
}

func show(l script.Line) string {
	return fmt.Sprint(l.No, " ", l.Word, " ", showFields(l.Words), " ", showFields(l.Options))
}

func showFields(fields []script.Field) []string {
	var out []string
	for _, f := range fields {
		text := f.Text
		if f.Key != "" {
			text = f.Key + "=" + f.Text
		}
		out = append(out, fmt.Sprintf("%s@%d", text, f.Col))
	}
	return out
}
