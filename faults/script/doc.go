// Package script reads the line language that stories and plans share: one
// directive a line, a word, its operands and `key=value` options.
//
//	fault  crash w1 after=apply J1#1 restart=5s   # comments end a line
//
// Scan cuts a text into lines, Args hands out what stands on one of them and
// remembers what was asked for, so that whatever is left over is refused
// together with what would have been allowed. All errors of a text are
// collected, not only the first.
//
// The text is untrusted: see Limits in line.go for what is refused by size, and
// every word that a message repeats is quoted.
package script
