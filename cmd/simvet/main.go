// Simvet is the determinism linter of ackgap. It reads the packages that its
// arguments name (./... by default), test files left out, and prints one line
// for each thing found: where, what, why it matters and the way out.
//
// Usage:
//
//	go run ./cmd/simvet [-rules determinism,chain,size,doc] [packages]
//
// The rules:
//
//	determinism  in the core, nothing that could make two runs of one seed differ
//	chain        a package imports only what stands to its left
//	size         functions of at most 70 lines, files of at most 400
//	doc          every package and every exported name says what it is
//
// What the core is, what may be imported and what is exempt is data: tables.go.
// The exit code is 0 when nothing is found, 1 when something is, and 2 when the
// arguments are wrong or the packages do not load.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// check is one rule: it reads one package and reports what it finds.
type check struct {
	name string
	run  func(*report, *pkg)
}

var checks = []check{
	{"determinism", checkDeterminism},
	{"chain", checkChain},
	{"size", checkSize},
	{"doc", checkDoc},
}

const (
	exitClean = 0
	exitFound = 1
	exitUsage = 2
)

func main() {
	os.Exit(run(".", os.Args[1:], os.Stdout, os.Stderr))
}

// run is main with its surroundings as arguments: dir is where package patterns
// and printed file names start from.
func run(dir string, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("simvet", flag.ContinueOnError)
	flags.SetOutput(stderr)
	rules := flags.String("rules", ruleNames(), "which rules to check, separated by commas")
	if err := flags.Parse(args); err != nil {
		return exitUsage
	}
	found, err := inspect(dir, *rules, flags.Args())
	if err != nil {
		fmt.Fprintln(stderr, "simvet:", err)
		return exitUsage
	}
	for _, f := range found {
		fmt.Fprintln(stdout, f)
	}
	if len(found) > 0 {
		fmt.Fprintf(stderr, "simvet: %d found\n", len(found))
		return exitFound
	}
	return exitClean
}

// inspect loads the packages and returns what the named rules find in them,
// sorted by place.
func inspect(dir, rules string, patterns []string) ([]finding, error) {
	chosen, err := chooseChecks(rules)
	if err != nil {
		return nil, err
	}
	pkgs, err := load(dir, patterns)
	if err != nil {
		return nil, err
	}
	r := &report{}
	for _, p := range pkgs {
		for _, c := range chosen {
			c.run(r, p)
		}
	}
	return r.sorted(), nil
}

func chooseChecks(rules string) ([]check, error) {
	var chosen []check
	for name := range strings.SplitSeq(rules, ",") {
		i := slices.IndexFunc(checks, func(c check) bool { return c.name == name })
		if i < 0 {
			return nil, fmt.Errorf("-rules: no rule %q; there are %s", name, ruleNames())
		}
		chosen = append(chosen, checks[i])
	}
	return chosen, nil
}

func ruleNames() string {
	var names []string
	for _, c := range checks {
		names = append(names, c.name)
	}
	return strings.Join(names, ",")
}
