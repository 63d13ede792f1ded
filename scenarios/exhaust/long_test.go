package exhaust_test

import "os"

// isLong reports whether all worlds are to be explored, which takes minutes. Otherwise
// the tests take some of them, in about half a minute of processor time.
func isLong() bool { return os.Getenv("ACKGAP_LONG") != "" }

// within returns how much of something there is to be: all, or some by default.
func within(some, all int) int {
	if isLong() {
		return all
	}
	return some
}
