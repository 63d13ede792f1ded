package script_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ackgap/ackgap/faults/script"
)

// The first and the last letter of each alphabet count, and what stands next to them in
// ASCII does not.
func TestNamesReachToTheEndsOfTheirAlphabets(t *testing.T) {
	for _, name := range []string{"a", "z", "A", "Z", "0", "9", "a-", "z_", strings.Repeat("x", script.MaxName)} {
		if !script.IsName(name) {
			t.Errorf("%q is no name", name)
		}
	}
	for _, name := range []string{"", "-", "_", "`", "{", "@", "[", "/", ":", "a b", strings.Repeat("x", script.MaxName+1)} {
		if script.IsName(name) {
			t.Errorf("%q is a name", name)
		}
	}
}

func TestKeysReachToTheEndsOfTheirAlphabets(t *testing.T) {
	for word, isOption := range map[string]bool{
		"a=1": true, "z=1": true, "a0=1": true, "a9=1": true, "a-b=1": true, "az=": true,
		"=1": false, "0=1": false, "9=1": false, "-a=1": false, "A=1": false, "a_=1": false, "`=1": false, "{=1": false, "a/=1": false, "a:=1": false,
	} {
		line := scan(t, "job "+word)[0]
		if got := len(line.Options) == 1; got != isOption {
			t.Errorf("%s is an option: %v, want %v", word, got, isOption)
		}
	}
}

func TestTheLimitsOfValuesAreAllowed(t *testing.T) {
	scan(t, strings.Repeat("#"+strings.Repeat("x", script.MaxLine-2)+"\n", script.MaxBytes/script.MaxLine))
	for _, c := range []struct {
		line string
		ok   bool
		read func(*script.Args)
	}{
		{"n=2", true, func(a *script.Args) { a.Int("n", 0, 2, 5) }}, {"n=5", true, func(a *script.Args) { a.Int("n", 0, 2, 5) }},
		{"n=1", false, func(a *script.Args) { a.Int("n", 0, 2, 5) }}, {"n=6", false, func(a *script.Args) { a.Int("n", 0, 2, 5) }}, {"n=x", false, func(a *script.Args) { a.Int("n", 0, 2, 5) }},
		{"d=exp:1000h", true, func(a *script.Args) { a.Spread("d", 0) }}, {"d=exp:1000h1ns", false, func(a *script.Args) { a.Spread("d", 0) }},
		{"d=exp:0s", false, func(a *script.Args) { a.Spread("d", 0) }}, {"d=exp:1ns", true, func(a *script.Args) { a.Spread("d", 0) }}, {"d=exp:x", false, func(a *script.Args) { a.Spread("d", 0) }},
		{"d=0s", true, func(a *script.Args) { a.Duration("d", 1) }}, {"d=-1ns", false, func(a *script.Args) { a.Duration("d", 1) }},
		{"d=0s", false, func(a *script.Args) { a.Span("d", 1) }}, {"d=1ns", true, func(a *script.Args) { a.Span("d", 1) }}, {"d=-1ns", false, func(a *script.Args) { a.Span("d", 1) }},
		{"d=2ms", true, func(a *script.Args) { a.Millis("d", 1) }}, {"d=1500us", false, func(a *script.Args) { a.Millis("d", 1) }},
		{"d=off", true, func(a *script.Args) { a.Period("d", 1) }}, {"d=0s", false, func(a *script.Args) { a.Period("d", 1) }}, {"d=1s", true, func(a *script.Args) { a.Period("d", 1) }},
		{"p=100%", true, func(a *script.Args) { a.Percent("p", 0) }}, {"p=x", false, func(a *script.Args) { a.Percent("p", 0) }},
		{"d=-87600h", true, func(a *script.Args) { a.Offset("d", 1) }}, {"d=87600h", true, func(a *script.Args) { a.Offset("d", 1) }}, {"d=-87600h1ns", false, func(a *script.Args) { a.Offset("d", 1) }},
	} {
		errs := script.Errors{File: "f"}
		a := script.Open(&scan(t, "job "+c.line)[0], &errs)
		c.read(a)
		if a.Close(); (errs.Err() == nil) != c.ok {
			t.Errorf("%s: %v, and it is to be taken: %v", c.line, errs.Err(), c.ok)
		}
	}
}

func TestAFlagIsABareWordOrAnOption(t *testing.T) {
	for line, want := range map[string]bool{"job": false, "job fresh": true, "job fresh=on": true, "job fresh=off": false, "job x fresh y": true} {
		errs := script.Errors{File: "f"}
		if got := script.Open(&scan(t, line)[0], &errs).Flag("fresh"); got != want || errs.Err() != nil {
			t.Errorf("%s: %v, want %v; %v", line, got, want, errs.Err())
		}
	}
}

// What is written is quoted where it would not be read as it stands.
func TestOnlyWhatNeedsQuotesIsQuoted(t *testing.T) {
	for value, want := range map[string]string{
		"a": `a`, "~": `~`, "!": `!`, " ": `" "`, "\x7f": `"\x7f"`, "a b": `"a b"`, "é": `"é"`, "\t": `"\t"`,
	} {
		if got := string(script.AppendValue(nil, value)); got != want {
			t.Errorf("%q is written %s, want %s", value, got, want)
		}
	}
}

func TestDeliveriesAreCountedFromOne(t *testing.T) {
	for text, want := range map[string]int32{"J#1": 1, "J1#9": 9, "J#10": 10, "J#": 0, "J#0": 0, "J#:": 0, "J#/": 0} {
		if _, n, ok := script.ParseDelivery(text); n != want && ok || ok != (want > 0) {
			t.Errorf("%s: delivery %d, %v; want %d", text, n, ok, want)
		}
	}
	if d, err := script.ParseDuration("-87600h"); err != nil || d != -87600*time.Hour {
		t.Errorf("ten years back: %v, %v", d, err)
	}
}

// The nearest word is the first of equals; one that shares no letter is none.
func TestTheNearestWordIsTheFirstOfEquals(t *testing.T) {
	long := strings.Repeat("x", script.MaxName-1)
	for _, c := range []struct {
		word  string
		words []string
		want  string
	}{
		{"ab", []string{"ax", "ay"}, "ax"}, {"abcd", []string{"abcx", "bacd"}, "abcx"}, {"b", []string{"a"}, ""},
		{long + "y", []string{long + "z"}, long + "z"}, {long + "yy", []string{long + "yz"}, ""},
	} {
		if got, _ := script.Nearest(c.word, c.words); got != c.want {
			t.Errorf("%.9s among %.30q: %.9q, want %.9q", c.word, c.words, got, c.want)
		}
	}
}

func TestWhatIsLongIsCutShortBeyondItsLimit(t *testing.T) {
	words := strings.Split(strings.Repeat("w ", 41), " ")
	if got := script.Allowed(words[:40]); strings.Contains(got, "...") {
		t.Errorf("40 words: %s", got)
	}
	if got := script.Allowed(words[:41]); !strings.HasSuffix(got, ", ... (41 in all)") {
		t.Errorf("41 words: %s", got)
	}
	if got := script.Quote(strings.Repeat("q", 80)); strings.Contains(got, "cut") {
		t.Errorf("80 bytes: %s", got)
	}
	if got := script.Quote(strings.Repeat("q", 81)); !strings.HasSuffix(got, "(cut from 81 bytes)") {
		t.Errorf("81 bytes: %s", got)
	}
}

// An option that makes no sense on this line is refused where it stands, and nothing is
// said of one that is not there.
func TestWhatIsRefusedIsWhatIsThere(t *testing.T) {
	for line, want := range map[string]string{
		"job J1 at=1s":      `f:1: job: at=: it comes by itself`,
		"job J1 delay=1s":   "",
		"job J1 at=1s at=x": "at=: it comes by itself",
	} {
		errs := script.Errors{File: "f"}
		a := script.Open(&scan(t, line)[0], &errs)
		a.Refuse("at", "it comes by itself")
		got := fmt.Sprint(errs.Err())
		if want == "" && errs.Err() != nil || want != "" && !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %q", line, got, want)
		}
	}
}
