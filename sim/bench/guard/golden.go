package main

import (
	"fmt"
	"strconv"
	"strings"
)

// slack is how many percent more are nobody's business.
const slack = 5

// golden is the file: comments, the version that was counted with, and lines.
type golden struct {
	comments []string
	version  string
	lines    []line
}

// line is one work: what it took, what it takes, and how many percent more it may.
type line struct {
	count, counted int64
	work           string
	allowed        int64
	why            string // the comment, which names the percent
}

func parse(text string) (*golden, error) {
	g := &golden{}
	for i, row := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		switch {
		case strings.HasPrefix(row, "#"):
			g.comments = append(g.comments, row)
		case strings.HasPrefix(row, "version "):
			g.version = row[len("version "):]
		default:
			l, err := parseLine(row)
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", goldenFile, i+1, err)
			}
			g.lines = append(g.lines, l)
		}
	}
	if len(g.lines) == 0 || g.version == "" {
		return nil, fmt.Errorf("%s has no version or no work: nothing would be guarded", goldenFile)
	}
	return g, nil
}

func parseLine(row string) (l line, err error) {
	row, l.why, _ = strings.Cut(row, "#")
	words := strings.Fields(row)
	if len(words) < 2 {
		return l, fmt.Errorf("want a count and the work, got %q", row)
	}
	if l.count, err = number(words[0]); err != nil && words[0] != "?" {
		return l, err
	}
	l.work, l.why = strings.Join(words[1:], " "), strings.TrimSpace(l.why)
	if l.why == "" {
		return l, nil
	}
	percent, reason, _ := strings.Cut(l.why, "%")
	if l.allowed, err = strconv.ParseInt(strings.TrimPrefix(percent, "+"), 10, 32); err != nil || l.allowed < 1 || len(strings.Fields(reason)) < 3 {
		return l, fmt.Errorf("want behind # how much more it may take and why, as \"+12%% since records carry a clock\", got %q", l.why)
	}
	return l, nil
}

// number reads a count with commas.
func number(text string) (int64, error) {
	n, err := strconv.ParseInt(strings.ReplaceAll(text, ",", ""), 10, 64)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%q is not a count", text)
	}
	return n, nil
}

// isNew reports whether l was not counted before.
func (l *line) isNew() bool { return l.count == 0 }

// percent is by how much l takes more than its count: below 0 if it takes less.
func (l *line) percent() float64 {
	if l.isNew() {
		return 0
	}
	return 100 * (float64(l.counted)/float64(l.count) - 1)
}

// isOver reports whether l takes more than it may.
func (l *line) isOver() bool { return !l.isNew() && l.counted*100 > l.count*(100+l.allowed+slack) }

func (g *golden) exceeded() (wrong []string) {
	for i := range g.lines {
		if l := &g.lines[i]; l.isOver() {
			wrong = append(wrong, fmt.Sprintf("%s %+.1f%%", l.work, l.percent()))
		}
	}
	return wrong
}

// report is a line for each work.
func (g *golden) report() string {
	var b strings.Builder
	for i := range g.lines {
		l := &g.lines[i]
		note := ""
		switch {
		case l.isNew():
			note = "  new: -update keeps it"
		case l.isOver():
			note = "  MORE THAN ALLOWED"
		case l.percent() < -slack:
			note = "  cheaper: -update keeps it so"
		}
		fmt.Fprintf(&b, "%15s  %+6.1f%%  %s%s\n", grouped(l.counted), l.percent(), l.work, note)
	}
	return b.String()
}

// text is the file with what was counted. A count falls and never rises, so that
// many small steps are not lost sight of, unless the compiler is another. A reason
// stays while it is needed.
func (g *golden) text() string {
	var b strings.Builder
	for _, c := range g.comments {
		b.WriteString(c + "\n")
	}
	fmt.Fprintf(&b, "version %s\n", version())
	for _, l := range g.lines {
		row := fmt.Sprintf("%15s  %s", grouped(l.kept(g.version)), l.work)
		if l.why != "" && l.percent() > slack {
			row += "  # " + l.why
		}
		b.WriteString(row + "\n")
	}
	return b.String()
}

// kept is the count that -update writes.
func (l *line) kept(counted string) int64 {
	if l.isNew() || counted != version() {
		return l.counted
	}
	return min(l.count, l.counted)
}

func grouped(n int64) string {
	if n < 1000 {
		return strconv.FormatInt(n, 10)
	}
	return fmt.Sprintf("%s,%03d", grouped(n/1000), n%1000)
}
