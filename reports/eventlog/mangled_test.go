package eventlog

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// mangling is one way in which a log can be damaged.
type mangling struct {
	name string
	do   func(lines []string) []string // nil: this log has nothing to damage so
	// harmless damage changes no verdict; the other leaves nothing held.
	harmless bool
	once     bool // it costs a lot: one log will do
}

// manglings are what networks, disks, shippers and people do to a log.
func manglings() []mangling {
	list := []mangling{
		{name: "two neighbours swapped", harmless: true, do: swapAt(2)},
		{name: "the last two swapped", harmless: true, do: func(l []string) []string { return swapAt(len(l) - 2)(l) }},
		{name: "every event in reverse", harmless: true, do: reversed},
		{name: "every line twice", harmless: true, do: twice},
		{name: "the whole log twice, without its second header", harmless: true, do: func(l []string) []string { return append(l, l[1:]...) }},
		{name: "blank lines", harmless: true, do: func(l []string) []string { return strings.Split(strings.Join(l, "\n\n  \n"), "\n") }},
		{name: "line breaks of another system", harmless: true, do: func(l []string) []string { return strings.Split(strings.Join(l, "\r\n"), "\n") }},

		{name: "the seal taken off", do: func(l []string) []string {
			last := l[len(l)-1]
			l[len(l)-1] = last[:strings.Index(last, digestField)] + "}"
			return l
		}},
		{name: "no header", do: func(l []string) []string { return l[1:] }},
		{name: "the header at the end", do: func(l []string) []string { return append(l[1:], l[0]) }},
		{name: "the header twice", do: func(l []string) []string { return append(l[:1], l...) }},
		{name: "two logs in one", do: func(l []string) []string { return append(l, l...) }},
		{name: "another version", do: onLine(0, "ackgap-log/1", "ackgap-log/2")},
		{name: "a header that promises less", do: onLine(0, `"records":"all"`, `"records":["sent"]`)},
		{name: "a header that promises no touches", do: onLine(0, `"touches":true`, `"touches":false`)},
		{name: "the first event gone", do: without1(1)},
		{name: "the last event gone", do: func(l []string) []string { return l[:len(l)-1] }},
		{name: "the first half", do: func(l []string) []string { return l[:len(l)/2+1] }},
		{name: "the second half", do: func(l []string) []string { return append(l[:1], l[len(l)/2+1:]...) }},
		{name: "cut in the middle of a line", do: func(l []string) []string {
			return append(l[:len(l)-2], l[len(l)-2][:len(l[len(l)-2])/2])
		}},
		{name: "cut in the last line", do: func(l []string) []string { return append(l[:len(l)-1], l[len(l)-1][:20]) }},
		{name: "a hole of bytes", do: func(l []string) []string { return append(l[:2], l[2][:10]+strings.Join(l[3:], "\n")[5:]) }},
		{name: "seq as text", do: onLine(2, `"seq":2`, `"seq":"2"`)},
		{name: "seq with a fraction", do: onLine(2, `"seq":2`, `"seq":2.0`)},
		{name: "seq below zero", do: onLine(2, `"seq":2`, `"seq":-2`)},
		{name: "seq beyond 63 bits", do: onLine(2, `"seq":2`, `"seq":99999999999999999999`)},
		{name: "one event without seq", do: onLine(2, `"seq":2,`, ``)},
		{name: "one number twice", do: onLine(2, `"seq":2`, `"seq":1`)},
		{name: "time that is no number", do: onLine(2, `"time":`, `"time":NaN,"x-was":`)},
		{name: "time that is none", do: onLine(2, `"time":`, `"time":null,"x-was":`)},
		{name: "a kind that nobody knows", do: onLine(2, `"kind":"`, `"kind":"un`)},
		{name: "an unknown field", do: onLine(2, `"kind"`, `"tokn":1,"kind"`)},
		{name: "a field twice", do: onLine(2, `"kind"`, `"seq":2,"kind"`)},
		{name: "a field in capitals", do: onLine(2, `"kind"`, `"Kind"`)},
		{name: "bytes that are no UTF-8", do: onLine(2, `"worker":"`, "\"worker\":\"\xff")},
		{name: "half a surrogate pair", do: onLine(2, `"worker":"`, `"worker":"\ud800`)},
		{name: "a bare control character", do: onLine(2, `"worker":"`, "\"worker\":\"\x1b")},
		{name: "a name too long", do: onLine(2, `"worker":"`, `"worker":"`+strings.Repeat("w", maxName+1))},
		{name: "a line too long", once: true, do: onLine(2, `"kind"`, `"x-note":"`+strings.Repeat("x", MaxLine)+`","kind"`)},
		{name: "values nested too deep", once: true, do: onLine(2, `"kind"`, `"x-note":`+strings.Repeat("[", 100_000)+`,"kind"`)},
		{name: "an event behind the end", do: func(l []string) []string {
			return append(l, strings.Replace(l[1], `"seq":1`, fmt.Sprintf(`"seq":%d`, len(l)), 1))
		}},
		{name: "a horizon that is called quiet, or quiet a horizon", do: func(l []string) []string {
			if out := onLine(len(l)-1, `"horizon"`, `"quiet"`)(slices.Clone(l)); out != nil {
				return out
			}
			return onLine(len(l)-1, `"quiet"`, `"horizon"`)(l)
		}},
	}
	list = append(list, forgeries()...)
	for _, kind := range kindWords {
		list = append(list, mangling{name: "the first event gone that is " + kind, do: drop(kind, 1)},
			mangling{name: "all events gone that are " + kind, do: drop(kind, -1)})
	}
	return list
}

// forgeries change a value into another one that may stand there.
func forgeries() (list []mangling) {
	for _, f := range [][3]string{
		{"a token", `"token":1`, `"token":2`}, {"a deadline", `"until":3`, `"until":9`}, {"a job", `"job":"J1"`, `"job":"J9"`},
		{"a delivery", `"n":1`, `"n":2`}, {"an answer", `"answer":"stale"`, `"answer":"gone"`}, {"a kind", `"kind":"claimed"`, `"kind":"sent","op":"claim"`},
		{"a place", `"sets":"pending"`, `"sets":"active"`}, {"a row", `"row":"full"`, `"row":"state+attempts"`},
		{"an effect", `"kind":"applied"`, `"kind":"absorbed"`}, {"the number of an effect", `"effect":2`, `"effect":1`},
		{"a worker", `"worker":"w1"`, `"worker":"w2"`}, {"a time", `"time":3`, `"time":4`}, {"a cap", `"max":3`, `"max":9`},
		{"a limit of the header", `"max-attempts":3`, `"max-attempts":9`}, {"the crew", `"workers":[{`, `"workers":[],"writer":"[{`},
	} {
		list = append(list, mangling{name: "forged: " + f[0], do: func(l []string) []string {
			for i := range l {
				if out := onLine(i, f[1], f[2])(l); out != nil {
					return out
				}
			}
			return nil
		}})
	}
	return list
}

func swapAt(i int) func([]string) []string {
	return func(l []string) []string {
		l[i-1], l[i] = l[i], l[i-1]
		return l
	}
}

func reversed(l []string) []string {
	slices.Reverse(l[1:])
	return l
}

func twice(l []string) []string {
	out := l[:1:1]
	for _, line := range l[1:] {
		out = append(out, line, line)
	}
	return out
}

func without1(i int) func([]string) []string {
	return func(l []string) []string { return slices.Delete(l, i, i+1) }
}

// onLine replaces text in one line.
func onLine(i int, old, new string) func([]string) []string {
	return func(l []string) []string {
		if !strings.Contains(l[i], old) {
			return nil
		}
		l[i] = strings.Replace(l[i], old, new, 1)
		return l
	}
}

// drop takes out the first n lines of a kind, all if n is negative.
func drop(kind string, n int) func([]string) []string {
	return func(l []string) []string {
		was := len(l)
		l = slices.DeleteFunc(l, func(line string) bool {
			is := strings.Contains(line, `"kind":"`+kind+`"`) && n != 0
			if is {
				n--
			}
			return is
		})
		if len(l) == was {
			return nil
		}
		return l
	}
}

// heldIn lists the properties that are held with something judged.
func heldIn(verdicts []model.Verdict) (names []string) {
	for _, v := range verdicts {
		if v.Value == model.Held {
			names = append(names, v.Property)
		}
	}
	return names
}

// A damaged log is refused, or nothing of it is called held; and what does not change
// what a log tells, changes no verdict. In every story that ships.
func TestADamagedLogHoldsNothing(t *testing.T) {
	tried := make(map[string]int)
	for _, story := range scenarios.Catalogue() {
		out := ran(t, story)
		whole := logOf(out)
		want := check(t, whole, Options{})
		for _, m := range manglings() {
			if m.once && tried[m.name] > 0 {
				continue
			}
			lines := m.do(strings.Split(strings.TrimRight(string(whole), "\n"), "\n"))
			if lines == nil {
				continue
			}
			tried[m.name]++
			got, err := Check(strings.NewReader(strings.Join(lines, "\n")), Options{})
			switch {
			case m.harmless && err != nil:
				t.Errorf("%s: %s: %v", story, m.name, err)
			case m.harmless:
				if diff := cmp.Diff(want.Verdicts, got.Verdicts); diff != "" {
					t.Errorf("%s: %s: (-whole +damaged) %s", story, m.name, diff)
				}
			case err == nil && len(heldIn(got.Verdicts)) > 0:
				t.Errorf("%s: %s: held are %v", story, m.name, heldIn(got.Verdicts))
			}
		}
	}
	if len(tried) < 80 {
		t.Errorf("only %d ways were tried", len(tried))
	}
	for _, m := range manglings() {
		if tried[m.name] == 0 && !strings.Contains(m.name, "gone that") {
			t.Errorf("no log can be damaged so: %s", m.name)
		}
	}
}

// What is refused, is refused with the line, the field, the rule and the way out.
func TestARefusalNamesLineFieldRuleAndWayOut(t *testing.T) {
	const header = `{"format":"ackgap-log/1"}` + "\n"
	for _, c := range []struct{ name, log, says string }{
		{"nothing", ``, `log: it is empty; the first line of a log is its header, {"format":"ackgap-log/1",...}`},
		{"no header", `{"seq":1,"time":0,"kind":"sent"}`, `log:1: the header: unknown field "seq";`},
		{"another version", `{"format":"ackgap-log/9"}`, `log:1: format: "ackgap-log/9" is not "ackgap-log/1"; the first line of a log is its header, such as {`},
		{"a typo", header + `{"time":0,"kind":"claimed","job":"J","tokn":1}` + "\n", `log:2: "tokn": unknown field "tokn"; did you mean "token"?`},
		{"a wrong type", header + "\n" + `{"time":0,"kind":"claimed","job":7}` + "\n", `log:3: job: "7" stands where a string must stand`},
		{"a fraction", header + `{"time":1.5,"kind":"claimed","job":"J"}` + "\n", `log:2: time: "1.5" stands where an integer must stand`},
		{"no such day", header + `{"time":"2026-02-30T00:00:00Z","kind":"claimed","job":"J"}` + "\n", `log:2: time: "2026-02-30T00:00:00Z" is no time; write RFC 3339`},
		{"a field twice", header + `{"time":0,"kind":"sent","time":0}` + "\n", `log:2: time: it stands twice in one line; leave one`},
		{"no UTF-8", header + "{\"time\":0,\"kind\":\"sent\",\"worker\":\"\xff\"}\n", `log:2: worker: "\xff" is no UTF-8; JSON is`},
		{"too deep", header + `{"x-a":` + strings.Repeat("[", 50) + "\n", `log:2: values nest deeper than 32`},
		{"a seq here and there", header + `{"seq":1,"time":0,"kind":"sent"}` + "\n" + `{"time":0,"kind":"sent"}` + "\n", `log:3: seq: some events of this log have one and some have none; number all, or none`},
		{"behind the end", header + `{"time":0,"kind":"ended","cause":"quiet"}` + "\n" + `{"time":0,"kind":"sent"}` + "\n", `log:3: it stands behind the end of the log; ended must be the last line`},
		{"behind the last number", header + `{"seq":1,"time":0,"kind":"ended","cause":"quiet"}` + "\n" + `{"seq":2,"time":0,"kind":"sent"}` + "\n", `log:3: it stands behind the end of the log; ended must be the last event`},
		{"a name for two", `{"format":"ackgap-log/1","processes":["w1","w1"]}`, `log:1: the header names "w1" twice; each has one number`},
		{"a bound without a number", `{"format":"ackgap-log/1","bounds-deliveries":true}`, `log:1: bounds-deliveries: it needs max-attempts, the bound`},
		{"touched without an id", `{"format":"ackgap-log/1","touches":true}` + "\n" + `{"time":0,"kind":"reaped","touched":[{}]}` + "\n", `log:2: touched: an entry names no id`},
		{"beyond 63 bits", header + `{"time":99999999999999999999,"kind":"sent"}` + "\n", `log:2: time: "99999999999999999999" stands, which is beyond 63 bits`},
		{"no job", header + `{"time":0,"kind":"applied"}` + "\n", `log:2: job: it is missing; applied is about a job`},
		{"no time", header + `{"kind":"applied","job":"J"}` + "\n", `log:2: time: it is missing; every event has a kind and a time`},
		{"a contradiction", header + `{"time":0,"kind":"settled","answer":"stale","job":"J"}` + "\n", `log:2: kind: settled with the op complete and the answer stale contradict each other`},
		{"an end without a cause", header + `{"time":0,"kind":"ended"}` + "\n", `log:2: cause: ended needs one: quiet`},
		{"touches not announced", header + `{"time":0,"kind":"reaped","touched":[{"id":"JOB0NgWEfAEJfs"}]}` + "\n", `touched: the header does not say "touches": true`},
		{"a pretty document", "{\n" + `"resourceSpans": []}`, "log:1: an object goes on in the next line; write one object a line, as `jq -c .` does"},
		{"spans that are none", header + `{"resourceSpans":7}` + "\n", `log:2: a document of spans that is no OTLP/JSON`},
		{"an escape in a name", header + `{"time":0,"kind":"` + "\x1b[31m" + `"}` + "\n", `a string holds the bare control character 0x1b`},
	} {
		_, err := Check(strings.NewReader(c.log), Options{})
		var at *Error
		if err == nil || !errors.As(err, &at) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v\nand should say %s", c.name, err, c.says)
		}
	}
}

// A line of 16 MiB is read, its line break counted, and one of a byte more is not.
func TestTheLongestLineIsReadAndNoByteMore(t *testing.T) {
	head, tail := `{"seq":1,"time":0,"kind":"begun","x-note":"`, "\"}\n"
	for _, n := range []int{16 << 20, 16<<20 + 1} {
		line := head + strings.Repeat("x", n-len(head)-len(tail)) + tail
		_, err := Check(strings.NewReader(line), Options{})
		if tooLong := err != nil && strings.Contains(err.Error(), "the line has more than 16777216 bytes"); tooLong != (n > 16<<20) {
			t.Errorf("%d bytes: %.300v", n, err)
		}
	}
}

// The largest window and the longest memory are taken.
func TestAnOptionAtItsBoundIsTaken(t *testing.T) {
	for _, o := range []Options{{Window: 1_000_000}, {Remember: 100_000_000}} {
		if _, err := Check(strings.NewReader(""), o); err == nil || !strings.Contains(err.Error(), "empty") {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

func TestAnOptionOutOfBoundsIsRefused(t *testing.T) {
	for _, o := range []Options{{Window: -1}, {Window: maxWindow + 1}, {Remember: -1}, {Remember: maxRemember + 1}, {Properties: []string{"no-los"}}} {
		if _, err := Check(bytes.NewReader(nil), o); err == nil || strings.Contains(err.Error(), "empty") {
			t.Errorf("%+v: %v", o, err)
		}
	}
}
