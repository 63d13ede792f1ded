// Command contest does one piece of work and tells what it took, as lines of a
// word and a value: one contestant in one process, so that the tool around it can
// pin each to a core and run them in turn.
//
//	contest hold NAME PENDING EVENTS
//
// Times are processor time of the process in nanoseconds, garbage collection
// included.
package main

import (
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "contest:", err)
		os.Exit(2)
	}
}

func run(args []string) error {
	if len(args) < 2 {
		return fmt.Errorf("what to do is missing: hold, and a name")
	}
	numbers, err := numbersOf(args[2:])
	if err != nil {
		return err
	}
	if args[0] == "hold" && len(numbers) == 2 {
		return runHold(args[1], numbers[0], numbers[1])
	}
	return fmt.Errorf("%q is none of: hold NAME PENDING EVENTS", args)
}

func numbersOf(words []string) (numbers []int, err error) {
	for _, w := range words {
		n, err := strconv.Atoi(w)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%q is not a number above 0", w)
		}
		numbers = append(numbers, n)
	}
	return numbers, nil
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
