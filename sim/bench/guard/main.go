// Command guard counts the instructions of fixed work and holds them against
// instructions.golden: it fails where one takes 5% more, unless its line says why.
//
//	go run ./guard                     (in sim/bench) compares
//	go run ./guard -update             writes what was counted where it is less, or new (count "?"),
//	                                   or where the compiler is another
//
// A count is the same within half a percent whatever else the machine does, which
// no time is. It is a count and no time: what waits for memory or guesses branches
// wrongly is not seen. To make it the same on every processor, Go is told to use
// none of the instructions that only some have (GODEBUG=cpu.all=off), so that it is
// not quite what runs elsewhere: copies go without AVX, hashes without AES. One
// processor, no garbage collection, no preemption by signals, whose number would
// depend on the time.
//
// The tool is valgrind's cachegrind with its caches off. Callgrind would do, but
// ends with a failed assertion in one run of forty, over Go's signals.
//
// A line of the golden file is a count and the work, as the program contest is
// told it. Work that has come to take more gets a reason behind it:
//
//	140,900,000  hold ackgap 10 200000  # +12% since records carry the server's clock
//
// and may then take so much more, and 5%.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

const goldenFile = "instructions.golden"

func main() {
	update := flag.Bool("update", false, "write what was counted to "+goldenFile)
	flag.Parse()
	if err := run(*update); err != nil {
		fmt.Fprintln(os.Stderr, "guard:", err)
		os.Exit(1)
	}
}

func run(update bool) error {
	text, err := os.ReadFile(goldenFile)
	if err != nil {
		return err
	}
	g, err := parse(string(text))
	if err != nil {
		return err
	}
	if why := unable(); why != "" {
		if os.Getenv("ACKGAP_REQUIRE") == "all" {
			return fmt.Errorf("nothing was counted: %s", why)
		}
		fmt.Println("SKIPPED: " + why)
		return nil
	}
	isOther := g.version != version()
	if isOther && !update {
		fmt.Printf("counted with %s, this is %s: a difference may be the compiler's; -update if so\n", g.version, version())
	}
	if err := g.count(); err != nil {
		return err
	}
	fmt.Print(g.report())
	if wrong := g.exceeded(); len(wrong) > 0 && !(update && isOther) {
		return fmt.Errorf("more than 5%% beyond what %s allows: %s; make it cheaper, or write behind its line what it pays for, as # +12%% since records carry a clock",
			goldenFile, strings.Join(wrong, "; "))
	}
	if !update {
		return nil
	}
	return os.WriteFile(goldenFile, []byte(g.text()), 0o644)
}

// unable says why nothing can be counted here.
func unable() string {
	if runtime.GOOS+"/"+runtime.GOARCH != "linux/amd64" {
		return "instructions are those of linux/amd64"
	}
	if _, err := exec.LookPath("valgrind"); err != nil {
		return "there is no valgrind"
	}
	return ""
}

// version is the compiler that the counts belong to.
func version() string { return runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH }

// count runs all work.
func (g *golden) count() error {
	dir, err := os.MkdirTemp("", "ackgap-guard")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	contest := filepath.Join(dir, "contest")
	if out, err := exec.Command("go", "build", "-o", contest, "./contest").CombinedOutput(); err != nil {
		return fmt.Errorf("go build ./contest: %w\n%s", err, out)
	}
	for i := range g.lines {
		if g.lines[i].counted, err = instructions(contest, g.lines[i].work); err != nil {
			return err
		}
	}
	return nil
}

// instructions counts those of one run.
func instructions(contest, work string) (int64, error) {
	args := []string{"--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", contest}
	cmd := exec.Command("valgrind", append(args, strings.Fields(work)...)...)
	cmd.Env = append(os.Environ(), "GODEBUG=cpu.all=off,asyncpreemptoff=1", "GOGC=off", "GOMAXPROCS=1", "GOTRACEBACK=single")
	out, err := cmd.CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("%s: %w\n%.2000s", work, err, out)
	}
	_, rest, found := strings.Cut(string(out), "refs:")
	n, err := number(strings.Fields(rest + " ?")[0])
	if !found || err != nil {
		return 0, fmt.Errorf("%s: valgrind told no count:\n%.2000s", work, out)
	}
	return n, nil
}
