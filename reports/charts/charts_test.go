package charts

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	_ "github.com/ackgap/ackgap/model/echomq"
	"github.com/ackgap/ackgap/reports"
	"github.com/ackgap/ackgap/scenarios"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func runText(t *testing.T, text string) (*reports.Run, *scenarios.Outcome) {
	t.Helper()
	story, err := scenarios.Parse("charts.story", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	out, err := story.Run(scenarios.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return reports.Of(out, "", ""), out
}

// golden holds a chart against its file, and a second drawing against the first.
func golden(t *testing.T, name string, draw func() reports.Drawing) []byte {
	t.Helper()
	first, second := draw(), draw()
	got := reports.AppendDrawing(nil, &first)
	if !bytes.Equal(got, reports.AppendDrawing(nil, &second)) {
		t.Error("the same numbers are drawn in two ways")
	}
	file := filepath.Join("testdata", name+".svg")
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is another; look at both, and run with -update if it is right", file)
	}
	check(t, got)
	return got
}

var classes = regexp.MustCompile(`class="([^"]*)"`)

// check demands well-formed XML in the classes of our pictures, without a style, a script
// or a link of its own.
func check(t *testing.T, svg []byte) {
	t.Helper()
	for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	for _, class := range classes.FindAllSubmatch(svg, -1) {
		for _, word := range strings.Fields(string(class[1])) {
			if !strings.Contains(" ink dim bad delivery ack refused s f on ground ", " "+word+" ") {
				t.Errorf("there is no class %q", word)
			}
		}
	}
	for _, word := range []string{" style=", "<script", "href=", "<image", "NaN", "Inf"} {
		if bytes.Contains(svg, []byte(word)) {
			t.Errorf("the chart has %q", word)
		}
	}
}

// A bar for each job, the lapses as stairs, and the jobs that are open.
func TestAFewJobs(t *testing.T) {
	r, _ := runText(t, "workers 3\njobs 6 every=40ms\nfault drop complete J2#1\n")
	svg := golden(t, "few-jobs", func() reports.Drawing { return OfRun(r) })
	if n := bytes.Count(svg, []byte(`class="delivery f"`)); n != 6 {
		t.Errorf("%d bars for 6 jobs", n)
	}
}

// Of many jobs it is counted how many had so many deliveries, and the file stays small.
func TestManyJobs(t *testing.T) {
	r, _ := runText(t, "queue echomq lease=1s\nworkers 3\njobs 900 every=10ms\nfault partition w1 queue time=3s for=2s\n")
	svg := golden(t, "many-jobs", func() reports.Drawing { return OfRun(r) })
	if len(svg) > 16<<10 {
		t.Errorf("the chart of %d events has %d bytes", len(r.History.Events), len(svg))
	}
}

// A run without jobs, or whose events were not kept, has empty charts.
func TestNothingToDraw(t *testing.T) {
	r, out := runText(t, "worker w1\n")
	golden(t, "nothing", func() reports.Drawing { return OfRun(r) })
	out.History.Events = nil
	d := OfRun(reports.Of(out, "", ""))
	check(t, reports.AppendDrawing(nil, &d))
}

// A name is text, however it is meant.
func TestANameIsText(t *testing.T) {
	r, _ := runText(t, "worker w1\njob J1\n")
	r.Story = "</title><script>"
	r.History.Names.Jobs[1] = "\x1b<b>&"
	d := OfRun(r)
	svg := reports.AppendDrawing(nil, &d)
	check(t, svg)
	if !bytes.Contains(svg, []byte("&lt;b&gt;")) {
		t.Error("the name is gone")
	}
}

// The fewer faults it takes, the larger the square; what is not known has a question mark.
func TestTheHeatMap(t *testing.T) {
	cell := func(faults int) reports.ToleranceCell { return reports.ToleranceCell{Broken: true, Faults: faults} }
	table := &reports.Tolerance{World: "two jobs", Faults: 2, Properties: []string{"no-loss", "no-duplicate-effect", "deliveries-bounded", "drains"},
		Rows: []reports.ToleranceRow{
			{Config: "as-built", Cells: []reports.ToleranceCell{cell(2), cell(1), {Idle: true}, {}}},
			{Config: "consumer=naive", Cells: []reports.ToleranceCell{cell(0), {}, {Idle: true}, cell(1)}, Open: true},
		}}
	svg := golden(t, "tolerance", func() reports.Drawing { return OfTolerance(table) })
	if n := bytes.Count(svg, []byte(">?</text>")); n != 1 {
		t.Errorf("%d question marks", n)
	}
}

// A bar up to the median, a line up to the most, and both as numbers.
func TestTheMutants(t *testing.T) {
	svg := golden(t, "mutants", func() reports.Drawing {
		return OfMutants([]Mutant{{"naive", 3, 30}, {"late-heartbeat", 55, 259}, {"caught-at-once", 1, 1}})
	})
	if !bytes.Contains(svg, []byte(">55, 259</text>")) {
		t.Error("the numbers are not there")
	}
}

// The backlog of a fault beside the calm run, for each lease and load.
func TestTheStorm(t *testing.T) {
	_, calm := runText(t, "workers 2\njobs 200 every=20ms\n")
	_, with := runText(t, "workers 2\njobs 200 every=20ms\nfault partition w1 queue time=1s for=1s\nfault partition w2 queue time=1s for=1s\n")
	s := &Storm{World: "two workers", Loads: []int{50}, Leases: []time.Duration{time.Second}, Horizon: 6 * time.Second, Begin: time.Second, End: 2 * time.Second,
		With: []Line{Backlog(with.History, 6*time.Second)}, Calm: []Line{Backlog(calm.History, 6*time.Second)}}
	golden(t, "storm", func() reports.Drawing { return OfStorm(s) })
	if a, b := s.With[0].most(), s.Calm[0].most(); a <= b {
		t.Errorf("%d jobs are open at most with the fault, and %d without", a, b)
	}
}

// Spans at an axis are round.
func TestRoundSpans(t *testing.T) {
	for _, c := range []struct {
		of   time.Duration
		want string
	}{{0, "1ms"}, {3 * time.Millisecond, "5ms"}, {700 * time.Millisecond, "1s"}, {13 * time.Second, "20s"}, {48 * time.Second, "1m"}, {11 * time.Minute, "20m"}, {50 * time.Hour, "50h"}} {
		if got := span(roundSpan(c.of)); got != c.want {
			t.Errorf("%v: %s, want %s", c.of, got, c.want)
		}
	}
	if got := span(90 * time.Second); got != "1m30s" {
		t.Errorf("90s is %s", got)
	}
}
