package charts

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/reports"
	"github.com/ackgap/ackgap/scenarios"
)

// The pictures of README and of the gallery are made here, from runs of the stories and
// from the tables in the documents; `make docs` makes them anew.
const docs, pictures = "../docs", "pictures"

// chapters are what the gallery shows.
var chapters = []struct {
	title, says string
	stories     []string
}{
	{"The gap", "The queue has the same record, and the work ran or did not.",
		[]string{"lost-ack", "work-never-ran", "lost-ack-reply", "crash-before-effect", "crash-after-effect", "lost-claim-reply"}},
	{"Leases, and who outlives them", "A lease is a guess about time. What holds is what refuses an old token.",
		[]string{"zombie-fenced", "fenced-store-refuses", "partition-longer-than-lease", "heartbeat-keeps-lease", "heartbeat-stalls", "clock-jump-expires-leases", "prefetched-expires", "livelock"}},
	{"Who closes the gap, and who only moves it", "The effect and the memory of it in one transaction, or a key that the other side keeps.",
		[]string{"lost-ack-atomic", "natural-upsert", "outside-call-with-key", "early-ack-loses", "marker-first-loses", "marker-last-doubles", "ttl-marker-forgets"}},
	{"At the producer", "A producer that hears nothing sends again, and that is safe only under the same id.",
		[]string{"lost-enqueue-reply", "lost-enqueue-fresh-id", "duplicate-enqueue", "producer-gives-up"}},
	{"In the queue, and below it", "What a queue as built lets through, and what is left when its server forgets.",
		[]string{"late-settle-accepted", "hardened-refuses-late", "late-extend-two-places", "reap-off-strands", "server-lost-last-writes", "failover-loses-writes"}},
}

// doc holds a file of the documents against what it should be, or writes it.
func doc(t *testing.T, name string, want []byte) {
	t.Helper()
	file := filepath.Join(docs, name)
	if *update {
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("reports/docs/%s is stale: run `make docs`, and look at what changed", name)
	}
}

// Each story of the gallery is drawn as it runs today, with its verdict in a line.
func TestDocsTheGallery(t *testing.T) {
	text := []byte("# The gallery\n\nEach picture is a run of a story of the catalogue, drawn by `ackgap run STORY --out svg=FILE`. Time runs down, each process has a\n" +
		"lifeline. `make docs` draws them anew, and a test fails when one is stale.\n")
	for _, c := range chapters {
		text = fmt.Appendf(text, "\n## %s\n\n%s\n", c.title, c.says)
		for _, name := range c.stories {
			r := runOf(t, name)
			doc(t, filepath.Join(pictures, name+".svg"), reports.AppendSVG(nil, r, reports.Style{}))
			text = fmt.Appendf(text, "\n### %s\n\n%s\n\n![%s: %s](%s/%s.svg)\n\n`ackgap run %s` %s.\n", name, paragraph(r.Title), name, strings.TrimSuffix(paragraph(r.Title), "."), pictures, name, name, verdict(r))
		}
	}
	text = append(text, numbers...)
	doc(t, "gallery.md", text)
}

// numbers is the end of the gallery: the charts.
const numbers = `
## In numbers

### Random worlds until a mutant is caught

![For each mutant, the median and the most of all hunts](pictures/mutants.svg)

The numbers are those of [the table of mutants](../../README.md#why-believe-it); [another page](mutants.md) has more ways to hunt them.

### Faults that it takes to break a promise

![The table of tolerance as a heat map](pictures/tolerance.svg)

` + "`ackgap tolerance --out chart=FILE`" + `, over [the whole table](tolerance.md).

### A backlog, and its drain

![The backlog after a fault of 20 s, for each lease and load](pictures/storm.svg)

` + "`ackgap storm --out chart=FILE`" + `: the line is the run with the fault, which lasts as long as the bar below it; the dotted one is without. [More of it](storm.md).
`

func runOf(t *testing.T, name string) *reports.Run {
	t.Helper()
	text, err := scenarios.Text(name)
	if err != nil {
		t.Fatal(err)
	}
	r, _ := runText(t, string(text))
	r.Title = scenarios.Title(text)
	return r
}

func paragraph(s string) string { return strings.Join(strings.Fields(s), " ") }

// verdict says in a line what was broken in a run.
func verdict(r *reports.Run) string {
	var broken []string
	for i := range r.Verdicts {
		if r.Verdicts[i].Value == model.Broken {
			broken = append(broken, "`"+r.Verdicts[i].Property+"`")
		}
	}
	return "breaks " + cmp.Or(strings.Join(broken, ", "), "nothing") + ", as the story expects"
}

// A story of the gallery goes as it expects: else the sentence below its picture is a lie.
func TestDocsEveryStoryIsMet(t *testing.T) {
	for _, c := range chapters {
		for _, name := range c.stories {
			if r := runOf(t, name); r.Outcome != scenarios.Yes {
				t.Errorf("%s is %v", name, r.Outcome)
			}
		}
	}
}

// table returns the lines between two comments of a document that has them.
func table(t *testing.T, name string, files ...string) (lines []string) {
	t.Helper()
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		_, rest, found := strings.Cut(string(text), "<!-- "+name+" -->\n")
		if !found {
			continue
		}
		rest, _, _ = strings.Cut(rest, "<!-- /"+name+" -->")
		return strings.Split(strings.Trim(rest, "`\n"), "\n")
	}
	t.Fatalf("no table of %s in %v", name, files)
	return nil
}

// The chart of the mutants shows the numbers of their table.
func TestDocsTheMutants(t *testing.T) {
	lines := table(t, "mutants", "../../README.md", docs+"/mutants.md")
	head := cells(lines[0])
	column := func(name string) int {
		i := slices.Index(head, name)
		if i < 0 {
			t.Fatalf("the table of mutants has no column %q: %v", name, head)
		}
		return i
	}
	var all []Mutant
	for _, line := range lines[2:] {
		row := cells(line)
		name, _, _ := strings.Cut(strings.TrimPrefix(row[column("mutant")], "["), "]")
		median, err := strconv.Atoi(row[column("median")])
		most, err2 := strconv.Atoi(row[column("most")])
		if err != nil || err2 != nil {
			t.Fatalf("%s: %v, %v", line, err, err2)
		}
		all = append(all, Mutant{name, median, most})
	}
	slices.SortStableFunc(all, func(a, b Mutant) int { return cmp.Compare(a.Median, b.Median) })
	d := OfMutants(all)
	doc(t, pictures+"/mutants.svg", reports.AppendDrawing(nil, &d))
}

func cells(line string) (all []string) {
	for _, cell := range strings.Split(strings.Trim(line, "|"), "|") {
		all = append(all, strings.TrimSpace(cell))
	}
	return all
}

// The heat map shows the table of tolerance, which CI measures.
func TestDocsTheTolerance(t *testing.T) {
	d := OfTolerance(toleranceOf(t, table(t, "tolerance", docs+"/tolerance.md")))
	doc(t, pictures+"/tolerance.svg", reports.AppendDrawing(nil, &d))
}

// toleranceOf reads the table as `ackgap tolerance` prints it.
func toleranceOf(t *testing.T, lines []string) *reports.Tolerance {
	t.Helper()
	table := &reports.Tolerance{World: "tolerance"}
	for _, p := range model.Properties() {
		if p.Claim == model.Always {
			table.Properties = append(table.Properties, p.Name)
		}
	}
	n := len(table.Properties)
	begin := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "configuration ") })
	for _, line := range lines[begin+1:] {
		words := strings.Fields(line)
		if len(words) <= n {
			break
		}
		row := reports.ToleranceRow{Config: strings.Join(words[:len(words)-n], " ")}
		for _, w := range words[len(words)-n:] {
			row.Cells = append(row.Cells, toleranceCell(t, table, &row, w))
		}
		table.Rows = append(table.Rows, row)
	}
	if len(table.Rows) < 20 {
		t.Fatalf("%d rows of the table of tolerance were found", len(table.Rows))
	}
	return table
}

func toleranceCell(t *testing.T, table *reports.Tolerance, row *reports.ToleranceRow, word string) (c reports.ToleranceCell) {
	t.Helper()
	switch word {
	case ".":
	case "?":
		row.Open = true
	case "-":
		c.Idle = true
	default:
		n, err := strconv.Atoi(strings.TrimRight(word, "!?"))
		if err != nil {
			t.Fatalf("%s: %q is no cell", row.Config, word)
		}
		c.Broken, c.Faults = true, n
		table.Faults = max(table.Faults, n)
	}
	return c
}

// What the documents show is not too much to clone: 1.5 MB of pictures at most, and none
// that nobody shows.
func TestDocsArePictured(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(docs, pictures, "*"))
	if err != nil {
		t.Fatal(err)
	}
	var texts []byte
	for _, name := range []string{"../../README.md", docs + "/gallery.md"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, text...)
	}
	size := int64(0)
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		size += info.Size()
		if !bytes.Contains(texts, []byte(pictures+"/"+filepath.Base(file))) {
			t.Errorf("%s is shown nowhere", file)
		}
	}
	if size > 1_500_000 || len(files) < 20 {
		t.Errorf("%d pictures of %d bytes", len(files), size)
	}
}
