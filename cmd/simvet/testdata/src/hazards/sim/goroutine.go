package sim

func starts(f func()) {
	go f() // want "goroutine: go statement"
}
