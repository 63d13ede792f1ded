package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/reports"
	"github.com/ackgap/ackgap/reports/charts"
	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/storm"
)

// chartFlag is --out of a command whose table can be drawn: chart=FILE alone.
type chartFlag struct {
	asked string
	file  string // empty where no chart is asked for
}

func (f *chartFlag) flag(c *cobra.Command, words string) {
	c.Flags().StringVar(&f.asked, "out", "", "write chart=`FILE` too: "+words)
}

// open reads what was asked for, before anything runs.
func (f *chartFlag) open(verb string) error {
	if f.asked == "" {
		return nil
	}
	form, file, ok := strings.Cut(f.asked, "=")
	switch {
	case !ok || file == "":
		return fmt.Errorf("%s: --out %s: write chart=FILE", verb, script.Quote(f.asked))
	case form != "chart":
		return fmt.Errorf("%s: --out: %s", verb, script.Unknown("form", form, []string{"chart"}))
	case file == "-":
		return fmt.Errorf("%s: --out chart=-: standard output has the table; name a file", verb)
	}
	if err := mayReplace(file); err != nil {
		return fmt.Errorf("%s: --out %s: %w", verb, script.Quote(f.asked), cause(err))
	}
	f.file = file
	return nil
}

// write writes the chart, if one is asked for.
func (f *chartFlag) write(s *streams, d func() (reports.Drawing, error)) error {
	if f.file == "" {
		return nil
	}
	drawing, err := d()
	if err != nil {
		return err
	}
	return s.put(f.file, reports.AppendDrawing(nil, &drawing))
}

// drains draws the backlogs under the longest fault beside those without any. Its worlds
// run once more: of a storm only what the grid needs is kept.
func (f *stormFlags) drains(w *storm.Worlds, world string) (reports.Drawing, error) {
	length := f.lengths[len(f.lengths)-1]
	chart := &charts.Storm{World: world, Loads: f.loads, Leases: f.leases, Horizon: w.Horizon, Begin: w.Horizon / 4, End: w.Horizon/4 + length}
	runner := scenarios.NewRunner()
	defer func() { _ = runner.Close() }() // what was drawn stands
	for _, lease := range f.leases {
		for _, load := range f.loads {
			for _, of := range []time.Duration{0, length} {
				line, err := backlogOf(w, runner, storm.Point{Load: load, Lease: lease, Length: of})
				if err != nil {
					return reports.Drawing{}, err
				}
				if of == 0 {
					chart.Calm = append(chart.Calm, line)
				} else {
					chart.With = append(chart.With, line)
				}
			}
		}
	}
	return charts.OfStorm(chart), nil
}

func backlogOf(w *storm.Worlds, r *scenarios.Runner, p storm.Point) (charts.Line, error) {
	story, err := w.Story(p)
	if err != nil {
		return charts.Line{}, err
	}
	out, err := r.Run(story, scenarios.Options{})
	if err != nil {
		return charts.Line{}, err
	}
	return charts.Backlog(out.History, w.Horizon), nil
}
