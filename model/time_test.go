package model

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestTimeIsPrintedInSeconds(t *testing.T) {
	cases := []struct {
		t    Time
		want string
	}{
		{0, "0.000s"},
		{1, "0.000000001s"},
		{-1, "-0.000000001s"},
		{Time(30*time.Second + time.Millisecond), "30.001s"},
		{Time(-1500 * time.Millisecond), "-1.500s"},
		{Time(1500 * time.Microsecond), "0.0015s"},
		{Time(10 * time.Minute), "600.000s"},
		{-1 << 63, "-9223372036.854775808s"},
		{Never - 1, "9223372036.854775806s"},
		{Never, "never"},
	}
	for _, c := range cases {
		if got := c.t.String(); got != c.want {
			t.Errorf("%d ns prints as %s, want %s", int64(c.t), got, c.want)
		}
	}
}

// What is printed is read back as the same instant, by Go's own parser.
func TestTimeIsPrintedInFull(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := Time(rapid.Int64Range(-1<<62, 1<<62).Draw(t, "at"))
		if d, err := time.ParseDuration(at.String()); Time(d) != at || err != nil {
			t.Fatalf("%d ns prints as %s, read as %d, %v", int64(at), at, d, err)
		}
	})
}

func TestFloorMillisRoundsDownOnBothSidesOfZero(t *testing.T) {
	cases := []struct{ t, want Time }{
		{0, 0}, {999_999, 0}, {1_000_000, 1_000_000}, {1_999_999, 1_000_000},
		{-1, -1_000_000}, {-1_000_000, -1_000_000}, {-1_000_001, -2_000_000},
	}
	for _, c := range cases {
		if got := c.t.FloorMillis(); got != c.want {
			t.Errorf("%d ns is rounded down to %d, want %d", c.t, got, c.want)
		}
	}
}

func TestUnixMillisCountFromTheEpoch(t *testing.T) {
	epoch := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, at := range []Time{0, 1_999_999, Time(time.Hour), -1, Time(-time.Hour)} {
		want := epoch.Add(time.Duration(at)).UnixMilli()
		if got := at.UnixMillis(); got != want {
			t.Errorf("%s is %d, want %d", at, got, want)
		}
	}
}

func TestNextIsTheFirstTickNotBefore(t *testing.T) {
	cases := []struct {
		t, from Time
		want    Time
	}{
		{0, 0, 50},    // the first tick is one period after from
		{-7, 0, 50},   // also when it is early
		{1, 0, 50},    //
		{50, 0, 50},   // a tick itself counts
		{51, 0, 100},  //
		{100, 0, 100}, //
		{130, 30, 130},
		{131, 30, 180},
		{10, -15, 35},
	}
	for _, c := range cases {
		if got := c.t.Next(c.from, 50); got != c.want {
			t.Errorf("after %d, ticking by 50 since %d, comes %d; want %d", c.t, c.from, got, c.want)
		}
	}
}

func TestNextIsATickAndTheEarliestOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := Time(rapid.Int64Range(-1000, 1000).Draw(t, "at"))
		from := Time(rapid.Int64Range(-1000, 1000).Draw(t, "from"))
		period := time.Duration(rapid.Int64Range(1, 100).Draw(t, "period"))
		next := at.Next(from, period)
		if next < at || next <= from || next.Sub(from)%period != 0 {
			t.Fatalf("%d is no tick at or after %d", next, at)
		}
		if earlier := next.Add(-period); earlier >= at && earlier > from {
			t.Fatalf("%d comes before %d and is a tick too", earlier, next)
		}
	})
}

func TestAddAndSubAreInverse(t *testing.T) {
	at := Time(3 * time.Second)
	if got := at.Add(2 * time.Second).Sub(at); got != 2*time.Second {
		t.Errorf("got %v, want 2s", got)
	}
	if got := at.Sub(at.Add(time.Second)); got != -time.Second {
		t.Errorf("got %v, want -1s", got)
	}
}
