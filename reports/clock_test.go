package reports

import (
	"strings"
	"testing"

	"github.com/ackgap/ackgap/model"
)

// The points of all times stand below each other, however fine each is.
func TestThePointsOfTimesStandBelowEachOther(t *testing.T) {
	rows := diagramRows(text(catalogueRun(t, "lossy-network"), Style{Full: true}))
	column := -1
	for _, row := range rows[1:] {
		at, _, _ := strings.Cut(row, "s  ")
		point := strings.IndexByte(at, '.')
		if point < 0 || strings.ContainsAny(at, "⋮│") {
			continue
		}
		if column < 0 {
			column = point
		}
		if point != column {
			t.Fatalf("the point is not in column %d: %q", column, row)
		}
	}
	if column < 0 {
		t.Fatal("no row has a time")
	}
}

// A column of whole milliseconds has three places, and never stays never.
func TestAColumnHasThePlacesOfItsFinestTime(t *testing.T) {
	var c clock
	c.sees(1_000_000)
	if got := c.tell(31_000_000_000); got != "31.000s" {
		t.Errorf("%q", got)
	}
	c.sees(1_000_100)
	c.sees(model.Never)
	if got := c.tell(31_000_000_000) + " " + c.tell(1_000_100) + " " + c.tell(model.Never); got != "31.0000000s 0.0010001s never" {
		t.Errorf("%q", got)
	}
}
