package reports

import (
	"regexp"
	"slices"
	"testing"

	"github.com/ackgap/ackgap/scenarios"
)

// Whoever collects tests tells them by their names, and a reader of a summary has no other.
func TestCasesOfOneNameAreToldApartByTheirFiles(t *testing.T) {
	cases := []Case{{Story: "same", File: "a/x.story"}, {Story: "same", File: "b/<x>.story"}, {Story: "other", File: "c.story"}, {Story: "same"}}
	for i := range cases {
		cases[i].Outcome, cases[i].Text = scenarios.No, "text"
	}
	want := []string{"same (a/x.story)", "same (b/&lt;x&gt;.story)", "other", "same"}
	for form, c := range map[string]struct{ text, name string }{
		"junit":   {string(AppendJUnit(nil, cases)), `<testcase classname="ackgap" name="([^"]*)"`},
		"table":   {string(AppendJobSummary(nil, cases)), `(?m)^\| (.*?) \| not met`},
		"details": {string(AppendJobSummary(nil, cases)), `<details><summary>(.*)</summary>`},
	} {
		var got []string
		for _, m := range regexp.MustCompile(c.name).FindAllStringSubmatch(c.text, -1) {
			got = append(got, m[1])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: the names are %q, want %q", form, got, want)
		}
	}
}
