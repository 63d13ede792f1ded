package reports

import (
	_ "embed"

	"github.com/ackgap/ackgap/model"
)

// FormatTolerance names the version of the JSON form of a table of tolerance. A
// field may be added within a version; none changes its meaning or goes away.
const FormatTolerance = "ackgap-tolerance/1"

// SchemaTolerance is the JSON Schema (2020-12) of what AppendToleranceJSON writes.
//
//go:embed schema/tolerance.schema.json
var SchemaTolerance string

type jsonTolerance struct {
	Format  string             `json:"format"`
	Story   string             `json:"story"`
	Jobs    int                `json:"jobs"`
	Workers int                `json:"workers"`
	Claims  int                `json:"claims"`
	Faults  int                `json:"faults"`
	Kinds   string             `json:"kinds"`
	Acts    string             `json:"acts"`
	Rows    []jsonToleranceRow `json:"configurations"`
}

type jsonToleranceRow struct {
	Config     string              `json:"configuration"`
	States     int                 `json:"states"`
	Exhausted  bool                `json:"exhausted"`
	Properties []jsonToleranceCell `json:"properties"`
}

type jsonToleranceCell struct {
	Property string `json:"property"`
	Verdict  string `json:"verdict"`
	Faults   *int   `json:"faults,omitempty"`
	Story    string `json:"story,omitempty"`
	Digest   string `json:"digest,omitempty"`
}

// AppendToleranceJSON appends the table as one JSON document and a line feed, in
// plain ASCII.
func AppendToleranceJSON(b []byte, t *Tolerance) []byte {
	d := jsonTolerance{
		Format: FormatTolerance, Story: model.Safe(t.World), Jobs: t.Jobs, Workers: t.Workers, Claims: t.Claims,
		Faults: t.Faults, Kinds: t.Kinds, Acts: t.Acts, Rows: []jsonToleranceRow{},
	}
	for i := range t.Rows {
		r := &t.Rows[i]
		row := jsonToleranceRow{Config: model.Safe(r.Config), States: r.States, Exhausted: !r.Open}
		for k := range r.Cells {
			row.Properties = append(row.Properties, r.Cells[k].json(t.Properties[k]))
		}
		d.Rows = append(d.Rows, row)
	}
	return AppendDocument(b, d)
}

func (c *ToleranceCell) json(property string) jsonToleranceCell {
	j := jsonToleranceCell{Property: property, Verdict: "none", Story: string(c.Story), Digest: c.Digest}
	switch {
	case c.Idle:
		j.Verdict = "idle"
	case c.Broken && c.Story == nil:
		j.Verdict = "abstract"
	case c.Broken:
		j.Verdict = "broken"
	}
	if c.Broken {
		j.Faults = &c.Faults
	}
	return j
}
