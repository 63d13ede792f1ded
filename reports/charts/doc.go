// Package charts draws numbers of runs as pictures: deliveries, lapses and the backlog of
// a run, the backlogs of a storm and how they drain, how many runs it takes to catch a
// mutant, and how many faults break a promise. The axes are laid out by gonum.org/v1/plot;
// canvas.go writes what it draws as SVG in the classes of the other pictures, for a light
// and a dark ground, without fonts. It is no part of package reports because that one
// needs nothing but the standard library.
//
// The same numbers give the same bytes: every length is rounded to a tenth of a point.
package charts
