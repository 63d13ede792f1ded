package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ackgap/ackgap/faults/script"
)

// What a flag is when the command line leaves it out is said by a variable, or else by
// the file that --config names, or else by the default. No file is read unasked, so that
// a command which somebody pastes does the same everywhere.
const configHelp = `Flags can be set beforehand. The command line counts before a variable, a
variable before the file that --config names, and the file before the default.
In each, what is said of one command counts before what is said of all:

  --runs 500               the command line
  ACKGAP_CHECK_RUNS=500    a variable, for check; ACKGAP_RUNS=500 for all
  check.runs = 500         a line of the file, for check; runs = 500 for all

In the file # begins a line of comment, and a flag that may be repeated has as
many lines as you like. ACKGAP_CONFIG names a file, too.`

const variablePrefix = "ACKGAP_"

// ofTests are the variables that tests and scripts of this repository read. Some are a
// letter away from one of a flag.
var ofTests = []string{"LOG_EVENTS", "LONG", "NPM", "QUEUETEST_VARIANT", "REPLAY", "REQUIRE", "SHOTS", "SOAK", "STEPS",
	"TESTS_ARE_ACKGAP", "TEST_REPLAYER", "UPDATE_SCRIPTS"}

// preset is one flag that is set beforehand, and where that is said.
type preset struct{ key, value, where string }

// applyPresets sets the flags of c that the command line leaves out.
func applyPresets(c *cobra.Command) error {
	variables, err := variablesOf(c.Root())
	if err != nil {
		return err
	}
	if err := apply(c, variables); err != nil {
		return err
	}
	name, err := c.Flags().GetString("config")
	if err != nil || name == "" {
		return err
	}
	lines, err := readConfig(c.Root(), name)
	if err != nil {
		return err
	}
	return apply(c, lines)
}

// apply sets each flag of c of which list speaks, unless something before it did.
func apply(c *cobra.Command, list []preset) error {
	var errs []error
	var done []*pflag.Flag
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Changed && crowdedOut(c, f) == "" {
			done = append(done, f)
		}
	})
	for _, f := range done {
		for _, p := range saysOf(c, f, list) {
			if err := c.Flags().Set(f.Name, p.value); err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", p.where, readable(err)))
			}
		}
	}
	return errors.Join(errs...)
}

// saysOf returns what list says of a flag of c: of this command alone, or else of all.
func saysOf(c *cobra.Command, f *pflag.Flag, list []preset) (all []preset) {
	for _, key := range []string{c.Name() + "." + f.Name, f.Name} {
		for _, p := range list {
			if p.key == key {
				all = append(all, p)
			}
		}
		if len(all) > 0 {
			break
		}
	}
	return all
}

// exclusive is where cobra keeps the groups of flags of which one excludes the others.
const exclusive = "cobra_annotation_mutually_exclusive"

// crowdedOut names a flag that excludes f and is given; "" if none is.
func crowdedOut(c *cobra.Command, f *pflag.Flag) string {
	for _, group := range f.Annotations[exclusive] {
		for _, other := range strings.Fields(group) {
			if other != f.Name && c.Flags().Changed(other) {
				return other
			}
		}
	}
	return ""
}

// keysOf lists every key: FLAG, and COMMAND.FLAG.
func keysOf(root *cobra.Command) (keys []string) {
	for _, c := range append(root.Commands(), root) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Name == "help" || f.Name == "version" || f.Name == "config" {
				return
			}
			keys = append(keys, f.Name)
			if c != root {
				keys = append(keys, c.Name()+"."+f.Name)
			}
		})
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// variablesOf reads the variables that set flags; an empty one is none. One that sets none is somebody else's,
// unless it is nearly the name of one.
func variablesOf(root *cobra.Command) (list []preset, err error) {
	keys := map[string]string{"CONFIG": "config"}
	for _, key := range keysOf(root) {
		keys[variableOf(key)] = key
	}
	names := make([]string, 0, len(keys))
	for name := range keys {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, pair := range os.Environ() {
		name, value, _ := strings.Cut(pair, "=")
		rest, ok := strings.CutPrefix(name, variablePrefix)
		if !ok || value == "" {
			continue
		}
		if key, ok := keys[rest]; ok {
			list = append(list, preset{key, value, name})
		} else if near, ok := script.Nearest(rest, names); ok && !slices.Contains(ofTests, rest) {
			err = errors.Join(err, fmt.Errorf("the variable %s sets no flag; did you mean %s? (else unset it)", script.Quote(name), variablePrefix+near))
		}
	}
	return list, err
}

// withoutPresets is an environment that sets no flag beforehand.
func withoutPresets(environ []string) []string {
	return slices.DeleteFunc(environ, func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		rest, ok := strings.CutPrefix(name, variablePrefix)
		return ok && !slices.Contains(ofTests, rest)
	})
}

// variableOf is the variable that sets a flag, without its prefix.
func variableOf(key string) string {
	return strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(key))
}

// What a file of flags may have, and how many of its errors are told.
const (
	maxConfig       = 1 << 20 // bytes
	maxConfigErrors = 50
)

// readConfig reads a file of flags. No more of it is read than it may have, be it that it
// never ends.
func readConfig(root *cobra.Command, name string) ([]preset, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("--config: %s: %w", script.Quote(name), cause(err))
	}
	defer func() { _ = file.Close() }() // it was only read
	text, err := io.ReadAll(io.LimitReader(file, maxConfig+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("--config: %s: %w", script.Quote(name), cause(err))
	case len(text) > maxConfig:
		return nil, fmt.Errorf("--config: %s has more than %d bytes, which are enough for any flags", script.Quote(name), maxConfig)
	}
	return parseConfig(root, name, strings.TrimPrefix(string(text), byteOrderMark))
}

// parseConfig reads the text of a file of flags, and says what is wrong with it, the
// first things of many.
func parseConfig(root *cobra.Command, name, text string) ([]preset, error) {
	keys := keysOf(root)
	var list []preset
	var errs []error
	for n, line := range strings.Split(text, "\n") {
		if len(errs) == maxConfigErrors {
			errs = append(errs, fmt.Errorf("%s: there may be more that is wrong", printable(name)))
			break
		}
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		where := fmt.Sprintf("%s:%d", printable(name), n+1)
		p, err := parseConfigLine(root, keys, line, where)
		if err == nil {
			err = givenTwice(root, list, p)
		}
		if err != nil {
			errs = append(errs, err)
		}
		list = append(list, p)
	}
	return list, errors.Join(errs...)
}

func parseConfigLine(root *cobra.Command, keys []string, line, where string) (preset, error) {
	key, value, ok := strings.Cut(line, "=")
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	switch {
	case !ok:
		return preset{}, fmt.Errorf("%s: %s sets nothing; write FLAG = VALUE, as runs = 500", where, script.Quote(line))
	case key == "config":
		return preset{}, fmt.Errorf("%s: a file of flags names no other; leave config out", where)
	case !slices.Contains(keys, key):
		return preset{}, fmt.Errorf("%s: %s", where, unknownKey(root, keys, key))
	}
	return preset{key, value, where + ": " + key}, nil
}

// unknownKey refuses a key: for its command, or else for its flag.
func unknownKey(root *cobra.Command, keys []string, key string) string {
	command, _, dotted := strings.Cut(key, ".")
	if names := commandNames(root); dotted && !slices.Contains(names, command) {
		return script.Unknown("command", command, names)
	}
	var like []string
	for _, k := range keys {
		if dotted == strings.Contains(k, ".") && (!dotted || strings.HasPrefix(k, command+".")) {
			like = append(like, k)
		}
	}
	return script.Unknown("flag", key, like)
}

// givenTwice refuses a second line about a flag that has one value.
func givenTwice(root *cobra.Command, list []preset, p preset) error {
	i := slices.IndexFunc(list, func(other preset) bool { return other.key == p.key })
	if i < 0 || p.key == "" || isRepeatable(root, p.key) {
		return nil
	}
	return fmt.Errorf("%s is set at %s already; leave one of the two lines", p.where, strings.TrimSuffix(list[i].where, ": "+p.key))
}

// isRepeatable reports whether a flag may be given more than once.
func isRepeatable(root *cobra.Command, key string) bool {
	command, name, dotted := strings.Cut(key, ".")
	if !dotted {
		name = key
	}
	return slices.ContainsFunc(root.Commands(), func(c *cobra.Command) bool {
		f := c.Flags().Lookup(name)
		if f == nil || dotted && c.Name() != command {
			return false
		}
		_, isList := f.Value.(pflag.SliceValue)
		return isList
	})
}
