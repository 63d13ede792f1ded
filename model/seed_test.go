package model

import (
	"testing"

	"pgregory.net/rapid"
)

// SplitMix64's published sequence from the state 0: what Mix makes of the first
// multiples of the golden gamma.
func TestMixIsSplitMix64(t *testing.T) {
	const gamma = 0x9E3779B97F4A7C15
	want := []uint64{0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F}
	for i, w := range want {
		if got := Mix(uint64(i+1) * gamma); got != w {
			t.Errorf("number %d is %#x, want %#x", i+1, got, w)
		}
	}
}

// Pinned, so that a recorded seed draws the same for ever.
func TestSeedsDrawWhatTheyAlwaysDrew(t *testing.T) {
	forks := []struct {
		seed Seed
		name string
		want Seed
	}{
		{0, "", 0xE220A8397B1DCDAF},
		{0, "world/latency", 0x2779BFBD8A724479},
		{1, "", 0x910A2DEC89025CC1},
		{1, "world/latency", 0xBC930D726CF0F47C},
		{1<<64 - 1, "world/latency", 0x3E9BE4D5A6B6282E},
	}
	for _, f := range forks {
		if got := f.seed.Fork(f.name); got != f.want {
			t.Errorf("the fork %q of %d is %#x, want %#x", f.name, f.seed, uint64(got), uint64(f.want))
		}
	}
	draws := []struct {
		seed Seed
		a, b uint64
		want uint64
	}{
		{0, 0, 0, 0xE220A8397B1DCDAF},
		{1, 1, 2, 0x975835DE1C9756CE},
		{1, 2, 1, 0xF87F27AD221186EA},
		{1<<64 - 1, 1, 2, 0x767484D1E105BEE5},
	}
	for _, d := range draws {
		if got := d.seed.Hash(d.a, d.b); got != d.want {
			t.Errorf("seed %d draws %#x at (%d, %d), want %#x", d.seed, got, d.a, d.b, d.want)
		}
	}
}

func TestForksOfOtherNamesAndSeedsDiffer(t *testing.T) {
	names := []string{"", "a", "b", "ab", "ba", "world", "world/latency", "world/loss"}
	owner := map[Seed]string{}
	for seed := range Seed(50) {
		for _, name := range names {
			fork := seed.Fork(name)
			if other, taken := owner[fork]; taken {
				t.Errorf("seed %d has one stream for %q and %q of some seed", seed, name, other)
			}
			owner[fork] = name
		}
	}
}

// The address counts by place: (1, 2) is not (2, 1).
func TestHashTellsAddressesApart(t *testing.T) {
	owner := map[uint64][2]uint64{}
	for a := range uint64(64) {
		for b := range uint64(64) {
			h := Seed(1).Hash(a, b)
			if other, taken := owner[h]; taken {
				t.Errorf("(%d, %d) and %v draw the same", a, b, other)
			}
			owner[h] = [2]uint64{a, b}
		}
	}
}

func TestBelowStaysBelow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h, n := rapid.Uint64().Draw(t, "draw"), rapid.Uint32Range(1, 1<<32-1).Draw(t, "n")
		if got := Below(h, n); got >= n {
			t.Fatalf("Below(%#x, %d) is %d", h, n, got)
		}
	})
	if got := Below(1<<64-1, 10); got != 9 {
		t.Errorf("the highest draw below 10 is %d, want 9", got)
	}
	if got := Below(0, 10); got != 0 {
		t.Errorf("the lowest draw below 10 is %d, want 0", got)
	}
}

// Each tenth of the draws lands on its number, within a percent of 100,000.
func TestBelowIsEven(t *testing.T) {
	var count [10]int
	const draws = 100_000
	for i := range uint64(draws) {
		count[Below(Seed(7).Hash(i, 0), 10)]++
	}
	for n, c := range count {
		if c < draws/10-draws/100 || c > draws/10+draws/100 {
			t.Errorf("%d was drawn %d times of %d", n, c, draws)
		}
	}
}
