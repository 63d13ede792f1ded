// Package sim comes as near to the hazards as the core may come.
package sim

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"example.test/clean/model"
)

// Limit is a constant duration: integers all the way.
const Limit = 3*time.Second + time.Second/2

// Agenda is sorted, not hashed.
type Agenda struct {
	byName map[string]int
	names  []string
}

// Walk reads a map by key and in sorted order, never in the order of Go.
func (a *Agenda) Walk(t *model.Time) (out []string, err error) {
	for _, name := range slices.Sorted(maps.Keys(a.byName)) {
		out = append(out, fmt.Sprint(name, a.byName[name], t, *a))
	}
	for _, n := range slices.Sorted((maps.Values(a.byName))) {
		out = append(out, fmt.Sprintf("%%p %d%% %v", n, &struct{ N int }{n}))
	}
	for range a.names {
		clear(a.byName)
	}
	return out, errors.New("no %p here")
}

// Ratio is a half in integers.
func Ratio(n int) int { return n * 50 / 100 }

// now has the name of a hazard and is none: it is our own.
func now(close func()) time.Time {
	close()
	return time.Date(2025, time.January, 1, 0, 0, 0, 0, time.UTC)
}
