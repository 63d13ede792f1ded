package sim

import "time"

// Test files are not checked: a test may sleep.
func sleeps() { time.Sleep(1); go now(nil) }
