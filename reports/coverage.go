package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios/coverage"
)

// Coverage is which faults struck at which phases, story by story.
type Coverage struct {
	Stories []CoverageStory
}

// CoverageStory is the map of one campaign. That of a story without random worlds
// is empty.
type CoverageStory struct {
	Name string
	Map  coverage.Map
}

// Total returns the map of all stories together.
func (c *Coverage) Total() *coverage.Map {
	total := &coverage.Map{}
	for i := range c.Stories {
		total.Add(&c.Stories[i].Map)
	}
	return total
}

const (
	coverageName   = 10 // columns of a fault's name
	coverageSide   = 6  // of "broken"
	coverageNumber = 7  // of a number; twelve of them, and the page is 100 wide, or in parts
)

// AppendCoverage appends the map fault by phase: a line of the worlds that held, one
// of those that broke something, and then what each story reached, and what none did.
func AppendCoverage(b []byte, c *Coverage, s Style) []byte {
	p := &page{b: b, style: s}
	total := c.Total()
	p.line(plain, "COVERAGE  "+script.Count(total.Runs(), "random world")+": "+worldsOf(total))
	p.end()
	for phases := range slices.Chunk(coveragePhases(), phasesIn(s.Width)) {
		p.coverageHead(phases)
		for f := range coverage.FaultCount {
			p.coverageRow(total, f, phases)
		}
		p.end()
	}
	p.wrap("  ", "a number: in so many worlds that fault struck at that phase, among those that held every promise and those that broke one; - it cannot (--json says why); 0 it can, and never did")
	p.end()
	for i := range c.Stories {
		p.coverageStory(&c.Stories[i])
	}
	p.coverageEmpty(total)
	return p.b
}

// worldsOf says how the worlds of m went.
func worldsOf(m *coverage.Map) string {
	says := fmt.Sprintf("%d held, %d broke something", m.Held, m.Broken)
	if m.Open > 0 {
		says += fmt.Sprintf(", %d left something unknown and are in no cell", m.Open)
	}
	return says
}

// longWords are written on two lines, broken where the hyphen stands.
var longWords = map[string]string{
	coverage.Enqueue.String(): "en-queue", coverage.Heartbeat.String(): "heart-beat", coverage.Promote.String(): "pro-mote",
}

func coveragePhases() (all []coverage.Phase) {
	for ph := range coverage.PhaseCount {
		all = append(all, ph)
	}
	return all
}

// phasesIn is how many phases stand side by side in a terminal of so many columns: all of
// them, or as many in each part of the table as in the next.
func phasesIn(columns int) int {
	all := int(coverage.PhaseCount)
	if columns == 0 {
		return all
	}
	room := max(1, (columns-coverageName-coverageSide)/coverageNumber)
	parts := (all + room - 1) / room
	return (all + parts - 1) / parts
}

// coverageHead writes the phases, those with long names on two lines.
func (p *page) coverageHead(phases []coverage.Phase) {
	var first, second []string
	for _, ph := range phases {
		a, z := broken(cmp.Or(longWords[ph.String()], ph.String()), coverageNumber-1)
		first, second = append(first, a), append(second, z)
	}
	for _, words := range [][]string{first, second} {
		p.left(plain, "", coverageName+coverageSide)
		for _, w := range words {
			p.right(plain, w, coverageNumber)
		}
		p.end()
	}
}

// broken breaks a word that is longer than most behind its first hyphen. What is not
// broken is second.
func broken(word string, most int) (first, second string) {
	a, z, ok := strings.Cut(word, "-")
	if len(word) <= most || !ok {
		return "", word
	}
	return a + "-", z
}

func (p *page) coverageRow(m *coverage.Map, f coverage.Fault, phases []coverage.Phase) {
	first, second := broken(f.String(), coverageName-1)
	if first == "" {
		first, second = second, ""
	}
	for side, name := range []string{first, second} {
		p.left(plain, name, coverageName)
		p.left(plain, [...]string{"held", "broken"}[side], coverageSide)
		for _, ph := range phases {
			n := m.At(f, ph)
			p.coverageCell(coverage.Impossible(f, ph) == "", [...]int{n.Held, n.Broken}[side])
		}
		p.end()
	}
}

func (p *page) coverageCell(possible bool, n int) {
	switch {
	case !possible && n == 0:
		p.right(dim, cellIdle, coverageNumber)
	case n == 0 || !possible:
		p.right(bad, shortCount(n), coverageNumber)
	default:
		p.right(plain, shortCount(n), coverageNumber)
	}
}

// shortCount writes a million and more in thousands, so that the columns hold.
func shortCount(n int) string {
	if n < 1_000_000 {
		return strconv.Itoa(n)
	}
	return strconv.Itoa(n/1000) + "k"
}

func (p *page) coverageStory(s *CoverageStory) {
	if s.Map.Runs() == 0 {
		p.wrap("  ", model.Safe(s.Name)+": no random worlds")
		return
	}
	p.wrap("  ", fmt.Sprintf("%s: %s, %d of %s", model.Safe(s.Name), worldsOf(&s.Map), s.Map.Reached(), script.Count(len(coverage.Goals()), "cell")))
}

// coverageEmpty names what no world reached, a fault a line, or says that there is no
// such cell.
func (p *page) coverageEmpty(m *coverage.Map) {
	empty := m.Empty()
	p.end()
	if len(empty) == 0 {
		p.line(ack, fmt.Sprintf("EVERY CELL THAT CAN OCCUR WAS REACHED  %d of %d", m.Reached(), len(coverage.Goals())))
		return
	}
	p.line(bad, fmt.Sprintf("EMPTY  %d of %d cells that can occur", len(empty), len(coverage.Goals())))
	for f := range coverage.FaultCount {
		if words := emptyOf(m, f); len(words) > 0 {
			p.wrap("  ", f.String()+" at "+strings.Join(words, ", "))
		}
	}
}

// emptyOf lists the phases at which f can strike and did not: of those where it did,
// with the worlds that are missing.
func emptyOf(m *coverage.Map, f coverage.Fault) (words []string) {
	for ph := range coverage.PhaseCount {
		n := m.At(f, ph)
		switch {
		case coverage.Impossible(f, ph) != "" || n.Held > 0 && n.Broken > 0:
		case n.Held > 0:
			words = append(words, ph.String()+" ("+model.Broken.String()+")")
		case n.Broken > 0:
			words = append(words, ph.String()+" ("+model.Held.String()+")")
		default:
			words = append(words, ph.String())
		}
	}
	return words
}
