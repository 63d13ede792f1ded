package faults_test

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/ackgap/ackgap/faults"
)

func never() bool { return false }

// A failure that needs nothing of the list is found to need nothing by one run.
func TestWhatNeedsNothingNeedsOneRun(t *testing.T) {
	runs := 0
	got := faults.Minimise(upTo(1000), func([]int) bool { runs++; return true }, never)
	if len(got) != 0 || runs != 1 {
		t.Errorf("%d items are left after %d runs", len(got), runs)
	}
}

// One culprit among a thousand is found by halving, in the order of the list.
func TestOneCulpritIsFoundByHalving(t *testing.T) {
	for _, culprit := range []int{0, 1, 499, 500, 998, 999} {
		runs := 0
		got := faults.Minimise(upTo(1000), func(l []int) bool { runs++; return slices.Contains(l, culprit) }, never)
		if !slices.Equal(got, []int{culprit}) || runs > 35 {
			t.Errorf("of culprit %d is left %v after %d runs", culprit, got, runs)
		}
	}
}

// Halves are asked about first, then quarters, and each item once at the end: no question
// more than these, for each is a run.
func TestWhatIsAskedOfEightItems(t *testing.T) {
	var asked []string
	got := faults.Minimise(upTo(8), func(l []int) bool {
		asked = append(asked, fmt.Sprint(l))
		return slices.Contains(l, 5)
	}, never)
	want := []string{"[]", "[4 5 6 7]", "[]", "[6 7]", "[4 5]", "[5]", "[]", "[]"}
	if !slices.Equal(got, []int{5}) || !slices.Equal(asked, want) {
		t.Errorf("left is %v, asked was %q, want %q", got, asked, want)
	}
}

// Where nothing can go each item is tried once, and then each pair once.
func TestWhatIsAskedOfFourItemsThatAllMatter(t *testing.T) {
	asked := map[string]int{}
	faults.Minimise(upTo(4), func(l []int) bool { asked[fmt.Sprint(l)]++; return len(l) == 4 }, never)
	want := map[string]int{
		"[]": 1, "[2 3]": 2, "[0 1]": 2, // as halves and as pairs
		"[1 2 3]": 1, "[0 2 3]": 1, "[0 1 3]": 1, "[0 1 2]": 1, "[1 3]": 1, "[1 2]": 1, "[0 3]": 1, "[0 2]": 1,
	}
	if !maps.Equal(asked, want) {
		t.Errorf("asked was %v, want %v", asked, want)
	}
}

// Items that only can go together do: each of 3 and 5 undoes the other.
func TestWhatOutweighsEachOtherGoesTogether(t *testing.T) {
	fails := func(l []int) bool {
		return slices.Contains(l, 2) && slices.Contains(l, 3) == slices.Contains(l, 5)
	}
	if got := faults.Minimise([]int{2, 3, 5}, fails, never); !slices.Equal(got, []int{2}) {
		t.Errorf("left is %v", got)
	}
}

// Whatever fails, the result fails, is a part of the list in its order, and
// without any one or two of its items it does not. Where more items only make it
// worse, no smaller part fails, which all the parts are asked for.
func TestNothingMoreCanGo(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 10).Draw(rt, "items")
		table := rapid.SliceOfN(rapid.Bool(), 1<<n, 1<<n).Draw(rt, "which parts fail")
		monotone := rapid.Bool().Draw(rt, "more is worse")
		table[1<<n-1] = true
		if monotone {
			spread(table, n)
		}
		fails := func(l []int) bool { return table[setOf(l)] }
		got := faults.Minimise(upTo(n), fails, never)
		if !fails(got) || !slices.IsSorted(got) {
			rt.Fatalf("left is %v, which fails: %v", got, fails(got))
		}
		set := setOf(got)
		for _, gone := range partsOf(set) {
			smaller := bits.OnesCount(uint(gone)) <= 2
			if gone != 0 && (smaller || monotone) && table[set&^gone] {
				rt.Fatalf("of %v the items %b can go", got, gone)
			}
		}
	})
}

// Of many items no pairs are tried: each of n has been asked about a few times.
func TestManyItemsCostNoPairs(t *testing.T) {
	for n, most := range map[int]int{24: 400, 25: 100, 400: 1600} {
		runs := 0
		got := faults.Minimise(upTo(n), func(l []int) bool { runs++; return len(l) == n }, never)
		if len(got) != n || runs > most || n == 24 && runs < 24*23/2 {
			t.Errorf("of %d items %d are left after %d runs", n, len(got), runs)
		}
	}
}

// No question is asked twice, none beyond the limit, and that one was is told.
func TestTrialsAreCountedAndKept(t *testing.T) {
	trials := faults.Trials[string]{Limit: 2}
	asked := ""
	try := func(key string) bool {
		return trials.Try(key, func() bool { asked += key; return true })
	}
	for _, key := range []string{"a", "a", "b"} {
		if !try(key) || trials.Cut() {
			t.Errorf("at %s: asked %q, cut %v", key, asked, trials.Cut())
		}
	}
	if try("c") || !trials.Cut() || !try("a") || asked != "ab" || trials.Runs != 2 {
		t.Errorf("asked %q in %d runs, cut %v", asked, trials.Runs, trials.Cut())
	}
}

// When it is told to stop, what was reached fails still.
func TestAMinimiserThatIsStoppedReturnsWhatFails(t *testing.T) {
	needs := func(l []int) bool { return slices.Contains(l, 7) && slices.Contains(l, 90) }
	for limit := range 40 {
		trials := faults.Trials[string]{Limit: limit}
		fails := func(l []int) bool { return trials.Try(fmt.Sprint(l), func() bool { return needs(l) }) }
		got := faults.Minimise(upTo(100), fails, trials.Cut)
		if !needs(got) || trials.Runs > limit {
			t.Errorf("limit %d: %d runs, left is %v", limit, trials.Runs, got)
		}
		if !trials.Cut() && len(got) != 2 {
			t.Errorf("limit %d: not cut, and left is %v", limit, got)
		}
	}
}

// upTo returns 0..n-1.
func upTo(n int) (list []int) {
	for i := range n {
		list = append(list, i)
	}
	return list
}

func setOf(list []int) (set int) {
	for _, i := range list {
		set |= 1 << i
	}
	return set
}

// partsOf lists the subsets of set.
func partsOf(set int) []int {
	parts := []int{0}
	for p := set; p != 0; p = (p - 1) & set {
		parts = append(parts, p)
	}
	return parts
}

// spread lets whatever holds a part that fails fail too.
func spread(table []bool, n int) {
	for set := range table {
		for i := range n {
			table[set] = table[set] || set>>i&1 == 1 && table[set&^(1<<i)]
		}
	}
}
