package eventlog

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/model"
)

// The package's manual says of each property what it needs, in the words of the table by
// which it is judged.
func TestTheManualSaysWhatEachPropertyNeeds(t *testing.T) {
	manual, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, p := range model.Properties() {
		n := needOf(p.Name)
		lines = append(lines, strings.TrimRight(fmt.Sprintf("//\t%-21s %s", p.Name, needText(n)), " "))
	}
	if want := strings.Join(lines, "\n"); !strings.Contains(string(manual), want) {
		t.Errorf("doc.go should hold\n%s", want)
	}
}

func needText(n *need) string {
	words := n.kinds.words()
	if n.kinds&byQueue == byQueue {
		words = append([]string{"QUEUE"}, (n.kinds &^ byQueue).words()...)
	}
	if n.touches {
		words = append(words, "touched")
	}
	for _, h := range n.holes {
		words = append(words, [...]string{holeToken: "token", holeDeadline: "until", holeCap: "max", holeClock: "time"}[h])
	}
	return strings.Join(words, " ")
}

// Every property has its entry, and every kind that it names there is one.
func TestEveryPropertyHasItsNeeds(t *testing.T) {
	for _, p := range model.Properties() {
		i := slices.IndexFunc(needs, func(n need) bool { return n.property == p.Name })
		if i < 0 || needs[i].kinds == 0 || !needs[i].standsAlone && needs[i].excuse == 0 {
			t.Errorf("%s: nothing says what it needs", p.Name)
		}
	}
}

// Every record that a history can hold has one kind, which reads back as what it was.
func TestEveryRecordHasAKind(t *testing.T) {
	for kind := model.Sent; kind.String() != "invalid"; kind++ {
		for op := model.OpNone; op.String() != "invalid"; op++ {
			for answer := model.NoAnswer; answer.String() != "invalid"; answer++ {
				e := model.Event{Kind: kind, Op: op, Answer: answer}
				k := kindOf(&e)
				if k < 0 {
					t.Fatalf("%s %s -> %s has no kind", kind, op, answer)
				}
				if kinds[k].is == nil && kinds[k].of != kind {
					t.Errorf("%s is told as %s", kind, kinds[k].name)
				}
			}
		}
	}
}
