package reports

import "github.com/ackgap/ackgap/scenarios"

// FormatTwin and FormatShrunk name the versions of two JSON forms. A field may be added
// within a version; none changes its meaning or goes away.
const (
	FormatTwin   = "ackgap-twin/1"
	FormatShrunk = "ackgap-shrink/1"
)

// AppendTwinJSON appends the answer about r as one JSON document and a line feed, in plain
// ASCII: what AppendTwin tells, without what led to the moment of which it is asked.
func AppendTwinJSON(b []byte, r *Run) []byte {
	return AppendDocument(b, struct {
		Format string    `json:"format"`
		Story  string    `json:"story"`
		Digest string    `json:"digest"`
		Twin   *jsonTwin `json:"twin"`
	}{FormatTwin, r.Text, r.History.Digest.String(), jsonTwinOf(r)})
}

// jsonShrunk is the document of a small story; within another it has no format of its own.
type jsonShrunk struct {
	Format   string   `json:"format,omitempty"`
	Property string   `json:"property"`
	Job      string   `json:"job"` // "" for none in particular
	Was      string   `json:"was"` // what it is called in the story that was shrunk; likewise
	Minimal  bool     `json:"minimal"`
	Runs     int      `json:"runs"`
	Before   jsonSize `json:"before"`
	After    jsonSize `json:"after"`
	Story    string   `json:"story"`
	Digest   string   `json:"digest"`
	Again    string   `json:"again"`
}

// AppendShrunkJSON appends what became smaller, and the small story, as one JSON document
// and a line feed, in plain ASCII. Again is the command that runs it again.
func AppendShrunkJSON(b []byte, s *scenarios.Shrunk, again string) []byte {
	doc := shrunkDocument(s, again)
	doc.Format = FormatShrunk
	return AppendDocument(b, doc)
}

func shrunkDocument(s *scenarios.Shrunk, again string) *jsonShrunk {
	h := s.Outcome.History
	doc := &jsonShrunk{
		Property: s.Property, Job: jobName(&h.Names, s.Job), Minimal: s.Minimal, Runs: s.Runs,
		Before: sizeDocument(s.Before), After: sizeDocument(s.After), Story: string(s.Story.Text()), Digest: h.Digest.String(), Again: again,
	}
	if doc.Job != "" {
		doc.Was = s.Was
	}
	return doc
}
