package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// pack is a package whose code is mutated.
type pack struct {
	root    string // of the repository
	path    string // inside it
	files   *token.FileSet
	sources []*source
	info    *types.Info
	dir     string // where what is built goes
}

// load parses and checks the package at path below root.
func load(root, path, dir string) (*pack, error) {
	p := &pack{root: root, path: path, files: token.NewFileSet(), dir: dir}
	found, err := build.ImportDir(filepath.Join(root, path), 0)
	if err != nil {
		return nil, err
	}
	var trees []*ast.File
	for _, name := range found.GoFiles {
		s := &source{path: path + "/" + name}
		if s.text, err = os.ReadFile(filepath.Join(root, s.path)); err != nil {
			return nil, err
		}
		if s.tree, err = parser.ParseFile(p.files, s.path, s.text, parser.SkipObjectResolution); err != nil {
			return nil, err
		}
		p.sources, trees = append(p.sources, s), append(trees, s.tree)
	}
	p.info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	c := types.Config{Importer: importer.ForCompiler(p.files, "source", nil)}
	_, err = c.Check(path, p.files, trees, p.info)
	return p, err
}

// awakeVariable says which mutant is awake: its number, from 1.
const awakeVariable = "ACKGAP_MUTANT"

// helpers stand beside the mutated code.
const helpers = `package %s

import (
	"cmp"
	"os"
	"strconv"
)

var mutantNumber, _ = strconv.Atoi(os.Getenv("` + awakeVariable + `"))

func mutantAwake(n int) bool { return n == mutantNumber }

type mutantInteger interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr | ~float64
}

func mutantOf[T any](n int, was, is, other bool) bool {
	switch mutantNumber {
	case n:
		return is
	case n + 1:
		return other
	}
	return was
}

func mutantLess[T cmp.Ordered](n int, a, b T) bool    { return mutantOf[T](n, a < b, a <= b, a >= b) }
func mutantAtMost[T cmp.Ordered](n int, a, b T) bool  { return mutantOf[T](n, a <= b, a < b, a > b) }
func mutantGreater[T cmp.Ordered](n int, a, b T) bool { return mutantOf[T](n, a > b, a >= b, a <= b) }
func mutantAtLeast[T cmp.Ordered](n int, a, b T) bool { return mutantOf[T](n, a >= b, a > b, a < b) }

func mutantAdd[T mutantInteger](n int, a, b T) T {
	if mutantAwake(n) {
		return a - b
	}
	return a + b
}

func mutantSub[T mutantInteger](n int, a, b T) T {
	if mutantAwake(n) {
		return a + b
	}
	return a - b
}

func mutantMul[T mutantInteger](n int, a, b T) T {
	if mutantAwake(n) {
		return a / b
	}
	return a * b
}

func mutantQuo[T mutantInteger](n int, a, b T) T {
	if mutantAwake(n) {
		return a * b
	}
	return a / b
}

func mutantRem[T interface{ ~int | ~int32 | ~int64 | ~uint | ~uint32 | ~uint64 }](n int, a, b T) T {
	if mutantAwake(n) {
		return a * b
	}
	return a %% b
}

func mutantMinus[T mutantInteger](n int, a T) T {
	if mutantAwake(n) {
		return +a
	}
	return -a
}

func mutantStep[T mutantInteger](n, by int, a *T) {
	if (by > 0) != mutantAwake(n) {
		*a++
	} else {
		*a--
	}
}
`

// buildAll builds the tests of p with all mutants in them, asleep. The number
// of a mutant is its place in the list, from 1.
func (p *pack) buildAll(list []*mutant) (binary string, err error) {
	replaced := map[string][]byte{filepath.Join(p.path, "zz_mutants.go"): fmt.Appendf(nil, helpers, p.sources[0].tree.Name.Name)}
	number := 1
	for _, s := range p.sources {
		replaced[s.path], number = p.mutated(s, list, number)
	}
	return p.test("all", replaced)
}

// mutated returns the text of a file with its mutants in it, which are those from number
// on, and the number of the next file's first one.
func (p *pack) mutated(s *source, list []*mutant, number int) (text []byte, next int) {
	var stack, closed [][]edit
	var opened []edit
	ast.Inspect(s.tree, func(n ast.Node) bool {
		if n == nil {
			closed, stack = append(closed, stack[len(stack)-1]), stack[:len(stack)-1]
			return true
		}
		var closing []edit
		if node, _, was := operatorOf(n); len(others[was]) > 0 {
			if m := list[number-1]; !m.alone && !m.broken {
				var opening []edit
				opening, closing = p.edits(node, number)
				opened = append(opened, opening...)
			}
			number += len(others[was])
		}
		stack = append(stack, closing)
		return true
	})
	return apply(s.text, append(slices.Concat(closed...), opened...)), number
}

// buildOne builds the tests of p with one mutant, awake.
func (p *pack) buildOne(m *mutant) (binary string, err error) {
	for _, s := range p.sources {
		if s.path == m.file {
			text := apply(s.text, []edit{{m.pos.Offset, m.pos.Offset + len(m.was.String()), m.is.String()}})
			return p.test("one", map[string][]byte{s.path: text})
		}
	}
	return "", fmt.Errorf("there is no %s", m.file)
}

// test builds the tests of p with some files replaced.
func (p *pack) test(name string, replaced map[string][]byte) (binary string, err error) {
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	for path, text := range replaced {
		file := filepath.Join(p.dir, name+"-"+filepath.Base(path))
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return "", err
		}
		overlay.Replace[filepath.Join(p.root, path)] = file
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		return "", err
	}
	file := filepath.Join(p.dir, name+".json")
	if err := os.WriteFile(file, text, 0o644); err != nil {
		return "", err
	}
	binary = filepath.Join(p.dir, name+".test")
	c := exec.Command("go", "test", "-c", "-vet=off", "-overlay", file, "-o", binary, "./"+p.path)
	c.Dir = p.root
	if out, err := c.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s cannot be built: %w\n%s", p.path, err, out)
	}
	return binary, nil
}
