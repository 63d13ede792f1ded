package argue

import (
	"strings"
	"testing"
	"time"

	"github.com/ackgap/ackgap/scenarios"
)

// What is called a fix has helped the story, was tried in every world, could have
// been refuted there, and was not. Each of these alone makes it none.
func TestAFixIsNotClaimedLightly(t *testing.T) {
	a := arguing(t, parse(t, "worker w1\njob J1\nfault drop complete J1#1\n"))
	a.out.AsIs.Broken = []Count{{"no-duplicate-effect", 3}}
	good := Trial{Small: Result{Answer: Holds}, Worlds: 10, Judged: true}
	if !a.isFix(&good) {
		t.Fatal("a fix is none")
	}
	for name, spoil := range map[string]func(*Trial){
		"the story breaks another property": func(t *Trial) { t.Small.Answer = Moves },
		"the story fails as before":         func(t *Trial) { t.Small.Answer = Fails },
		"something breaks in a world":       func(t *Trial) { t.Bad = 1 },
		"something is unknown in a world":   func(t *Trial) { t.Open = 1 },
		"the property is no default one":    func(t *Trial) { t.Broken = []Count{{"no-duplicate-effect", 1}} },
		"a world was not tried":             func(t *Trial) { t.Worlds = 9 },
		"the property was never judged":     func(t *Trial) { t.Judged = false },
	} {
		bad := good
		if spoil(&bad); a.isFix(&bad) {
			t.Errorf("%s, and it is called a fix", name)
		}
	}
}

// A failure is moved where another property breaks that did not, and more often
// than the first one still does: not where it broke before, nor where a few worlds
// break it, nor where the story itself fails on.
func TestWhatMovesAFailure(t *testing.T) {
	const dup, loss = "no-duplicate-effect", "no-loss"
	asIs := &Trial{Broken: []Count{{dup, 100}, {loss, 20}}}
	for _, c := range []struct {
		dup, loss int
		small     Answer
		want      bool
	}{
		{5, 90, Holds, true}, {0, 21, Moves, true}, {5, 20, Holds, false}, {50, 40, Holds, false},
		{100, 200, Holds, false}, {5, 90, Fails, false},
	} {
		x := &Trial{Small: Result{Answer: c.small}, Broken: []Count{{dup, c.dup}, {loss, c.loss}}}
		if got := x.Moved(asIs, dup); got != c.want {
			t.Errorf("%d duplicates, %d losses, the story %s: moved is %v", c.dup, c.loss, c.small, got)
		}
	}
}

// Two values of one option are no pair, and a pair is given up at its first broken
// world.
func TestPairsAreOfTwoOptionsAndEndEarly(t *testing.T) {
	a := arguing(t, parse(t, "worker w1 ack=early\njob J1\nfault crash w1 before=apply J1#1\n"))
	a.small.Property, a.runs = "no-loss", 500
	most := map[bool]int{} // by whether it is a fix: worlds run of a pair
	a.sweep = func(c *scenarios.Campaign, runs uint64, enough func(*scenarios.Tally) bool) (*scenarios.Tally, error) {
		total, err := InTurn(c, runs, enough)
		most[total.Unexpected == 0] = max(most[total.Unexpected == 0], total.Runs)
		return total, err
	}
	if err := a.tryChanges(); err != nil {
		t.Fatal(err)
	}
	clear(most)
	if err := a.tryPairs(); err != nil {
		t.Fatal(err)
	}
	if most[true] != 500 || most[false] != 250 || len(a.out.Pairs) == 0 {
		t.Errorf("%d fixes; a fix took up to %d worlds, another pair up to %d", len(a.out.Pairs), most[true], most[false])
	}
	changes := changesOf(a.world)
	pairs := 0
	for i := range changes {
		for j := range i {
			if changes[i].option != changes[j].option {
				pairs++
			}
		}
	}
	if a.out.PairsTried != pairs {
		t.Errorf("%d pairs were tried of %d", a.out.PairsTried, pairs)
	}
	for _, p := range a.out.Pairs {
		if !strings.Contains(p.Change, "ack=late") {
			t.Errorf("%s is called a fix", p.Change)
		}
	}
}

// A longer lease does not hide behind the end of the run.
func TestALongerLeaseHasALongerHorizon(t *testing.T) {
	s := parse(t, "worker w1\njob J1\n")
	for _, c := range leaseChanges(s) {
		if got := apply(s, c); got.Horizon < 20*got.Queue.Lease || got.Horizon < s.Horizon || got.Horizon > 4*time.Hour {
			t.Errorf("%s: the horizon is %s", c.text(), got.Horizon)
		}
	}
}

// The failure is that of one job: another job that suffers is another failure.
func TestTheSameOfAnotherJobIsNotTheFailure(t *testing.T) {
	a := arguing(t, parse(t, "worker w1\njobs 2\nfault drop complete J2#1\n"))
	if r := a.judge(a.small.Outcome); r.Answer != Moves || len(r.Properties) != 1 || r.Properties[0] != a.small.Property {
		t.Errorf("of J1: %+v", r)
	}
	a.small.Job = 2
	if r := a.judge(a.small.Outcome); r.Answer != Fails {
		t.Errorf("of J2: %+v", r)
	}
}
