package queuetest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ackgap/ackgap/model"
)

// answers are those that a verb which workers and producers send may have. EchoMQ as built
// is the reference, and a retry may say no more than that it was accepted. What becomes of
// the other verbs is read by nobody here.
var answers = []struct {
	ops  []model.Op
	have []model.Answer
}{
	{[]model.Op{model.OpEnqueue}, []model.Answer{model.Enqueued, model.Duplicate, model.WrongKind}},
	{[]model.Op{model.OpEnqueueAt, model.OpEnqueueIn}, []model.Answer{model.Scheduled, model.Enqueued, model.Duplicate, model.WrongKind}},
	{[]model.Op{model.OpClaim}, []model.Answer{model.OK, model.Empty, model.QueuePaused}},
	{[]model.Op{model.OpComplete, model.OpExtend}, []model.Answer{model.OK, model.Stale, model.Gone, model.Locked}},
	{[]model.Op{model.OpRetry}, []model.Answer{model.Scheduled, model.DeadLettered, model.OK, model.Stale, model.Gone, model.Locked}},
}

// CheckAnswer reports an answer that a verb cannot have: a complete that was answered
// scheduled, a claim that was answered gone. Nothing is answered that a request or its
// answer was lost (model.LostRequest, model.LostReply): that befalls it on the way. That the
// answer is none of the protocol's (model.UnknownAnswer) may be said of the verbs that
// neither workers nor producers send.
func CheckAnswer(op model.Op, answer model.Answer) error {
	if answer == model.LostRequest || answer == model.LostReply {
		return fmt.Errorf("%s was answered %s, which befalls a message on its way and is no answer: return what the queue came to", op, answer)
	}
	for _, a := range answers {
		if slices.Contains(a.ops, op) && !slices.Contains(a.have, answer) {
			return fmt.Errorf("%s was answered %s, an answer that it cannot have: return %s%s", op, answer, oneOf(a.have), lostInstead(answer))
		}
	}
	return nil
}

// lostInstead says what a queue does that does not know itself what it came to.
func lostInstead(answer model.Answer) string {
	if answer != model.UnknownAnswer {
		return ""
	}
	return "; a queue that does not know what became of it says so by Err (model.Failer)"
}

func oneOf(list []model.Answer) string {
	var names []string
	for _, a := range list {
		names = append(names, a.String())
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
