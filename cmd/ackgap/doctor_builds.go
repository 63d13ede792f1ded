package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// build is ackgap compiled for another machine, or in another way.
type build struct {
	name   string
	env    []string // of the compiler
	flags  []string
	runner func() (words []string, missing string) // what the program is started by
}

var builds = []build{
	{name: "the race detector", env: []string{"CGO_ENABLED=1"}, flags: []string{"-race"}, runner: direct},
	{name: "386", env: []string{"GOARCH=386"}, runner: on386},
	{name: "js/wasm under Node", env: []string{"GOOS=js", "GOARCH=wasm"}, runner: underNode(jsRunner)},
	{name: "wasip1/wasm under Node", env: []string{"GOOS=wasip1", "GOARCH=wasm"}, runner: underNode(wasiRunner)},
}

// otherBuilds compiles each build into a folder that tidy removes.
func otherBuilds(ctx context.Context) (all []subject, tidy func(), err error) {
	folder, err := os.MkdirTemp("", "ackgap-doctor-")
	if err != nil {
		return nil, func() {}, err
	}
	for i, b := range builds {
		all = append(all, b.compile(ctx, filepath.Join(folder, "ackgap"+string(rune('0'+i)))))
	}
	return all, func() { _ = os.RemoveAll(folder) }, nil
}

// compile makes the program at path. What the compiler says is a reason why the
// build is missing.
func (b *build) compile(ctx context.Context, path string) subject {
	words, missing := b.runner()
	if missing != "" {
		return subject{name: b.name, missing: missing}
	}
	args := append([]string{"build", "-o", path}, b.flags...)
	c := exec.CommandContext(ctx, "go", append(args, "github.com/ackgap/ackgap/cmd/ackgap")...)
	c.Env = append(os.Environ(), b.env...)
	if said, err := c.CombinedOutput(); err != nil {
		lines := strings.Split(strings.TrimSpace(string(said)), "\n")
		return subject{name: b.name, missing: "go build: " + strings.TrimSpace(lines[0]+" ("+err.Error()+")")}
	}
	return program(b.name, barely(), append(words, path)...)
}

// barely is an environment of a few bytes: Go's programs for WASM take no more
// than some kilobytes of it. They find the working folder by PWD.
func barely() []string {
	folder, _ := os.Getwd()
	return []string{"PATH=" + os.Getenv("PATH"), "PWD=" + folder}
}

func direct() (words []string, missing string) { return nil, "" }

func on386() (words []string, missing string) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" && runtime.GOARCH != "386" {
		return nil, "this machine does not run programs for linux/386"
	}
	return nil, ""
}

// underNode is runner where there is Node.
func underNode(runner func() []string) func() ([]string, string) {
	return func() ([]string, string) {
		if _, err := exec.LookPath("node"); err != nil {
			return nil, "there is no Node (https://nodejs.org, or `apt-get install nodejs`)"
		}
		return runner(), ""
	}
}

// jsRunner is the program that Go brings for this.
func jsRunner() []string {
	root, _ := exec.Command("go", "env", "GOROOT").Output()
	return []string{filepath.Join(strings.TrimSpace(string(root)), "lib/wasm/go_js_wasm_exec")}
}

// wasiRunner gives a program all files, its arguments and the environment. What it
// writes goes through a file: Node's pipes answer "try again", which a program for
// WASI cannot wait for.
func wasiRunner() []string { return []string{"node", "--no-warnings", "-e", wasi} }

const wasi = `
const { WASI } = require('node:wasi'), fs = require('node:fs');
const args = process.argv.slice(1), told = args[0] + '.out', stdout = fs.openSync(told, 'w');
const wasi = new WASI({ version: 'preview1', args, env: process.env, preopens: { '/': '/' }, stdout, returnOnExit: true });
WebAssembly.compile(fs.readFileSync(args[0]))
	.then(m => WebAssembly.instantiate(m, wasi.getImportObject()))
	.then(i => {
		process.exitCode = wasi.start(i);
		process.stdout.write(fs.readFileSync(told));
	});
`
