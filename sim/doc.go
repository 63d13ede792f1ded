// Package sim is a deterministic discrete-event kernel: virtual time, an agenda,
// links that lose and delay, and processes that crash, stand still and come
// back. It is generic in its message type and knows no queue.
//
// A process is a pure step: Step(now, input, effects). It reads no clock, draws
// nothing and starts nothing; what it wants done it says in its Effects, and the
// kernel does it after the step has returned. A crash can therefore stand
// between any two steps and nowhere else.
//
// Events are ordered by (time, class, sequence): at one instant first what
// faults do (windows, clock steps, crashes, restarts), then what was injected
// from outside, then what waited for a process that wakes, then all else in the
// order of scheduling. There is no other source of order, so the same processes
// and the same adversary leave the same history, byte for byte.
//
// Read kernel.go for the loop, agenda.go for what comes next, link.go for what
// happens to a message, life.go for crashes, pauses and timers.
package sim
