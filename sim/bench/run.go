package main

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// bench is one run of the tool.
type bench struct {
	quick        bool
	rounds, core int
	dir          string // where the programs are
	commit       string
	machine      string
	load         string

	missing map[string]string // why a program is not there
}

// build builds what is run, and looks at where it runs.
func (b *bench) build() (err error) {
	if b.dir, err = os.MkdirTemp("", "ackgap-bench"); err != nil {
		return err
	}
	b.missing = map[string]string{}
	if _, err := exec.LookPath("taskset"); err != nil {
		return fmt.Errorf("taskset is not there, which pins to a core: it comes with util-linux")
	}
	if out, err := exec.Command("go", "build", "-o", b.path("contest"), "./contest").CombinedOutput(); err != nil {
		return fmt.Errorf("go build ./contest: %w\n%s", err, out)
	}
	b.compile("hold", "gcc", "-O2", "-o", b.path("hold"), "peers/hold.c")
	b.compile("hold_ns3", "g++", "-O2", "-std=c++17", "-o", b.path("hold_ns3"), "peers/hold_ns3.cc", "-lns3-core")
	if exec.Command(python, "-c", "import SimPy").Run() != nil {
		b.missing["simpy"] = "not installed (python3-simpy)"
	}
	b.commit = "commit " + said("git", "describe", "--always", "--dirty")
	b.machine = fmt.Sprintf("%d x %s", runtime.NumCPU(), processor())
	load, _ := os.ReadFile("/proc/loadavg")
	b.load, _, _ = strings.Cut(string(load), " ")
	return nil
}

// python is Debian's, for which python3-simpy is installed; not what the PATH has.
const python = "/usr/bin/python3"

func (b *bench) path(program string) string { return filepath.Join(b.dir, program) }

func (b *bench) compile(program, compiler string, args ...string) {
	out, err := exec.Command(compiler, args...).CombinedOutput()
	if err == nil {
		return
	}
	why, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	if errors.Is(err, exec.ErrNotFound) {
		why = "there is no " + compiler
	}
	b.missing[program] = "not built: " + why
}

// said returns the first line of what a command prints, empty if it fails.
func said(command string, args ...string) string {
	out, _ := exec.Command(command, args...).Output()
	line, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return line
}

func processor() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}

// contestant is one program with its arguments, and what came of it.
type contestant struct {
	name    string
	missing string // why it does not run
	command []string
	cores   int                  // how many it may use; 0 is one
	samples map[string][]float64 // figures by name
	words   map[string]string    // what is no figure: sums
}

// inTurn runs all that are not missing in turn, as often as b says.
func (b *bench) inTurn(list []*contestant) error {
	for range b.rounds {
		for _, c := range list {
			if c.missing != "" {
				continue
			}
			if err := b.once(c); err != nil {
				return err
			}
		}
	}
	return nil
}

// once runs c and takes the lines "name figure" that it prints.
func (b *bench) once(c *contestant) error {
	cmd := exec.Command("taskset", append([]string{"-c", strconv.Itoa(b.core)}, c.command...)...)
	if c.cores > 1 {
		cmd = exec.Command(c.command[0], c.command[1:]...)
	}
	cmd.Env = append(os.Environ(), "GOMAXPROCS="+strconv.Itoa(max(c.cores, 1)), "GOGC=100")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("%s: %q: %w\n%.2000s", c.name, c.command, err, errs.Bytes())
	}
	c.take(string(out))
	return nil
}

func (c *contestant) take(out string) {
	if c.samples == nil {
		c.samples, c.words = map[string][]float64{}, map[string]string{}
	}
	for line := range strings.Lines(out) {
		name, value, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok {
			continue
		}
		if f, err := strconv.ParseFloat(value, 64); err == nil && name != "sum" && name != "early" {
			c.samples[name] = append(c.samples[name], f)
		} else {
			c.words[name] = value
		}
	}
}

// median returns the median of a figure, NaN if it was never seen.
func (c *contestant) median(name string) float64 {
	list := slices.Sorted(slices.Values(c.samples[name]))
	if len(list) == 0 {
		return math.NaN()
	}
	return list[len(list)/2]
}

// find returns the contestant of that name.
func find(list []*contestant, name string) *contestant {
	i := slices.IndexFunc(list, func(c *contestant) bool { return c.name == name })
	if i < 0 {
		panic("no contestant is called " + name)
	}
	return list[i]
}

func goVersion() string { return said("go", "env", "GOVERSION") }

// debian names a package with its version.
func debian(name string) string {
	version := said("dpkg-query", "-W", "-f", "${Version}", name)
	if version == "" {
		return "no " + name
	}
	return name + " " + version
}
