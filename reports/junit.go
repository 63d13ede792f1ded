package reports

import (
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// AppendJUnit appends the cases as JUnit XML: one test for each story, a failure
// where it was not met, an error where it could not be judged. The first line of
// either is the verdict and the command that runs it again, since few tools show
// more. There are no times: the same runs give the same bytes.
func AppendJUnit(b []byte, cases []Case) []byte {
	not, open := tallyOf(cases)
	counts := ` tests="` + itoa(len(cases)) + `" failures="` + itoa(not) + `" errors="` + itoa(open) + `"`
	b = append(b, `<?xml version="1.0" encoding="UTF-8"?>`+"\n<testsuites"+counts+">\n<testsuite name=\"ackgap\""+counts+">\n"...)
	titles := titlesOf(cases)
	for i := range cases {
		b = appendTestcase(b, titles[i], &cases[i])
	}
	return append(b, "</testsuite>\n</testsuites>\n"...)
}

func appendTestcase(b []byte, title string, c *Case) []byte {
	b = append(b, `<testcase classname="ackgap" name="`+escaped(title)+`"`...)
	if c.File != "" {
		b = append(b, ` file="`+escaped(model.Safe(c.File))+`"`...)
	}
	b = append(b, ">\n<properties>"...)
	property := func(name, value string) {
		if value != "" {
			b = append(b, `<property name="sim.`+name+`" value="`+escaped(model.Safe(value))+`"/>`...)
		}
	}
	property("seed", utoa(c.Seed))
	property("digest", c.Digest)
	property("again", c.Again)
	b = append(b, "</properties>\n"...)
	element := ""
	switch c.Outcome {
	case scenarios.No:
		element = "failure"
	case scenarios.Inconclusive:
		element = "error"
	}
	if element != "" {
		b = append(b, "<"+element+` type="`+c.Outcome.String()+`" message="`+escaped(c.says())+`">`...)
		b = append(b, escaped(c.Text)+"</"+element+">\n"...)
	}
	return append(b, "</testcase>\n"...)
}
