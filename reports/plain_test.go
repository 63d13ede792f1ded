package reports

import (
	"strings"
	"testing"

	"github.com/ackgap/ackgap/model"
)

// Every property of the judge has plain words, which name the job and no term that only
// the judge knows.
func TestEveryPropertyCanBeSaidPlainly(t *testing.T) {
	for _, q := range model.Properties() {
		says := plainly[q.Name]
		if strings.Count(says, "%s") != 1 {
			t.Errorf("%s is said as %q", q.Name, says)
		}
		for _, term := range []string{"ledger", "incarnation", "settl", "event", "fence", "property", "row"} {
			if strings.Contains(says, term) && q.Name != "settled-once" {
				t.Errorf("%s is said as %q, which has %q", q.Name, says, term)
			}
		}
	}
	if len(plainly) != len(model.Properties()) {
		t.Errorf("%d properties have plain words, of %d", len(plainly), len(model.Properties()))
	}
}

// A page is headed by plain words, and what the witness says stands below them.
func TestAPageIsHeadedByPlainWords(t *testing.T) {
	page := string(AppendHTML(nil, catalogueRun(t, "lost-ack"), Page{}, Style{}))
	head, below, _ := strings.Cut(page, "</h1>")
	if !strings.HasSuffix(head, "<h1>The effect of J1 happened more than once") ||
		!strings.HasPrefix(below, "<p>J1: event 11 and event 22 changed the outside ledger under one job") {
		t.Errorf("%.80s", below)
	}
}
