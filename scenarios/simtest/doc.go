// Package simtest puts your own consumer, as ordinary Go, into the worlds of
// ackgap under go test: see CheckConsumer.
package simtest
