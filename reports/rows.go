package reports

import (
	"slices"
	"time"

	"github.com/ackgap/ackgap/model"
)

// row is one line of the diagram: a message that arrived or was lost, or a mark
// on a lifeline, or both. A row stands where its message met its fate, since
// that is when the queue could know of it.
type row struct {
	seq      int32 // the number of its event in the history
	at       model.Time
	from, to station // the message, if from is somewhere
	label    string  // on the message
	lost     bool
	isOpen   bool // nobody knows yet whether it arrives
	isWall   bool // not a message but a link, cut or healed
	isOneway bool // of a cut link: only from `from` to `to`
	tint     tint
	mark     rune    // on the lifeline of on; 0 is none
	on       station // defaults to `to`
	tag      string  // beside the lifeline of on: a token, "33 < 34"; on surfaces with room
	effect   int32   // of markEffect: its ordinal under the job
	note     string  // at the right
	isBroken bool    // a property breaks here
	mustShow bool    // evidence of a verdict
	isNear   bool    // about a job of which the verdicts speak
	life     life    // how the lifeline of on goes on from here; 0 is as before
}

// life is how a lifeline is drawn.
type life rune

const (
	alive   life = '│'
	paused  life = '╎'
	isDead  life = '·'
	crossed life = '┼' // a message passes over it
)

// brisk is how late an answer may be for its call to be told in one row.
const brisk = time.Second

// teller turns the events of one history into rows, in order.
type teller struct {
	cast
	h      *model.History
	calls  []call
	latest []model.Token    // by job: the token of its last claim so far
	seen   []model.Token    // by job: the highest token that the store has seen so far
	proofs []*model.Verdict // broken or unknown, with evidence
	ids    []idJob          // sorted by id
	late   []Late           // sorted by event
}

// idJob says which job went under an id.
type idJob struct {
	id  model.ID
	job model.Job
}

func idsOf(h *model.History) []idJob {
	var ids []idJob
	for i := range h.Events {
		if e := &h.Events[i]; e.Op.Admits() && !e.ID.IsZero() && e.Job != model.NoJob {
			ids = append(ids, idJob{e.ID, e.Job})
		}
	}
	slices.SortStableFunc(ids, func(a, b idJob) int { return a.id.Compare(b.id) })
	return slices.Compact(ids)
}

// newTeller returns a teller of h, which verdicts may be about.
func newTeller(h *model.History, verdicts []model.Verdict) *teller {
	t := &teller{cast: newCast(h), h: h, calls: callsOf(h), ids: idsOf(h),
		latest: make([]model.Token, len(h.Names.Jobs)+1), seen: make([]model.Token, len(h.Names.Jobs)+1)}
	for i := range verdicts {
		if v := &verdicts[i]; v.Value != model.Held && !isReach(v) {
			t.proofs = append(t.proofs, v)
		}
	}
	return t
}

// rowsOf tells the history of r.
func rowsOf(r *Run) []row {
	t := newTeller(r.History, r.Verdicts)
	t.late = r.Late
	var rows []row
	for i := range t.h.Events {
		if row, ok := t.row(&t.h.Events[i]); ok {
			rows = append(rows, row)
		}
	}
	return rows
}

// row returns the row of e, and false when e is told by another event's row or
// is not worth seeing. Evidence always is.
func (t *teller) row(e *model.Event) (row, bool) {
	row, worth := t.tell(e)
	t.follow(e)
	broken, isProof := t.evidence(e.Seq)
	if !worth && !isProof {
		return row, false
	}
	if !worth && row.mark == 0 {
		row = t.plainRow(e)
	}
	if l, ok := t.lateAt(e.Seq); ok {
		row.note = join(row.note, ", ", lateNote(e, l)) + byFault
	}
	row.seq, row.at, row.mustShow, row.isNear = e.Seq, e.At, isProof, t.isNear(e)
	if row.on == nowhere {
		row.on = row.to
	}
	if broken != "" {
		row.note, row.isBroken = join(row.note, "  ", "<- BROKEN "+broken), true
	}
	return row, true
}

// evidence returns the properties that break at seq, and whether seq is cited
// by any verdict.
func (t *teller) evidence(seq int32) (broken string, cited bool) {
	for _, v := range t.proofs {
		events := v.Witness.Events
		if !slices.ContainsFunc(events, func(e model.Event) bool { return e.Seq == seq }) {
			continue
		}
		cited = true
		if v.Value == model.Broken && events[len(events)-1].Seq == seq {
			broken = join(broken, ", ", model.Safe(v.Property))
		}
	}
	return broken, cited
}

// isNear reports whether e is about a job that a verdict speaks of, or moved it.
func (t *teller) isNear(e *model.Event) bool {
	touched := t.h.TouchedBy(e.Seq)
	return slices.ContainsFunc(t.proofs, func(v *model.Verdict) bool {
		isIts := func(touch model.Touch) bool { return t.jobOf(touch.ID) == v.Witness.Job }
		return v.Witness.Job != model.NoJob && (e.Job == v.Witness.Job || slices.ContainsFunc(touched, isIts))
	})
}

// follow keeps the latest token of each job, and the highest that the store has
// seen, to show what a stale one is below.
func (t *teller) follow(e *model.Event) {
	switch {
	case e.Kind == model.Applied && e.Op == model.OpClaim && e.Answer == model.OK:
		*ofJob(t.latest, e.Job) = e.Token
	case e.Kind == model.Effected:
		seen := ofJob(t.seen, e.Job)
		*seen = max(*seen, e.Token)
	}
}

// ofJob returns the place of j in a list by job; that of NoJob where it has none.
func ofJob[T any](list []T, j model.Job) *T {
	if j < 0 || int(j) >= len(list) {
		j = model.NoJob
	}
	return &list[j]
}

// tell draws e, and reports whether it is worth a row of its own.
func (t *teller) tell(e *model.Event) (row, bool) {
	switch e.Kind {
	case model.Sent:
		return t.sent(e)
	case model.Lost:
		return t.lost(e)
	case model.Applied:
		return t.applied(e)
	case model.Answered:
		return t.answered(e)
	case model.TimedOut:
		return t.timedOut(e)
	case model.Admitted:
		return row{}, false // the answer says it
	case model.Checked, model.Marked, model.Effected, model.Absorbed:
		return t.stored(e), true
	}
	return t.befell(e)
}

// what names a request: "complete J1#1".
func (t *teller) what(e *model.Event) string { return join(e.Op.String(), " ", t.delivery(e)) }

// delivery is the name of e's delivery, short enough for a diagram; "" when e
// is about no job.
func (t *teller) delivery(e *model.Event) string {
	if e.Job == model.NoJob {
		return ""
	}
	name := t.labels.Job(e.Job)
	if e.N == 0 {
		return name
	}
	return name + "#" + itoa(e.N)
}

// far is the other end of a request: the store for a call to the outside.
func far(e *model.Event) station {
	if e.Op == model.OpApply {
		return atStore
	}
	return atQueue
}

// plainRow shows an event that is seen only because a verdict cites it.
func (t *teller) plainRow(e *model.Event) row {
	note := e.Kind.String() + " " + t.what(e)
	switch {
	case e.Kind == model.Admitted:
		note = t.labels.Proc(e.Proc) + " is told: " + t.delivery(e) + " " + e.Answer.String()
	case e.Answer != model.NoAnswer:
		note += " -> " + e.Answer.String()
	}
	on := t.station(e.Proc)
	if e.Kind == model.Applied || on == nowhere {
		on = atQueue
	}
	return row{on: on, mark: markAlive, note: note}
}

// join puts sep between a and b, and leaves it out when one is empty.
func join(a, sep, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + sep + b
}
