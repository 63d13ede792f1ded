//go:build amd64 || arm64

package simtest

// goroutine returns the address of the runtime's record of the goroutine that calls it.
// As long as both live, two have not the same one. Go has no name for a goroutine that a
// package may read; by the stack it is found in a microsecond, and by this in one
// nanosecond.
func goroutine() uintptr
