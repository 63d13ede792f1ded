package reports

import (
	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
)

// befell draws what happened to a process, a link or a clock.
func (t *teller) befell(e *model.Event) (row, bool) {
	r := row{on: t.station(e.Proc), tint: bad}
	name := t.labels.Proc(e.Proc)
	switch e.Kind {
	case model.Crashed:
		r.mark, r.life, r.note = markCrash, isDead, name+" crashes"+until(", back at ", e.Until)+byFault
	case model.Restarted:
		r.mark, r.life, r.tint, r.note = markAlive, alive, plain, name+" restarts"+t.forgot(e)
	case model.Paused:
		r.mark, r.life, r.note = markPause, paused, name+" stands still"+until(" until ", e.Until)+byFault
	case model.Woke:
		r.mark, r.life, r.tint, r.note = markAlive, alive, plain, name+" wakes"
	case model.Stalled:
		r.mark, r.note = markPause, "heartbeat of "+name+" stalls"+until(" until ", e.Until)+byFault
	case model.Failed:
		r.mark, r.note = markFailed, "handler of "+t.delivery(e)+" fails: "+failedWord(e.Cause)
	case model.ClockSet:
		r.mark, r.note = markTime, "clock of "+name+" is off by "+model.Time(e.Skew).String()+byFault
	case model.Cut, model.Healed:
		return t.link(e), true
	case model.Ended:
		return endRow(e), e.Cause != model.Quiet
	}
	if t.isPump(e.Proc) {
		r.life = 0 // the queue whose lifeline it shares goes on
	}
	return r, r.mark != 0
}

func failedWord(c model.Cause) string {
	switch c {
	case model.ByRefusal:
		return "the store refused"
	case model.ByHandler:
		return "it was told to"
	case model.ByError:
		return "it returned an error"
	case model.BySilence:
		return "no answer from outside"
	case model.ByFence:
		return "the store's fence refused"
	}
	return c.String()
}

func until(words string, t model.Time) string {
	if t == model.Never || t == 0 {
		return ""
	}
	return words + t.String()
}

// forgot counts what a restarted queue no longer knows.
func (t *teller) forgot(e *model.Event) string {
	n := len(t.h.TouchedBy(e.Seq))
	if n == 0 {
		return ""
	}
	return ", " + script.Count(n, "job") + " not as before"
}

// link draws a partition, or its end, between two processes.
func (t *teller) link(e *model.Event) row {
	r := row{from: t.station(e.Proc), to: t.station(e.Peer), label: "cut", lost: true, isWall: true, tint: bad,
		note: "nothing passes" + until(" until ", e.Until)}
	if e.Has(model.IsOneway) {
		r.isOneway, r.note = true, r.note+", this way only"
	}
	r.note += byFault
	if e.Kind == model.Healed {
		r.label, r.lost, r.tint, r.note = "healed", false, plain, "messages pass again"
	}
	return r
}

// endRow draws the end of the run, which is worth a row when it came too early
// or is the evidence.
func endRow(e *model.Event) row {
	r := row{on: atQueue, mark: markTime, note: "the run is quiet"}
	switch e.Cause {
	case model.Horizon:
		r.note = "the horizon cuts the run"
	case model.Limit:
		r.note = "the limit of steps cuts the run"
	}
	return r
}
