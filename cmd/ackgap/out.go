package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/reports"
	"github.com/ackgap/ackgap/reports/charts"
	"github.com/ackgap/ackgap/scenarios/argue"
)

// outputs are the forms in which --out asks for what came of a command, and what is
// told to GitHub.
type outputs struct {
	asked  []string // as they are given: FORM=FILE
	github string   // auto, on or off

	wanted []output
	cases  []reports.Case

	explained *argue.Explanation // for a page; nil where nobody asked
	worlds    *reports.Worlds    // likewise
}

// output is one form and where it goes: - is standard output.
type output struct {
	form reports.Form
	file string
}

var githubModes = []string{"auto", "on", "off"}

func (o *outputs) flags(c *cobra.Command) {
	c.Flags().StringArrayVar(&o.asked, "out", nil, "write `FORM=FILE` too, - for standard output instead of the report (repeatable); FORM is one of "+strings.Join(formNames(), ", "))
	c.Flags().StringVar(&o.github, "github", "auto", "`WHEN` to write annotations and a summary for GitHub: auto (where GITHUB_ACTIONS is true), on or off")
}

// forms are those of package reports, and the chart.
func forms() []reports.Form {
	return append(reports.Forms(), reports.Form{Name: "chart", Words: "deliveries, lapses and backlog as a picture", Append: appendChart})
}

func appendChart(b []byte, r *reports.Run, _ reports.Page, _ reports.Style) []byte {
	d := charts.OfRun(r)
	return reports.AppendDrawing(b, &d)
}

// chartsFrom is from how many jobs on a page has charts: of fewer the diagram says it all.
const chartsFrom = 3

// pageOf is what a page says besides its run.
func pageOf(r *reports.Run) (page reports.Page) {
	page.Tool = "ackgap " + buildVersion()
	if len(r.History.Names.Jobs) > chartsFrom { // the first name is nobody's
		page.Charts = []reports.Drawing{charts.OfRun(r)}
	}
	return page
}

func formNames() (names []string) {
	for _, f := range forms() {
		names = append(names, f.Name)
	}
	return names
}

// open reads what was asked for, and refuses what could not be written before
// anything runs. Many says that the command may come to more than one run.
func (o *outputs) open(verb string, many bool) error {
	if !slices.Contains(githubModes, o.github) {
		return fmt.Errorf("--github: %s", script.Unknown("mode", o.github, githubModes))
	}
	for _, arg := range o.asked {
		out, err := parseOutput(arg)
		if err != nil {
			return err
		}
		if many && out.form.Append != nil {
			return fmt.Errorf("%s: --out %s is of one run; name one story, or write %s", verb, printable(arg), ofMany())
		}
		if slices.ContainsFunc(o.wanted, func(other output) bool { return realPath(other.file) == realPath(out.file) }) {
			return fmt.Errorf("%s: two --out write to %s; name another file for one", verb, script.Quote(out.file))
		}
		if out.file != "-" {
			if err := mayReplace(out.file); err != nil {
				return fmt.Errorf("%s: --out %s: %w", verb, printable(arg), cause(err))
			}
		}
		o.wanted = append(o.wanted, out)
	}
	return nil
}

func parseOutput(arg string) (output, error) {
	name, file, ok := strings.Cut(arg, "=")
	if !ok || file == "" {
		return output{}, fmt.Errorf("--out %s: write FORM=FILE, as html=report.html, or FORM=- for standard output", script.Quote(arg))
	}
	for _, f := range forms() {
		if f.Name == name {
			return output{f, file}, nil
		}
	}
	return output{}, fmt.Errorf("--out %s: %s", script.Quote(arg), script.Unknown("form", name, formNames()))
}

// ofMany names the forms that hold any number of stories.
func ofMany() string {
	var names []string
	for _, f := range forms() {
		if f.AppendAll != nil {
			names = append(names, f.Name)
		}
	}
	return strings.Join(names, ", ")
}

// has reports whether the form called name is wanted.
func (o *outputs) has(name string) bool {
	return slices.ContainsFunc(o.wanted, func(w output) bool { return w.form.Name == name })
}

// takesStdout reports whether standard output is a form's, and no report's.
func (o *outputs) takesStdout() bool {
	return slices.ContainsFunc(o.asked, func(arg string) bool { return strings.HasSuffix(arg, "=-") })
}

// onGitHub reports whether the forms of GitHub are wanted unasked.
func (o *outputs) onGitHub() bool {
	return o.github == "on" || o.github == "auto" && os.Getenv("GITHUB_ACTIONS") == "true"
}

// needsCases reports whether what is written of many is wanted.
func (o *outputs) needsCases() bool {
	return o.onGitHub() || slices.ContainsFunc(o.wanted, func(w output) bool { return w.form.AppendAll != nil })
}

// run writes the forms of one run, and keeps its case for those of many.
func (o *outputs) run(s *streams, r *reports.Run, src source, style reports.Style) error {
	if o.needsCases() {
		c := reports.CaseOf(r)
		if src.disk {
			c.File = src.file
		}
		o.cases = append(o.cases, c)
	}
	return o.one(s, r, style)
}

// one writes the forms of one run.
func (o *outputs) one(s *streams, r *reports.Run, style reports.Style) error {
	page := pageOf(r)
	page.Explained, page.Worlds = o.explained, o.worlds
	style.Color, style.Width = false, 0 // a file is not a window
	var errs []error
	for _, w := range o.wanted {
		if w.form.Append != nil {
			errs = append(errs, s.put(w.file, w.form.Append(nil, r, page, style)))
		}
	}
	return errors.Join(errs...)
}

// end writes the forms of many, and tells GitHub.
func (o *outputs) end(s *streams) error {
	var errs []error
	for _, w := range o.wanted {
		if w.form.AppendAll != nil {
			errs = append(errs, s.put(w.file, w.form.AppendAll(nil, o.cases)))
		}
	}
	if o.onGitHub() {
		_, err := s.errs.Write(reports.AppendAnnotations(nil, o.cases))
		errs = append(errs, err)
		if err := addSummary(os.Getenv("GITHUB_STEP_SUMMARY"), reports.AppendJobSummary(nil, o.cases)); err != nil {
			fmt.Fprintf(s.errs, "ackgap: there is no summary, and the exit status is that of the stories: %v\n", err) // nobody asked for it
		}
	}
	return errors.Join(errs...)
}

// unwritten says of the forms of one run that there was none to write.
func (o *outputs) unwritten(s *streams) {
	for _, w := range o.wanted {
		if w.form.Append != nil {
			fmt.Fprintf(s.errs, "ackgap: no world failed, and %s is not written\n", script.Quote(w.file))
		}
	}
}

// put writes a file, or standard output.
func (s *streams) put(file string, b []byte) error {
	if file == "-" {
		_, err := s.out.Write(b)
		return err
	}
	if err := replaceFile(file, b); err != nil {
		return fmt.Errorf("%s: %w", script.Quote(file), cause(err))
	}
	return nil
}

// addSummary adds to the summary of a step on GitHub, which other commands of the step
// may have begun.
func addSummary(file string, b []byte) error {
	if file == "" {
		return nil
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("GITHUB_STEP_SUMMARY: %w", err)
	}
	_, err = f.Write(b)
	return errors.Join(err, f.Close())
}
