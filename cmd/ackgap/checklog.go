package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/reports"
	"github.com/ackgap/ackgap/reports/eventlog"
	"github.com/ackgap/ackgap/scenarios"
)

// logFlags are the flags of `ackgap check-log`.
type logFlags struct {
	look
	json    bool
	options eventlog.Options
}

func newCheckLog(s *streams) *cobra.Command {
	var f logFlags
	c := &cobra.Command{
		Use:   "check-log FILE|-",
		Short: "Judge the log of a queue and its consumers",
		Long: `Check-log judges what happened by the log that it left: one JSON object a line,
first a header, then events (admitted, claimed, extended, applied, settled,
refused, reaped, dead, ...) or documents of OpenTelemetry spans (OTLP/JSON).
` + "`go doc github.com/ackgap/ackgap/reports/eventlog`" + ` tells the form.

Nothing is called held of a log from which something may be missing: a property
is unknown then, and the report says what is missing. A log that
` + "`ackgap run --log`" + ` wrote gets the verdicts of its run.

Exit status: 0 every property held, 1 one is broken, 2 wrong use or a bad log,
3 none is broken, but one is unknown.`,
		Example: `  ackgap check-log night.jsonl
  ackgap check-log night.jsonl --property no-duplicate-effect,settled-once
  zcat night.jsonl.gz | ackgap check-log - --json | jq .doubts
  ackgap run lost-ack --log | ackgap check-log -`,
		Args: named(1, 1, "one log, or - for standard input"),
		RunE: func(c *cobra.Command, args []string) error { return s.checkLog(c.Context(), &f, args[0]) },
	}
	f.flags(c)
	c.Flags().BoolVar(&f.json, "json", false, "one JSON document instead of the report")
	c.Flags().StringSliceVar(&f.options.Properties, "property", nil, "demand this `PROPERTY` alone; with commas, or again, several (default: every one that a queue must hold)")
	c.Flags().IntVar(&f.options.Window, "window", 0, "`N` places, so far may an event stand from its own (default 1024)")
	c.Flags().IntVar(&f.options.Remember, "remember", 0, "remember a job that has ended for `N` events (default 100000)")
	return c
}

// checkLog judges one log, and answers by its exit status.
func (s *streams) checkLog(ctx context.Context, f *logFlags, arg string) error {
	style, err := f.style(s.out)
	if err != nil {
		return err
	}
	in, name, err := s.openLog(arg)
	if err != nil {
		return err
	}
	f.options.Name = name
	result, err := readLog(ctx, in, f.options)
	if err != nil {
		return err
	}
	var b []byte
	if f.json {
		b = reports.AppendLogJSON(b, result)
	} else {
		b = reports.AppendLog(b, result, style)
	}
	if _, err := s.out.Write(b); err != nil {
		return err
	}
	if code := exitOfValue(result.Value()); code != exitMet {
		return status(code)
	}
	return nil
}

func exitOfValue(v model.Value) int {
	return [...]int{model.Held: exitMet, model.Broken: exitNotMet, model.Unknown: exitInconclusive}[v]
}

// openLog opens what arg names, and says what messages call it.
func (s *streams) openLog(arg string) (io.ReadCloser, string, error) {
	if arg == "-" {
		return io.NopCloser(s.in), "<stdin>", nil
	}
	file, err := os.Open(arg)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", script.Quote(arg), cause(err))
	}
	if info, err := file.Stat(); err == nil && info.IsDir() {
		return nil, "", errors.Join(fmt.Errorf("check-log: %s is a folder; name a log in it", script.Quote(arg)), file.Close())
	}
	if is := notALog(file); is != "" {
		return nil, "", errors.Join(fmt.Errorf("check-log: %s is no log: %s", script.Quote(arg), strings.ReplaceAll(is, "FILE", shellWord(arg))), file.Close())
	}
	return file, arg, nil
}

// notALog says what a file looks like that cannot be a log; "" where it may be one, and
// of a pipe, from which nothing may be taken before it is read.
func notALog(file io.ReaderAt) string {
	head := make([]byte, 8<<10)
	n, _ := file.ReadAt(head, 0) // what cannot be read is read, and refused, as a log
	head = bytes.TrimLeft(head[:n], byteOrderMark+" \t\r\n")
	if bytes.HasPrefix(head, []byte(`{"format":"`+reports.Format+`"`)) {
		return "it is the report of a run; `ackgap run STORY --log` writes the log of one"
	}
	if bytes.HasPrefix(head, []byte("{")) || bytes.HasPrefix(head, []byte("[")) {
		return ""
	}
	return otherKind(head)
}

// readLog reads and judges in, and closes it. A log can be long, and a pipe without end:
// an interrupt waits for neither.
func readLog(ctx context.Context, in io.ReadCloser, o eventlog.Options) (*eventlog.Result, error) {
	type answer struct {
		result *eventlog.Result
		err    error
	}
	done := make(chan answer, 1)
	go func() {
		result, err := eventlog.Check(untilDone{ctx, in}, o)
		done <- answer{result, errors.Join(err, in.Close())}
	}()
	select {
	case a := <-done:
		return a.result, interrupted(ctx, a.err)
	case <-ctx.Done():
	}
	select {
	case a := <-done:
		return a.result, interrupted(ctx, a.err)
	case <-time.After(patience):
		return nil, ctx.Err()
	}
}

// interrupted prefers the interrupt to the error that it led to.
func interrupted(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// untilDone reads until its context is done.
type untilDone struct {
	ctx context.Context
	in  io.Reader
}

func (u untilDone) Read(b []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.in.Read(b)
}

// writeLog writes a run as a log.
func (s *streams) writeLog(out *scenarios.Outcome, many bool) error {
	switch {
	case many:
		return errors.New("run: --log writes the log of one story; name one")
	case out.Lost != nil:
		return lostLog(out)
	}
	_, err := s.out.Write(eventlog.Append(nil, out.History, out.Facts()))
	return err
}

// lostLog refuses to write as a log what nobody may judge.
func lostLog(out *scenarios.Outcome) error {
	return fmt.Errorf("run: --log: the queue was lost, and what it answered must not be judged: %w", out.Lost)
}
