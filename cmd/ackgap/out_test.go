package main

import (
	"os"
	"strings"
)

// Tests may run in a step on GitHub, and stories that fail in them are no news there.
// The scripts run this program under the name of ackgap, and say where they run.
func init() {
	if strings.HasSuffix(os.Args[0], ".test") {
		_ = os.Unsetenv("GITHUB_ACTIONS")
	}
}
