package reports

import "github.com/ackgap/ackgap/reports/eventlog"

// Form is a form in which a run can be written, by the name that --out takes.
type Form struct {
	Name  string
	Words string // what it is, in a few words
	// Append appends one run; nil where the form is of many.
	Append func(b []byte, r *Run, more Page, s Style) []byte
	// AppendAll appends any number of cases; nil where the form is of one run.
	AppendAll func(b []byte, cases []Case) []byte
}

// Forms returns every form, those of one run first.
func Forms() []Form {
	styled := func(f func([]byte, *Run, Style) []byte) func([]byte, *Run, Page, Style) []byte {
		return func(b []byte, r *Run, _ Page, s Style) []byte { return f(b, r, s) }
	}
	bare := func(f func([]byte, *Run) []byte) func([]byte, *Run, Page, Style) []byte {
		return func(b []byte, r *Run, _ Page, _ Style) []byte { return f(b, r) }
	}
	return []Form{
		{Name: "text", Words: "the report", Append: styled(AppendText)},
		{Name: "html", Words: "one page, without a network", Append: AppendHTML},
		{Name: "svg", Words: "the diagram as a picture", Append: styled(AppendSVG)},
		{Name: "json", Words: Format, Append: bare(AppendJSON)},
		{Name: "log", Words: "a log for check-log, an event a line", Append: bare(appendLog)},
		{Name: "history", Words: "what may stand after ----", Append: bare(appendHistory)},
		{Name: "trace", Words: "Chrome trace events, for Perfetto", Append: bare(AppendTrace)},
		{Name: "mermaid", Words: "a sequence diagram", Append: styled(AppendMermaid)},
		{Name: "shiviz", Words: "vector clocks, for ShiViz", Append: bare(AppendShiViz)},
		{Name: "otlp", Words: "OpenTelemetry spans (OTLP/JSON)", Append: bare(AppendOTLP)},
		{Name: "junit", Words: "JUnit XML", AppendAll: AppendJUnit},
		{Name: "github", Words: "annotations for a step on GitHub", AppendAll: AppendAnnotations},
		{Name: "summary", Words: "Markdown for $GITHUB_STEP_SUMMARY", AppendAll: AppendJobSummary},
	}
}

func appendHistory(b []byte, r *Run) []byte { return r.History.AppendText(b) }

// appendLog writes what `ackgap check-log` judges as the run was judged.
func appendLog(b []byte, r *Run) []byte { return eventlog.Append(b, r.History, r.Facts) }
