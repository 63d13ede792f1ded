package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// doctorFlags are the flags of `ackgap doctor`.
type doctorFlags struct {
	seeds  int
	again  int
	builds bool
	json   bool
}

// maxAgain bounds --again, so that a slip of the finger ends some day.
const maxAgain = 10_000

func newDoctor(s *streams) *cobra.Command {
	var f doctorFlags
	c := &cobra.Command{
		Use:   "doctor [STORY|FILE|FOLDER|PATTERN...]",
		Short: "Show that a seed leaves the same bytes in every build",
		Long: `Doctor runs each story as it is written and its random worlds from seed 1 on,
every one twice, and then all of it again: in this process, in another one, on
one processor and on four. With --builds it compiles ackgap once more, from the
module that you stand in, and runs the build with the race detector, the one
for 386, and as WASM (js and wasip1, both under Node).

All must leave the histories that this process left first, record by record, and
judge them as it did: the verdicts with their witnesses, the expectations, the
end. Where one does not, doctor names the first run that differs, and the first
record in which its two histories part, or what was judged in two ways.

Go draws the order in which a map is gone through anew each time, so what leans
on it differs sooner or later: --again says how often all is repeated here.

Exit status: 0 all the same, 2 wrong use, 3 all the same but something could
not be run here, 4 a difference.`,
		Example: `  ackgap doctor
  ackgap doctor my/*.story --again 100
  ackgap doctor --builds --seeds 200`,
		RunE: func(c *cobra.Command, args []string) error { return s.doctor(c.Context(), &f, args) },
	}
	c.Flags().IntVar(&f.seeds, "seeds", 50, "`N` random worlds of each story")
	c.Flags().IntVar(&f.again, "again", 3, "repeat all of it `N` times in this process")
	c.Flags().BoolVar(&f.builds, "builds", false, "other builds too; takes Go, and Node for WASM")
	c.Flags().BoolVar(&f.json, "json", false, "one JSON document at the end instead of lines")
	return c
}

// doctor examines every subject and prints a line for each.
func (s *streams) doctor(ctx context.Context, f *doctorFlags, args []string) error {
	if err := checkSeeds("doctor", f.seeds); err != nil {
		return err
	}
	if f.again < 0 || f.again > maxAgain {
		return fmt.Errorf("doctor: --again %d; it must be from 0 to %d", f.again, maxAgain)
	}
	if slices.Contains(args, "-") {
		return errors.New("doctor: standard input can be read once, and doctor runs each story in many processes; name a file")
	}
	subjects, tidy, err := doctorSubjects(ctx, f)
	if err != nil {
		return err
	}
	defer tidy()
	e := newExamination(s.out, f.seeds, args)
	if f.json {
		e.out = io.Discard
	}
	err = e.all(ctx, subjects)
	if f.json && e.first != nil && ctx.Err() == nil {
		if _, err := s.out.Write(e.json()); err != nil {
			return err
		}
	}
	if e := new(ended); errors.As(err, &e) {
		fmt.Fprintf(s.errs, "ackgap: %s\n", e.said)
		return e.status
	}
	return err
}

// doctorSubjects are what is held against this process, in the order of their
// cost: what is dear is not run where what is cheap has shown a difference.
func doctorSubjects(ctx context.Context, f *doctorFlags) (all []subject, tidy func(), err error) {
	for i := range f.again {
		all = append(all, subject{name: "this process, time " + strconv.Itoa(i+2), run: inProcess})
	}
	all = append(all,
		child("another process"),
		child("on one processor", "GOMAXPROCS=1"),
		child("on four processors", "GOMAXPROCS=4"))
	if !f.builds {
		return all, func() {}, nil
	}
	builds, tidy, err := otherBuilds(ctx)
	return append(all, builds...), tidy, err
}

// examination holds what subjects print against what this process printed first.
type examination struct {
	out   io.Writer
	args  []string // of `ackgap`
	first []string // the lines of the reference
	done  []jsonSubject
}

// note says what came of a subject, and why.
func (e *examination) note(it subject, result, sep, why string) {
	e.done = append(e.done, jsonSubject{it.name, result, strings.TrimSpace(why)})
	fmt.Fprintf(e.out, "  %-24s %s%s%s\n", it.name, result, sep, strings.TrimSuffix(why, "\n"))
}

func newExamination(out io.Writer, seeds int, stories []string) *examination {
	args := []string{"digests", "--each", "--seeds", strconv.Itoa(seeds)}
	return &examination{out: out, args: append(append(args, "--"), stories...)}
}

// all examines the subjects in turn, up to the first that differs.
func (e *examination) all(ctx context.Context, subjects []subject) error {
	reference := subject{name: "this process", run: inProcess}
	text, err := reference.run(ctx, e.args)
	if err != nil {
		return err
	}
	e.first = strings.Split(text, "\n")
	fmt.Fprintf(e.out, "%d runs, each twice in this process, with the same history and verdicts\n\n", len(e.first)-1)
	verdict := error(nil)
	for _, it := range subjects {
		switch ran, err := e.one(ctx, reference, it); {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return err
		case !ran:
			verdict = status(exitInconclusive)
		}
	}
	return verdict
}

// one examines one subject. The error is of the subject's use, or says that it
// differs.
func (e *examination) one(ctx context.Context, reference, it subject) (ran bool, err error) {
	if it.missing != "" {
		e.note(it, "not run", ": ", it.missing)
		return false, nil
	}
	text, err := it.run(ctx, e.args)
	if err != nil {
		e.note(it, "failed", "", "")
		return false, err
	}
	run := firstOther(e.first, strings.Split(text, "\n"))
	if run == "" {
		e.note(it, "the same", "", "")
		return true, nil
	}
	e.note(it, "different", "\n\n", partOf(ctx, reference, it, run))
	return true, status(exitDiverged)
}
