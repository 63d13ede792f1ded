package coverage_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"
)

// falseAlarms is one in how many tables may call a difference real where there is none: all
// mutants of a table and all comparisons together, each at an equal share.
const falseAlarms = 1000

// surely is how many mutants steering must find sooner than plain seeds, beyond chance.
const surely = 30

// signs is in how many hunts a mutant was found in fewer worlds than by plain seeds from
// the same seed on, and in how many in more.
type signs struct{ sooner, later int }

func signsOf(plain, other []int) (s signs) {
	for i := range plain {
		switch {
		case other[i] < plain[i]:
			s.sooner++
		case other[i] > plain[i]:
			s.later++
		}
	}
	return s
}

// comparisons is how often a table asks of each mutant: sooner or later, by two ways.
const comparisons = 4

// beyondChance says by a sign test, which asks nothing of how worlds are distributed, whether more
// is no chance beside less: were both as likely, so many would be more for some mutant in
// less than one of falseAlarms tables.
func beyondChance(more, less, mutants int) bool {
	all, tail := more+less, new(big.Int)
	for k := more; k <= all; k++ {
		tail.Add(tail, new(big.Int).Binomial(int64(all), int64(k)))
	}
	tail.Mul(tail, big.NewInt(int64(falseAlarms*comparisons*mutants)))
	return tail.Cmp(new(big.Int).Lsh(big.NewInt(1), uint(all))) < 0
}

// beside says how a way compares with plain seeds.
func beside(list []*hunted, way int) string {
	less, median, sooner := 0, 0, 0
	var later, same []string
	for _, h := range list {
		s := h.signs[way]
		switch {
		case beyondChance(s.sooner, s.later, len(list)):
			sooner++
		case beyondChance(s.later, s.sooner, len(list)):
			later = append(later, h.name)
		default:
			same = append(same, h.name)
		}
		if sum(h.took[way]) < sum(h.took[plain]) {
			less++
		}
		if h.took[way][hunts/2] > h.took[plain][hunts/2] {
			median++
		}
	}
	return fmt.Sprintf("Beside plain seeds, %s: fewer worlds on average for %d of %d mutants; more by the median for %d. "+
		"By a sign test of the %d hunts of each, sooner for %d, later for %d%s, not told apart for %d%s.", wayNames[way],
		less, len(list), median, hunts, sooner, len(later), inBrackets(later), len(same), inBrackets(same))
}

// inBrackets lists what is few enough to be read.
func inBrackets(list []string) string {
	if len(list) == 0 || len(list) > 6 {
		return ""
	}
	return " (" + strings.Join(list, ", ") + ")"
}

// worse says what steering does worse than it must: it finds no mutant later than plain
// seeds do, none in more worlds on average, and most of them sooner.
func worse(list []*hunted) (complaints []string) {
	sooner := 0
	for _, h := range list {
		s := h.signs[steered]
		if beyondChance(s.later, s.sooner, len(list)) {
			complaints = append(complaints, fmt.Sprintf("steering finds %s later than plain seeds in %d hunts, and sooner in %d", h.name, s.later, s.sooner))
		}
		if beyondChance(s.sooner, s.later, len(list)) {
			sooner++
		}
		if sum(h.took[steered]) > sum(h.took[plain]) {
			complaints = append(complaints, fmt.Sprintf("%s takes steering %d worlds in all hunts, and plain seeds %d", h.name, sum(h.took[steered]), sum(h.took[plain])))
		}
	}
	if sooner < surely {
		complaints = append(complaints, fmt.Sprintf("steering finds %d mutants sooner than plain seeds beyond chance; it must %d", sooner, surely))
	}
	return complaints
}

func TestSteeringMayNotBeWorse(t *testing.T) {
	list := func(s signs, n int) (list []*hunted) {
		for range n {
			list = append(list, &hunted{name: "m", signs: [exhaustive]signs{steered: s}})
		}
		return list
	}
	better := list(signs{sooner: 80, later: 10}, surely)
	for _, c := range []struct {
		what string
		list []*hunted
		bad  int
	}{
		{"sooner", better, 0},
		{"as soon", append(list(signs{sooner: 30, later: 30}, 9), better...), 0},
		{"a little later, as chance may have it", append(list(signs{sooner: 32, later: 68}, 1), better...), 0},
		{"later", append(list(signs{sooner: 20, later: 80}, 1), better...), 1},
		{"too few of them sooner", better[1:], 1},
		{"sooner, but in more worlds", append([]*hunted{{signs: better[0].signs, took: [exhaustive][]int{plain: {3, 3}, steered: {1, 6}}}}, better...), 1},
	} {
		if got := worse(c.list); len(got) != c.bad {
			t.Errorf("%s: %q", c.what, got)
		}
	}
}

// Among so many mutants, of one table in a thousand: the places at which a difference of 100
// hunts, and of 18 that all went one way, begins to be real.
func TestADifferenceIsRealBeyondChance(t *testing.T) {
	for _, c := range []struct {
		more, less int
		real       bool
	}{
		{71, 29, false}, {72, 28, true}, {17, 0, false}, {18, 0, true}, {0, 0, false}, {28, 72, false},
	} {
		if beyondChance(c.more, c.less, 39) != c.real {
			t.Errorf("%d beside %d: real is %v", c.more, c.less, !c.real)
		}
	}
}
