package bare_test

import (
	"fmt"
	"testing"

	"github.com/ackgap/ackgap/model/internal/bare"
)

// ended is a test that panics with what ends it.
type ended struct{ testing.TB }

func (ended) Helper()                        {}
func (ended) Fatalf(format string, a ...any) { panic(fmt.Sprintf(format, a...)) }

func TestALineWithoutAVerbEndsTheTestAndIsShown(t *testing.T) {
	for _, line := range []string{"0s", "0s show", "0s dance J1"} {
		func() {
			defer func() {
				if got, want := recover(), fmt.Sprintf("no verb in line %q", line); got != want {
					t.Errorf("%v, want %s", got, want)
				}
			}()
			bare.Play(ended{}, nil, line)
		}()
	}
}
