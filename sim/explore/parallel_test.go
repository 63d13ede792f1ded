package explore

import (
	"fmt"
	"strings"
	"testing"
)

// A panic of one core is the caller's, who can say whose defect it is.
func TestAPanicOfOneCoreIsTheCallers(t *testing.T) {
	defer func() {
		if p := fmt.Sprint(recover()); !strings.HasPrefix(p, "no room") || !strings.Contains(p, "parallel_test.go") {
			t.Errorf("recovered %s", p)
		}
	}()
	each(2, func(i int) {
		if i == 1 {
			panic("no room")
		}
	})
	t.Error("no panic arrived")
}
