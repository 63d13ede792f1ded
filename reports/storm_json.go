package reports

import (
	_ "embed"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
)

// FormatStorm names the version of the JSON form of a storm. A field may be added
// within a version; none changes its meaning or goes away.
const FormatStorm = "ackgap-storm/1"

// SchemaStorm is the JSON Schema (2020-12) of what AppendStormJSON writes.
//
//go:embed schema/storm.schema.json
var SchemaStorm string

type jsonStorm struct {
	Format   string          `json:"format"`
	Story    string          `json:"story"`
	Workers  int             `json:"workers"`
	Fault    string          `json:"fault"`
	Horizon  string          `json:"horizon"`
	Prefetch int             `json:"prefetch"`
	Cells    []jsonStormCell `json:"cells"`
}

type jsonStormCell struct {
	Load       int    `json:"load"`
	Lease      string `json:"lease"`
	Length     string `json:"fault_length"`
	Outcome    string `json:"outcome"`
	Left       string `json:"left,omitempty"`
	Before     int    `json:"before"`
	Peak       int    `json:"peak"`
	End        int    `json:"end"`
	CalmEnd    int    `json:"end_without_fault"`
	Deliveries int    `json:"deliveries"`
	Completed  int    `json:"completed"`
	Dead       int    `json:"given_up"`
}

// AppendStormJSON appends the storm as one JSON document and a line feed, in plain
// ASCII.
func AppendStormJSON(b []byte, t *Storm) []byte {
	d := jsonStorm{
		Format: FormatStorm, Story: model.Safe(t.World), Workers: t.Workers, Fault: t.Fault,
		Horizon: script.FormatDuration(t.Horizon), Prefetch: t.Prefetch, Cells: []jsonStormCell{},
	}
	for i, length := range t.Lengths {
		for k, lease := range t.Leases {
			for n, load := range t.Loads {
				c := t.cell(i, k, n)
				j := jsonStormCell{
					Load: load, Lease: script.FormatDuration(lease), Length: script.FormatDuration(length), Outcome: c.Outcome,
					Before: c.Before, Peak: c.Peak, End: c.End, CalmEnd: c.CalmEnd,
					Deliveries: c.Deliveries, Completed: c.Completed, Dead: c.Dead,
				}
				if c.Left > 0 {
					j.Left = script.FormatDuration(c.Left)
				}
				d.Cells = append(d.Cells, j)
			}
		}
	}
	return AppendDocument(b, d)
}
