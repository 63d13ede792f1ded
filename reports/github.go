package reports

import (
	"strings"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// What GitHub takes of one step
// (https://docs.github.com/en/actions/reference/limits and
// .../workflow-commands-for-github-actions): ten errors, and 1 MiB of summary, of
// which a reader wants less.
const (
	annotationLimit = 10
	summaryLimit    = 100 << 10
)

// AppendAnnotations appends a workflow command for each case that was not met (an
// error) or could not be judged (a warning), in their order, for the log of a step on
// GitHub. There are at most ten: the last one counts those that are left out.
func AppendAnnotations(b []byte, cases []Case) []byte {
	var lines []string
	for i := range cases {
		if cases[i].Outcome != scenarios.Yes {
			lines = append(lines, annotation(&cases[i]))
		}
	}
	if n := len(lines) - annotationLimit; n > 0 {
		lines = append(lines[:annotationLimit-1], "::error title=ackgap::and "+itoa(n+1)+" more stories are not as expected")
	}
	for _, line := range lines {
		b = append(append(b, line...), '\n')
	}
	return b
}

func annotation(c *Case) string {
	word := "error"
	if c.Outcome == scenarios.Inconclusive {
		word = "warning"
	}
	where := ""
	if c.File != "" {
		where = "file=" + inProperty(c.File) + ",line=" + itoa(max(1, c.At)) + ","
	}
	return "::" + word + " " + where + "title=" + inProperty("ackgap "+shown(model.Safe(c.Story))) + "::" + inMessage(c.says())
}

// inMessage and inProperty escape what ends a workflow command or a property of it.
func inMessage(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func inProperty(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(inMessage(s))
}

// AppendJobSummary appends the cases as Markdown for $GITHUB_STEP_SUMMARY: a table of
// those that were not as expected, and of each of these its diagram and its report, as
// far as there is room.
func AppendJobSummary(b []byte, cases []Case) []byte {
	start := len(b)
	not, open := tallyOf(cases)
	b = append(b, "## ackgap: "+itoa(len(cases)-not-open)+" of "+itoa(len(cases))+" stories as expected\n\n"...)
	if not+open == 0 {
		return b
	}
	const head = "| story | outcome | what came of it | run again |\n|---|---|---|---|\n"
	b = append(b, head...)
	left, titles := 0, titlesOf(cases)
	for i := range cases {
		c := &cases[i]
		if c.Outcome == scenarios.Yes {
			continue
		}
		row := "| " + inTable(titles[i]) + " | " + c.Outcome.String() + " | " + inTable(c.Line) + " | <code>" + inTable(model.Safe(c.Again)) + "</code> |\n"
		if len(b)-start+len(row) > summaryLimit/2 {
			left++
			continue
		}
		b = append(b, row...)
	}
	for i := range cases {
		c := &cases[i]
		part := summaryPart(titles[i], c)
		if c.Outcome == scenarios.Yes || c.Text == "" {
			continue
		}
		if len(b)-start+len(part)+80 > summaryLimit {
			left++
			continue
		}
		b = append(b, part...)
	}
	if left > 0 {
		b = append(b, "\n"+itoa(left)+" parts are left out: there is no more room.\n"...)
	}
	return b
}

// summaryPart is one case at length. GitHub draws the block in Mermaid.
func summaryPart(title string, c *Case) string {
	part := "\n<details><summary>" + escaped(title) + "</summary>\n\n"
	if c.Diagram != "" {
		part += "```mermaid\n" + c.Diagram + "```\n\n"
	}
	return part + "<pre>" + escaped(c.Text) + "</pre>\n</details>\n"
}

// inTable escapes what ends a cell, or would be markup in it.
func inTable(s string) string {
	return strings.NewReplacer("|", "&#124;", "`", "&#96;", "*", "&#42;", "_", "&#95;", "[", "&#91;", `\`, "&#92;", "~", "&#126;", "$", "&#36;", ":", "&#58;", "@", "&#64;", "\n", " ").Replace(escaped(s))
}
