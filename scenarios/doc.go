// Package scenarios turns a story into an outcome: it parses the text, builds the
// world that it speaks of, runs it, and holds what came of it against what was
// expected.
//
//	story, err := scenarios.Load("lost-ack") // or Parse(file, text)
//	out, err := story.Run(scenarios.Options{})
//	fmt.Println(out.Met, out.History.Digest)
//
// The same story leaves the same history, byte for byte. A run draws what its
// network lines leave to chance from the story's seed, and nothing else.
//
// The catalogue (stories/*.story) is embedded; each story opens with why it
// exists. Queues register themselves in package model: this package links
// EchoMQ in Go and no other.
package scenarios
