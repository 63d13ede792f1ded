// Package echomq is a queue.
package echomq
