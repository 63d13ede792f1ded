package main

import (
	"runtime"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/reports"
	"github.com/ackgap/ackgap/reports/eventlog"
	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/generals"
)

// The versions of the JSON forms that are short enough to stand here. A field may be added within one;
// none changes its meaning or goes away. Their schemas are in reports/schema.
const (
	listFormat       = "ackgap-list/1"
	versionFormat    = "ackgap-version/1"
	propertiesFormat = "ackgap-properties/1"
	digestsFormat    = "ackgap-digests/1"
	doctorFormat     = "ackgap-doctor/1"
	generalsFormat   = "ackgap-generals/1"
)

// formatsWritten are all forms of JSON that this program writes.
var formatsWritten = []string{
	reports.Format, reports.FormatCheck, reports.FormatExplain, reports.FormatCoverage, reports.FormatStorm, reports.FormatTolerance,
	reports.FormatTwin, reports.FormatShrunk, reports.LogFormat, eventlog.Format, exploreFormat,
	listFormat, versionFormat, propertiesFormat, digestsFormat, doctorFormat, generalsFormat,
}

// noJSON says why a command has no --json: what it shows is for eyes, or in a form of its own.
var noJSON = map[string]string{
	"demo":       "it shows four runs to the eye; `ackgap run lost-ack --json` has what is in one",
	"teach":      "a lesson asks and answers; the runs of its stories are in `ackgap teach --story NAME | ackgap run - --json`",
	"open":       "it shows a page; `ackgap report STORY --json` has what is in it",
	"completion": "it writes a script for a shell",
	"help":       "what it shows is for people; `ackgap version --json` tells which forms there are",
	"man":        "it writes pages for `man`",
}

// jsonNamed is a thing that has a name, and what it is.
type jsonNamed struct {
	Name  string `json:"name"`
	Title string `json:"title"`
}

func listJSON(names []string) ([]byte, error) {
	stories := []jsonNamed{}
	for _, name := range names {
		text, err := scenarios.Text(name)
		if err != nil {
			return nil, err
		}
		stories = append(stories, jsonNamed{name, scenarios.Title(text)})
	}
	return reports.AppendDocument(nil, map[string]any{"format": listFormat, "stories": stories}), nil
}

func versionJSON() []byte {
	return reports.AppendDocument(nil, map[string]any{
		"format": versionFormat, "version": buildVersion(), "go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH, "formats": formatsWritten,
	})
}

type jsonProperty struct {
	Name     string `json:"name"`
	Claim    string `json:"claim"`
	Optional bool   `json:"optional"`
	Doc      string `json:"doc"`
	Column   string `json:"judgedAt"`
	Holds    string `json:"holds"`
	Breaks   string `json:"breaks"`
	Source   string `json:"source"`
}

func propertiesJSON(names []string) []byte {
	list := []jsonProperty{}
	for _, name := range names {
		p, _ := model.FindProperty(name)
		list = append(list, jsonProperty{p.Name, p.Claim.String(), p.Optional, p.Doc, p.Column, p.Holds, p.Breaks, p.Source})
	}
	return reports.AppendDocument(nil, map[string]any{"format": propertiesFormat, "properties": list})
}

type jsonDigests struct {
	Story  string       `json:"story"`
	Plain  string       `json:"plain"`
	Judged string       `json:"judged,omitempty"` // of the plain run; with --each
	Worlds string       `json:"worlds,omitempty"` // of all of them; of a story without chaos there is none
	Seeds  []jsonDigest `json:"seeds,omitempty"`
}

type jsonDigest struct {
	Seed   uint64 `json:"seed,string"`
	Digest string `json:"digest"`
	Judged string `json:"judged"`
}

func digestsJSON(sources []source, all []*scenarios.Digests, each bool) []byte {
	list := []jsonDigests{}
	for i, d := range all {
		one := jsonDigests{Story: sources[i].arg, Plain: d.Plain.String()}
		if len(d.Worlds) > 0 {
			one.Worlds = d.Folded().String()
		}
		if each {
			one.tellEach(d)
		}
		list = append(list, one)
	}
	return reports.AppendDocument(nil, map[string]any{"format": digestsFormat, "stories": list})
}

// tellEach adds what the lines of --each have: the plain run as judged, and every world.
func (one *jsonDigests) tellEach(d *scenarios.Digests) {
	one.Judged = d.Judged[0].String()
	for n, w := range d.Worlds {
		one.Seeds = append(one.Seeds, jsonDigest{uint64(n) + 1, w.String(), d.Judged[n+1].String()})
	}
}

// jsonSubject is what came of one subject of doctor.
type jsonSubject struct {
	Name   string `json:"name"`
	Result string `json:"result"`
	Why    string `json:"why,omitempty"`
}

func (e *examination) json() []byte {
	return reports.AppendDocument(nil, map[string]any{"format": doctorFormat, "runs": len(e.first) - 1, "subjects": append([]jsonSubject{}, e.done...)})
}

type jsonCensus struct {
	Instants   int  `json:"instants"`
	Begun      bool `json:"begun"`
	Runs       int  `json:"runs"`
	Rules      int  `json:"rules"`
	LoseOnly   int  `json:"loseOnly"`
	DoubleOnly int  `json:"doubleOnly"`
	Both       int  `json:"both"`
	Neither    int  `json:"neither"`
	Refuted    int  `json:"refuted"`
	WithMarker int  `json:"withMarker"`
}

// generalsJSON is the count of all rules of redelivery.
func generalsJSON() (text []byte, sound bool, err error) {
	list, sound := []jsonCensus{}, true
	for _, w := range generals.Worlds() {
		c, err := generals.TakeCensus(w)
		if err != nil {
			return nil, false, err
		}
		sound = sound && c.Shown()
		list = append(list, jsonCensus{w.Instants, w.Alive, c.Runs, c.Rules, c.LoseOnly, c.DoubleOnly, c.Both, c.Neither, c.Refuted, c.WithMarker})
	}
	return reports.AppendDocument(nil, map[string]any{"format": generalsFormat, "worlds": list}), sound, nil
}
