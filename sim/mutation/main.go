package main

import (
	"context"
	"flag"
	"fmt"
	"hash/fnv"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// core are the packages that are broken, and whose own tests are asked.
var core = []string{"faults/script", "faults", "model"}

const (
	reasons = "reports/docs/mutation.md"
	begin   = "<!-- mutation -->\n"
	end     = "<!-- /mutation -->\n"
)

func main() {
	var o options
	flag.BoolVar(&o.list, "list", false, "print where the mutants are, and try none")
	flag.StringVar(&o.only, "only", "", "try those alone in whose names, as the list has them, this `text` stands")
	flag.UintVar(&o.oneIn, "one-in", 1, "try one in `N` alone, which are always the same ones")
	flag.Parse()
	if err := run(&o); err != nil {
		fmt.Fprintln(os.Stderr, "mutation:", err)
		os.Exit(1)
	}
}

// options are the flags.
type options struct {
	list  bool
	only  string
	oneIn uint
}

// takes reports whether a mutant of this name is to be tried. Which one in so many it is
// hangs on its name, so that no other code moves it.
func (o *options) takes(name string) bool {
	h := fnv.New32a()
	_, _ = h.Write([]byte(name)) // a hash takes all
	return strings.Contains(name, o.only) && uint(h.Sum32())%max(o.oneIn, 1) == 0
}

func run(o *options) error {
	root, err := filepath.Abs("../..")
	if err != nil {
		return err
	}
	if err := os.Chdir(root); err != nil { // where its packages are found
		return err
	}
	var alive []string
	tried := 0
	for _, path := range core {
		dir, err := os.MkdirTemp("", "mutation")
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(dir) }() // it is below the system's own
		p, err := load(root, path, dir)
		if err != nil {
			return err
		}
		mutants := pointsOf(p)
		if o.list {
			tell(mutants)
			continue
		}
		left, n, err := p.survivors(mutants, o)
		if err != nil {
			return err
		}
		fmt.Printf("%s: %d mutants, of which %d pass its tests\n", path, n, len(left))
		alive, tried = append(alive, left...), tried+n
	}
	if o.list {
		return nil
	}
	return compare(filepath.Join(root, reasons), alive, tried, o)
}

// tell prints where an operator stands, as gremlins tells places.
func tell(mutants []*mutant) {
	for _, m := range mutants {
		fmt.Printf("%s:%d:%d %s %s\n", m.file, m.pos.Line, m.pos.Column, m.was, m.is)
	}
}

// survivors tries each mutant that can be built, and returns the names of those that
// the tests of their package do not notice.
func (p *pack) survivors(mutants []*mutant, o *options) (alive []string, tried int, err error) {
	dead := make([]bool, len(mutants)) // or never built, or not to be tried
	for i, m := range mutants {
		if dead[i] = m.broken || !o.takes(m.String()); !dead[i] {
			tried++
		}
	}
	if tried == 0 {
		return nil, 0, nil
	}
	if err := p.ask(mutants, dead); err != nil {
		return nil, 0, err
	}
	for i, m := range mutants {
		if !dead[i] {
			alive = append(alive, m.String())
		}
	}
	return alive, tried, nil
}

// ask marks the mutants that the tests notice.
func (p *pack) ask(mutants []*mutant, noticed []bool) error {
	binary, err := p.buildAll(mutants)
	if err != nil {
		return err
	}
	began := time.Now()
	if out, ok := p.passes(binary, 0, 10*time.Minute); !ok {
		return fmt.Errorf("%s: with no mutant awake its tests fail:\n%s", p.path, out)
	}
	limit := 5*time.Since(began) + 5*time.Second
	var all sync.WaitGroup
	cores := make(chan bool, runtime.GOMAXPROCS(0))
	for i, m := range mutants {
		if noticed[i] {
			continue
		}
		if m.alone {
			one, err := p.buildOne(m)
			if noticed[i] = err != nil; noticed[i] {
				continue // by the compiler
			}
			_, ok := p.passes(one, 0, limit)
			noticed[i] = !ok
			continue
		}
		cores <- true
		all.Go(func() {
			_, ok := p.passes(binary, i+1, limit)
			noticed[i] = !ok
			<-cores
		})
	}
	all.Wait()
	return nil
}

// passes runs the tests with the mutant of that number awake, and reports whether they
// pass. One that takes for ever, or all memory, does not: which is said when it has
// taken too long a second time, for the machine may have been busy.
func (p *pack) passes(binary string, number int, limit time.Duration) (out []byte, ok bool) {
	out, ok, late := p.try(binary, number, limit)
	if late {
		out, ok, _ = p.try(binary, number, 2*limit)
	}
	return out, ok
}

func (p *pack) try(binary string, number int, limit time.Duration) (out []byte, ok, late bool) {
	ctx, stop := context.WithTimeout(context.Background(), limit)
	defer stop()
	c := exec.CommandContext(ctx, "sh", "-c", `ulimit -v 8000000; exec "$0" "$@"`, binary, "-test.failfast", "-test.count=1")
	c.Dir = filepath.Join(p.root, p.path)
	c.Env = append(os.Environ(), fmt.Sprintf("%s=%d", awakeVariable, number), "GOMAXPROCS=1", "RAPID_SEED=20250101", "GOMEMLIMIT=1GiB")
	out, err := c.CombinedOutput()
	return out, err == nil, ctx.Err() != nil
}

// compare holds the survivors against the list of them, each with its reason.
func compare(file string, alive []string, tried int, o *options) error {
	reasonOf, err := readReasons(file)
	if err != nil {
		return err
	}
	wrong := 0
	complain := func(what, name string) {
		wrong++
		fmt.Printf("%-8s %s\n", what, name)
	}
	for _, name := range alive {
		if _, listed := reasonOf[name]; !listed {
			complain("ALIVE", name)
		}
		delete(reasonOf, name)
	}
	for _, name := range slices.Sorted(maps.Keys(reasonOf)) {
		if o.takes(name) {
			complain("DEAD", name)
		}
	}
	if wrong > 0 {
		return fmt.Errorf("%s is wrong in %d places: what is ALIVE needs a test or a reason there, what is DEAD needs none", reasons, wrong)
	}
	fmt.Printf("%d mutants, of which %d pass the tests of their packages, each for a reason\n", tried, len(alive))
	return nil
}

// readReasons reads the rows of the list.
func readReasons(file string) (map[string]string, error) {
	page, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	_, rest, _ := strings.Cut(string(page), begin)
	table, _, ok := strings.Cut(rest, end)
	if !ok {
		return nil, fmt.Errorf("%s has no list between %q and %q", file, begin, end)
	}
	list := map[string]string{}
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "| "), " | ")
		if len(cells) == 2 && strings.Contains(cells[0], "`") {
			list[cells[0]] = cells[1]
		}
	}
	return list, nil
}
