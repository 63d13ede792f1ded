package main

import (
	"cmp"
	"fmt"
	"go/token"
	"slices"
)

// finding is one thing that a rule found.
type finding struct {
	at   token.Position
	kind string // a key of kinds
	what string
}

// String is the line that simvet prints.
func (f finding) String() string {
	k := kinds[f.kind]
	return fmt.Sprintf("%s: %s: %s: %s; %s", f.at, f.kind, f.what, k.why, k.wayOut)
}

// report collects findings.
type report struct{ found []finding }

// add reports what at pos. One line of code is reported once for each kind:
// `x * 1.5` has three floats and one cause.
func (r *report) add(p *pkg, pos token.Pos, kind, what string) {
	at := p.fset.Position(pos)
	for _, f := range r.found {
		if f.kind == kind && f.at.Filename == at.Filename && f.at.Line == at.Line {
			return
		}
	}
	r.found = append(r.found, finding{at, kind, what})
}

func (r *report) sorted() []finding {
	slices.SortFunc(r.found, func(a, b finding) int {
		return cmp.Or(
			cmp.Compare(a.at.Filename, b.at.Filename),
			cmp.Compare(a.at.Line, b.at.Line),
			cmp.Compare(a.at.Column, b.at.Column),
			cmp.Compare(a.kind, b.kind),
		)
	})
	return r.found
}
