// Command contest does one piece of work and tells what it took, as lines of a
// word and a value: one contestant in one process, so that the tool around it can
// pin each to a core and run them in turn.
//
//	contest hold NAME PENDING EVENTS
//	contest world NAME JOBS
//	contest grow NAME SIZE
//	contest worlds STORY WORLDS
//	contest cores STORY WORLDS CORES
//	contest arithmetic - WORLDS CORES
//	contest find STORY FAILURES
//	contest shrink STORY FAILURES
//	contest explore STORY FAULTS
//	contest symmetry plain|symmetry WORKERS FAULTS
//
// Times are processor time of the process in nanoseconds, garbage collection
// included, but for cores and arithmetic.
package main

import (
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"
)

// work is what can be done, with how many numbers it takes.
var work = map[string]struct {
	numbers int
	run     func(name string, numbers []int) error
}{
	"hold":       {2, runHold},
	"world":      {1, runWorld},
	"grow":       {1, runGrow},
	"worlds":     {1, runWorlds},
	"cores":      {2, runCores},
	"arithmetic": {2, runArithmetic},
	"find":       {1, runFind},
	"shrink":     {1, runShrink},
	"explore":    {1, runExplore},
	"symmetry":   {2, runSymmetry},
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "contest:", err)
		os.Exit(2)
	}
}

func run(args []string) error {
	if len(args) < 2 {
		return fmt.Errorf("what to do is missing, or its name: see the package comment")
	}
	do, ok := work[args[0]]
	if !ok || len(args) != 2+do.numbers {
		return fmt.Errorf("%q is nothing that can be done: see the package comment", args)
	}
	var numbers []int
	for _, word := range args[2:] {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 {
			return fmt.Errorf("%q is not a number above 0", word)
		}
		numbers = append(numbers, n)
	}
	return do.run(args[1], numbers)
}

// clock returns the processor time that this process has used.
func clock() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// unknown is the error of a name that is none of those that can be run.
func unknown(name string, known ...string) error {
	return fmt.Errorf("there is no %q here, but %q", name, known)
}
