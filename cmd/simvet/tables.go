package main

import (
	"slices"
	"strings"
)

// kind says of one sort of finding why it matters and what to do instead.
type kind struct{ why, wayOut string }

var kinds = map[string]kind{
	"clock": {"two runs of one seed would read different times",
		"take the instant from the step's input (model.Time)"},
	"random": {"a plan could not be replayed",
		"draw from a named stream: Seed.Fork(name).Hash(a, b)"},
	"import": {"it reaches beyond its arguments",
		"move this to cmd, or, if the package is pure, add it to pureImports in cmd/simvet/tables.go"},
	"map-order": {"Go shuffles the order of a map on purpose",
		"keep a slice beside the map, or range over slices.Sorted(maps.Keys(m))"},
	"goroutine": {"the scheduler would decide what happens first",
		"put it on the agenda of the simulator, or in cmd"},
	"select": {"Go chooses among ready cases at random",
		"put the alternatives on the agenda of the simulator"},
	"channel": {"who is served first depends on the scheduler",
		"return effects as values"},
	"float": {"rounding differs between architectures (fused multiply-add)",
		"count in integers: nanoseconds, parts per million, a ratio of two ints"},
	"address": {"addresses differ from run to run",
		"use an index or an id in place of the pointer"},
	"coroutine": {"control would leave the step in its middle",
		"return effects as values; the one coroutine has its own file (see exemptions in cmd/simvet/tables.go)"},
	"output": {"a step must not speak to the world",
		"return the text, or record an event"},
	"platform": {"the same seed could differ between platforms, and simvet does not see the code",
		"write it in Go for all platforms, or move it out of the core"},
	"chain": {"a package imports only what stands to its left in the chain (rooms in cmd/simvet/tables.go)",
		"pass what is needed as a value or an interface of package model"},
	"room": {"the chain cannot judge its imports",
		"give it a place in rooms in cmd/simvet/tables.go"},
	"size": {"it does not read at one glance",
		"split it where its story turns"},
	"doc": {"a reader cannot tell what it promises",
		"write a comment: what it is, units, ranges, errors"},
}

// core are the rooms in which a run must be a function of story and seed; a
// room includes its sub-packages.
var core = []string{"model", "faults", "sim", "scenarios/actors", "scenarios/argue", "scenarios/coverage", "scenarios/exhaust", "scenarios/generals", "scenarios/storm"}

// exemption frees a package or a file from some kinds of hazards, or from all
// if kinds is nil. No exemption reaches the chain, sizes and comments.
type exemption struct {
	path  string
	kinds []string
}

var exemptions = []exemption{
	// It talks to a server over a socket; what it answers is compared with the Go machine.
	{"model/echomq/valkey", nil},
	// For tests: they import testing, and no run of a story does.
	{"model/queuetest", []string{"import"}},
	{"model/internal/bare", []string{"import"}},
	// It deals states to all processors; the set that is found does not depend on the order.
	{"sim/explore/parallel.go", []string{"goroutine", "channel", "select", "import"}},
	// A user's handler takes part between its own steps; one side runs at a time.
	{"scenarios/actors/coroutine.go", []string{"coroutine"}},
}

// pureImports are the packages of the standard library that read nothing but
// their arguments. Everything else is refused in the core, so that a package
// which is new in Go is looked at before it is used. Single names that are not
// pure in these are in impure.
var pureImports = []string{
	"bufio", "bytes", "cmp", "container/heap", "container/list", "crypto/sha256", "embed",
	"encoding/base64", "encoding/binary", "encoding/hex", "encoding/json", "errors", "fmt",
	"hash", "hash/crc32", "hash/fnv", "io", "iter", "maps", "math", "math/big", "math/bits",
	"regexp", "slices", "sort", "strconv", "strings", "text/tabwriter", "time",
	"unicode", "unicode/utf8",
}

// randomImports are refused like all that is not pure, with a better reason.
var randomImports = []string{"math/rand", "math/rand/v2", "crypto/rand", "hash/maphash"}

// impure are the names of pure packages that may not be used, with the kind
// that each is.
var impure = map[string]string{
	"time.Now":          "clock",
	"time.Since":        "clock",
	"time.Until":        "clock",
	"time.Sleep":        "clock",
	"time.After":        "clock",
	"time.AfterFunc":    "clock",
	"time.Tick":         "clock",
	"time.NewTicker":    "clock",
	"time.NewTimer":     "clock",
	"time.Local":        "clock", // these five read the machine's time zone
	"(time.Time).Local": "clock",
	"time.Unix":         "clock",
	"time.UnixMilli":    "clock",
	"time.UnixMicro":    "clock",
	"time.LoadLocation": "clock", // and this one its files
	"maps.All":          "map-order",
	"maps.Keys":         "map-order",
	"maps.Values":       "map-order",
	"maps.DeleteFunc":   "map-order",
	"maps.EqualFunc":    "map-order",
	"iter.Pull":         "coroutine",
	"iter.Pull2":        "coroutine",
	"fmt.Print":         "output",
	"fmt.Printf":        "output",
	"fmt.Println":       "output",
	"fmt.Scan":          "output",
	"fmt.Scanf":         "output",
	"fmt.Scanln":        "output",
	"print":             "output",
	"println":           "output",
	"close":             "channel",
}

// room is a part of the repository and what its non-test code may import of
// the others. A room includes the sub-packages that are no room of their own;
// they may import each other.
type room struct {
	path       string
	may        []string
	thirdParty bool // modules of others too
}

// rooms is the chain of DESIGN.md, from left to right. Two arrows are struck
// out: faults and sim never import a queue.
var rooms = []room{
	{path: "model"},
	{path: "model/echomq", may: []string{"model"}},
	{path: "model/echomq/valkey", may: []string{"model", "model/echomq"}, thirdParty: true},
	{path: "faults", may: []string{"model"}},
	{path: "sim", may: []string{"model", "faults"}},
	{path: "scenarios/actors", may: []string{"model", "faults", "sim"}},
	{path: "scenarios", may: []string{"model", "model/echomq", "faults", "sim", "scenarios/actors"}},
	// The two generals need no world: a word, its lines, and stories as text.
	{path: "scenarios/generals", may: []string{"model", "faults"}},
	// What a failure needs and what fixes it: a story that is run with one thing changed.
	{path: "scenarios/argue", may: []string{"model", "faults", "scenarios/actors", "scenarios"}},
	// The bounded world of a story, with time as an adversary, for sim/explore.
	{path: "scenarios/exhaust", may: []string{"model", "faults", "sim", "scenarios/actors", "scenarios"}},
	// What remains of a fault when it is over, under jobs that keep coming.
	{path: "scenarios/storm", may: []string{"model", "faults", "scenarios"}},
	// What random worlds have tried, read off their histories.
	{path: "scenarios/coverage", may: []string{"model", "faults", "scenarios/actors", "scenarios"}},
	{path: "reports", may: []string{"model", "faults", "sim", "scenarios", "scenarios/argue", "scenarios/coverage"}},
	// Numbers as pictures, by a library.
	{path: "reports/charts", may: []string{"model", "reports"}, thirdParty: true},
	// What the lessons show is computed from stories, generals and diagrams.
	{path: "reports/lessons", may: []string{"model", "faults", "scenarios", "scenarios/generals", "reports"}},
	{path: "scenarios/simtest", may: []string{"model", "model/echomq", "faults", "sim",
		"scenarios/actors", "scenarios", "scenarios/argue", "reports"}, thirdParty: true},
	{path: "cmd", may: []string{"model", "model/echomq", "model/echomq/valkey", "faults", "sim",
		"scenarios/actors", "scenarios", "scenarios/argue", "scenarios/coverage", "scenarios/exhaust", "scenarios/generals", "scenarios/storm", "scenarios/simtest", "reports",
		"reports/charts", "reports/lessons"}, thirdParty: true},
}

const (
	maxFuncLines = 70
	maxFileLines = 400
)

// under reports whether path is room or lies in it.
func under(path, room string) bool {
	return path == room || strings.HasPrefix(path, room+"/")
}

func inCore(rel string) bool {
	return slices.ContainsFunc(core, func(room string) bool { return under(rel, room) })
}

// exempt reports whether findings of that kind are allowed in file, a path
// within the module.
func exempt(file, kind string) bool {
	return slices.ContainsFunc(exemptions, func(e exemption) bool {
		return under(file, e.path) && (e.kinds == nil || slices.Contains(e.kinds, kind))
	})
}

// roomOf returns the innermost room of a package, nil if it has none.
func roomOf(rel string) *room {
	var best *room
	for i, r := range rooms {
		if under(rel, r.path) && (best == nil || len(r.path) > len(best.path)) {
			best = &rooms[i]
		}
	}
	return best
}
