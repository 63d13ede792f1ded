package reports

import (
	_ "embed"
	"strconv"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/argue"
)

// FormatExplain names the version of the JSON form of an explanation. A field may
// be added within a version; none changes its meaning or goes away.
const FormatExplain = "ackgap-explain/1"

// SchemaExplain is the JSON Schema (2020-12) of what AppendExplanationJSON writes.
//
//go:embed schema/explain.schema.json
var SchemaExplain string

// AppendExplanationJSON appends what AppendExplanation tells as one JSON document
// and a line feed, in plain ASCII. Seeds are strings, as in a run's document.
func AppendExplanationJSON(b []byte, e *argue.Explanation, again string) []byte {
	return AppendDocument(b, explanationDocument(e, again))
}

type jsonExplanation struct {
	Format     string     `json:"format"`
	Property   string     `json:"property"`
	Job        string     `json:"job"`
	Story      string     `json:"story"`
	Digest     string     `json:"digest"`
	Minimal    bool       `json:"minimal"`
	Before     jsonSize   `json:"before"`
	After      jsonSize   `json:"after"`
	Again      string     `json:"again"`
	Tried      int        `json:"tried"`
	Needs      []jsonNeed `json:"needs"`
	Options    []jsonKnob `json:"options"`
	World      jsonFamily `json:"world"`
	AsItIs     jsonTrial  `json:"asItIs"`
	Changes    []jsonTry  `json:"changes"`
	Pairs      []jsonTry  `json:"pairs"`
	PairsTried int        `json:"pairsTried"`
	Cut        bool       `json:"cut"`
}

type jsonSize struct {
	Events  int `json:"events"`
	Faults  int `json:"faults"`
	Jobs    int `json:"jobs"`
	Workers int `json:"workers"`
}

type jsonResult struct {
	Answer     string   `json:"answer"`
	Properties []string `json:"properties"`
	Unfired    int      `json:"unfired"`
	Relieved   bool     `json:"relieved"`
}

type jsonNeed struct {
	Name    string      `json:"name"`
	Text    string      `json:"text"`
	Needed  bool        `json:"needed"`
	Without jsonResult  `json:"without"`
	Was     *jsonMoment `json:"was"` // null where that history had ended, or nothing changes
	Is      *jsonMoment `json:"is"`  // likewise
}

type jsonMoment struct {
	Event int32  `json:"event"`
	At    int64  `json:"at"`
	Says  string `json:"says"`
}

type jsonKnob struct {
	Option string     `json:"option"`
	Own    string     `json:"own"`
	Spans  []jsonSpan `json:"spans"`
}

type jsonSpan struct {
	From   string     `json:"from"`
	To     string     `json:"to"`
	Result jsonResult `json:"result"`
}

type jsonFamily struct {
	Story     string `json:"story"`
	Reference bool   `json:"reference"`
	First     string `json:"first"`
	Runs      string `json:"runs"`
}

type jsonTrial struct {
	Small   jsonResult   `json:"small"`
	Worlds  int          `json:"worlds"`
	Broken  []jsonBroken `json:"broken"`
	Bad     int          `json:"brokenWorlds"`
	Unknown int          `json:"unknownWorlds"`
	First   string       `json:"firstSeed"` // "" where nothing broke
	Judged  bool         `json:"judged"`
}

type jsonTry struct {
	Change string `json:"change"`
	Means  string `json:"means"`
	Fix    bool   `json:"fix"`
	Moves  bool   `json:"moves"`
	jsonTrial
}

type jsonBroken struct {
	Property string `json:"property"`
	Worlds   int    `json:"worlds"`
}

// explanationDocument fills the whole form. Lists are never null.
func explanationDocument(e *argue.Explanation, again string) *jsonExplanation {
	names := &e.Small.Outcome.History.Names
	doc := &jsonExplanation{
		Format: FormatExplain, Property: e.Small.Property, Job: jobName(names, e.Small.Job),
		Story: string(e.Small.Story.Text()), Digest: e.Small.Outcome.History.Digest.String(),
		Minimal: e.Small.Minimal, Before: sizeDocument(e.Small.Before), After: sizeDocument(e.Small.After),
		Again: again, Tried: e.Tried, Needs: []jsonNeed{}, Options: []jsonKnob{},
		World:  jsonFamily{e.World, e.Lent, strconv.Itoa(argue.FirstSeed), strconv.FormatUint(e.Runs, 10)},
		AsItIs: trialDocument(&e.AsIs), Changes: tryDocuments(e, e.Fixes), Pairs: tryDocuments(e, e.Pairs),
		PairsTried: e.PairsTried, Cut: e.Cut,
	}
	for i := range e.Needs {
		doc.Needs = append(doc.Needs, needDocument(names, &e.Needs[i]))
	}
	for i := range e.Knobs {
		doc.Options = append(doc.Options, knobDocument(&e.Knobs[i]))
	}
	return doc
}

func sizeDocument(s scenarios.Size) jsonSize {
	return jsonSize{Events: s.Events, Faults: s.Faults, Jobs: s.Jobs, Workers: s.Workers}
}

func resultDocument(r *argue.Result) jsonResult {
	return jsonResult{r.Answer.String(), append([]string{}, r.Properties...), r.Unfired, r.Relieved}
}

func needDocument(names *model.Names, n *argue.Need) jsonNeed {
	doc := jsonNeed{Name: n.Name, Text: n.Text, Needed: n.Needed(), Without: resultDocument(&n.Without)}
	doc.Was, doc.Is = momentDocument(names, &n.Was), momentDocument(names, &n.Is)
	return doc
}

func momentDocument(names *model.Names, e *model.Event) *jsonMoment {
	if e.Seq == 0 {
		return nil
	}
	return &jsonMoment{e.Seq, int64(e.At), deedText(names, e)}
}

func knobDocument(k *argue.Knob) jsonKnob {
	doc := jsonKnob{Option: k.Name, Own: k.Own}
	for i := range k.Spans {
		s := &k.Spans[i]
		doc.Spans = append(doc.Spans, jsonSpan{s.From, s.To, resultDocument(&s.Result)})
	}
	return doc
}

func trialDocument(t *argue.Trial) jsonTrial {
	doc := jsonTrial{Small: resultDocument(&t.Small), Worlds: t.Worlds, Broken: []jsonBroken{}, Bad: t.Bad, Unknown: t.Open, Judged: t.Judged}
	for _, c := range t.Broken {
		doc.Broken = append(doc.Broken, jsonBroken(c))
	}
	if t.First > 0 {
		doc.First = strconv.FormatUint(t.First, 10)
	}
	return doc
}

func tryDocuments(e *argue.Explanation, trials []argue.Trial) []jsonTry {
	docs := []jsonTry{}
	for i := range trials {
		t := &trials[i]
		docs = append(docs, jsonTry{t.Change, t.Means, t.Fix, t.Moved(&e.AsIs, e.Small.Property), trialDocument(t)})
	}
	return docs
}
