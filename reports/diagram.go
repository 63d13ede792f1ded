package reports

// AppendDiagram appends the space-time diagram of r alone, after an empty line:
// for a text that says the rest itself.
func AppendDiagram(b []byte, r *Run, s Style) []byte {
	p := &page{b: b, style: s}
	p.diagram(r)
	return p.b
}
