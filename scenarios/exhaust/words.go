package exhaust

import (
	"fmt"

	"github.com/ackgap/ackgap/model"
)

var howWords = [...]string{
	fine: "", dropped: ", the request is lost", answerDropped: ", the answer is lost", late: ", the request is late",
	doubled: ", and doubled", refused: ", the store refuses",
}

// words tells a path, an action a line.
func (w *World) words(path []deed) []string {
	var lines []string
	moments, _ := w.narrate(path)
	for _, m := range moments {
		lines = append(lines, w.word(&m)+howWords[m.how])
	}
	return lines
}

func (w *World) word(m *moment) string {
	job := model.Safe(w.story.Jobs[m.job].Name)
	delivery := fmt.Sprintf("%s#%d", job, m.n)
	who := "a worker"
	if int(m.who) < len(w.story.Workers) {
		who = model.Safe(w.story.Workers[m.who].Name)
	}
	switch m.what {
	case doEnqueue:
		return "enqueue " + job
	case doClaim:
		return who + " claims " + delivery
	case doStep:
		return fmt.Sprintf("%s: %s %s", who, m.step, delivery)
	case doSettle, doBeat:
		return fmt.Sprintf("%s: %s %s", who, m.op, delivery)
	case doReap, doSweep, doPromote:
		return fmt.Sprintf("%s %s", m.op, job)
	case doLapse, doEnd:
		return "the lease of " + job + " is over"
	case doWake:
		return who + " wakes"
	case doRestart:
		return who + " restarts"
	case doGiveUp:
		if m.nth == 0 {
			return who + " has the answer"
		}
		return who + " waits no longer"
	case doArrive:
		if m.n == 0 {
			return fmt.Sprintf("the late %s %s arrives", m.op, job)
		}
		return fmt.Sprintf("the late %s %s arrives", m.op, delivery)
	case doForget:
		return "the marker of " + job + " is forgotten"
	case doCrash:
		return fmt.Sprintf("%s crashes before %s %s", who, m.step, delivery)
	case doPause:
		return fmt.Sprintf("%s stands still %s %s %s", who, m.side(), m.step, delivery)
	case doJump:
		return fmt.Sprintf("the server's clock jumps past %d deadlines", m.n)
	case doLose:
		return fmt.Sprintf("the queue crashes and forgets %d writes", m.n)
	}
	if m.n > 0 {
		return fmt.Sprintf("do %s %s", m.op, delivery)
	}
	return fmt.Sprintf("do %s %s", m.op, job)
}
