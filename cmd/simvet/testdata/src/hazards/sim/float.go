package sim

import "time"

type ratio float64 // want "float: float64"

const half = 0.5 // want "float: untyped float"

func floats(n int, d time.Duration, r ratio) { // want "float: float64"
	_ = float32(n)         // want "float: float32"
	_ = d.Seconds()        // want "float: float64"
	_ = r * 2              // want "float: float64"
	_ = complex64(0)       // want "float: complex64"
	_ = 3i                 // want "float: 3i"
	_ = time.Duration(1e9) // want "float: 1e9"
}
