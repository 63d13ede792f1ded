package script

import (
	"strconv"
	"strings"
)

// Count says how many there are of what: "1 delivery", "2 deliveries".
func Count(n int, what string) string {
	if n != 1 {
		if stem, ok := strings.CutSuffix(what, "y"); ok {
			what = stem + "ies"
		} else {
			what += "s"
		}
	}
	return strconv.Itoa(n) + " " + what
}
