package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/scenarios/exhaust"
	"github.com/ackgap/ackgap/sim/explore"
)

// isAboutDrains reports whether drains alone is looked for.
func (f *exploreFlags) isAboutDrains() bool { return slices.Equal(f.properties, []string{"drains"}) }

// drainsText says what was found about drains, if it was judged.
func drainsText(f *exploreFlags, r *exhaust.Report) string {
	d := r.Result.Drained
	switch {
	case d == nil && f.isAboutDrains():
		return fmt.Sprintf("OPEN      drains was not judged: the search is %s, and states are left\n", r.Result.Ending)
	case d == nil:
		return ""
	case !d.Holds():
		return stuckText(r) + roundText(r) + unjudgedText(f, d)
	}
	word, what := "DRAINS", "from every state, once faults stop, an end is reachable"
	if d.IsOpen() || r.World.Unexplored(f.faults) != "" {
		word, what = "OPEN", "drains: nothing was found against it"
	} else {
		what += ",\n          and no fair run stays away from it for ever" + provisos(r.World, f.faults)
	}
	return fmt.Sprintf("%-9s %s\n", word, what) + unjudgedText(f, d)
}

// unjudgedText says what of drains was not judged, and what was not counted.
func unjudgedText(f *exploreFlags, d *explore.Drained) string {
	var b strings.Builder
	if d.Edge > 0 {
		fmt.Fprintf(&b, "          not judged beyond %s of a job: %s there, and %s from which\n          an end is to be had beyond that only, if at all\n",
			script.Count(f.claims, "claim"), stateCount(d.Edge), stateCount(d.Beyond))
	}
	if d.Doubts > 0 {
		fmt.Fprintf(&b, "          in doubt: %s may never end, and none was found that goes round up to\n          %s\n",
			groups(d.Doubts), script.Count(exhaust.MaxClaims, "claim"))
	}
	if d.Unfair > 0 {
		fmt.Fprintf(&b, "          %s may go round for ever only if somebody who can act never does\n", groups(d.Unfair))
	}
	return b.String()
}

func groups(n int) string {
	if n == 1 {
		return "1 group of states"
	}
	return grouped(n) + " groups of states"
}

// stuckText shows the first state from which no end is reachable.
func stuckText(r *exhaust.Report) string {
	if r.Stuck == nil {
		return ""
	}
	return fmt.Sprintf("STUCK     from %s no end is reachable without a fault; the first, with %s:\n%s",
		stateCount(r.Result.Drained.Stuck), script.Count(r.Stuck.Faults, "fault"), pathText(r.Stuck.Path)) + stayStory(r.Stuck)
}

// roundText shows the first fair run that never ends: its stem, and its cycle.
func roundText(r *exhaust.Report) string {
	if r.Round == nil {
		return ""
	}
	s := r.Round
	text := fmt.Sprintf("NEVER     a fair run never ends, in %s; the first, with %s:\n%s",
		groups(r.Result.Drained.Fair), script.Count(s.Faults, "fault"), pathText(s.Path))
	return text + "       and then again and again\n" + pathText(s.Cycle) + stayStory(s)
}

func stayStory(s *exhaust.Stay) string {
	if s.Concrete == nil {
		return "\nABSTRACT ONLY: no delays and pauses were found under which the simulator takes\nthis path and finds drains broken.\n" + whyText(s.Why) + "\n"
	}
	return fmt.Sprintf("\nAS A STORY, in which the simulator finds drains broken (digest %s)\n\n%s\n",
		s.Concrete.Outcome.History.Digest, s.Concrete.Story.Text())
}

// jsonDrains is what was found about drains.
type jsonDrains struct {
	Edge   int       `json:"edge"`
	Beyond int       `json:"beyond"`
	Fair   jsonFair  `json:"fair"`
	Stuck  *jsonStay `json:"stuck,omitempty"`
	Round  *jsonStay `json:"round,omitempty"`
}

type jsonFair struct {
	Rounds int `json:"rounds"`
	Unfair int `json:"unfair"`
	Doubts int `json:"doubts"`
}

type jsonStay struct {
	Faults int      `json:"faults"`
	Path   []string `json:"path"`
	Cycle  []string `json:"cycle,omitempty"`
	Story  string   `json:"story,omitempty"`
	Digest string   `json:"digest,omitempty"`
	Why    string   `json:"why,omitempty"`
}

func drainsJSON(r *exhaust.Report) *jsonDrains {
	d := r.Result.Drained
	return &jsonDrains{
		Edge: d.Edge, Beyond: d.Beyond, Fair: jsonFair{d.Fair, d.Unfair, d.Doubts},
		Stuck: stayJSON(r.Stuck), Round: stayJSON(r.Round),
	}
}

func stayJSON(s *exhaust.Stay) *jsonStay {
	if s == nil {
		return nil
	}
	j := &jsonStay{Faults: s.Faults, Path: slices.Concat([]string{}, s.Path), Cycle: s.Cycle, Why: whyOf(s.Why)}
	if s.Concrete != nil {
		j.Story, j.Digest = string(s.Concrete.Story.Text()), s.Concrete.Outcome.History.Digest.String()
	}
	return j
}
