package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// table is a table of Markdown. The first column is words, the others are figures.
type table struct {
	head []string
	rows [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

func (t *table) write(b *strings.Builder) {
	fmt.Fprintf(b, "| %s |\n|---|%s\n", strings.Join(t.head, " | "), strings.Repeat("--:|", len(t.head)-1))
	for _, row := range t.rows {
		for len(row) < len(t.head) {
			row = append(row, "")
		}
		fmt.Fprintf(b, "| %s |\n", strings.Join(row, " | "))
	}
}

// bar is what a figure is to reach. The README may claim what has been reached, in
// these words and no others.
type bar struct {
	claim    string
	measured string
	met      bool
}

// atMost and atLeast are the two kinds of bar. A figure that could not be measured
// (NaN) meets none.
func atMost(claim string, limit, figure float64, unit string) bar {
	return bar{claim, with(figure, unit), figure <= limit}
}

func atLeast(claim string, limit, figure float64, unit string) bar {
	return bar{claim, with(figure, unit), figure >= limit}
}

func with(figure float64, unit string) string {
	if math.IsNaN(figure) {
		return number(figure)
	}
	return number(figure) + unit
}

// number writes three digits that count.
func number(f float64) string {
	switch {
	case math.IsNaN(f):
		return "not measured"
	case math.Abs(f) < 0.005:
		return "0"
	case math.Abs(f) >= 1e6:
		return number(f/1e6) + " M"
	case math.Abs(f) >= 1000:
		return grouped(int64(math.Round(f)))
	case math.Abs(f) >= 100 || f == math.Trunc(f):
		return strconv.FormatFloat(f, 'f', 0, 64)
	case math.Abs(f) >= 10:
		return strconv.FormatFloat(f, 'f', 1, 64)
	}
	return strconv.FormatFloat(f, 'f', 2, 64)
}

func grouped(n int64) string {
	if n < 1000 {
		return strconv.FormatInt(n, 10)
	}
	return fmt.Sprintf("%s,%03d", grouped(n/1000), n%1000)
}

func ratio(f float64) string {
	if math.IsNaN(f) {
		return "-"
	}
	return number(f) + "x"
}

// text is a section of RESULTS.md. When and where it was measured is said by what
// measured it.
func (b *bench) text(s section, r *result, took time.Duration) string {
	var t strings.Builder
	fmt.Fprintf(&t, "## %s\n\n%s\n\n", s.title, s.says)
	for i := range r.tables {
		r.tables[i].write(&t)
		t.WriteString("\n")
	}
	for _, note := range r.notes {
		fmt.Fprintf(&t, "%s\n\n", note)
	}
	if len(r.bars) > 0 {
		bars := table{head: []string{"bar", "measured", "reached"}}
		for _, one := range r.bars {
			bars.add(one.claim, one.measured, map[bool]string{true: "yes", false: "no"}[one.met])
		}
		bars.write(&t)
		t.WriteString("\n")
	}
	fmt.Fprintf(&t, "%s. %d rounds in turn on core %d of %s; load before %s; %ds in all.\n",
		strings.Join(append([]string{time.Now().UTC().Format(time.DateOnly), b.commit}, r.versions...), "; "),
		b.rounds, b.core, b.machine, b.load, int(took.Seconds()))
	return t.String()
}

const preface = `# Measured

Written by ` + "`make bench`" + ` (see doc.go): each section says when, where and with which versions. Times are processor
time of the whole process, garbage collection included. Ratios within one table are fairer than its figures.
`

// replaced puts text in place of what stands between the marks of a section, or
// behind all others.
func replaced(file, name, text string) string {
	if file == "" {
		file = preface
	}
	begin, end := "<!-- "+name+" -->\n", "<!-- /"+name+" -->\n"
	before, rest, found := strings.Cut(file, begin)
	_, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		return file + "\n" + begin + text + end
	}
	return before + begin + text + end + after
}
