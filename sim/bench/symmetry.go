package main

import (
	"fmt"
	"strconv"
)

var symmetry = section{
	name:  "symmetry",
	title: "Exhaustive search, with symmetry",
	says: `The reference story with 2 jobs, 3 claims of each and equal workers, searched for a loss with every kind of fault that is
the default (contest/explore.go; ackgap explore reference --property no-loss), without symmetry and with it: time to the
verdict, the same for both. Workers that are alike change places freely, so that more of them are worth more: n of them
have at most n! orders, of which the search then takes one. Jobs do only when they are finished.`,
	run: runSymmetry,
}

func runSymmetry(b *bench) (*result, error) {
	faults, sizes := "3", []int{2, 3, 4}
	if b.quick {
		faults, sizes = "2", []int{2, 4}
	}
	t := table{head: []string{faults + " faults", "states", "with symmetry", "", "s", "with symmetry", ""}}
	var last float64
	for _, workers := range sizes {
		var list []*contestant
		for _, how := range []string{"plain", "symmetry"} {
			list = append(list, &contestant{name: how, command: []string{b.path("contest"), "symmetry", how, strconv.Itoa(workers), faults}})
		}
		if err := b.inTurn(list); err != nil {
			return nil, err
		}
		plain, alike := list[0], list[1]
		if plain.words["verdict"] != alike.words["verdict"] {
			return nil, fmt.Errorf("%d workers: the verdict is %q, with symmetry %q", workers, plain.words["verdict"], alike.words["verdict"])
		}
		last = plain.median("ns") / alike.median("ns")
		t.add(strconv.Itoa(workers)+" workers", number(plain.median("states")), number(alike.median("states")),
			ratio(plain.median("states")/alike.median("states")), number(plain.median("ns")/1e9), number(alike.median("ns")/1e9), ratio(last))
	}
	return &result{
		versions: []string{goVersion()},
		tables:   []table{t},
		bars:     []bar{atLeast("exhaustive, 4 equal workers: with symmetry 5x less time to the verdict", 5, last, "x")},
	}, nil
}
