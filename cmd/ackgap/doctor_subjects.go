package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// subject is one way to run ackgap.
type subject struct {
	name    string
	missing string // why it cannot be run here, or ""
	run     func(ctx context.Context, args []string) (string, error)
}

// ended is a run of ackgap that did not come to its end, with what it said.
type ended struct {
	status status
	said   string
}

func (e *ended) Error() string { return e.said }

// judged returns what a run printed, if it ended as one does that ran. That
// expectations are not met, or stay open, is no error: histories are looked at.
func judged(code int, out, errs string) (string, error) {
	switch code {
	case exitMet, exitNotMet, exitInconclusive:
		return out, nil
	}
	return "", &ended{status(code), strings.TrimPrefix(strings.TrimSpace(errs), "ackgap: ")}
}

// inProcess runs ackgap in this process. The doctor's command line is all that it goes
// by: a flag that is set beforehand is for the doctor, not for what it runs.
func inProcess(ctx context.Context, args []string) (string, error) {
	var out, errs bytes.Buffer
	root := newRoot(&streams{out: &out, errs: &errs})
	root.PersistentPreRunE = nil
	code := runRoot(ctx, root, args, &errs)
	return judged(code, out.String(), errs.String())
}

// child is this program in a process of its own, with more in its environment and no
// flag set beforehand.
func child(name string, env ...string) subject {
	path, err := os.Executable()
	if err != nil || runtime.GOARCH == "wasm" {
		return subject{name: name, missing: "this program cannot start another"}
	}
	return program(name, append(withoutPresets(os.Environ()), env...), path)
}

// program is ackgap as words start it: a path, and what stands before its own
// arguments.
func program(name string, env []string, words ...string) subject {
	return subject{name: name, run: func(ctx context.Context, args []string) (string, error) {
		var out, errs bytes.Buffer
		c := exec.CommandContext(ctx, words[0], append(words[1:len(words):len(words)], args...)...)
		c.Env, c.Stdout, c.Stderr = env, &out, &errs
		if len(words) == 1 {
			c.Args[0] = os.Args[0] // a program may go by the name that it was called
		}
		err := c.Run()
		if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
			return "", err
		}
		return judged(c.ProcessState.ExitCode(), out.String(), errs.String())
	}}
}
