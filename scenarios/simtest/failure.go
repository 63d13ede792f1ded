package simtest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/reports"
	"github.com/ackgap/ackgap/scenarios"
)

// maxLines is how many lines a failing test prints.
const maxLines = 25

// maxFaultLines is how many of its faults it names: there is a diagram as well.
const maxFaultLines = 6

// failure is a broken promise, as small as it could be made.
type failure struct {
	property string             // "" where an expectation was not met
	out      *scenarios.Outcome // what is shown
	seed     uint64             // of the world in which it was found
	found    bool               // it was found in a random world
	kept     string             // the story's file, "" for none
	world    *scenarios.Story   // the world in which it was found; nil for out's own
	shrunk   string             // what became smaller, in a line
	again    string             // the command that runs it again
	unjudged []string           // what is unknown of a queue that does not tell what it touches
	spared   []string           // what may break
	hint     string             // what may be wrong with the test rather than with the handler
}

// reportWorld keeps what the failing world was shrunk to, and shows it.
func (c *check) reportWorld(t testing.TB, found *Found) {
	t.Helper()
	f := &failure{property: found.Property, seed: found.Seed, found: true, world: found.World, out: found.Small.Outcome}
	before, after := found.Small.Before, found.Small.After
	f.shrunk = fmt.Sprintf("%s -> %s, %s -> %s", script.Count(before.Faults, "fault"), script.Count(after.Faults, "fault"),
		script.Count(before.Events, "event"), script.Count(after.Events, "event"))
	f.again = c.again(f.out)
	f.kept = c.keep(t, f)
	c.report(t, f)
}

// keep writes the failing story where the next check runs it first, beside those that
// are there.
func (c *check) keep(t testing.TB, f *failure) string {
	base := filepath.Join(keptIn, fileName(c.name)+"--"+f.property)
	name := base + ".story"
	text := fmt.Sprintf("# %s broke in the world of seed %d. It is run before all random worlds.\n# Delete it when it has nothing more to say.\n%s", f.property, f.seed, f.out.Story.Text())
	for i := 2; isOther(name, text); i++ {
		name = fmt.Sprintf("%s-%d.story", base, i)
	}
	err := os.MkdirAll(keptIn, 0o755)
	if err == nil {
		err = os.WriteFile(name, []byte(text), 0o644)
	}
	if err != nil { // a read-only tree: the artifacts have it
		t.Logf("the failing story could not be kept: %v", err)
		return ""
	}
	return name
}

// isOther reports whether a file is there that does not hold this text.
func isOther(name, text string) bool {
	there, err := os.ReadFile(name)
	return err == nil && string(there) != text
}

// again is the command that runs exactly this once more.
func (c *check) again(out *scenarios.Outcome) string {
	return c.againAs(out.History.Digest, out.Story)
}

func (c *check) againAs(digest model.Digest, s *scenarios.Story) string {
	return Replay + "=" + scenarios.NewToken(c.build(), digest, s) + " go test -run " + shellQuote(runPattern(c.test))
}

// shellQuote makes one word of s for a shell.
func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// runPattern is the -run expression for one test.
func runPattern(name string) string {
	parts := strings.Split(name, "/")
	for i := range parts {
		parts[i] = "^" + regexp.QuoteMeta(parts[i]) + "$"
	}
	return strings.Join(parts, "/")
}

// report fails the test: at most 25 lines, and the rest in files.
func (c *check) report(t testing.TB, f *failure) {
	t.Helper()
	f.unjudged, f.spared, f.hint = c.mine.unjudged(), c.config.tolerated(), c.uncounted(f)
	dir := t.ArtifactDir()
	path := filepath.Join(dir, "report.txt")
	if f.found {
		t.Attr("ackgap.seed", strconv.FormatUint(f.seed, 10))
	}
	if f.property != "" {
		t.Attr("ackgap.property", f.property)
	}
	t.Attr("ackgap.report", path)
	r := reports.Of(f.out, f.title(), f.again)
	full := reports.AppendText(nil, r, reports.Style{Full: true})
	files := map[string][]byte{
		"report.txt": full, "failure.story": f.out.Story.Text(), "history.txt": []byte(f.out.HistoryText()),
		"report.json": reports.AppendJSON(nil, r), "replay.sh": []byte(f.again + "\n"),
	}
	if f.world != nil {
		files["world.story"] = f.world.Text()
	}
	for name, b := range files {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o644); err != nil {
			t.Logf("%s could not be written: %v", name, err)
		}
	}
	t.Errorf("%s", f.text(path))
}

// uncounted says what counts as an effect, where a handler is told that it lost a job and
// never had one, neither here nor in the first random worlds.
func (c *check) uncounted(f *failure) string {
	if f.property != "no-loss" || c.config.make == nil || changes(f.out) {
		return ""
	}
	if c.campaign != nil {
		runner := scenarios.NewRunner()
		defer func() { _ = runner.Close() }() // what was counted stands
		total, err := c.campaign.Count(runner, c.config.seed, uint64(min(chunk, c.config.runs)), nil)
		if err != nil || effects(total) {
			return ""
		}
	}
	return "no world has an effect that is counted: is what the handler does one of " + counted + "? Job.KV is the handler's own store"
}

// reportWrong tells of what ended the check in the world of seed, a panic mostly,
// with the world as a story and the command that runs it again.
func (c *check) reportWrong(t testing.TB, seed uint64, err error) {
	t.Helper()
	t.Attr("ackgap.seed", strconv.FormatUint(seed, 10))
	lines := fit(strings.Split(fmt.Sprintf("%s seed %d: %v", model.Safe(c.name), seed, err), "\n"), maxLines-2)
	c.forgive()
	w, failed := c.runner.World(c.campaign, seed, true)
	if failed == nil && c.wrong() != nil { // not what happens once only
		story := c.campaign.Tell(w)
		path := filepath.Join(t.ArtifactDir(), "failure.story")
		if err := os.WriteFile(path, story.Text(), 0o644); err == nil {
			lines = append(lines, "the world as a story: "+artifact(path))
		}
		lines = append(lines, c.againAs(w.Outcome.History.Digest, story))
	}
	t.Errorf("%s", strings.Join(lines, "\n"))
}

func (f *failure) title() string {
	if f.found {
		return fmt.Sprintf("Found in the random world of seed %d.", f.seed)
	}
	return ""
}

// text is what the test prints.
func (f *failure) text(path string) string {
	r := reports.Of(f.out, "", "")
	r.Reasons = nil // the first line says it
	r.Verdicts = slices.DeleteFunc(r.Verdicts, func(v model.Verdict) bool {
		return v.Value == model.Unknown && slices.Contains(f.unjudged, v.Property) ||
			v.Value == model.Broken && v.Property != f.property && slices.Contains(f.spared, v.Property)
	})
	body := strings.Split(strings.TrimRight(string(reports.AppendText(nil, r, reports.Style{Brief: true})), "\n"), "\n")
	var tail []string
	for i, e := range f.out.Story.Plan {
		if i == maxFaultLines {
			tail = append(tail, fmt.Sprintf("... and %s more", script.Count(len(f.out.Story.Plan)-i, "fault")))
			break
		}
		tail = append(tail, "fault "+f.out.Story.FaultText(e))
	}
	if f.hint != "" {
		tail = append(tail, f.hint)
	}
	tail = append(tail, f.origin(path), f.again)
	return strings.Join(append(fit(body, maxLines-len(tail)), tail...), "\n")
}

func (f *failure) origin(path string) string {
	var parts []string
	if f.found {
		parts = append(parts, fmt.Sprintf("seed %d", f.seed))
	}
	if f.shrunk != "" {
		parts = append(parts, f.shrunk)
	}
	if f.kept != "" {
		parts = append(parts, "kept: "+f.kept)
	}
	return strings.Join(append(parts, "all of it: "+artifact(path)), "; ")
}

// artifact says where a file of the test's artifacts is: without the flag go test deletes
// them when the test is over.
func artifact(path string) string {
	if f := flag.Lookup("test.artifacts"); f != nil && f.Value.String() == "true" {
		return path
	}
	return "by go test -artifacts"
}

// fit leaves n lines of what has too many. What tells that time passes goes first, for each
// row has its time. Then the first lines stay, those that are marked with an arrow, which is
// where it broke and the faults before, the events that the reasons name, and more from
// both ends.
func fit(lines []string, n int) []string {
	full := slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return strings.TrimSpace(l) == "" })
	if n = max(n, 3); len(full) <= n {
		return full
	}
	if full = slices.DeleteFunc(full, passes); len(full) <= n {
		return full
	}
	kept := make([]bool, len(full))
	keep := func(i int) bool {
		was := kept[i]
		kept[i] = true
		if len(gapped(full, kept)) > n {
			kept[i] = was
		}
		return kept[i]
	}
	for i := range n / 4 {
		keep(i)
	}
	for i, l := range full {
		if strings.Contains(l, "<- ") {
			keep(i)
		}
	}
	named := eventsNamed(full)
	for i, l := range full {
		if number, _, _ := strings.Cut(strings.TrimSpace(l), " "); slices.Contains(named, number) {
			keep(i)
		}
	}
	for i, k := 0, len(full)-1; i < k; i, k = i+1, k-1 {
		if !keep(k) || !keep(i) {
			break
		}
	}
	return gapped(full, kept)
}

// passes reports whether a line of a diagram only tells that time passes.
func passes(line string) bool {
	return strings.HasPrefix(strings.TrimSpace(line), "⋮") && strings.HasSuffix(line, " later")
}

var eventNamed = regexp.MustCompile(`\bevent\s+(\d+)\b`) // a line may end between the two

// eventsNamed returns the numbers of the events that the text of these lines names.
func eventsNamed(lines []string) (numbers []string) {
	for _, m := range eventNamed.FindAllStringSubmatch(strings.Join(lines, "\n"), -1) {
		numbers = append(numbers, m[1])
	}
	return numbers
}

// gapped returns the lines that are kept, with a line for each gap.
func gapped(lines []string, kept []bool) (list []string) {
	for i, l := range lines {
		switch {
		case kept[i]:
			list = append(list, l)
		case i == 0 || kept[i-1]:
			list = append(list, "  ...")
		}
	}
	return list
}
