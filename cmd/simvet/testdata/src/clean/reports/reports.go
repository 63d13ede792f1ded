// Package reports is not of the core: it may print and read the clock.
package reports

import (
	"fmt"
	"os"
	"time"

	_ "example.test/clean/sim"
)

// Stamp prints the wall clock and the order of a map.
func Stamp(m map[string]float64) {
	for k, v := range m {
		fmt.Fprintln(os.Stdout, time.Now(), k, v)
	}
}
