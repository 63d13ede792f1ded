// Package argue makes an argument of a failing story: what the failure needs, and
// what fixes it. Nothing in it is known beforehand: each sentence is what came of
// runs that were made to find it out.
//
// The story is shrunk first. Then, on the small story, each fault and each `do`
// line is taken away in turn (need.go), and each option is put to the values of a
// ladder (knob.go). At last every change that might help is tried (change.go): on
// the small story, and on thousands of random worlds of the story as it was
// (trial.go). A change that holds the property and breaks another has moved the
// failure; one that breaks nothing in any of the worlds is a fix, as far as they
// tell.
//
// That a repair is tried and not told is the way of chaos engineering (Basiri and
// others, "Chaos Engineering", IEEE Software 33(3), 2016): a claim about a system
// is a hypothesis, and an experiment that could refute it is its worth.
package argue
