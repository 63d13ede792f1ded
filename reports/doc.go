// Package reports turns the outcome of a run into bytes that a person or a
// machine reads. Every function is pure: the same Run gives the same bytes, in
// virtual times only, and nothing is read from a clock, a file or a terminal.
//
//	AppendText     the whole report: verdict, diagram, proof, properties
//	AppendSummary  one line, for a run of many stories
//	AppendSVG      the space-time diagram as a picture
//	AppendHTML     the report as one page, which needs no network and no script
//	AppendTrace, AppendMermaid, AppendShiViz, AppendOTLP  for the viewers that people have
//	AppendJUnit, AppendAnnotations, AppendJobSummary      for machines that collect tests
//	Forms          all forms by the name that --out takes
//	AppendHistory  what may stand after `----` in a story
//	AppendJSON     the stable surface for machines (schema/run.schema.json)
//	AppendExplain  what one property claims, and why
//	AppendExplanation, AppendExplanationJSON  what a failure needs, and what fixes it (schema/explain.schema.json)
//	AppendTolerance, AppendToleranceJSON      how many faults it takes (schema/tolerance.schema.json)
//
// The way of the text report is
//
//	history -> rows (rows.go) -> lanes (lanes.go) -> lines (lines.go) -> runes (draw.go) -> style (style.go)
//
// and the picture parts from it after the lines: svg.go draws them, palette.go has
// the colours.
//
// Names and payloads are untrusted. They pass through Safe wherever they are
// printed; JSON is plain ASCII for the same reason.
package reports
