// Command ackgap runs stories about leased job queues: what the queue does when
// the acknowledgement never arrives, and who closes the gap.
//
// Reports go to standard output, messages to standard error. The exit status is
// 0 when every expectation was met (also that something breaks), 1 when one was
// not, 2 for wrong use or a bad file, 3 when a run was inconclusive, 4 when two
// runs diverged, 70 for an internal error and 130 when interrupted.
package main
