package reports

import (
	_ "embed"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios/coverage"
)

// FormatCoverage names the version of the JSON form of a map of coverage. A field may
// be added within a version; none changes its meaning or goes away.
const FormatCoverage = "ackgap-coverage/1"

// SchemaCoverage is the JSON Schema (2020-12) of what AppendCoverageJSON writes.
//
//go:embed schema/coverage.schema.json
var SchemaCoverage string

type jsonCoverage struct {
	Format  string              `json:"format"`
	Stories []jsonCoverageStory `json:"stories"`
	Worlds  jsonWorlds          `json:"worlds"`
	Goals   int                 `json:"goals"`
	Reached int                 `json:"reached"`
	Cells   []jsonCoverageCell  `json:"cells"`
	Empty   []jsonEmptyCell     `json:"empty"`
}

type jsonWorlds struct {
	Held   int `json:"held"`
	Broken int `json:"broken"`
	Open   int `json:"open"`
}

type jsonCoverageStory struct {
	Story   string     `json:"story"`
	Worlds  jsonWorlds `json:"worlds"`
	Reached int        `json:"reached"`
}

type jsonCoverageCell struct {
	Fault      string `json:"fault"`
	Phase      string `json:"phase"`
	Impossible string `json:"impossible,omitempty"`
	Held       int    `json:"held"`
	Broken     int    `json:"broken"`
}

type jsonEmptyCell struct {
	Fault  string `json:"fault"`
	Phase  string `json:"phase"`
	Worlds string `json:"worlds"`
}

// AppendCoverageJSON appends the map as one JSON document and a line feed, in plain
// ASCII: every cell, those that cannot occur with the reason.
func AppendCoverageJSON(b []byte, c *Coverage) []byte {
	total := c.Total()
	d := jsonCoverage{
		Format: FormatCoverage, Stories: []jsonCoverageStory{}, Worlds: jsonWorlds{total.Held, total.Broken, total.Open},
		Goals: len(coverage.Goals()), Reached: total.Reached(), Empty: []jsonEmptyCell{},
	}
	for i := range c.Stories {
		s := &c.Stories[i]
		d.Stories = append(d.Stories, jsonCoverageStory{
			model.Safe(s.Name), jsonWorlds{s.Map.Held, s.Map.Broken, s.Map.Open}, s.Map.Reached(),
		})
	}
	for f := range coverage.FaultCount {
		for ph := range coverage.PhaseCount {
			n := total.At(f, ph)
			d.Cells = append(d.Cells, jsonCoverageCell{f.String(), ph.String(), coverage.Impossible(f, ph), n.Held, n.Broken})
		}
	}
	for _, e := range total.Empty() {
		d.Empty = append(d.Empty, jsonEmptyCell{e.Fault.String(), e.Phase.String(), e.Verdict().String()})
	}
	return AppendDocument(b, d)
}
