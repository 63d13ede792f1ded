package scenarios_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// The limits of reports/docs/limits.md, by number: so many are taken, and one more is
// refused with a word of the limit. Those of a text and its lines are tried in
// faults/script, that of chaos lines in parse_test.go.
func TestALimitHoldsFromBothSides(t *testing.T) {
	numbered := func(line string) func(n int) string {
		return func(n int) string {
			var b strings.Builder
			b.WriteString("worker w1\njob J1\n")
			for i := range n {
				fmt.Fprintf(&b, line+"\n", i)
			}
			return b.String()
		}
	}
	for _, c := range []struct {
		what string
		most int
		text func(n int) string
		says string
	}{
		{"workers", 10_000, func(n int) string { return fmt.Sprintf("workers %d\njob J1\n", n) }, "from 1 to 10000"},
		{"workers of several lines", 10_000, func(n int) string { return fmt.Sprintf("workers %d prefix=v\nworker w\njob J1\n", n-1) }, "at most 10000"},
		{"jobs", 100_000, func(n int) string { return fmt.Sprintf("worker w1\njobs %d\n", n) }, "from 1 to 100000"},
		{"jobs of several lines", 100_000, func(n int) string { return fmt.Sprintf("worker w1\njobs %d\njob J\n", n-1) }, "at most 100000"},
		{"producers", 1_000, numbered("producer p%d"), "at most 1000"},
		{"speakers", 1_000, numbered("do pause by=s%[1]d time=%[1]ds"), "more than 1000 speakers"},
		{"bytes of a payload", 512, func(n int) string { return "job J1 payload=" + strings.Repeat("x", n) + "\n" }, "the payload has 513 bytes; at most 512"},
		{"letters of two bytes in a payload", 256, func(n int) string { return "job J1 payload=" + strings.Repeat("é", n) + "\n" }, "the payload has 514 bytes; at most 512"},
		{"bytes of a name", 64, func(n int) string { return "job " + strings.Repeat("J", n) + "\n" }, "at most 64"},
		{"attempts", 1_000_000, func(n int) string { return fmt.Sprintf("queue echomq max-attempts=%d\njob J1\n", n) }, "from 1 to 1000000"},
		{"deliveries", 1_000_000, func(n int) string { return fmt.Sprintf("worker w1\njob J1\nfault drop complete J1#%d\n", n) }, "from 1 to 1000000"},
		{"windows", 100, func(n int) string { return fmt.Sprintf("worker w1\njob J1\nchaos crash w1 rate=1%% count=0..%d\n", n) }, "up to 100"},
		{"hours", 87_600, func(n int) string { return fmt.Sprintf("worker w1 work=%dh\njob J1\n", n) }, "longer than 87600h"},
	} {
		if _, err := scenarios.Parse("f", []byte(c.text(c.most))); err != nil {
			t.Errorf("%d %s: %.300v", c.most, c.what, err)
		}
		if _, err := scenarios.Parse("f", []byte(c.text(c.most+1))); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%d %s: the error is %.300v, want %q in it", c.most+1, c.what, err, c.says)
		}
	}
}

// A token is unpacked up to 16 MiB, and is no story there; one byte more is not read.
func TestATokenIsUnpackedUpToItsLimit(t *testing.T) {
	const most = 16 << 20
	for _, n := range []int{most, most + 1} {
		_, err := scenarios.ParseToken(sealed(deflated(t, bytes.Repeat([]byte("#"), n))))
		if err == nil || strings.Contains(err.Error(), "unpacks to more than 16777216 bytes") != (n > most) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

// A run that goes on for ever is cut after three million steps, and inconclusive.
func TestARunIsCutAfterThreeMillionSteps(t *testing.T) {
	story := mustParse(t, "f", "queue echomq reap-every=1ms\nworker w1 work=23h heartbeat=1ms\njob J1\nhorizon 24h\n")
	out, err := scenarios.NewRunner().Run(story, scenarios.Options{Forget: true})
	if err != nil || out.Steps != 3_000_000 || out.End != model.Limit || out.Met != scenarios.Inconclusive {
		t.Errorf("%v: %d steps, %v, %v", err, out.Steps, out.End, out.Met)
	}
}
