package reports

import (
	"slices"
	"sync"
	"testing"

	"github.com/ackgap/ackgap/scenarios"
)

// catalogue is the run of every story that comes with ackgap, once for all tests.
var catalogue = sync.OnceValue(func() (runs []*Run) {
	for _, name := range scenarios.Catalogue() {
		text, err := scenarios.Text(name)
		if err != nil {
			panic(err)
		}
		story, err := scenarios.Parse(name+".story", text)
		if err != nil {
			panic(err)
		}
		out, err := story.Run(scenarios.Options{})
		if err != nil {
			panic(err)
		}
		runs = append(runs, Of(out, scenarios.Title(text), "ackgap run "+name))
	}
	return runs
})

// catalogueRun is the run of one story.
func catalogueRun(t *testing.T, name string) *Run {
	t.Helper()
	i := slices.IndexFunc(catalogue(), func(r *Run) bool { return r.Story == name })
	if i < 0 {
		t.Fatalf("there is no story %s", name)
	}
	return catalogue()[i]
}
