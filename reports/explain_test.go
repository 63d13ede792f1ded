package reports

import (
	"strings"
	"testing"

	"github.com/ackgap/ackgap/model"
)

func TestExplanationsArePinned(t *testing.T) {
	kept := &model.Property{Name: "deliveries-bounded", Claim: model.Always, Optional: true,
		Column: "each claim", Doc: "more claims than max-attempts in one incarnation; as built the queue counts none, " +
			"so that a poison crasher is never dead",
		Source: "SQS's maxReceiveCount", Holds: "J1 kills its worker three times, and is dead", Breaks: "J1#4 is claimed"}
	reach := &model.Property{Name: "saw-redelivery", Claim: model.Sometimes, Column: "each claim",
		Doc: "a job was delivered a second time", Holds: "J1#1 lapses, and J1#2 is claimed",
		Breaks: "every job is claimed once", Source: "at-least-once\x1b delivery"}
	b := append(AppendExplain(nil, kept, Style{}), '\n')
	golden(t, "explain.txt", AppendExplain(b, reach, Style{}))
}

// Nobody is left with a property that has no example to think about.
func TestEveryPropertyIsExplained(t *testing.T) {
	for _, p := range append(model.Properties(), model.Reach()...) {
		got := string(AppendExplain(nil, p, Style{ASCII: true}))
		for _, term := range []string{"claim", "judged at", "holds in", "source", docTerm(p), counterTerm(p)} {
			if !strings.Contains(got, "\n  "+term+" ") {
				t.Errorf("%s: nothing about %q in\n%s", p.Name, term, got)
			}
		}
		for _, line := range strings.Split(got, "\n") {
			if width(line) > textWidth {
				t.Errorf("%s: a line of %d columns: %s", p.Name, width(line), line)
			}
		}
	}
}
