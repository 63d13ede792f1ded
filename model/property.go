package model

// Claim is what a property says about a run.
type Claim uint8

// The three claims.
const (
	Always     Claim = iota // nothing bad happened, ever
	Eventually              // something good has happened by the end
	Sometimes               // in some run it happens at all (reach)
)

// Value is the answer of a judge about one property: three values, so that what
// was not seen is never called held.
type Value uint8

// The three values.
const (
	Held Value = iota
	Broken
	Unknown
)

var valueNames = []string{"held", "broken", "unknown"}

// String returns the value as stories write it.
func (v Value) String() string { return nameOf(valueNames, int(v)) }

// Verdict is a judge's answer about one property.
type Verdict struct {
	Property    string
	Value       Value
	Evaluations int     // how often an event of its column occurred
	Witness     Witness // why it is broken or unknown
}

// Witness is the evidence of a verdict: the events that contradict the property,
// in order, and the sentence that follows from them.
type Witness struct {
	Events []Event // copies, so that it outlives a run whose history was not kept
	Job    Job
	Says   string // "both changed the outside ledger under J1; the property allows one"
}
