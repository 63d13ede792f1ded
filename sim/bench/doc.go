// Command bench measures ackgap beside its peers and writes what it found to
// RESULTS.md: the same work for each, every contestant in a process of its own on
// one core, all in turn, round after round, so that what else the machine does
// falls on all alike. A figure is the median of the rounds.
//
//	go run . [-quick] [-rounds N] [-core N] [-only SECTION,...]
//
// With -only the other sections of RESULTS.md stay as they are. -quick measures
// less of the same, prints the sections and leaves the file alone. Nothing is
// installed: script install does that, and a peer that is missing is a row that
// says so.
//
// Read kernel.go for what a section looks like. The work itself is in contest (Go)
// and in peers (C, C++, Python).
package main
