package main

import (
	"math"
	"strings"
	"testing"
)

func TestAPeerThatIsMissingIsARowThatSaysSo(t *testing.T) {
	own := &contestant{name: ackgap}
	own.take("early 1\nns 1000\nevents 10\n")
	same := &contestant{name: "container/heap"}
	same.take("early 1\nns 4000\nevents 10\n")
	other := &contestant{name: "testing/synctest"}
	other.take("early 2\nns 5000\nevents 10\n")
	list := []*contestant{{name: cHeap, missing: "there is no gcc"}, own, same, other}
	var b strings.Builder
	table := holdTable([][]*contestant{list, list, list})
	table.write(&b)
	for _, want := range []string{
		"| binary heap in C | there is no gcc |",
		"| ackgap | 100 | - | 100 | - | 100 | - | yes |",
		"| container/heap | 400 | - | 400 | - | 400 | - | yes |",
		"| testing/synctest | 500 | - | 500 | - | 500 | - | no |",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	if bars := holdBars([][]*contestant{list}); bars[0].met || bars[0].measured != "not measured" {
		t.Errorf("a bar was met beside nothing: %+v", bars[0])
	}
}

func TestAFigureThatIsNotThereMeetsNoBar(t *testing.T) {
	for _, b := range []bar{atMost("a", 1, math.NaN(), "x"), atLeast("a", 1, math.NaN(), "x"), atMost("a", 1, 1.01, "x"), atLeast("a", 1, 0.99, "x")} {
		if b.met {
			t.Errorf("%+v was met", b)
		}
	}
	if !atMost("a", 1, 1, "x").met || !atLeast("a", 1, 1, "x").met {
		t.Error("a bar that is just reached was not")
	}
}

func TestASectionReplacesItselfAndNoOther(t *testing.T) {
	file := replaced(replaced("", "one", "first\n"), "two", "second\n")
	file = replaced(file, "one", "third\n")
	want := preface + "\n<!-- one -->\nthird\n<!-- /one -->\n\n<!-- two -->\nsecond\n<!-- /two -->\n"
	if file != want {
		t.Errorf("got\n%s\nwant\n%s", file, want)
	}
}

func TestNumbersHaveThreeDigitsThatCount(t *testing.T) {
	for f, want := range map[float64]string{0: "0", 0.004: "0", -0.3: "-0.30", 1.234: "1.23", 12.34: "12.3", 123.4: "123", 1234.4: "1,234", 999_999.6: "1,000,000", 4.24e6: "4.24 M", 2: "2"} {
		if got := number(f); got != want {
			t.Errorf("%v is written %q, want %q", f, got, want)
		}
	}
}
