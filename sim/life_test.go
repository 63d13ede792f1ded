package sim

import (
	"testing"
	"unsafe"
)

// What the kernel needs of a process at every step is three lines of a cache, of 64 bytes
// each, and the timers begin with the second: a field more is to be noticed.
func TestAProcessIsThreeLinesOfACache(t *testing.T) {
	if unsafe.Sizeof(uintptr(0)) != 8 {
		t.Skip("the lines are counted on 64 bits")
	}
	var p process[mute]
	if size, timers := unsafe.Sizeof(p), unsafe.Offsetof(p.timers); size != 192 || timers != 64 {
		t.Errorf("a process has %d bytes, its timers begin at %d", size, timers)
	}
}
