package reports

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
)

func itoa[N ~int | ~int32 | ~int64](n N) string { return strconv.FormatInt(int64(n), 10) }

func utoa(n uint64) string { return strconv.FormatUint(n, 10) }

// byFault stands behind what a fault of the story did.
const byFault = "  <- fault"

func trimFault(note string) string { return strings.TrimSuffix(note, byFault) }

// sent is worth a row where a fault delays the message, and while nothing is known of its
// fate.
func (t *teller) sent(e *model.Event) (row, bool) {
	if l, ok := t.lateAt(e.Seq); ok {
		return t.sentLate(e, l), true
	}
	c := t.callOf(e)
	known := c.lost != nil || len(c.exchanges) > 0 || c.timedOut != nil
	if known || e.Call == 0 {
		return row{}, false
	}
	return row{from: t.station(e.Proc), to: far(e), label: t.what(e), lost: true, isOpen: true, tint: dim,
		note: "still on its way at the end"}, true
}

// lost draws the message that did not arrive. The loss of a granted claim's
// reply is told by the row of the grant.
func (t *teller) lost(e *model.Event) (row, bool) {
	here, there := t.station(e.Proc), far(e)
	r := row{from: here, to: there, label: t.what(e), lost: true, tint: bad, note: lostNote(e)}
	if !e.Has(model.IsReply) {
		return r, e.Op != model.OpReadPause
	}
	r.from, r.to, r.label = there, here, "answer"
	isTold := e.Op == model.OpClaim && e.Job != model.NoJob
	return r, !isTold && e.Op != model.OpReadPause
}

// timedOut is worth a row where somebody had a job at stake: a poll without an
// answer is a poll without a job.
func (t *teller) timedOut(e *model.Event) (row, bool) {
	isPoll := e.Op == model.OpReadPause || e.Op == model.OpClaim && !t.callOf(e).isGrant()
	return row{on: t.station(e.Proc), mark: markTime, note: "no answer to " + t.what(e)}, !isPoll
}

func lostNote(e *model.Event) string {
	switch e.Cause {
	case model.ByFault:
		return "lost" + byFault
	case model.ByPartition:
		return "lost: the link is cut"
	case model.ByDeath:
		return "lost: nobody there"
	case model.ByOutage:
		return "lost: the queue is down"
	}
	return "lost by " + e.Cause.String()
}

// applied draws the arrival of a request, or the grant that answers a claim.
func (t *teller) applied(e *model.Event) (row, bool) {
	from := t.station(e.Proc)
	switch {
	case e.Op == model.OpClaim:
		return t.claimed(e)
	case e.Op == model.OpReadPause:
		return row{}, false
	case from == atQueue || from == nowhere:
		return t.pumped(e)
	}
	r := row{from: from, to: far(e), label: t.what(e), tag: t.stale(e), note: t.answerNote(e) + t.asides(e)}
	switch {
	case isRefusal(e.Answer):
		r.mark, r.tint = markRefused, refused
	case e.Op == model.OpComplete && e.Answer == model.OK, e.Answer == model.DeadLettered:
		r.mark, r.tint = markDone, ack
	case e.Op.Settles():
		r.tint = ack
	}
	return r, true
}

func isRefusal(a model.Answer) bool {
	switch a {
	case model.Stale, model.Gone, model.Locked, model.NotDead, model.WrongKind, model.Duplicate:
		return true
	}
	return false
}

// claimed draws a grant: the job goes from the queue to the worker. A claim
// that got no job is idle polling.
func (t *teller) claimed(e *model.Event) (row, bool) {
	if e.Answer != model.OK {
		return row{}, false
	}
	r := row{from: atQueue, to: t.station(e.Proc), label: t.delivery(e), tint: delivery,
		tag: "t" + itoa(e.Token), note: "token " + itoa(e.Token) + ", lease " + script.FormatDuration(e.Until.Sub(e.Server)) + t.asides(e)}
	if r.to == nowhere {
		return row{on: atQueue, mark: markAlive, note: t.what(e) + ", " + r.note}, true
	}
	_, isLate := t.lateAt(e.Seq)
	switch reply := t.exchangeOf(e).reply; {
	case e.Call == 0:
	case reply == nil:
		r.lost, r.isOpen, r.tint = true, true, dim
		r.note += ", still on its way at the end"
	case reply.Kind == model.Lost:
		r.lost, r.tint = true, bad
		r.note = join(r.note, ", ", lostNote(reply))
	case isLate, reply.At.Sub(e.At) > brisk:
		r.note += ", there at " + reply.At.String()
	}
	return r, true
}

// pumped draws what the queue does by itself, and what an operator does.
func (t *teller) pumped(e *model.Event) (row, bool) {
	switch e.Op {
	case model.OpReap, model.OpSweep, model.OpPromote, model.OpDrain:
		r := row{on: atQueue, mark: markTime, note: pumpWord(e.Op) + t.touched(e)}
		if e.Dead > 0 {
			r.note += ", " + itoa(e.Dead) + " dead"
		}
		return r, e.Moved > 0 || e.Dead > 0
	}
	return row{on: atQueue, mark: markAlive, note: t.what(e) + ": " + t.answerNote(e) + t.asides(e)}, true
}

func pumpWord(op model.Op) string {
	switch op {
	case model.OpReap:
		return "lease out"
	case model.OpPromote:
		return "due"
	case model.OpSweep:
		return "stalled"
	}
	return "drained"
}

// touched names the jobs that e moved, or counts them where the queue does not
// tell which, or where they are many.
func (t *teller) touched(e *model.Event) string {
	const few = 3
	touches := t.h.TouchedBy(e.Seq)
	if len(touches) == 0 || len(touches) > few {
		return ": " + script.Count(int(e.Moved+e.Dead), "job")
	}
	names := ""
	for _, touch := range touches {
		names = join(names, ", ", t.nameOf(touch.ID))
	}
	return ": " + names
}

// nameOf returns the name of the job that went under id, or the id.
func (t *teller) nameOf(id model.ID) string {
	if j := t.jobOf(id); j != model.NoJob {
		return t.labels.Job(j)
	}
	return id.String()
}

// jobOf returns the job that went under id.
func (t *teller) jobOf(id model.ID) model.Job {
	i, _ := slices.BinarySearchFunc(t.ids, id, func(a idJob, b model.ID) int { return a.id.Compare(b) })
	if i == len(t.ids) || t.ids[i].id != id {
		return model.NoJob
	}
	return t.ids[i].job
}

// answerNote says how the queue answered.
func (t *teller) answerNote(e *model.Event) string {
	switch stale := t.stale(e); {
	case e.Answer == model.Stale && stale != "":
		return "stale: " + stale
	case stale != "":
		return e.Answer.String() + ", though " + stale
	case e.Answer == model.Scheduled:
		return "scheduled, due " + e.Until.String()
	case e.Op == model.OpExtend && e.Answer == model.OK:
		return "until " + e.Until.String()
	case e.Op == model.OpComplete && e.Answer == model.OK:
		return "done"
	}
	return e.Answer.String()
}

// stale compares the token of a request with the latest: "33 < 34" where it is
// lower and was refused for that, or accepted all the same; "" elsewhere.
func (t *teller) stale(e *model.Event) string {
	latest := *ofJob(t.latest, e.Job)
	if e.Answer == model.Stale || e.Op.Settles() && e.Answer.Accepted() {
		return below(e.Token, latest)
	}
	return ""
}

// below says that token is lower than latest; "" where it is not.
func below(token, latest model.Token) string {
	if token >= latest {
		return ""
	}
	return itoa(token) + " < " + itoa(latest)
}

// asides adds what is unusual about how a request came.
func (t *teller) asides(e *model.Event) string {
	note := ""
	if e.Has(model.IsCopy) {
		note += ", a copy"
	}
	if e.Has(model.IsRaw) {
		note += ", by hand"
	}
	if sent := t.callOf(e).sent; sent != nil && e.At.Sub(sent.At) > brisk {
		note += ", sent " + sent.At.String()
	}
	return note
}

// answered is worth a row when the answer came late. A brisk one is told by the
// row of its request, as is one without news.
func (t *teller) answered(e *model.Event) (row, bool) {
	asked := t.exchangeOf(e).applied
	isSlow := asked != nil && e.At.Sub(asked.At) > brisk
	if !isSlow && !e.Has(model.IsLate) {
		return row{}, false
	}
	r := row{from: far(e), to: t.station(e.Proc), label: e.Answer.String(), note: "answer to " + t.what(e)}
	if e.Has(model.IsLate) {
		r.note += ", too late: void"
	}
	return r, true
}

// stored draws a step at the store.
func (t *teller) stored(e *model.Event) row {
	r := row{from: t.station(e.Proc), to: atStore, label: stepWord(e)}
	switch e.Kind {
	case model.Effected:
		r.mark, r.tint, r.effect, r.note = markEffect, effect, e.Effect, "effect "+itoa(e.Effect)
	case model.Absorbed:
		r.mark, r.note = markAbsorbed, "no effect: "+absorbedWord(e.Cause)
		if e.Cause == model.ByFence {
			r.mark, r.tint = markRefused, refused
			r.tag = below(e.Token, *ofJob(t.seen, e.Job))
		}
	case model.Checked, model.Marked:
		r.note = markerWord(e)
	}
	if r.from == nowhere {
		r.on = atStore
	}
	return r
}

// stepWord names the step, or what the kind of record implies.
func stepWord(e *model.Event) string {
	switch {
	case e.Step != model.NoStep:
		return e.Step.String()
	case e.Kind == model.Checked:
		return model.StepCheck.String()
	case e.Kind == model.Marked:
		return model.StepMark.String()
	}
	return model.StepApply.String()
}

func absorbedWord(c model.Cause) string {
	switch c {
	case model.ByMarker:
		return "the marker is there"
	case model.ByUpsert:
		return "the row is there"
	case model.ByFence:
		return "token below the highest"
	case model.ByKey:
		return "the key is known"
	}
	return c.String()
}

// markerWord says what a step at a marker found. The scorer's other steps are
// named by their arrows.
func markerWord(e *model.Event) string {
	found := e.Has(model.IsFound)
	switch {
	case e.Step == model.StepClose && found:
		return "closed already"
	case e.Step > model.StepSettle:
		return ""
	case e.Kind == model.Checked && found:
		return "marker found"
	case e.Kind == model.Checked:
		return "no marker"
	case found:
		return "marker stood already"
	}
	return "marker written"
}
