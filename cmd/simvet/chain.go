package main

import (
	"go/ast"
	"slices"
	"strconv"
	"strings"
)

// checkChain reports imports that run against the chain of rooms, modules of
// others where none are allowed, and packages without a room.
func checkChain(r *report, p *pkg) {
	here := roomOf(p.rel)
	if here == nil {
		r.add(p, p.allFiles()[0].Package, "room", "package "+quoteRoot(p.rel)+" stands in no room")
		return
	}
	for _, f := range p.allFiles() {
		for _, spec := range f.Imports {
			if what := badImport(p.module, here, spec); what != "" {
				r.add(p, spec.Pos(), "chain", what)
			}
		}
	}
}

// badImport says what is wrong with an import from room here, or "".
func badImport(module string, here *room, spec *ast.ImportSpec) string {
	path, _ := strconv.Unquote(spec.Path.Value)
	switch {
	case under(path, module):
		rel := strings.TrimPrefix(strings.TrimPrefix(path, module), "/")
		there := roomOf(rel)
		if there == here || there != nil && slices.Contains(here.may, there.path) {
			return ""
		}
		return here.path + " may not import " + quoteRoot(rel)
	case !isStandard(path) && !here.thirdParty:
		return here.path + " may not import a module of others, " + path
	}
	return ""
}

func quoteRoot(rel string) string {
	if rel == "" {
		return "at the root"
	}
	return rel
}
