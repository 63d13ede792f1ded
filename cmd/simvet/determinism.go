package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
)

// walker looks for hazards in one package of the core.
type walker struct {
	*report
	p *pkg
	// sorted holds the uses of maps.Keys and maps.Values whose order
	// slices.Sorted throws away.
	sorted map[*ast.Ident]bool
}

// checkDeterminism reports whatever in a core package could make two runs of
// one seed differ.
func checkDeterminism(r *report, p *pkg) {
	if !inCore(p.rel) {
		return
	}
	w := &walker{r, p, make(map[*ast.Ident]bool)}
	for _, f := range p.hidden {
		w.add(f.Package, "platform", "file behind a build constraint")
	}
	if p.assembly {
		w.add(p.allFiles()[0].Package, "platform", "package with assembly")
	}
	for _, f := range p.files {
		for _, spec := range f.Imports {
			w.imported(spec)
		}
		ast.Inspect(f, w.visit)
	}
}

// add reports what at pos, unless an exemption covers that kind there.
func (w *walker) add(pos token.Pos, kind, what string) {
	file := filepath.Base(w.p.fset.Position(pos).Filename)
	if !exempt(w.p.rel+"/"+file, kind) {
		w.report.add(w.p, pos, kind, what)
	}
}

// imported judges imports of the standard library; the others are the chain's.
func (w *walker) imported(spec *ast.ImportSpec) {
	path, _ := strconv.Unquote(spec.Path.Value)
	switch {
	case !isStandard(path) || slices.Contains(pureImports, path):
	case slices.Contains(randomImports, path):
		w.add(spec.Pos(), "random", "import of "+path)
	default:
		w.add(spec.Pos(), "import", "import of "+path)
	}
}

func (w *walker) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GoStmt:
		w.add(n.Pos(), "goroutine", "go statement")
	case *ast.SelectStmt:
		w.add(n.Pos(), "select", "select statement")
	case *ast.ChanType:
		w.add(n.Pos(), "channel", "channel type")
	case *ast.SendStmt:
		w.add(n.Arrow, "channel", "send on a channel")
	case *ast.UnaryExpr:
		w.unary(n)
	case *ast.RangeStmt:
		w.ranged(n)
	case *ast.MapType:
		w.mapType(n)
	case *ast.CallExpr:
		w.call(n)
	case *ast.Ident:
		w.ident(n)
	}
	if e, ok := n.(ast.Expr); ok {
		w.numeric(e)
	}
	return true
}

func (w *walker) unary(n *ast.UnaryExpr) {
	if n.Op == token.ARROW {
		w.add(n.Pos(), "channel", "receive from a channel")
	}
}

func (w *walker) ranged(n *ast.RangeStmt) {
	t := w.p.info.TypeOf(n.X)
	if hasForm[*types.Map](t) {
		w.add(n.Pos(), "map-order", "range over a map")
	}
	if hasForm[*types.Chan](t) {
		w.add(n.Pos(), "channel", "range over a channel")
	}
}

func (w *walker) mapType(n *ast.MapType) {
	if t := w.p.info.TypeOf(n.Key); t != nil && comparesAddress(t) {
		w.add(n.Pos(), "address", "map keyed by "+w.typeName(t))
	}
}

// numeric reports floats, complex numbers and uintptr: types, literals, values
// and what a conversion makes. A literal such as 1e9 is reported even where it
// becomes an integer: whoever reads it should not have to know.
func (w *walker) numeric(e ast.Expr) {
	if lit, ok := e.(*ast.BasicLit); ok && (lit.Kind == token.FLOAT || lit.Kind == token.IMAG) {
		w.add(e.Pos(), "float", lit.Value)
		return
	}
	t := w.p.info.TypeOf(e)
	if t == nil {
		return
	}
	basic, ok := t.Underlying().(*types.Basic)
	switch {
	case !ok:
	case basic.Info()&(types.IsFloat|types.IsComplex) != 0:
		w.add(e.Pos(), "float", basic.Name())
	case basic.Kind() == types.Uintptr:
		w.add(e.Pos(), "address", "uintptr")
	}
}

// ident reports the use of a name that is not pure, however it is reached: by
// an alias, a dot import or as a value.
func (w *walker) ident(id *ast.Ident) {
	name := w.name(id)
	if kind, ok := impure[name]; ok && !w.sorted[id] {
		w.add(id.Pos(), kind, name)
	}
}

func (w *walker) call(n *ast.CallExpr) {
	id := calleeIdent(n)
	switch {
	case w.name(id) == "slices.Sorted" && len(n.Args) == 1:
		w.sortedKeys(n.Args[0])
	case isFormatter(w.p.info.Uses[id]):
		w.formatted(n.Args)
	}
}

// sortedKeys allows maps.Keys and maps.Values in arg, the one argument of
// slices.Sorted: equal elements cannot be told apart, so no order is left.
func (w *walker) sortedKeys(arg ast.Expr) {
	inner, ok := ast.Unparen(arg).(*ast.CallExpr)
	if !ok {
		return
	}
	id := calleeIdent(inner)
	if name := w.name(id); name == "maps.Keys" || name == "maps.Values" {
		w.sorted[id] = true
	}
}

// formatted reports arguments that a formatter of fmt would print as addresses.
func (w *walker) formatted(args []ast.Expr) {
	for _, arg := range args {
		tv := w.p.info.Types[arg]
		if asksForAddress(tv.Value) {
			w.add(arg.Pos(), "address", "format with %p")
		} else if tv.Type != nil && printsAddress(tv.Type, 0, true) {
			w.add(arg.Pos(), "address", "printing "+w.typeName(tv.Type))
		}
	}
}

func (w *walker) name(id *ast.Ident) string { return fullName(w.p.info.Uses[id]) }

func (w *walker) typeName(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return p.Name() })
}
