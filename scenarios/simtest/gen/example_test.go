package gen_test

import (
	"fmt"

	"github.com/ackgap/ackgap/scenarios/simtest/gen"
)

// What rapid draws are lines of a story.
func ExampleJobs() {
	fmt.Print(gen.Jobs(3).Example(2))
	// Output: job J1 at=308ms delay=6s fails=2 payload=i31es2
}

// A world is a whole story, for the option simtest.Story.
func ExampleWorld() {
	fmt.Print(gen.World().Example(1))
	// Output:
	// queue echomq lease=120s max-attempts=4
	// producer p retries=0
	// workers 2 work=20ms
	// job J1 at=2ms delay=6s fails=1
	// job J2 at=2ms delay=1s payload=8v1o018
	// job J3 at=13ms delay=6s fails=2 payload=xhpad41
}
