package faults_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
)

func prioritised(seed model.Seed, points uint32) *faults.Priorities {
	p := faults.NewPriorities(storm, model.Time(2*time.Minute))
	p.Reset(seed, points)
	return p
}

// completion is one of many points at which three rules of storm can strike.
func completion(job, n int) faults.Point {
	return faults.Point{Family: faults.Message, Op: model.OpComplete, Job: model.Job(job), N: int32(n), Nth: 1}
}

// struckOf asks about the first delivery of so many jobs, and returns which were struck.
func struckOf(p *faults.Priorities, jobs int) (list []int) {
	for job := 1; job <= jobs; job++ {
		if !p.Decide(completion(job, 1)).Benign() {
			list = append(list, job)
		}
	}
	return list
}

func TestASeedStrikesAsOftenAsItsDepthSays(t *testing.T) {
	const jobs = 50
	var times [faults.MaxDepth]int
	for seed := range model.Seed(3000) {
		list := struckOf(prioritised(seed, jobs), jobs)
		if again := struckOf(prioritised(seed, jobs), jobs); !slices.Equal(list, again) {
			t.Fatalf("seed %d strikes %v, and again %v", seed, list, again)
		}
		if len(list) == 0 || len(list) >= faults.MaxDepth {
			t.Fatalf("seed %d strikes %v", seed, list)
		}
		times[len(list)]++
	}
	for n := 1; n < faults.MaxDepth; n++ { // a third each, but for change points that fall together
		if times[n] < 900 || times[n] > 1100 {
			t.Errorf("of 3000 seeds %d strike %d times", times[n], n)
		}
	}
}

// Whatever takes one mishap at one of 50 steps by one of two rules is met by one seed
// in 100 of those that strike once: no rate has a say.
func TestEveryStepIsStruckByEveryRuleAsOften(t *testing.T) {
	const jobs, seeds = 50, 60_000
	var met [jobs + 1][2]int
	for seed := range model.Seed(seeds) {
		p := prioritised(seed, jobs)
		for job := 1; job <= jobs; job++ {
			if o := p.Decide(completion(job, 1)); o.Has(faults.Drop) {
				met[job][0]++
			} else if o.Has(faults.Delay) {
				met[job][1]++
			}
		}
	}
	const want = seeds * 2 / (2 * jobs) // two strikes a seed in the mean
	for job := 1; job <= jobs; job++ {
		for rule, n := range met[job] {
			if n < want*85/100 || n > want*115/100 {
				t.Errorf("step %d is struck %d times by rule %d, and should be %d times", job, n, rule, want)
			}
		}
	}
}

// By the toss of a coin what was struck goes on to be struck in its next deliveries,
// and what stands beside it does not.
func TestWhatIsStruckGoesOnToBeForEverySecondSeed(t *testing.T) {
	goesOn := 0
	for seed := range model.Seed(2000) {
		p := prioritised(seed, 1) // all change points are the first
		first := p.Decide(completion(1, 1))
		if first.Benign() {
			t.Fatalf("seed %d does not strike", seed)
		}
		if !p.Decide(completion(2, 1)).Benign() || !p.Decide(faults.Point{Family: faults.Message, Op: model.OpClaim, Job: 1, N: 2, Nth: 1}).Benign() {
			t.Fatalf("seed %d strikes another job, or another verb", seed)
		}
		second, third := p.Decide(completion(1, 2)), p.Decide(completion(1, 3))
		if second.Kinds != third.Kinds || !second.Benign() && second.Kinds != first.Kinds {
			t.Fatalf("seed %d strikes with %v, then %v, then %v", seed, first.Kinds, second.Kinds, third.Kinds)
		}
		if !second.Benign() {
			goesOn++
		}
	}
	if goesOn < 900 || goesOn > 1100 {
		t.Errorf("%d of 2000 seeds go on", goesOn)
	}
}

// A slot holds one window: the second is none, though it is a change point by its number.
func TestASlotIsStruckOnceAtMost(t *testing.T) {
	pause := faults.Point{Family: faults.Slot, Slot: faults.SlotPause, Proc: 4, Nth: 1}
	for seed := range model.Seed(20) {
		p := prioritised(seed, 1)
		second := pause
		second.Nth = 2
		if !p.Decide(second).Benign() {
			t.Fatalf("seed %d opens a second window", seed)
		}
		if o := p.Decide(pause); !o.Has(faults.Pause) {
			t.Fatalf("seed %d: the first window is %+v", seed, o)
		}
	}
}

// Of the rules that can strike at a point any may be the one, also where those that stand
// before them in the policy cannot. Which it is, and whether it goes on, is pinned.
func TestAnyRuleThatCanStrikeMayBeTheOne(t *testing.T) {
	policy := append(faults.Policy{{Kind: faults.Crash, Procs: procs(4), Rate: 1}}, storm[0], storm[2])
	p := faults.NewPriorities(policy, model.Time(time.Minute))
	var drawn []string
	for seed := range model.Seed(12) {
		p.Reset(seed, 1)
		first, second := p.Decide(completion(1, 1)), p.Decide(completion(1, 2))
		drawn = append(drawn, first.Kinds.Word(false)+map[bool]string{true: "", false: " on"}[second.Benign()])
	}
	if got, want := strings.Join(drawn, ", "), "drop on, delay on, delay, drop on, delay, drop, drop on, delay, delay, delay on, drop, drop"; got != want {
		t.Errorf("drawn was %s, want %s", got, want)
	}
}

// What nobody may strike is no step, and a slot is one, whatever its windows.
func TestOnlyWhatCanBeStruckIsAStep(t *testing.T) {
	p := prioritised(1, 0)
	for _, pt := range []faults.Point{
		completion(1, 1),
		{Family: faults.Message, Op: model.OpEnqueue, Job: 1, Nth: 1},
		{Family: faults.Slot, Slot: faults.SlotPause, Proc: 4, Nth: 1},
		{Family: faults.Slot, Slot: faults.SlotPause, Proc: 4, Nth: 2},
		{Family: faults.Slot, Slot: faults.SlotPause, Proc: 5, Nth: 1},
		{Family: faults.Step, Step: model.StepApply, Proc: 5, Job: 1, N: 1, Nth: 1},
		{Family: faults.Step, Step: model.StepApply, Proc: 6, Job: 1, N: 1, Nth: 1},
	} {
		if o := p.Decide(pt); !o.Benign() {
			t.Errorf("with no change point %+v is struck", pt)
		}
	}
	if p.Asked() != 3 {
		t.Errorf("%d of the points are steps; want the completion, one pause of w4 and one step of w5", p.Asked())
	}
}
