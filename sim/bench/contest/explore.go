package main

import (
	"fmt"

	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/exhaust"
	"github.com/ackgap/ackgap/sim/explore"
)

// runExplore visits every state of a story of the catalogue with one job, two
// workers and at most so many faults.
func runExplore(name string, numbers []int) error {
	story, err := scenarios.Load(name)
	if err != nil {
		return err
	}
	if story, err = exhaust.Resize(story, 1, 2); err != nil {
		return err
	}
	began := clock()
	w, err := exhaust.New(story, exhaust.Scope{Claims: 3, Kinds: exhaust.DefaultKinds})
	if err != nil {
		return err
	}
	r, err := explore.Run[exhaust.State](w, explore.Options{Faults: numbers[0]})
	if err != nil {
		return err
	}
	fmt.Printf("ns %d\nstates %d\n", clock()-began, r.States)
	return nil
}

// runSymmetry looks for a loss in the reference story with two jobs and so many workers,
// with at most so many faults: plainly, or counting as one what differs in who is who.
func runSymmetry(name string, numbers []int) error {
	if name != "plain" && name != "symmetry" {
		return unknown(name, "plain", "symmetry")
	}
	story, err := scenarios.Load("reference")
	if err != nil {
		return err
	}
	if story, err = exhaust.Resize(story, 2, numbers[0]); err != nil {
		return err
	}
	began := clock()
	w, err := exhaust.New(story, exhaust.Scope{Claims: 3, Kinds: exhaust.DefaultKinds, Symmetry: name == "symmetry"})
	if err != nil {
		return err
	}
	r, err := w.Explore(explore.Options{Faults: numbers[1]}, "no-loss")
	if err != nil {
		return err
	}
	fmt.Printf("ns %d\nstates %d\nverdict %s, %d found\n", clock()-began, r.Result.States, r.Result.Ending, len(r.Sought))
	return nil
}
