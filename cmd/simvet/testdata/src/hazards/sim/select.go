package sim

func selects() {
	select {} // want "select: select statement"
}
