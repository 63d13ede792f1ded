package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

// section is one part of RESULTS.md.
type section struct {
	name  string // of -only, and of the marks around it in RESULTS.md
	title string
	says  string // what is compared
	run   func(*bench) (*result, error)
}

var sections = []section{kernel, worlds, redis, property, logs, grow, exhaustive, larger, symmetry}

// result is what a section found.
type result struct {
	versions []string // of what took part
	tables   []table
	bars     []bar
	notes    []string
}

const resultsFile = "RESULTS.md"

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	b := bench{}
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.BoolVar(&b.quick, "quick", false, "measure less of the same, print it and leave "+resultsFile+" alone")
	flags.IntVar(&b.rounds, "rounds", 3, "how often each contestant runs")
	flags.IntVar(&b.core, "core", 0, "the core that everything runs on")
	only := flags.String("only", "", "sections, separated by commas: "+strings.Join(names(), ", "))
	if err := flags.Parse(args); err != nil {
		return err
	}
	chosen, err := choose(*only)
	if err != nil {
		return err
	}
	if b.quick {
		b.rounds = 1
	}
	if err := b.build(); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	for _, s := range chosen {
		one := b // a copy: a section may have rounds of its own
		if err := one.section(s); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}

func names() (list []string) {
	for _, s := range sections {
		list = append(list, s.name)
	}
	return list
}

// choose returns the sections that -only names, all if it names none.
func choose(only string) ([]section, error) {
	if only == "" {
		return sections, nil
	}
	var chosen []section
	for name := range strings.SplitSeq(only, ",") {
		i := slices.IndexFunc(sections, func(s section) bool { return s.name == name })
		if i < 0 {
			return nil, fmt.Errorf("-only: there is no section %q; there are: %s", name, strings.Join(names(), ", "))
		}
		chosen = append(chosen, sections[i])
	}
	return chosen, nil
}

// section runs s, prints it, and puts it into the file.
func (b *bench) section(s section) error {
	began := time.Now()
	fmt.Fprintf(os.Stderr, "bench: %s\n", s.name)
	r, err := s.run(b)
	if err != nil {
		return err
	}
	text := b.text(s, r, time.Since(began))
	fmt.Println(text)
	if b.quick {
		return nil
	}
	old, err := os.ReadFile(resultsFile)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return os.WriteFile(resultsFile, []byte(replaced(string(old), s.name, text)), 0o644)
}
