package explore

func alsoDeals(f func()) {
	go f() // want "goroutine: go statement"
}
