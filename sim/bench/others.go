package main

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
)

const searchSays = `One small leased queue said three times in the same words: sim/explore/testdata/peers/run compares them, and this is its
table. reports/docs/exhaustive.md says what each figure is.`

var exhaustive = section{
	name:  "exhaustive",
	title: "Exhaustive search",
	says:  searchSays,
	run: func(b *bench) (*result, error) {
		if b.quick {
			return b.search("15,000 states", 2, "2 2 2 2", "22")
		}
		return b.search("1.6 million states", 2, "3 2 2 4", "22 24")
	},
}

// larger takes minutes for one round, which has to do.
var larger = section{
	name:  "exhaustive-larger",
	title: "Exhaustive search, a larger world",
	says:  searchSays,
	run: func(b *bench) (*result, error) {
		if b.quick {
			return &result{notes: []string{"Left out of a quick run."}}, nil
		}
		b.rounds = 1
		return b.search("8.9 million states", 1.5, "3 2 3 3", "24 26")
	},
}

func (b *bench) search(words string, limit float64, size, widths string) (*result, error) {
	if _, err := exec.LookPath("spin"); err != nil {
		return &result{notes: []string{"Not measured: there is no spin."}}, nil
	}
	t, err := b.peers(size, "RUNS="+strconv.Itoa(b.rounds), "WIDTHS="+widths)
	if err != nil {
		return nil, err
	}
	own, spin := fastest(t, "sim/explore, breadth"), fastest(t, "Spin")
	return &result{
		versions: []string{goVersion(), debian("spin")},
		tables:   []table{t},
		bars:     []bar{atLeast(fmt.Sprintf("exhaustive, %s: %gx Spin's states a second", words, limit), limit, own/spin, "x")},
	}, nil
}

// peers runs the script and takes over its table.
func (b *bench) peers(size string, env ...string) (t table, err error) {
	cmd := exec.Command("../explore/testdata/peers/run", strings.Fields(size)...)
	cmd.Env = append(append(os.Environ(), env...), "CORE="+strconv.Itoa(b.core))
	out, err := cmd.Output()
	if err != nil {
		return t, fmt.Errorf("%s: %w", cmd, err)
	}
	for line := range strings.Lines(string(out)) {
		if !strings.HasPrefix(line, "|") || strings.HasPrefix(line, "|--") {
			continue
		}
		var cells []string
		for cell := range strings.SplitSeq(strings.Trim(line, "|\n"), "|") {
			cells = append(cells, strings.TrimSpace(cell))
		}
		if t.head == nil {
			t.head = cells
		} else {
			t.add(cells...)
		}
	}
	if len(t.rows) == 0 {
		return t, fmt.Errorf("%s printed no table", cmd)
	}
	return t, nil
}

// fastest is the most states a second of the rows that begin so; NaN if there are
// none.
func fastest(t table, prefix string) float64 {
	most := math.NaN()
	for _, row := range t.rows {
		if f, err := strconv.ParseFloat(row[3], 64); err == nil && strings.HasPrefix(row[0], prefix) && !(most >= f) {
			most = f
		}
	}
	return most
}

var redis = section{
	name:  "redis",
	title: "Redis bodies",
	says: `EchoMQ's scripts on a server: the whole simulator with its world, history and verdicts, beside a client that sends the
same commands and does nothing else (BenchmarkSimulatorOverBareLoop in model/echomq/valkey). Ratios are to that client, of
processor time, ours and the server's; *with looks* reads rows and sets back after each call.`,
	run: runRedis,
}

var goBenchmark = regexp.MustCompile(`(?m)^Benchmark\w+/(\S*?)(?:-\d+)?\s+\d+\s+(.*)$`)

func runRedis(b *bench) (*result, error) {
	args := []string{"-C", "../..", "test", "-run", "^$", "-bench", "^BenchmarkSimulatorOverBareLoop$", "-benchtime", "10x", "./model/echomq/valkey"}
	if b.quick {
		args[len(args)-2] = "2x"
	}
	out, err := exec.Command("go", args...).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("go %q: %w\n%s", args, err, out)
	}
	r := &result{versions: []string{goVersion(), debian("redis-server")}}
	t := table{head: []string{"server", "us a bare call", "simulator", "with looks"}}
	for _, m := range goBenchmark.FindAllStringSubmatch(string(out), -1) {
		name := map[string]string{"#00": "embedded", "spawn": "a process of its own"}[m[1]]
		figures := metrics(m[2])
		t.add(name, number(figures["us/bare-call"]), ratio(figures["x-simulator"]), ratio(figures["x-with-looks"]))
		if m[1] == "spawn" {
			r.bars = append(r.bars, atMost("on a server of its own: the simulator within 1.15x of a bare client", 1.15, figures["x-simulator"], "x"))
		}
	}
	if len(t.rows) < 2 {
		r.notes = append(r.notes, "Not measured: a server of its own, for none is installed.")
	}
	r.tables = []table{t}
	return r, nil
}

// metrics reads what go test prints behind the count: figure, unit, figure, unit.
func metrics(text string) map[string]float64 {
	list := map[string]float64{}
	words := strings.Fields(text)
	for i := 0; i+1 < len(words); i += 2 {
		list[words[i+1]], _ = strconv.ParseFloat(words[i], 64)
	}
	return list
}

var logs = section{
	name:  "logs",
	title: "Logs",
	says: `A log of ten million events judged as it is read (TestManyEventsTakeLittleMemory in reports/eventlog, which fails above
200 MB). Memory is all that the process has of the system.`,
	run: runLogs,
}

var manyEvents = regexp.MustCompile(`(\d+) events of .* (\d+) MB of the system, (\d+) events a second`)

func runLogs(b *bench) (*result, error) {
	events := "10000000"
	if b.quick {
		events = "1000000"
	}
	cmd := exec.Command("taskset", "-c", strconv.Itoa(b.core),
		"go", "-C", "../..", "test", "-count=1", "-run", "^TestManyEventsTakeLittleMemory$", "-v", "./reports/eventlog")
	cmd.Env = append(os.Environ(), "ACKGAP_LOG_EVENTS="+events)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", cmd, err, out)
	}
	m := manyEvents.FindStringSubmatch(string(out))
	if m == nil {
		return nil, fmt.Errorf("%s told no figures:\n%s", cmd, out)
	}
	var figures [3]float64
	for i := range figures {
		figures[i], _ = strconv.ParseFloat(m[i+1], 64)
	}
	t := table{head: []string{"", "MB", "events/s"}}
	t.add(number(figures[0])+" events", number(figures[1]), number(figures[2]))
	r := &result{versions: []string{goVersion()}, tables: []table{t}}
	if !b.quick {
		r.bars = []bar{atMost("a log of 10 million events is judged in less than 200 MB", 200, figures[1], " MB")}
	}
	return r, nil
}
