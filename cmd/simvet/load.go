package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// pkg is one package of the module as the rules see it.
type pkg struct {
	rel    string // its path within the module: "sim/explore"; "" for the root
	module string // the path of the module
	fset   *token.FileSet
	files  []*ast.File // what is compiled here; not the tests
	// hidden are files that a build constraint excludes here. They are parsed,
	// not type-checked.
	hidden []*ast.File
	// assembly is true when the package has code that is not Go.
	assembly bool
	info     *types.Info // nil outside the core: nothing asks there
}

func (p *pkg) allFiles() []*ast.File { return slices.Concat(p.files, p.hidden) }

// listed is what `go list -json` says of a package, as far as it is used.
type listed struct {
	ImportPath, Dir, Export           string
	DepOnly                           bool
	GoFiles, CgoFiles, IgnoredGoFiles []string
	SFiles                            []string
	Module                            *struct{ Path string }
}

// load parses the packages that patterns name, as the go command in dir
// understands them, and type-checks those of the core. Dependencies are read
// from the export data that `go list -export` leaves in the build cache, so the
// standard library's importer is all that is needed.
func load(dir string, patterns []string) ([]*pkg, error) {
	all, err := goList(dir, patterns)
	if err != nil {
		return nil, err
	}
	l := newLoader(dir, all)
	var pkgs []*pkg
	for _, p := range all {
		if p.DepOnly {
			continue
		}
		loaded, err := l.load(p)
		if err != nil {
			return nil, err
		}
		pkgs = append(pkgs, loaded)
	}
	if len(pkgs) == 0 {
		return nil, fmt.Errorf("%q matches no packages", patterns)
	}
	return pkgs, nil
}

func goList(dir string, patterns []string) ([]listed, error) {
	args := []string{"list", "-deps", "-export",
		"-json=ImportPath,Dir,Export,DepOnly,GoFiles,CgoFiles,IgnoredGoFiles,SFiles,Module", "--"}
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	cmd := exec.Command("go", append(args, patterns...)...)
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &errs
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, errs.Bytes())
	}
	return decodeList(&out)
}

func decodeList(r io.Reader) ([]listed, error) {
	var all []listed
	for d := json.NewDecoder(r); ; {
		var p listed
		err := d.Decode(&p)
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		all = append(all, p)
	}
}

type loader struct {
	fset *token.FileSet
	base string // file names are printed relative to it
	deps types.Importer
}

func newLoader(dir string, all []listed) *loader {
	exports := make(map[string]string, len(all))
	for _, p := range all {
		exports[p.ImportPath] = p.Export
	}
	open := func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) }
	fset := token.NewFileSet()
	base, err := filepath.Abs(dir)
	if err != nil {
		base = dir
	}
	return &loader{fset, base, importer.ForCompiler(fset, "gc", open)}
}

func (l *loader) load(from listed) (*pkg, error) {
	if from.Module == nil {
		return nil, fmt.Errorf("%s is in no module; name packages of this one, such as ./sim", from.ImportPath)
	}
	p := &pkg{
		module:   from.Module.Path,
		rel:      strings.TrimPrefix(strings.TrimPrefix(from.ImportPath, from.Module.Path), "/"),
		fset:     l.fset,
		assembly: len(from.SFiles) > 0,
	}
	var err error
	if p.files, err = l.parse(from.Dir, slices.Concat(from.GoFiles, from.CgoFiles)); err != nil {
		return nil, err
	}
	if p.hidden, err = l.parse(from.Dir, from.IgnoredGoFiles); err != nil {
		return nil, err
	}
	if inCore(p.rel) {
		p.info, err = l.typeCheck(from.ImportPath, p.files)
	}
	return p, err
}

func (l *loader) parse(dir string, names []string) ([]*ast.File, error) {
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		path := filepath.Join(dir, name)
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if rel, err := filepath.Rel(l.base, path); err == nil {
			path = rel
		}
		f, err := parser.ParseFile(l.fset, path, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

func (l *loader) typeCheck(path string, files []*ast.File) (*types.Info, error) {
	info := &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue),
		Defs:  make(map[*ast.Ident]types.Object),
		Uses:  make(map[*ast.Ident]types.Object),
	}
	conf := types.Config{Importer: l.deps, FakeImportC: true}
	_, err := conf.Check(path, l.fset, files, info)
	return info, err
}
