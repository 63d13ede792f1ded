// Package faults says what may go wrong, and decides whether it does.
//
// Whatever may go wrong is asked once, at a named Point, and an Adversary
// answers with an Outcome; the zero Outcome is benign. Seeds, recorded plans,
// hand-written stories and a search over k faults are all adversaries, so a
// plan means the same to each of them, and still means it after the code has
// changed.
//
// There are three families of points, and the list is closed: messages, steps
// and slots. The package does not know the queue whose messages it loses.
package faults
