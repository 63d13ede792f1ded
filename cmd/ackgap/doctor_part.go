package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/ackgap/ackgap/scenarios"
)

// tries is how often a run is repeated on both sides to see where they part: what
// is decided by a throw of dice may come out the same some times in a row.
const tries = 64

// firstOther returns the run, as `ackgap run` takes it, of the first line in
// which two lists of digests differ, or "". Where one list ends it is that of the
// other.
func firstOther(first, then []string) string {
	for i := range max(len(first), len(then)) {
		if i >= len(first) || i >= len(then) || first[i] != then[i] {
			_, behind, _ := strings.Cut(cmp.Or(lineOf(first, i), lineOf(then, i)), " ")
			_, run, _ := strings.Cut(behind, " ")
			return run
		}
	}
	return ""
}

func lineOf(lines []string, i int) string {
	if i >= len(lines) {
		return ""
	}
	return lines[i]
}

// partOf says where the histories of one run part on both sides, or what was judged of
// one history in two ways.
func partOf(ctx context.Context, reference, it subject, run string) string {
	told := "the first run that differs: ackgap run " + run + "\n"
	both := func(flag string) (a, b string, err error) {
		args := append([]string{"run", flag}, runArguments(run)...)
		a, errA := reference.run(ctx, args)
		b, errB := it.run(ctx, args)
		return a, b, errors.Join(errA, errB)
	}
	for range tries {
		a, b, err := both("--history")
		if err != nil {
			return told + fmt.Sprintf("its history cannot be shown: %v\n", err)
		}
		if at, inA, inB := partAt(a, b); at > 0 {
			return told + fmt.Sprintf("they part at record %d\n  %-24s %s\n  %-24s %s\n", at, reference.name, inA, it.name, inB)
		}
		if a, b, err = both("--judged"); err != nil {
			return told + fmt.Sprintf("what was judged of it cannot be shown: %v\n", err)
		}
		if about, inA, inB := scenarios.JudgedApart(strings.Split(a, "\n"), strings.Split(b, "\n")); about != "" {
			return told + fmt.Sprintf("their histories are the same, and the %s differs\n  %-24s %s\n  %-24s %s\n", about,
				reference.name, cmp.Or(inA, "(nothing is said of it)"), it.name, cmp.Or(inB, "(nothing is said of it)"))
		}
	}
	return told + fmt.Sprintf("alone, in %d tries, that run leaves the same history and is judged the same: what other runs leave behind decides\n", tries)
}

// runArguments splits what a line of digests names: a story, as shellWord writes
// it, and maybe a seed.
func runArguments(run string) []string {
	const flag = " --seed "
	name, seed := run, ""
	if i := strings.LastIndex(run, flag); i >= 0 {
		name, seed = run[:i], run[i+len(flag):]
	}
	if quoted, ok := strings.CutPrefix(name, "'"); ok {
		name = strings.ReplaceAll(strings.TrimSuffix(quoted, "'"), `'\''`, "'")
	}
	if seed == "" {
		return []string{name}
	}
	return []string{name, "--seed", seed}
}

// partAt returns the number of the first record in which two histories differ, 0
// if in none, and the record in both. The width of a column depends on all
// records, so spaces do not count.
func partAt(a, b string) (at int, inA, inB string) {
	const ended = "(nothing: the history has ended)"
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range max(len(as), len(bs)) {
		inA, inB = record(as, i), record(bs, i)
		if inA != inB {
			return i + 1, cmp.Or(inA, ended), cmp.Or(inB, ended)
		}
	}
	return 0, "", ""
}

func record(of []string, i int) string { return strings.Join(strings.Fields(lineOf(of, i)), " ") }
