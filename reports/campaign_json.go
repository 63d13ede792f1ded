package reports

import (
	_ "embed"
	"slices"
	"strconv"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// FormatCheck names the version of the JSON form of a check. A field may be added
// within a version; none changes its meaning or goes away.
const FormatCheck = "ackgap-check/1"

// SchemaCheck is the JSON Schema (2020-12) of what AppendCampaignsJSON writes.
//
//go:embed schema/check.schema.json
var SchemaCheck string

// FirstFailure is what failed first in a check, once it was run again.
type FirstFailure struct {
	At      int                // of its story among those that were checked
	Random  bool               // it is a random world, and not the story as it is written
	Outcome *scenarios.Outcome // as it was found: of a random world as a story that stands alone
	Seed    uint64             // of the random world
	Token   string             // of that story
	Again   string             // the command that runs it again

	Small      *scenarios.Shrunk // nil where it was not shrunk
	SmallAgain string            // the command that runs that
}

// AppendCampaignsJSON appends the same as one JSON document and a line feed, with what
// failed first, if that is known. Seeds are strings, as in a run's document.
func AppendCampaignsJSON(b []byte, all []Checked, first *FirstFailure) []byte {
	doc := jsonCheck{Format: FormatCheck, Stories: []jsonChecked{}}
	for i := range all {
		doc.Stories = append(doc.Stories, all[i].document())
		doc.Left += all[i].Left
	}
	if first != nil {
		doc.First = first.document(all[first.At].Story)
	}
	return AppendDocument(b, doc)
}

type jsonCheck struct {
	Format  string        `json:"format"`
	Stories []jsonChecked `json:"stories"`
	Left    int           `json:"left"`
	First   *jsonFirst    `json:"firstFailure,omitempty"`
}

type jsonFirst struct {
	Story  string      `json:"story"`
	Seed   string      `json:"seed,omitempty"`
	Text   string      `json:"text"`
	Digest string      `json:"digest"`
	Token  string      `json:"token"`
	Again  string      `json:"again"`
	Small  *jsonShrunk `json:"shrunk,omitempty"`
}

func (f *FirstFailure) document(story string) *jsonFirst {
	doc := &jsonFirst{
		Story: story, Text: string(f.Outcome.Story.Text()), Digest: f.Outcome.History.Digest.String(), Token: f.Token, Again: f.Again,
	}
	if f.Random {
		doc.Seed = strconv.FormatUint(f.Seed, 10)
	}
	if f.Small != nil {
		doc.Small = shrunkDocument(f.Small, f.SmallAgain)
	}
	return doc
}

type jsonChecked struct {
	Story      string        `json:"story"`
	Outcome    string        `json:"outcome"`
	Own        string        `json:"own"`
	Random     bool          `json:"random"`
	Worlds     int           `json:"worlds"`
	Properties []jsonCount   `json:"properties"`
	Reach      []jsonReach   `json:"reach"`
	Unexpected []jsonUnhappy `json:"unexpected"`
	Broken     int           `json:"unexpectedWorlds"`
	Unknown    []jsonUnhappy `json:"unknown"`
	Open       int           `json:"unknownWorlds"`
	Vacuous    []string      `json:"vacuous"`
	Drawn      string        `json:"drawn,omitempty"`
}

type jsonCount struct {
	Property string `json:"property"`
	Held     int    `json:"held"`
	Broken   int    `json:"broken"`
	Unknown  int    `json:"unknown"`
	Idle     int    `json:"idle"`
	MayBreak bool   `json:"mayBreak"`
}

type jsonReach struct {
	Property string `json:"property"`
	Seen     int    `json:"seen"`
}

type jsonUnhappy struct {
	Seed       string   `json:"seed"`
	Properties []string `json:"properties"`
	Digest     string   `json:"digest"`
}

func (c *Checked) document() jsonChecked {
	doc := jsonChecked{
		Story: c.Story, Outcome: c.Met().String(), Own: c.Own.String(),
		Properties: []jsonCount{}, Reach: []jsonReach{}, Unexpected: []jsonUnhappy{}, Unknown: []jsonUnhappy{},
		Vacuous: append([]string{}, c.Vacuous...),
	}
	if c.Worlds == nil {
		return doc
	}
	doc.Random, doc.Worlds, doc.Drawn = true, c.Worlds.Runs, c.Drawn
	for i, p := range model.Properties() {
		t := c.Worlds.Properties[i]
		doc.Properties = append(doc.Properties, jsonCount{p.Name, t.Held, t.Broken, t.Unknown, t.Idle, slices.Contains(c.MayBreak, p.Name)})
	}
	for i, p := range model.Reach() {
		doc.Reach = append(doc.Reach, jsonReach{p.Name, c.Worlds.Reach[i]})
	}
	doc.Unexpected, doc.Broken = unhappy(c.Worlds.Failures), c.Worlds.Unexpected
	doc.Unknown, doc.Open = unhappy(c.Worlds.Opens), c.Worlds.Open
	return doc
}

func unhappy(list []scenarios.Failure) []jsonUnhappy {
	docs := []jsonUnhappy{}
	for _, f := range list {
		docs = append(docs, jsonUnhappy{strconv.FormatUint(f.Seed, 10), f.Properties, f.Digest.String()})
	}
	return docs
}
