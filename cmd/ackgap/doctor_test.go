package main

import (
	"bytes"
	"hash/maphash"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/ackgap/ackgap/model"
)

// What a program that is not deterministic leans on, as a number of milliseconds.
// Each is sown into a queue, which lets one lease last so much longer.
var dice = []struct {
	name  string
	throw func() int
}{
	{"the-order-of-a-map", func() int {
		for k := range manyKeys {
			return k
		}
		return 0
	}},
	{"the-case-that-select-takes", func() int {
		a, b := make(chan int, 1), make(chan int, 1)
		a <- 1
		b <- 2
		select {
		case n := <-a:
			return n
		case n := <-b:
			return n
		}
	}},
	{"the-global-random-numbers", func() int { return rand.IntN(1000) }},
	{"the-clock", func() int { return time.Now().Nanosecond() % 1009 }},
	{"the-seed-of-a-hash", func() int { return int(maphash.String(maphash.MakeSeed(), "x") % 1000) }},
	{"an-address", func() int { return int(uintptr(unsafe.Pointer(new([64]byte))) / 64 % 1009) }},
	{"what-ran-before", func() int { ranBefore++; return ranBefore % 1000 }},
	{"the-number-of-the-process", func() int { return os.Getpid() % 1009 }},
	{"the-number-of-processors", func() int { return runtime.GOMAXPROCS(0) }},
	{"how-much-was-allocated", func() int {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int(m.Mallocs % 1009)
	}},
}

var (
	manyKeys  = map[int]bool{}
	ranBefore int
)

// dicey is the Go machine, whose grant number nth is as the dice fall.
type dicey struct {
	machine
	throw       func() int
	nth, grants int
}

func (q *dicey) Apply(now model.Time, req model.Request) model.Reply {
	reply := q.machine.Apply(now, req)
	if req.Op == model.OpClaim && reply.Answer == model.OK {
		if q.grants++; q.grants == q.nth {
			reply.Until = reply.Until.Add(time.Duration(q.throw()) * time.Millisecond)
		}
	}
	return reply
}

// places are the grants that the dice are sown into.
var places = []int{1, 4}

func backendOf(name string, place int) string { return name + "-at-" + strconv.Itoa(place) }

func init() {
	for i := range 500 {
		manyKeys[i] = true
	}
	honest, _ := model.FindBody("echomq", "go")
	for _, d := range dice {
		for _, place := range places {
			model.Register(model.Body{Protocol: "echomq", Backend: backendOf(d.name, place), Unlisted: true, Open: func(variant string) (model.Queue, error) {
				queue, err := honest.Open(variant)
				return &dicey{machine: queue.(machine), throw: d.throw, nth: place}, err
			}})
		}
	}
}

// Whatever a queue leans on that is not its story, the doctor finds it, and names
// the record in which it shows: that of the grant into which it was sown.
func TestTheDoctorFindsWhatIsSown(t *testing.T) {
	t.Setenv(beAckgap, "1")
	found := 0
	for _, d := range dice {
		for _, place := range places {
			file := filepath.Join(t.TempDir(), "sown.story")
			text := "queue echomq backend=" + backendOf(d.name, place) + "\nworkers 2 consumer=atomic\njobs 5\n"
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			code, said := doctorOf(t, file)
			if code != exitDiverged {
				t.Errorf("%s: exit status %d\n%s", d.name, code, said)
			} else if got := grantsUpTo(t, file, said); got != place {
				t.Errorf("%s at grant %d: found at grant %d\n%s", d.name, place, got, said)
			} else {
				found++
			}
		}
	}
	t.Logf("%d of %d found, each at its record", found, len(dice)*len(places))
}

func doctorOf(t *testing.T, file string) (int, string) {
	var out, errs bytes.Buffer
	code := run(t.Context(), []string{"doctor", "--seeds", "20", file}, nil, &out, &errs)
	return code, out.String() + errs.String()
}

var (
	parting = regexp.MustCompile(`record (\d+)`)
	seeded  = regexp.MustCompile(`(?:--seed |seed )(\d+)`)
)

// grantsUpTo returns how many grants there are up to the record that the doctor
// names in the run that it names, if that record is a grant.
func grantsUpTo(t *testing.T, file, said string) int {
	record := parting.FindStringSubmatch(said)
	if record == nil {
		return 0
	}
	args := []string{"run", "--history", "--set", "queue.backend=go", file}
	if seed := seeded.FindStringSubmatch(said); seed != nil {
		args = append(args, "--seed", seed[1])
	}
	var out, errs bytes.Buffer
	run(t.Context(), args, nil, &out, &errs)
	lines := strings.Split(out.String(), "\n")
	at, _ := strconv.Atoi(record[1])
	if at > len(lines) || !isGrant(lines[at-1]) {
		t.Logf("%s%s", out.String(), errs.String())
		return 0
	}
	grants := 0
	for _, line := range lines[:at] {
		if isGrant(line) {
			grants++
		}
	}
	return grants
}

func isGrant(line string) bool {
	return strings.Contains(line, "applied   claim") && strings.Contains(line, "-> ok")
}
