package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// mutant is one operator that is another one.
type mutant struct {
	file     string // path inside the repository
	function string // in which it stands; "" for none
	pos      token.Position
	was, is  token.Token
	text     string // of the expression or statement
	nth      int    // among those that read alike in one function, from 1
	alone    bool   // it takes a build of its own
	broken   bool   // it cannot be built, as the difference of two strings
}

// others are the tokens that each becomes.
var others = map[token.Token][]token.Token{
	token.LSS: {token.LEQ, token.GEQ}, token.LEQ: {token.LSS, token.GTR},
	token.GTR: {token.GEQ, token.LEQ}, token.GEQ: {token.GTR, token.LSS},
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL},
	token.ADD: {token.SUB}, token.SUB: {token.ADD},
	token.MUL: {token.QUO}, token.QUO: {token.MUL}, token.REM: {token.MUL},
	token.INC: {token.DEC}, token.DEC: {token.INC},
}

// String names the mutant as the list does. No line is in it, so that it stays when the
// code above it moves.
func (m *mutant) String() string {
	text := fmt.Sprintf("%s %s: `%s`, %s as %s", m.file, m.function, m.text, m.was, m.is)
	if m.nth > 1 {
		text += fmt.Sprintf(" (%d)", m.nth)
	}
	return strings.ReplaceAll(text, "|", "\\|")
}

// source is one file of a package.
type source struct {
	path string // inside the repository
	text []byte
	tree *ast.File
}

// pointsOf lists the mutants of a package in the order of their files.
func pointsOf(p *pack) (list []*mutant) {
	alike := map[string]int{}
	for _, s := range p.sources {
		function := ""
		ast.Inspect(s.tree, func(n ast.Node) bool {
			if d, ok := n.(ast.Decl); ok && slices.Contains(s.tree.Decls, d) {
				function = nameOf(d)
			}
			node, at, was := operatorOf(n)
			for _, is := range others[was] {
				m := &mutant{file: s.path, function: function, pos: p.files.Position(at), was: was, is: is, text: p.textOf(s, node)}
				m.alone, m.broken = p.isAlone(node), p.isText(node)
				alike[m.String()]++
				m.nth = alike[m.String()]
				list = append(list, m)
			}
			return true
		})
	}
	return list
}

// operatorOf returns the operator of n, or ILLEGAL.
func operatorOf(n ast.Node) (node ast.Node, at token.Pos, was token.Token) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		return n, n.OpPos, n.Op
	case *ast.IncDecStmt:
		return n, n.TokPos, n.Tok
	case *ast.UnaryExpr:
		if n.Op == token.SUB {
			return n, n.OpPos, n.Op
		}
	}
	return nil, token.NoPos, token.ILLEGAL
}

// nameOf names a declaration as the list does: Type.Method, a function, or nothing.
func nameOf(d ast.Decl) string {
	f, ok := d.(*ast.FuncDecl)
	if !ok {
		return "declarations"
	}
	if f.Recv == nil {
		return f.Name.Name
	}
	return strings.TrimPrefix(types.ExprString(f.Recv.List[0].Type), "*") + "." + f.Name.Name
}

// textOf is what the list shows of a node: its source on one line.
func (p *pack) textOf(s *source, n ast.Node) string {
	text := string(s.text[p.offset(n.Pos()):p.offset(n.End())])
	return strings.Join(strings.Fields(text), " ")
}

func (p *pack) offset(at token.Pos) int { return p.files.Position(at).Offset }

// isAlone reports whether no function can stand for the operator: what the compiler
// computes, what steps an entry of a map, and a shift of a number whose type is that of
// what stands around it.
func (p *pack) isAlone(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.IncDecStmt:
		at, ok := n.X.(*ast.IndexExpr)
		if !ok {
			return false
		}
		_, ok = p.info.TypeOf(at.X).Underlying().(*types.Map)
		return ok
	case *ast.BinaryExpr:
		return p.isConstant(n) || p.shifts(n.X) || p.shifts(n.Y)
	case *ast.UnaryExpr:
		return p.isConstant(n)
	}
	return false
}

func (p *pack) isConstant(e ast.Expr) bool { return p.info.Types[e].Value != nil }

func (p *pack) shifts(e ast.Expr) bool {
	b, ok := ast.Unparen(e).(*ast.BinaryExpr)
	return ok && (b.Op == token.SHL || b.Op == token.SHR) && p.isConstant(b.X)
}

// isText reports whether + joins strings, which nothing else does.
func (p *pack) isText(n ast.Node) bool {
	b, ok := n.(*ast.BinaryExpr)
	if !ok || b.Op != token.ADD {
		return false
	}
	basic, ok := p.info.TypeOf(b).Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsString != 0
}

// edit is a piece of text in the place of another one.
type edit struct {
	at, end int
	text    string
}

// edits returns what wakes the mutants of one operator, from number on, when the program
// is told so. Each operand is computed once, whichever is awake.
func (p *pack) edits(n ast.Node, number int) (opening, closing []edit) {
	switch n := n.(type) {
	case *ast.IncDecStmt:
		sign := map[token.Token]string{token.INC: "1", token.DEC: "-1"}[n.Tok]
		return []edit{{p.offset(n.Pos()), p.offset(n.Pos()), fmt.Sprintf("mutantStep(%d, %s, &", number, sign)}},
			[]edit{{p.offset(n.TokPos), p.offset(n.End()), ")"}}
	case *ast.UnaryExpr:
		return []edit{{p.offset(n.OpPos), p.offset(n.OpPos) + 1, fmt.Sprintf("mutantMinus(%d, ", number)}},
			[]edit{{p.offset(n.End()), p.offset(n.End()), ")"}}
	case *ast.BinaryExpr:
		return p.binaryEdits(n, number)
	}
	return nil, nil
}

var functions = map[token.Token]string{
	token.LSS: "mutantLess", token.LEQ: "mutantAtMost", token.GTR: "mutantGreater", token.GEQ: "mutantAtLeast",
	token.ADD: "mutantAdd", token.SUB: "mutantSub", token.MUL: "mutantMul", token.QUO: "mutantQuo", token.REM: "mutantRem",
}

func (p *pack) binaryEdits(n *ast.BinaryExpr, number int) (opening, closing []edit) {
	begin, op, end := p.offset(n.Pos()), p.offset(n.OpPos), p.offset(n.End())
	if n.Op == token.EQL || n.Op == token.NEQ {
		return []edit{{begin, begin, "(("}}, []edit{{end, end, fmt.Sprintf(") != mutantAwake(%d))", number)}}
	}
	return []edit{{begin, begin, fmt.Sprintf("%s(%d, ", functions[n.Op], number)}, {op, op + len(n.Op.String()), ","}},
		[]edit{{end, end, ")"}}
}

// apply makes the edits. Of those at one place what closes comes first, the inner one
// before the outer one, and what opens then, the outer one first: the order in which
// they were gathered.
func apply(text []byte, edits []edit) []byte {
	slices.SortStableFunc(edits, func(a, b edit) int { return a.at - b.at })
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(out, text[at:e.at]...)
		out, at = append(out, e.text...), e.end
	}
	return append(out, text[at:]...)
}
