package main

import (
	"go/ast"
	"go/token"
)

// checkDoc reports packages and exported names without a comment. Methods of
// unexported types and fields of structs may go without; in a group of
// constants, variables or aliases the comment of the group is enough.
func checkDoc(r *report, p *pkg) {
	if !hasPackageComment(p) {
		r.add(p, p.allFiles()[0].Package, "doc", "package "+p.allFiles()[0].Name.Name+" has no comment")
	}
	for _, f := range p.allFiles() {
		for _, decl := range f.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				docFunc(r, p, d)
			case *ast.GenDecl:
				docGroup(r, p, d)
			}
		}
	}
}

func hasPackageComment(p *pkg) bool {
	for _, f := range p.allFiles() {
		if f.Doc != nil {
			return true
		}
	}
	return false
}

func docFunc(r *report, p *pkg, d *ast.FuncDecl) {
	if d.Doc == nil && d.Name.IsExported() && ast.IsExported(receiver(d)) {
		r.add(p, d.Name.Pos(), "doc", d.Name.Name+" has no comment")
	}
}

// receiver returns the name of the type that d is a method of, and d's own name
// if it is none.
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	name := ""
	ast.Inspect(d.Recv.List[0].Type, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && name == "" { // the first: Tree in *Tree[K]
			name = id.Name
		}
		return name == ""
	})
	return name
}

func docGroup(r *report, p *pkg, d *ast.GenDecl) {
	if d.Doc != nil && d.Tok != token.TYPE {
		return
	}
	for _, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			ofGroup := d.Doc != nil && (len(d.Specs) == 1 || s.Assign.IsValid())
			documented := ofGroup || s.Doc != nil || s.Comment != nil
			docNames(r, p, documented, s.Name)
		case *ast.ValueSpec:
			docNames(r, p, s.Doc != nil || s.Comment != nil, s.Names...)
		}
	}
}

func docNames(r *report, p *pkg, documented bool, names ...*ast.Ident) {
	for _, name := range names {
		if name.IsExported() && !documented {
			r.add(p, name.Pos(), "doc", name.Name+" has no comment")
		}
	}
}
