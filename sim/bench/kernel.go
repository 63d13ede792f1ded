package main

import (
	"fmt"
	"math"
	"strconv"
)

var kernel = section{
	name:  "kernel",
	title: "Kernel",
	says: `The hold model (Jones, CACM 29(4), 1986): so many events are pending, the earliest is taken out and one is put in a
random time later. All draw the same times from the same generator, whole nanoseconds below 2^20, and fold each event into a
sum: *same order* says that the sum was equal, ties included. In ackgap each event is a timer of a process and its delivery a
step; with *coroutines* each event belongs to an iter.Pull, which the step resumes. simgo is run by the handlers of its events
and by its processes, which are goroutines; akita, by its serial engine, has no order among events of one instant, nor has
synctest. Figures are nanoseconds an event; ratios are to the heap in C, which is the work itself: 24 bytes an event, no calls.`,
	run: runKernel,
}

var holdSizes = []int{10, 1_000, 100_000}

// holder is a row of the table: how it is run, and how many events it does.
type holder struct {
	name    string
	program string // that may be missing
	command []string
	events  int
}

const (
	cHeap  = "binary heap in C"
	ackgap = "ackgap"
)

// holders are in the order of the table. The slow ones do less, the others enough for a
// start of a program, which takes a millisecond, to be no matter.
func (b *bench) holders() []holder {
	contest := func(name string) []string { return []string{b.path("contest"), "hold", name} }
	list := []holder{
		{cHeap, "hold", []string{b.path("hold")}, 4_000_000},
		{ackgap, "", contest("ackgap"), 4_000_000},
		{"ackgap, coroutines", "", contest("coroutines"), 1_000_000},
		{"container/heap", "", contest("heap"), 4_000_000},
		{"simgo", "", contest("simgo"), 400_000},
		{"simgo, processes", "", contest("simgo-processes"), 400_000},
		{"akita", "", contest("akita"), 400_000},
		{"goroutines, channels", "", contest("channels"), 400_000},
		{"testing/synctest", "", contest("synctest"), 400_000},
	}
	for _, s := range []string{"Map", "Heap", "PriorityQueue", "Calendar"} {
		list = append(list, holder{"ns-3, " + s + "Scheduler", "hold_ns3", []string{b.path("hold_ns3")}, 400_000})
	}
	return append(list, holder{"SimPy", "simpy", []string{python, "peers/hold_simpy.py"}, 200_000})
}

// hold returns the contestants of one size.
func (b *bench) hold(pending int) (list []*contestant) {
	for _, h := range b.holders() {
		events := h.events
		if b.quick {
			events = min(events, 400_000)
		}
		command := append(h.command, strconv.Itoa(pending), strconv.Itoa(events))
		if h.program == "hold_ns3" {
			command = append(command, "ns3::"+h.name[len("ns-3, "):])
		}
		list = append(list, &contestant{name: h.name, missing: b.missing[h.program], command: command})
	}
	return list
}

// perEvent is the nanoseconds an event of c.
func perEvent(c *contestant) float64 { return c.median("ns") / c.median("events") }

func runKernel(b *bench) (*result, error) {
	bySize := make([][]*contestant, len(holdSizes))
	for i, n := range holdSizes {
		bySize[i] = b.hold(n)
		if err := b.inTurn(bySize[i]); err != nil {
			return nil, err
		}
	}
	return &result{
		versions: []string{goVersion(), said("gcc", "--version"), debian("libns3-dev"), debian("python3-simpy"),
			module("github.com/fschuetz04/simgo"), module("github.com/sarchlab/akita/v4")},
		tables: []table{holdTable(bySize)},
		bars:   holdBars(bySize),
	}, nil
}

func holdTable(bySize [][]*contestant) table {
	t := table{head: []string{"pending"}}
	for _, n := range holdSizes {
		t.head = append(t.head, grouped(int64(n)), "to C")
	}
	t.head = append(t.head, "same order")
	for row, first := range bySize[0] {
		cells := []string{first.name}
		if first.missing != "" {
			t.add(append(cells, first.missing)...)
			continue
		}
		for _, list := range bySize {
			cells = append(cells, number(perEvent(list[row])), ratio(perEvent(list[row])/perEvent(list[0])))
		}
		t.add(append(cells, sameOrder(bySize, row))...)
	}
	return t
}

// sameOrder says at which sizes a contestant had the events in the order of the C
// heap, or of ackgap where there is none.
func sameOrder(bySize [][]*contestant, row int) string {
	same := 0
	for _, list := range bySize {
		judge := list[0]
		if judge.missing != "" {
			judge = find(list, ackgap)
		}
		if sum := list[row].words["early"]; sum != "" && sum == judge.words["early"] {
			same++
		}
	}
	return map[int]string{0: "no", len(bySize): "yes"}[same] + map[bool]string{true: "partly"}[same > 0 && same < len(bySize)]
}

// holdBars are for each size: how far from the machine, from ns-3 at its best and
// from the nearest peer in Go.
func holdBars(bySize [][]*contestant) (bars []bar) {
	for i, list := range bySize {
		at := grouped(int64(holdSizes[i])) + " pending"
		own := perEvent(find(list, ackgap))
		limit, words := 1.4, "within 1.4x of a binary heap in C"
		if holdSizes[i] == 100_000 {
			limit, words = 1, "ahead of a binary heap in C"
		}
		bars = append(bars,
			atMost(fmt.Sprintf("kernel, %s: %s", at, words), limit, own/perEvent(list[0]), "x"),
			atLeast(fmt.Sprintf("kernel, %s: ahead of ns-3", at), 1, best(list, "ns-3")/own, "x"),
			atLeast(fmt.Sprintf("kernel, %s: 4x every peer in Go", at), 4,
				bestInGo(list)/own, "x"))
	}
	return bars
}

// bestInGo is the least time of all that is written in Go and is not ackgap.
func bestInGo(list []*contestant) float64 {
	least := math.Inf(1)
	for _, name := range []string{"container/heap", "simgo", "akita", "goroutines", "testing/synctest"} {
		least = min(least, best(list, name))
	}
	return least
}

// best is the least time of those whose name begins so; NaN if none ran.
func best(list []*contestant, prefix string) float64 {
	least := math.NaN()
	for _, c := range list {
		if len(c.name) >= len(prefix) && c.name[:len(prefix)] == prefix && c.missing == "" && !(perEvent(c) >= least) {
			least = perEvent(c)
		}
	}
	return least
}
