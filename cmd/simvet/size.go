package main

import (
	"fmt"
	"go/ast"
)

// checkSize reports functions and files that are too long to be read at one
// glance. A function inside another is part of that one; its doc comment does
// not count.
func checkSize(r *report, p *pkg) {
	for _, f := range p.allFiles() {
		if n := p.fset.File(f.Package).LineCount(); n > maxFileLines {
			r.add(p, f.Package, "size", fmt.Sprintf("file of %d lines, %d are allowed", n, maxFileLines))
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch fn := n.(type) {
			case *ast.FuncDecl:
				return !tooLong(r, p, fn.Type, fn)
			case *ast.FuncLit:
				return !tooLong(r, p, fn, fn)
			}
			return true
		})
	}
}

// tooLong reports the function that starts with first and ends with last.
func tooLong(r *report, p *pkg, first, last ast.Node) bool {
	n := p.fset.Position(last.End()).Line - p.fset.Position(first.Pos()).Line + 1
	if n <= maxFuncLines {
		return false
	}
	r.add(p, first.Pos(), "size", fmt.Sprintf("function of %d lines, %d are allowed", n, maxFuncLines))
	return true
}
