package model

import (
	"math"
	"testing"
	"time"
)

// The table is that of the logarithm, and what lies between is interpolated.
func TestAnExponentialIsMinusTheLogarithm(t *testing.T) {
	for i, got := range logs {
		if want := math.Log1p(float64(i)/256) * (1 << 32); math.Abs(float64(got)-want) > 1 {
			t.Errorf("ln(1+%d/256) is %d, want %f", i, got, want)
		}
	}
	worst := 0.0
	for i := range 100_000 {
		h := Mix(uint64(i))
		u := float64(h|1) / (1 << 63) / 2
		worst = max(worst, math.Abs(float64(Exponential(h, time.Hour))/float64(time.Hour)+math.Log(u)))
	}
	if worst > 2e-6 {
		t.Errorf("an error of %g of the mean", worst)
	}
}

// The ends: the largest draw gives nothing, the smallest the bound.
func TestTheEndsOfAnExponential(t *testing.T) {
	const longest = 87_600 * time.Hour // that a story may name
	for _, mean := range []time.Duration{0, 1, time.Millisecond, longest / 100} {
		if got := Exponential(math.MaxUint64, mean); got > mean/1_000_000 {
			t.Errorf("the largest draw gives %v of %v", got, mean)
		}
		most := MaxExponential(mean)
		if want := time.Duration(float64(mean) * 64 * math.Ln2); most < want-want/1e6-1 || most > want+want/1e6+1 {
			t.Errorf("at most %v of %v, want %v", most, mean, want)
		}
		for i := range 10_000 {
			if got := Exponential(Mix(uint64(i)), mean); got < 0 || got > most {
				t.Fatalf("%v of %v", got, mean)
			}
		}
	}
}
