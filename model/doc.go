// Package model holds the words of ackgap: time, seeds, ids, tokens, requests
// and replies, the Queue that is judged, the history that a run leaves, and the
// properties that judge it.
//
// Everything else in the repository is written in these words. The package
// knows no simulator and no queue: a property reads the history only, so that a
// queue which lies cannot write its own alibi.
//
// The chain is
//
//	scenario + seed -> plan -> run -> history -> verdict -> report
//
// and this package owns the last three arrows' nouns. Read event.go for what a
// history holds, then property.go for what is claimed of it.
package model
