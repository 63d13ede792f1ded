package main

import (
	"go/ast"
	"go/constant"
	"go/types"
	"regexp"
	"strings"
)

// fullName returns "time.Now", "(time.Time).Local" or, for what is built in,
// "println"; "" for fields, labels, local names and nil.
func fullName(obj types.Object) string {
	switch obj := obj.(type) {
	case *types.Func:
		return obj.FullName()
	case *types.Builtin:
		return obj.Name()
	case *types.Var:
		if obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope() {
			return obj.Pkg().Path() + "." + obj.Name()
		}
	}
	return ""
}

// calleeIdent returns the name that n calls, nil if it calls an expression.
func calleeIdent(n *ast.CallExpr) *ast.Ident {
	fun := ast.Unparen(n.Fun)
	switch f := fun.(type) {
	case *ast.IndexExpr: // maps.Keys[M] with its type written out
		fun = f.X
	case *ast.IndexListExpr:
		fun = f.X
	}
	switch f := fun.(type) {
	case *ast.Ident:
		return f
	case *ast.SelectorExpr:
		return f.Sel
	}
	return nil
}

// isStandard reports whether path is of the standard library: the first part
// of every other path has a dot.
func isStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

// isFormatter reports whether obj prints its arguments: any function of fmt.
func isFormatter(obj types.Object) bool {
	f, ok := obj.(*types.Func)
	return ok && f.Pkg() != nil && f.Pkg().Path() == "fmt"
}

// percentP is the verb %p with any flags, width and argument index.
var percentP = regexp.MustCompile(`%[-+# 0-9.*\[\]]*p`)

// asksForAddress reports whether v is a format with %p.
func asksForAddress(v constant.Value) bool {
	if v == nil || v.Kind() != constant.String {
		return false
	}
	return percentP.MatchString(strings.ReplaceAll(constant.StringVal(v), "%%", ""))
}

// hasForm reports whether t, or a type that a type parameter t may stand for,
// is an F underneath.
func hasForm[F types.Type](t types.Type) bool {
	if t == nil {
		return false
	}
	if p, ok := types.Unalias(t).(*types.TypeParam); ok {
		return constraintHasForm[F](p.Constraint())
	}
	_, ok := t.Underlying().(F)
	return ok
}

func constraintHasForm[F types.Type](constraint types.Type) bool {
	set, ok := constraint.Underlying().(*types.Interface)
	if !ok {
		return false
	}
	for t := range set.EmbeddedTypes() {
		if union, ok := t.(*types.Union); ok && unionHasForm[F](union) {
			return true
		}
		if types.IsInterface(t) && constraintHasForm[F](t) || hasForm[F](t) {
			return true
		}
	}
	return false
}

func unionHasForm[F types.Type](union *types.Union) bool {
	for term := range union.Terms() {
		if hasForm[F](term.Type()) {
			return true
		}
	}
	return false
}

// comparesAddress reports whether == on values of type t compares addresses.
func comparesAddress(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Chan:
		return true
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Array:
		return comparesAddress(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if comparesAddress(f.Type()) {
				return true
			}
		}
	}
	return false
}

// depthLimit ends the walk through types that hold themselves.
const depthLimit = 8

// printsAddress reports whether fmt prints a value of type t with an address in
// it. It prints what a pointer points to at the top (depth 0) and the address
// further down; open says that it can call methods, which it cannot on what
// lies below an unexported field.
func printsAddress(t types.Type, depth int, open bool) bool {
	if depth > depthLimit || open && printsItself(t) {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return depth > 0 || !isPrintedThrough(u.Elem()) || printsAddress(u.Elem(), 1, open)
	case *types.Chan, *types.Signature:
		return true
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Slice:
		return printsAddress(u.Elem(), depth+1, open)
	case *types.Array:
		return printsAddress(u.Elem(), depth+1, open)
	case *types.Map:
		return printsAddress(u.Key(), depth+1, open) || printsAddress(u.Elem(), depth+1, open)
	case *types.Struct:
		for f := range u.Fields() {
			if printsAddress(f.Type(), depth+1, open && f.Exported()) {
				return true
			}
		}
	}
	return false
}

// isPrintedThrough reports whether fmt prints &{...} for a pointer to t.
func isPrintedThrough(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Struct, *types.Slice, *types.Array, *types.Map:
		return true
	}
	return false
}

// printsItself reports whether t has one of the methods that fmt looks for.
func printsItself(t types.Type) bool {
	methods := types.NewMethodSet(t)
	for _, name := range []string{"String", "Error", "Format"} {
		if methods.Lookup(nil, name) != nil {
			return true
		}
	}
	return false
}
