package model

// Claim is what a property says about a run.
type Claim uint8

// The three claims.
const (
	Always     Claim = iota // nothing bad happened, ever
	Eventually              // something good has happened by the end
	Sometimes               // in some run it happens at all (reach)
)

var claimNames = []string{"always", "eventually", "sometimes"}

// String returns the word that explanations print.
func (c Claim) String() string { return nameOf(claimNames, int(c)) }

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
	Witness     Witness // why it is broken or unknown; of a reach property, what was seen
}

// Witness is the evidence of a verdict: the events that contradict the property,
// in order, and the sentence that follows from them.
type Witness struct {
	Events []Event // copies, so that it outlives a run whose history was not kept
	Job    Job     // the job that suffers; NoJob if there is no single one
	Says   string  // "e1 and e2 changed the outside ledger under one job; ...": eK is Events[K-1]
}

// Property is one claim about a history, with the words that explain it and the
// check that judges it. Properties and Reach list all there are.
type Property struct {
	Name  string
	Claim Claim
	// Optional marks a property that is judged only where the queue declares
	// that it keeps it. All the others are default properties.
	Optional bool

	Column string // at which events it is checked, in words
	Doc    string // when it is broken; of a reach property, when it is seen
	Source string // where the idea comes from
	Holds  string // a history in which it holds, in words
	Breaks string // a history in which it does not

	kinds []Kind           // its column: events of these kinds
	ops   func(op Op) bool // and of these verbs; nil is all
	// readsSets marks what cannot be judged of a queue that is no Toucher.
	readsSets bool

	before check // sees the world as the event found it
	after  check // sees the world as the event left it
	end    check // at the end of the run
}

// check looks at one moment and finds one of the findings.
type check func(l *Ledger, m *moment) finding

// finding is what a check found. The larger one counts where several jobs are
// looked at.
type finding uint8

const (
	beside finding = iota // the event is none of the property's column
	fine                  // evaluated, and nothing to report
	unsure                // evaluated, and not enough was seen to tell
	hit                   // what the property speaks of is there: a breach, or what reach looks for
)

// moment is what a check may look at besides the ledger, and where it leaves
// the evidence of a hit.
type moment struct {
	event   *Event
	touched []Touch
	facts   *Facts

	job      Job
	says     string
	evidence []*Event
}

// found leaves the evidence and returns f. The text speaks of the evidence as
// e1, e2 and so on, for it knows no names.
func (m *moment) found(f finding, job Job, says string, evidence ...*Event) finding {
	m.job, m.says = job, says
	m.evidence = append(m.evidence[:0], evidence...)
	return f
}

// breach is found for what most checks look for, if it is there.
func (m *moment) breach(there bool, job Job, says string, evidence ...*Event) finding {
	if !there {
		return fine
	}
	return m.found(hit, job, says, evidence...)
}

// witness copies the evidence.
func (m *moment) witness() Witness {
	w := Witness{Job: m.job, Says: m.says}
	for _, e := range m.evidence {
		w.Events = append(w.Events, *e)
	}
	return w
}

// Properties returns the properties of a leased job queue and its consumers, in
// the order in which they are explained and reported.
func Properties() []*Property { return append([]*Property(nil), properties...) }

// Reach returns what a run may show rather than keep: claims of the form "in
// some run it happens at all". Their verdict is held when it was seen, unknown
// when it was not, and never broken.
func Reach() []*Property { return append([]*Property(nil), reach...) }

// FindProperty returns the property or the reach claim called name.
func FindProperty(name string) (*Property, bool) {
	for _, list := range [...][]*Property{properties, reach} {
		for _, p := range list {
			if p.Name == name {
				return p, true
			}
		}
	}
	return nil, false
}

// covers reports whether an event of this kind and verb may be in the column.
func (p *Property) covers(k Kind, op Op) bool {
	for _, mine := range p.kinds {
		if mine == k {
			return p.ops == nil || p.ops(op)
		}
	}
	return false
}

// The columns of verbs.

func isClaim(op Op) bool     { return op == OpClaim }
func isRetry(op Op) bool     { return op == OpRetry }
func isPump(op Op) bool      { return op == OpReap || op == OpSweep }
func leases(op Op) bool      { return op == OpClaim || op == OpExtend }
func speaksToken(op Op) bool { return op.Settles() || op == OpExtend }
