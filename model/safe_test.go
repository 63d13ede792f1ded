package model_test

import (
	"testing"

	. "github.com/ackgap/ackgap/model"
)

// What a terminal would obey, or a reader not see, is written as an escape; each kind of it
// in the shortest form that Go reads.
func TestWhatIsPrintedIsSafe(t *testing.T) {
	for in, want := range map[string]string{
		"J1": "J1", "Größe 任务": "Größe 任务", "": "",
		"a\\b": `a\\b`, "a\nb\x00": `a\x0ab\x00`, "\x1b[31m": `\x1b[31m`, "\x7f": `\x7f`,
		"\u0080": `\u0080`, "\u202ea": `\u202ea`, "e\u0301": `e\u0301`, "\U000e0001": `\U000e0001`,
		"\xff": `\xff`, "\xe4\xb8": `\xe4\xb8`, "\ufffd": "\ufffd",
	} {
		if got := Safe(in); got != want {
			t.Errorf("%q is printed as %s, want %s", in, got, want)
		}
	}
}

// A word that is none of them is read as no verb, no answer and no step.
func TestAWordThatIsNoneIsReadAsNone(t *testing.T) {
	op, isOp := ParseOp("complet")
	answer, isAnswer := ParseAnswer("okay")
	step, isStep := ParseStep("aply")
	if op != OpNone || answer != NoAnswer || step != NoStep || isOp || isAnswer || isStep {
		t.Errorf("%v %v, %v %v, %v %v", op, isOp, answer, isAnswer, step, isStep)
	}
	for op := OpEnqueue; op <= OpDrain; op++ {
		if got, ok := ParseOp(op.String()); got != op || !ok {
			t.Errorf("%s is read as %s", op, got)
		}
	}
}
