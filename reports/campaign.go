package reports

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/coverage"
)

// Checked is what came of one story in `ackgap check`: its own run, and its
// random worlds where it has any.
type Checked struct {
	Story    string
	Own      scenarios.Met // of the story as written, strictly
	Why      string        // it is not met so; safe, and empty where it is
	At       int           // the line that Why is about, from 1; 0 where it is about none
	Worlds   *scenarios.Tally
	Asked    int // so many random worlds were to be run, where the check was to end at a failure and met one; else 0
	Left     int // so many stories behind this one were not checked, where it is the failure that the check ended at
	MayBreak []string
	Vacuous  []string // what the campaign was told to try and never did
	Drawn    string   // "steered" or "priorities"; "" where each world is that of its seed
}

// Judge takes what the story came to as it is written, run strictly.
func (c *Checked) Judge(o *scenarios.Outcome) {
	if c.Own = o.Met; c.Own != scenarios.Yes {
		r := Of(o, "", "")
		c.Why, c.At = r.firstUnmet(), r.unmetAt()
	}
}

// Met says what a checked story comes to.
func (c *Checked) Met() scenarios.Met {
	switch {
	case c.Own == scenarios.No, c.Worlds != nil && c.Worlds.Unexpected > 0, len(c.Vacuous) > 0:
		return scenarios.No
	case c.Own == scenarios.Inconclusive, c.Worlds != nil && c.Worlds.Open > 0, c.cutShort():
		return scenarios.Inconclusive
	}
	return scenarios.Yes
}

// cutShort reports whether the story has random worlds and none was begun.
func (c *Checked) cutShort() bool { return c.Worlds != nil && c.Worlds.Runs == 0 }

// The cells of the table.
const (
	cellHeld       = "."
	cellBroken     = "b"
	cellUnexpected = "X"
	cellUnknown    = "?"
	cellIdle       = "-"
)

// AppendCampaigns appends the table story by property, the rows of reach, and
// what is not as it should be.
func AppendCampaigns(b []byte, all []Checked, s Style) []byte {
	p := &page{b: b, style: s}
	names := len("story")
	for i := range all {
		names = max(names, width(model.Safe(all[i].Story)))
	}
	if s.Width > 0 {
		names = max(len("story"), min(names, s.Width-2-besideNames-columnWide*len(model.Properties())))
	}
	p.campaignHead(names)
	for i := range all {
		p.campaignRow(&all[i], names)
	}
	p.legend(slices.ContainsFunc(all, func(c Checked) bool { return c.Worlds == nil }))
	p.reach(all)
	for i := range all {
		p.campaignFaults(&all[i])
	}
	return p.b
}

// besideNames is how many columns stand between the names and the properties.
const besideNames = 5 + 8 + 1

func (p *page) campaignHead(names int) {
	var properties []string
	for _, q := range model.Properties() {
		properties = append(properties, q.Name)
	}
	p.headings(properties, names+2+besideNames)
	p.left(plain, "story", names+2)
	p.left(plain, "own", 5)
	p.right(plain, "worlds", 8)
	p.spaces++
	p.line(dim, strings.Repeat("  │", len(properties)))
}

// campaignRow writes what came of one story. A name that has no room beside its row
// stands above it.
func (p *page) campaignRow(c *Checked, names int) {
	name := model.Safe(c.Story)
	if width(name) > names {
		p.line(plain, name)
		name = ""
	}
	p.left(plain, name, names+2)
	own := map[scenarios.Met]string{scenarios.Yes: "met", scenarios.No: "NOT", scenarios.Inconclusive: "open"}[c.Own]
	p.left(outcomeTint(c.Own), own, 5)
	if c.Worlds == nil {
		p.right(dim, "off", 8)
		p.end()
		return
	}
	p.right(plain, itoa(c.Worlds.Runs), 8)
	p.put(plain, " ")
	for i, q := range model.Properties() {
		cell := c.cell(i, q.Name)
		t := plain
		if cell == cellUnexpected {
			t = bad
		}
		p.right(t, cell, columnWide)
	}
	p.end()
}

// cell says in a letter what came of a property in the worlds of one story.
func (c *Checked) cell(i int, property string) string {
	t := c.Worlds.Properties[i]
	switch {
	case t.Broken > 0 && slices.Contains(c.MayBreak, property):
		return cellBroken
	case t.Broken > 0:
		return cellUnexpected
	case t.Unknown > 0:
		return cellUnknown
	case t.Held == 0:
		return cellIdle
	}
	return cellHeld
}

func (p *page) legend(off bool) {
	p.end()
	text := ". held in every world, b broken in some as the story says it may, X broken and must not, ? unknown, - never judged"
	if off {
		text += "; off: no random worlds, the story says `chaos off`"
	}
	p.wrap("  ", text)
}

// reach writes in how many worlds each reach claim was seen, over all stories.
func (p *page) reach(all []Checked) {
	runs, seen := 0, make([]int, len(model.Reach()))
	for i := range all {
		if t := all[i].Worlds; t != nil {
			runs += t.Runs
			for k, n := range t.Reach {
				seen[k] += n
			}
		}
	}
	p.end()
	p.line(plain, "seen in how many of "+itoa(runs)+" worlds")
	for i, q := range model.Reach() {
		p.put(plain, "  ")
		p.left(plain, q.Name, 22)
		p.line(plain, itoa(seen[i]))
	}
}

// campaignFaults writes what keeps a story from being met.
func (p *page) campaignFaults(c *Checked) {
	var lines []string
	if c.Own != scenarios.Yes {
		lines = append(lines, join("as written it is "+c.Own.String()+" (ackgap run --strict)", ": ", c.Why))
	}
	if t := c.Worlds; t != nil {
		lines = append(lines, failureLines(t.Failures, t.Unexpected, "broke")...)
		if c.Asked > t.Runs {
			lines = append(lines, fmt.Sprintf("it ended after %d of %d random worlds: they run %d at a time, and the check ends behind those with its first failure (--keep-going runs them all)",
				t.Runs, c.Asked, coverage.Chunk))
		}
		lines = append(lines, failureLines(t.Opens, t.Open, "left unknown")...)
	}
	if c.cutShort() {
		lines = append(lines, "the check ended before its first world began")
	}
	if len(lines) > 0 && c.Drawn != "" {
		lines = append(lines, "(a seed alone does not draw these worlds: "+c.Drawn+")")
	}
	lines = append(lines, c.Vacuous...)
	if c.Left > 0 {
		lines = append(lines, c.left()+" (--keep-going checks them all)")
	}
	if len(lines) == 0 {
		return
	}
	p.end()
	p.line(bad, strings.ToUpper(c.Met().String())+"  "+model.Safe(c.Story))
	for _, l := range lines {
		p.wrap("  ", l)
	}
}

// left says how many stories the check left out behind this one.
func (c *Checked) left() string {
	return "not checked: " + script.Count(c.Left, "story") + " behind it"
}

// failureLines names the first failing seeds and what they did.
func failureLines(list []scenarios.Failure, total int, did string) []string {
	const shown = 5
	var lines []string
	for i, f := range list {
		if i == shown {
			break
		}
		lines = append(lines, fmt.Sprintf("seed %d %s %s", f.Seed, did, strings.Join(f.Properties, ", ")))
	}
	if total > len(lines) && total > 0 {
		lines = append(lines, fmt.Sprintf("(%d worlds in all)", total))
	}
	return lines
}
