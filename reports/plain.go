package reports

import (
	"fmt"

	"github.com/ackgap/ackgap/model"
)

// plainly says what it means that a property of the judge is broken, in words for
// somebody who does not know it; %s is the job.
var plainly = map[string]string{
	"no-loss":              "%s was taken in, and is lost",
	"no-duplicate-effect":  "The effect of %s happened more than once",
	"stale-token-rejected": "A worker that no longer had %s could still change it",
	"settled-once":         "One delivery of %s was settled twice",
	"one-place":            "%s stands in two places of the queue at once",
	"no-ghost":             "The record of %s and its place in the queue do not agree",
	"tokens-rise":          "%s was given a token that is not above an earlier one",
	"single-holder":        "%s was given away while an earlier lease of it still ran",
	"terminal-absorbing":   "%s had ended, and was touched again",
	"admission-honest":     "The producer of %s was told what is not true",
	"attempts-bounded":     "%s did not get the number of attempts that it should",
	"deliveries-bounded":   "%s was delivered more often than is allowed",
	"mint-order":           "A later job was served before %s",
	"deadline-monotone":    "A renewal made the lease of %s shorter",
	"work-conserving":      "A worker was told that there is no work while %s was pending",
	"drains":               "%s did not come to its end in time",
}

// jobTitle is how much of the name of a job a heading has, in columns.
const jobTitle = 60

// plainSentence is what a page is headed by when v broke: what its witness says where the
// property has no plain words, is not broken, or no single job suffers.
func plainSentence(r *Run, v *model.Verdict) string {
	says, ok := plainly[v.Property]
	if !ok || v.Value != model.Broken || v.Witness.Job == model.NoJob {
		return headline(r, v)
	}
	return fmt.Sprintf(says, short(r.History.Names.Job(v.Witness.Job), jobTitle))
}
