package sim

import (
	"testing"
	"unsafe"
)

// What the kernel needs of a process at every step is two lines of a cache, of 64 bytes
// each: a field more is to be noticed.
func TestAProcessIsTwoLinesOfACache(t *testing.T) {
	if unsafe.Sizeof(uintptr(0)) != 8 {
		t.Skip("the lines are counted on 64 bits")
	}
	var p process[mute]
	if size := unsafe.Sizeof(p); size != 128 {
		t.Errorf("a process has %d bytes", size)
	}
}
