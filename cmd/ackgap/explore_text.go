package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/exhaust"
	"github.com/ackgap/ackgap/sim/explore"
)

// exploredText is the report of an exploration, in ASCII and 80 columns but for
// what stories and scopes write themselves.
func exploredText(f *exploreFlags, story *scenarios.Story, r *exhaust.Report) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "EXPLORED  %s: %s\n", model.Safe(story.Name), worldText(f, story))
	fmt.Fprintf(&b, "          at most %s of %s\n", script.Count(f.faults, "fault"), f.kinds)
	if f.acts != "" {
		fmt.Fprintf(&b, "          and of the acts %s\n", f.acts)
	}
	fmt.Fprintf(&b, "          %s\n\n", searchText(r.Result)+f.reductions()+sleepText(f, r.Result))
	b.WriteString(certificate(f, story, r))
	b.WriteString(drainsText(f, r))
	if f.all {
		b.WriteString(tableText(r))
	}
	for i := range r.Sought {
		b.WriteString(findingText(&r.Sought[i]))
	}
	b.WriteString(reachText(r))
	return b.Bytes()
}

// worldText says how large the world is.
func worldText(f *exploreFlags, story *scenarios.Story) string {
	return fmt.Sprintf("%s, %s, %s a job",
		script.Count(len(story.Jobs), "job"), script.Count(len(story.Workers), "worker"), script.Count(f.claims, "claim"))
}

// searchText says what was visited, and how sure that is.
func searchText(r *explore.Result) string {
	var layers []string
	for k, l := range r.Layers {
		layers = append(layers, fmt.Sprintf("%d: %s", k, grouped(l.States)))
	}
	text := fmt.Sprintf("%s by faults (%s), depth %d", stateCount(r.States), strings.Join(layers, ", "), r.Depth)
	if odds := r.OneIn(); odds != nil {
		text += fmt.Sprintf("; by 64-bit fingerprints: a state was lost with a chance of at most 1 in %s", odds)
	}
	return text
}

// stateCount says how many states: 41,216 states.
func stateCount(n int) string {
	if n == 1 {
		return "1 state"
	}
	return grouped(n) + " states"
}

// grouped writes n with a comma before each three digits.
func grouped(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%s,%03d", grouped(n/1000), n%1000)
}

// reductions says how states stand for others.
func (f *exploreFlags) reductions() string {
	switch {
	case f.symmetry && f.partial:
		return "; by symmetry and partial order each stands for others"
	case f.symmetry:
		return "; by symmetry each stands for others"
	case f.partial:
		return "; by partial order each stands for others"
	}
	return ""
}

// sleepText says what sleep sets have saved.
func sleepText(f *exploreFlags, r *explore.Result) string {
	if !f.sleep {
		return ""
	}
	return fmt.Sprintf(";\n          sleep sets saved %s of %s transitions", grouped(int(r.Slept)), grouped(int(r.Slept+r.Transitions)))
}

// certificate says what follows from finding nothing of what was looked for.
func certificate(f *exploreFlags, story *scenarios.Story, r *exhaust.Report) string {
	what := f.unfound(r)
	if what == "" {
		return cheaper(r)
	}
	if r.Result.Ending != explore.Exhausted {
		return fmt.Sprintf("OPEN      %s so far: the search is %s, and states are left\n", what, r.Result.Ending)
	}
	if left := r.World.Unexplored(f.faults); left != "" {
		return fmt.Sprintf("OPEN      %s in all %s, but not explored were\n          %s\n", what, stateCount(r.Result.States), left)
	}
	return fmt.Sprintf("HELD      %s with at most %s%s: %s: all %s\n", what, script.Count(f.faults, "fault"), provisos(r.World, f.faults),
		worldText(f, story), stateCount(r.Result.States))
}

// provisos are what a certificate adds to its number of faults.
func provisos(w *exhaust.World, faults int) (text string) {
	for _, p := range w.Provisos(faults) {
		text += ", " + p
	}
	return text
}

// cheaper says whether what is not explored could break something with fewer faults.
func cheaper(r *exhaust.Report) string {
	for i := range r.Sought {
		s := &r.Sought[i]
		if left := r.World.Unexplored(s.Faults - 1); !s.Reach && left != "" {
			return fmt.Sprintf("OPEN      whether less than %s will do: not explored were\n          %s\n", script.Count(s.Faults, "fault"), left)
		}
	}
	return ""
}

// unfound says what was looked for and not found: breaches, and sights.
func (f *exploreFlags) unfound(r *exhaust.Report) string {
	var kept, unseen, texts []string
	for _, name := range f.properties {
		isSeen := slices.ContainsFunc(r.Sought, func(s exhaust.Finding) bool { return s.Property == name })
		switch p, _ := model.FindProperty(name); {
		case name == "drains": // has words of its own
		case p.Claim == model.Always:
			kept = append(kept, name)
		case !isSeen:
			unseen = append(unseen, name)
		}
	}
	isBroken := slices.ContainsFunc(r.Sought, func(s exhaust.Finding) bool { return !s.Reach })
	switch {
	case isBroken:
	case len(f.properties) == 0:
		texts = append(texts, "no violation")
	case len(kept) > 0:
		texts = append(texts, "no violation of "+strings.Join(kept, ", "))
	}
	if len(unseen) > 0 {
		texts = append(texts, "no sight of "+strings.Join(unseen, ", "))
	}
	return strings.Join(texts, ", ")
}

// tableText lists every breach in a line.
func tableText(r *exhaust.Report) string {
	if len(r.Sought) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s by property, verb and state of the job; %d abstract only\n\n", script.Count(len(r.Sought), "violation"), r.AbstractOnly())
	fmt.Fprintf(&b, "%-21s %6s %5s  %-9s %s\n", "property", "faults", "steps", "verb", "the job")
	for _, f := range r.Sought {
		mark := ""
		if f.Concrete == nil {
			mark = "  (abstract only)"
		}
		fmt.Fprintf(&b, "%-21s %6d %5d  %-9s %s%s\n", f.Property, f.Faults, f.Steps, verbText(&f), f.State, mark)
	}
	return b.String() + "\n"
}

func verbText(f *exhaust.Finding) string {
	if f.Verb == model.OpNone {
		return "crash"
	}
	return f.Verb.String()
}

// findingText shows one breach, or one sight: its path, and its story.
func findingText(f *exhaust.Finding) string {
	var b strings.Builder
	word := "BROKEN"
	if f.Reach {
		word = "SEEN"
	}
	fmt.Fprintf(&b, "%-9s %s with %s in %s: %s while the job is %s\n",
		word, f.Property, script.Count(f.Faults, "fault"), script.Count(f.Steps, "step"), verbText(f), f.State)
	b.WriteString(pathText(f.Path))
	if f.Concrete == nil {
		b.WriteString("\nABSTRACT ONLY: no delays and pauses were found under which the simulator takes\nthis path. That is a defect of the exploration; please report it.\n" + whyText(f.Why) + "\n")
		return b.String()
	}
	fmt.Fprintf(&b, "\nAS A STORY, which the simulator replays to the same verdict (digest %s)\n\n%s\n",
		f.Concrete.Outcome.History.Digest, f.Concrete.Story.Text())
	return b.String()
}

// whyText is a line that says what kept a path from being a story, if that is known.
func whyText(why error) string {
	if why == nil {
		return ""
	}
	return "WHY: " + whyOf(why) + "\n"
}

// whyOf is what kept a path from being a story, or nothing.
func whyOf(why error) string {
	if why == nil {
		return ""
	}
	return model.Safe(why.Error())
}

func pathText(path []string) string {
	var b strings.Builder
	for i, line := range path {
		fmt.Fprintf(&b, "  %3d  %s\n", i+1, line)
	}
	return b.String()
}

// reachText lists what was seen on the way.
func reachText(r *exhaust.Report) string {
	best := map[string]bool{}
	var b strings.Builder
	for _, f := range r.Findings {
		if f.Reach && !best[f.Property] {
			best[f.Property] = true
			fmt.Fprintf(&b, "SEEN      %s with %s in %s\n", f.Property, script.Count(f.Faults, "fault"), script.Count(f.Steps, "step"))
		}
	}
	return b.String()
}

// exploreFormat names the version of the JSON form.
const exploreFormat = "ackgap-explore/1"

type jsonExplored struct {
	Format      string        `json:"format"`
	Story       string        `json:"story"`
	Jobs        int           `json:"jobs"`
	Workers     int           `json:"workers"`
	Claims      int           `json:"claims"`
	Faults      int           `json:"faults"`
	Kinds       string        `json:"kinds"`
	Acts        string        `json:"acts"`
	Symmetry    bool          `json:"symmetry"`
	Partial     bool          `json:"partial_order"`
	Sleep       bool          `json:"sleep_sets"`
	Slept       int64         `json:"slept"`
	Ending      string        `json:"ending"`
	States      int           `json:"states"`
	Layers      []int         `json:"layers"`
	Transitions int64         `json:"transitions"`
	Depth       int           `json:"depth"`
	Bytes       int64         `json:"bytes"`
	Lost        string        `json:"lost_one_in,omitempty"`
	Unexplored  string        `json:"unexplored,omitempty"`
	Provisos    []string      `json:"provisos,omitempty"`
	Drains      bool          `json:"drains_judged"`
	Stuck       int           `json:"stuck"`
	Drained     *jsonDrains   `json:"drains,omitempty"`
	Abstract    int           `json:"abstract_only"`
	Violations  []jsonFinding `json:"violations"`
	Seen        []jsonFinding `json:"seen"`
}

type jsonFinding struct {
	Property string   `json:"property"`
	Faults   int      `json:"faults"`
	Steps    int      `json:"steps"`
	Verb     string   `json:"verb"`
	Job      string   `json:"job"`
	Path     []string `json:"path"`
	Story    string   `json:"story,omitempty"`
	Digest   string   `json:"digest,omitempty"`
	Why      string   `json:"why,omitempty"`
}

func exploredJSON(f *exploreFlags, story *scenarios.Story, r *exhaust.Report) []byte {
	d := jsonExplored{
		Format: exploreFormat, Story: model.Safe(story.Name), Jobs: len(story.Jobs), Workers: len(story.Workers), Claims: f.claims,
		Faults: f.faults, Kinds: f.kinds, Acts: f.acts, Symmetry: f.symmetry, Partial: f.partial, Sleep: f.sleep, Slept: r.Result.Slept,
		Ending: r.Result.Ending.String(), States: r.Result.States,
		Transitions: r.Result.Transitions, Depth: r.Result.Depth, Bytes: r.Result.Bytes,
		Abstract: r.AbstractOnly(), Unexplored: r.World.Unexplored(f.faults), Provisos: r.World.Provisos(f.faults), Violations: []jsonFinding{}, Seen: []jsonFinding{},
	}
	if drained := r.Result.Drained; drained != nil {
		d.Drains, d.Stuck, d.Drained = true, drained.Stuck, drainsJSON(r)
	}
	for _, l := range r.Result.Layers {
		d.Layers = append(d.Layers, l.States)
	}
	if odds := r.Result.OneIn(); odds != nil {
		d.Lost = odds.String()
	}
	for i := range r.Sought {
		if !r.Sought[i].Reach { // or else it is the one with a story of what is seen
			d.Violations = append(d.Violations, findingJSON(&r.Sought[i]))
		}
	}
	for i := range r.Findings {
		if r.Findings[i].Reach {
			d.Seen = append(d.Seen, findingJSON(&r.Findings[i]))
		}
	}
	text, err := json.Marshal(d)
	if err != nil {
		panic("a document of strings, integers and booleans did not encode: " + err.Error())
	}
	return append(text, '\n')
}

func findingJSON(f *exhaust.Finding) jsonFinding {
	j := jsonFinding{Property: f.Property, Faults: f.Faults, Steps: f.Steps, Verb: verbText(f), Job: f.State, Path: f.Path, Why: whyOf(f.Why)}
	if f.Concrete != nil {
		j.Story, j.Digest = string(f.Concrete.Story.Text()), f.Concrete.Outcome.History.Digest.String()
	}
	return j
}
