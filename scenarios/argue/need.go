package argue

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// Need is one fault or `do` line of the small story, and what came of it without.
type Need struct {
	Name    string // f1, f2 and so on for faults, d1 and so on for `do` lines
	Text    string // as the story writes it
	Without Result // it was needed if this is anything but Fails

	// Was and Is are the first record in which the two histories differ: with the
	// line and without it. Their Seq is 0 where that history had ended.
	Was, Is model.Event
	Changes bool // they differ at all
}

// Needed reports whether the failure needs the line.
func (n *Need) Needed() bool { return n.Without.Answer != Fails }

// findNeeds takes each fault and each `do` line away in turn.
func (a *arguer) findNeeds() error {
	s := a.small.Story
	for i, e := range s.Plan {
		without := *s
		without.Plan = slices.Delete(slices.Clone(s.Plan), i, i+1)
		if err := a.findNeed("f"+strconv.Itoa(i+1), "fault "+s.FaultText(e), &without); err != nil {
			return err
		}
	}
	lines := strings.Split(string(s.Text()), "\n")
	for i, d := range s.Dos {
		without := *s
		without.Dos = slices.Delete(slices.Clone(s.Dos), i, i+1)
		if err := a.findNeed("d"+strconv.Itoa(i+1), lines[d.Line-1], &without); err != nil {
			return err
		}
	}
	return nil
}

func (a *arguer) findNeed(name, text string, without *scenarios.Story) error {
	out, r, err := a.run(without)
	if err != nil {
		return err
	}
	n := Need{Name: name, Text: text, Without: *r}
	n.Was, n.Is, n.Changes = firstDifference(a.small.Outcome.History, out.History)
	a.out.Needs = append(a.out.Needs, n)
	return nil
}

// firstDifference returns the first record in which two histories differ, as it
// stands in each of them.
func firstDifference(a, b *model.History) (was, is model.Event, differ bool) {
	for i := range max(len(a.Events), len(b.Events)) {
		was, is = eventAt(a, i), eventAt(b, i)
		if was != is {
			return was, is, true
		}
	}
	return model.Event{}, model.Event{}, false
}

func eventAt(h *model.History, i int) model.Event {
	if i < len(h.Events) {
		return h.Events[i]
	}
	return model.Event{}
}
