package main

import "strconv"

var worlds = section{
	name:  "worlds",
	title: "The whole queue world, and processes",
	says: `A hundred workers, an EchoMQ queue, a producer, a pump and a store; a job every 200us, work of 20ms, messages of 1ms, none
lost (contest/world.go). ackgap judges every property and keeps the digest; the peers run the same queue machine and judge
nothing. *Coroutine handlers* are consumers in ordinary Go, by simtest. Goroutines with channels have virtual time, a heap of
events and one turn that goes round; testing/synctest has goroutines that sleep and wait as real ones do; rapid draws which
message arrives next, and has no time. An event is one that a party is given: what each counts differs a little, so the ratio
is of jobs a second.`,
	run: runWorlds,
}

const (
	lossy      = "ackgap, one message in 1,000 lost, jitter"
	coroutines = "ackgap, coroutine handlers"
	channels   = "goroutines, channels"
)

func runWorlds(b *bench) (*result, error) {
	jobs := "50000"
	if b.quick {
		jobs = "5000"
	}
	var list []*contestant
	for _, one := range [][2]string{
		{ackgap, "ackgap"}, {lossy, "lossy"}, {coroutines, "coroutines"},
		{channels, "channels"}, {"testing/synctest", "synctest"}, {"rapid, state machine", "rapid"},
	} {
		list = append(list, &contestant{name: one[0], command: []string{b.path("contest"), "world", one[1], jobs}})
	}
	if err := b.inTurn(list); err != nil {
		return nil, err
	}
	t := table{head: []string{"world", "events/s", "events a job", "jobs/s", "to ackgap"}}
	for _, c := range list {
		t.add(c.name, number(perSecond(c, "events")), number(c.median("events")/c.median("jobs")),
			number(perSecond(c, "jobs")), ratio(perSecond(c, "jobs")/perSecond(list[0], "jobs")))
	}
	coroutine := find(list, coroutines)
	return &result{
		versions: []string{goVersion(), module("pgregory.net/rapid")},
		tables:   []table{t},
		bars: []bar{
			atLeast("world of 100 workers: 4 million useful events a second", 4e6, perSecond(list[0], "events"), ""),
			atLeast("world of 100 workers, lossy: 4 million useful events a second", 4e6, perSecond(find(list, lossy), "events"), ""),
			atLeast("coroutine handlers: 3 million useful events a second", 3e6, perSecond(coroutine, "events"), ""),
			atLeast("coroutine handlers: 2x goroutines with channels", 2,
				perSecond(coroutine, "jobs")/perSecond(find(list, channels), "jobs"), "x"),
		},
	}, nil
}

// perSecond is how many of a thing c did in a second.
func perSecond(c *contestant, things string) float64 { return c.median(things) / c.median("ns") * 1e9 }

// module names a module with the version that is built in.
func module(path string) string { return said("go", "list", "-m", path) }

var property = section{
	name:  "property",
	title: "Random worlds",
	says: `Worlds that a seed draws, from seed to verdict, all properties on. *First failure* is how long it takes to find one, on
average, with a consumer that looks for no marker (mutants/naive), and *shrink* how long to make it small: the medians of many.
The two cores are timed by the clock on the wall, and so by what else runs: by processor time they cost each other only what
that figure grows by. *Arithmetic* is a loop that needs no memory: what two cores add up to here, whoever asks.`,
	run: runProperty,
}

func runProperty(b *bench) (*result, error) {
	scale := 10
	if b.quick {
		scale = 1
	}
	contest := func(name, what, story string, numbers ...int) *contestant {
		command := []string{b.path("contest"), what, story}
		for _, n := range numbers {
			command = append(command, strconv.Itoa(n))
		}
		return &contestant{name: name, command: command}
	}
	lost, reference := contest("lost-ack", "worlds", "lost-ack", 2000*scale), contest("reference", "worlds", "reference", 500*scale)
	first, small := contest("first failure", "find", "mutants/naive", 100*scale), contest("shrink", "shrink", "mutants/naive", 10*scale)
	one, two := contest("1 core", "cores", "reference", 1000*scale, 1), contest("2 cores", "cores", "reference", 1000*scale, 2)
	bare, bareTwo := contest("1 core", "arithmetic", "-", 1000*scale, 1), contest("2 cores", "arithmetic", "-", 1000*scale, 2)
	two.cores, bareTwo.cores = 2, 2
	if err := b.inTurn([]*contestant{lost, reference, first, small, one, two, bare, bareTwo}); err != nil {
		return nil, err
	}
	t := table{head: []string{"", "us", "a second", ""}}
	for _, c := range []*contestant{lost, reference} {
		t.add("a world of "+c.name, number(1e6/perSecond(c, "worlds")), number(perSecond(c, "worlds")))
	}
	t.add("first failure", number(1e6/perSecond(first, "finds")), number(perSecond(first, "finds")),
		number(first.median("worlds")/first.median("finds"))+" worlds")
	t.add("shrink", number(small.median("ns")/1000), number(1e9/small.median("ns")), number(small.median("runs"))+" runs")
	for _, c := range []*contestant{one, two} {
		t.add("a world of reference, "+c.name, number(1e6/perSecond(c, "worlds")), number(perSecond(c, "worlds")),
			number(c.median("cpu")/c.median("worlds")/1000)+" us of processors")
	}
	t.add("arithmetic, 2 cores", "", "", number(perSecond(bareTwo, "worlds")/perSecond(bare, "worlds"))+"x of one")
	return &result{
		versions: []string{goVersion()},
		tables:   []table{t},
		bars: []bar{
			atMost("a lost-ack world from seed to verdict: under 20 microseconds", 20, 1e6/perSecond(lost, "worlds"), " us"),
			atLeast("2 cores: 1.85x of one", 1.85, perSecond(two, "worlds")/perSecond(one, "worlds"), "x"),
		},
	}, nil
}
