//go:build !amd64 && !arm64

package simtest

// goroutine returns 0: what runs is told by its stack (isHandlers).
func goroutine() uintptr { return 0 }
