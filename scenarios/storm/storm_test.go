package storm_test

import (
	"strings"
	"testing"
	"time"

	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/storm"
)

// Forty jobs a second are the capacity of these four.
const four = "queue echomq variant=hardened reap-every=10ms\nproducer p retries=100\nworkers 4 consumer=atomic work=100ms\n"

func worlds(t *testing.T, text string, fault storm.Fault, prefetch int) *storm.Worlds {
	t.Helper()
	s, err := scenarios.Parse("storm", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	w, err := storm.New(s, fault, 2*time.Minute, prefetch)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	return w
}

// both runs a point without its fault and with it.
func both(t *testing.T, w *storm.Worlds, p storm.Point) (without, with storm.Tide, o storm.Outcome, left time.Duration) {
	t.Helper()
	if err := w.Check(p); err != nil {
		t.Fatal(err)
	}
	r := scenarios.NewRunner()
	calm := p
	calm.Length = 0
	for _, run := range []struct {
		p    storm.Point
		tide *storm.Tide
	}{{calm, &without}, {p, &with}} {
		tide, err := w.Run(r, run.p)
		if err != nil {
			t.Fatal(err)
		}
		*run.tide = tide
	}
	o, left = w.Judge(without, with)
	return without, with, o, left
}

// A load of half the capacity leaves 20 jobs for each second without workers, and
// drains as fast.
func TestWhereCapacityIsToSpareABacklogDrains(t *testing.T) {
	w := worlds(t, four, storm.Workers, 1)
	without, with, o, _ := both(t, w, storm.Point{Load: 50, Lease: 30 * time.Second, Length: 10 * time.Second})
	if o != storm.Drained {
		t.Errorf("%v: %+v", o, with)
	}
	if with.Peak < 150 || with.Peak > 350 || without.Peak > 20 {
		t.Errorf("at most %d are open with the fault, and %d without; 10s of 20 jobs, give or take three standard deviations, and claims that are asked again up to 5s later, make 150 to 350", with.Peak, without.Peak)
	}
}

// Twelve jobs come in the time of ten.
func TestALoadAboveCapacityNeverDrains(t *testing.T) {
	w := worlds(t, four, storm.Workers, 1)
	without, _, o, _ := both(t, w, storm.Point{Load: 120, Lease: 30 * time.Second, Length: time.Second})
	if o != storm.Overloaded {
		t.Errorf("%v: %+v", o, without)
	}
	if want := 8 * 120; without.End < want || without.End > want*3/2 {
		t.Errorf("%d are open at the end; 8 a second too many, and some that their messages cost, make %d or a few more", without.End, want)
	}
}

// Work that every lease ends before it is done is done for ever, at any load.
func TestALeaseBelowTheWorkFeedsRedeliveriesOnThemselves(t *testing.T) {
	w := worlds(t, four, storm.Workers, 1)
	without, _, o, _ := both(t, w, storm.Point{Load: 10, Lease: 50 * time.Millisecond, Length: time.Second})
	if o != storm.Overloaded || without.Completed != 0 || without.Deliveries < 1000 {
		t.Errorf("%v: %+v", o, without)
	}
}

// Of forty jobs that four workers take at once, a lease of 350ms leaves each worker three
// rounds if it was free when they were taken, and two if it was not: 8 to 12 are done
// in time. So a backlog has 20% to 30% of the capacity. A load of 50% makes none while
// each job is taken as it comes, and never recovers from one; a load of 15% does.
func TestABufferWhoseLeasesRunIsMetastable(t *testing.T) {
	w := worlds(t, four, storm.Workers, 40)
	at := storm.Point{Load: 50, Lease: 350 * time.Millisecond, Length: 20 * time.Second}
	without, with, o, _ := both(t, w, at)
	if o != storm.Stuck {
		t.Errorf("at 50%%: %v: %+v and %+v", o, without, with)
	}
	if ratio := float64(with.Deliveries) / float64(with.Completed); ratio < 40./12 || ratio > 40./8 {
		t.Errorf("%.2f deliveries for each job that is done; 40/12 to 40/8 are to be expected", ratio)
	}
	at.Load = 15
	if _, with, o, _ := both(t, w, at); o != storm.Drained && o != storm.Draining {
		t.Errorf("at 15%%: %v: %+v", o, with)
	}
	long := storm.Point{Load: 50, Lease: 30 * time.Second, Length: 20 * time.Second}
	if _, with, o, _ := both(t, w, long); o != storm.Drained {
		t.Errorf("with a lease that outlasts the buffer: %v: %+v", o, with)
	}
}

func TestEveryFaultLeavesItsBacklog(t *testing.T) {
	for _, f := range storm.FaultNames() {
		fault, err := storm.ParseFault(f)
		if err != nil {
			t.Fatal(err)
		}
		w := worlds(t, four, fault, 1)
		without, with, o, _ := both(t, w, storm.Point{Load: 50, Lease: 30 * time.Second, Length: 15 * time.Second})
		if o != storm.Drained || with.Peak < 4*without.Peak {
			t.Errorf("%s: %v: %+v and %+v", f, o, without, with)
		}
	}
}

func TestTheSameSweepIsTheSame(t *testing.T) {
	w := worlds(t, four, storm.Workers, 40)
	p := storm.Point{Load: 50, Lease: 350 * time.Millisecond, Length: 5 * time.Second}
	_, first, _, _ := both(t, w, p)
	if _, again, _, _ := both(t, w, p); first != again {
		t.Errorf("first %+v, then %+v", first, again)
	}
}

// The rule, on tides that no run is needed for.
func TestTheRule(t *testing.T) {
	w := worlds(t, four, storm.Workers, 1)
	calm := storm.Tide{Low: 4}
	for _, c := range []struct {
		says          string
		without, with storm.Tide
		want          storm.Outcome
		left          time.Duration
	}{
		{"every open job had a worker at some moment", calm, storm.Tide{Low: 4, Third: 900, Fourth: 990}, storm.Drained, 0},
		{"one had none, ever, and the backlog stands", calm, storm.Tide{Low: 5, Third: 900, Fourth: 900}, storm.Stuck, 0},
		{"it falls by 30 in a quarter, and 60 are left", calm, storm.Tide{Low: 50, Third: 90, Fourth: 60}, storm.Draining, time.Minute},
		{"it falls by one in a quarter, and is gone after ten horizons", calm, storm.Tide{Low: 50, Third: 41, Fourth: 40}, storm.Draining, 20 * time.Minute},
		{"it would take a quarter more", calm, storm.Tide{Low: 50, Third: 42, Fourth: 41}, storm.Stuck, 0},
		{"without the fault there is a backlog too", storm.Tide{Low: 5}, storm.Tide{Low: 0}, storm.Overloaded, 0},
		{"a run was cut", calm, storm.Tide{Low: 0, Cut: true}, storm.Unknown, 0},
		{"the other was", storm.Tide{Cut: true}, calm, storm.Unknown, 0},
	} {
		if o, left := w.Judge(c.without, c.with); o != c.want || left != c.left {
			t.Errorf("%s: it is %v with %v left, and should be %v with %v", c.says, o, left, c.want, c.left)
		}
	}
}

func TestWhatCannotBeStormedSaysSo(t *testing.T) {
	w := worlds(t, four, storm.Workers, 1)
	for _, c := range []struct {
		p    storm.Point
		says string
	}{
		{storm.Point{Load: 0, Lease: time.Second}, "a load of 0%"},
		{storm.Point{Load: 1001, Lease: time.Second}, "a load of 1001%"},
		{storm.Point{Load: 50, Lease: time.Microsecond}, "a lease of 1µs"},
		{storm.Point{Load: 50, Lease: time.Second, Length: time.Minute}, "a fault of 1m0s"},
	} {
		if err := w.Check(c.p); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v", c.p, err)
		}
	}
	many, err := scenarios.Parse("many", []byte("workers 1000 work=1ms\n"))
	if err != nil {
		t.Fatal(err)
	}
	crowd, err := storm.New(many, storm.Workers, time.Hour, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := crowd.Check(storm.Point{Load: 100, Lease: time.Second}); err == nil || !strings.Contains(err.Error(), "shorter horizon") {
		t.Errorf("a million jobs a second: %v", err)
	}
	idle, err := scenarios.Parse("idle", []byte("job J\n"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := storm.New(idle, storm.Workers, time.Minute, 1); err == nil || !strings.Contains(err.Error(), "no worker line") {
		t.Errorf("without workers: %v", err)
	}
	if _, err := storm.ParseFault("worker"); err == nil || !strings.Contains(err.Error(), "workers") {
		t.Errorf("a fault that there is not: %v", err)
	}
}
