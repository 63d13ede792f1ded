package reports

import (
	"slices"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
)

// The columns of two histories side by side, in a page of textWidth: the time, A,
// what the observer saw in both, B, with a bar of three columns between each two. A
// time in nanoseconds takes its room from B.
const (
	sideTime = 9
	sideA    = 22
	sideSaw  = 20
	sideRest = textWidth - sideA - sideSaw - 7
)

// side is one thing that happened, in the columns of those in whose history it did.
type side struct {
	at        model.Time
	a, saw, b string
}

// sides writes the run and its twin side by side, up to the cut and to the effects
// of the delivery behind it: in the middle what the observer saw, which is one.
func (p *page) sides(r *Run, k *Known) {
	list := sidesOf(r, k)
	clock, times := clockOf(list), sideTime
	for _, s := range list {
		times = max(times, width(clock.tell(s.at)))
	}
	p.sideLine("time", times, side{a: "A: " + k.says(r, k.Fact), saw: "seen by " + k.name(r), b: "B: " + k.says(r, !k.Fact)})
	for _, s := range list {
		p.sideLine(clock.tell(s.at), times, s)
	}
}

func clockOf(list []side) (c clock) {
	for _, s := range list {
		c.sees(s.at)
	}
	return c
}

func (p *page) sideLine(at string, times int, s side) {
	widths := [3]int{sideA, sideSaw, sideRest - times}
	cells := [3][]string{Fold(s.a, widths[0]), Fold(s.saw, widths[1]), Fold(s.b, widths[2])}
	for i := range max(len(cells[0]), len(cells[1]), len(cells[2])) {
		p.right(plain, at, times)
		p.spaces++
		for c, width := range widths {
			text := ""
			if i < len(cells[c]) {
				text = cells[c][i]
			}
			if c > 0 {
				p.put(dim, "│ ")
			}
			p.left(plain, text, width+1)
		}
		p.end()
		at = ""
	}
}

// sidesOf merges the two histories by time; at one instant A's own comes first,
// then what both saw, then B's.
func sidesOf(r *Run, k *Known) []side {
	a := halfOf(r.History, k, k.Cut.Seq)
	b := halfOf(k.Twin.History, k, k.Twin.Cut.Seq)
	var out []side
	for _, e := range a {
		if e.isSeen {
			out = append(out, side{at: e.at, saw: e.text})
		} else {
			out = append(out, side{at: e.at, a: e.text})
		}
	}
	for _, e := range b {
		if !e.isSeen {
			out = append(out, side{at: e.at, b: e.text})
		}
	}
	slices.SortStableFunc(out, func(x, y side) int { return int(min(max(x.at-y.at, -1), 1)) })
	return paired(out)
}

// paired puts on one line what A and B have at one instant, each on its own, in the
// order in which each has it.
func paired(list []side) (out []side) {
	for _, s := range list {
		if i := room(out, s); i >= 0 {
			out[i].b = s.b
			continue
		}
		out = append(out, s)
	}
	return out
}

// room returns the first line at the end of out on which s, of B, can stand beside
// A; -1 where there is none.
func room(out []side, s side) int {
	found := -1
	for i := len(out) - 1; i >= 0 && s.b != "" && out[i].at == s.at && out[i].saw == "" && out[i].b == ""; i-- {
		found = i
	}
	return found
}

// half is one record of one of the two histories.
type half struct {
	at     model.Time
	text   string
	isSeen bool // by the observer
}

// halfOf tells what happened in h about the delivery of k or was seen by its
// observer.
func halfOf(h *model.History, k *Known, cut int32) (out []half) {
	t := newTeller(h, nil)
	_, behind := h.Seen(k.Observer, faults.Queue, cut)
	for i := range h.Events {
		e := &h.Events[i]
		_, seen := slices.BinarySearch(behind, e.Seq)
		text := t.phrase(e)
		if seen || text != "" && k.tells(h, e, cut) {
			out = append(out, half{e.At, text, seen})
		}
		t.follow(e)
	}
	return out
}

// tells reports whether e is about the delivery, or about one that went otherwise in
// the twin, or befell its worker by the cut, or is an effect of such at any time.
func (k *Known) tells(h *model.History, e *model.Event, cut int32) bool {
	e = answeredBy(h, e)
	isIts := e.Job == k.Job && (e.N == k.N || slices.ContainsFunc(k.Twin.Faults, func(f faults.Entry) bool {
		return f.Point.Job == e.Job && f.Point.N == e.N
	}))
	switch e.Kind {
	case model.Effected:
		return isIts
	case model.Crashed, model.Paused, model.Restarted, model.Woke:
		return e.Seq <= cut
	}
	return isIts && e.Seq <= cut
}

// answeredBy is e with the delivery that it waited for, where e is a claim without an
// answer: who waits knows of none.
func answeredBy(h *model.History, e *model.Event) *model.Event {
	if e.Kind != model.TimedOut || e.Job != model.NoJob {
		return e
	}
	i := slices.IndexFunc(h.Events, func(a model.Event) bool { return a.Kind == model.Applied && a.Call == e.Call && a.Job != model.NoJob })
	if i < 0 {
		return e
	}
	told := *e
	told.Job, told.N = h.Events[i].Job, h.Events[i].N
	return &told
}

// phrase tells e in a few words, and "" where another record's words do.
func (t *teller) phrase(e *model.Event) string {
	who := t.labels.Proc(e.Proc)
	switch e.Kind {
	case model.Sent:
		return who + " sends " + t.what(e)
	case model.Answered:
		if e.Op == model.OpClaim && e.Answer == model.OK {
			return who + " gets " + t.delivery(e)
		}
		return who + " reads " + e.Answer.String() + " to " + t.what(e)
	case model.TimedOut:
		return who + ": no answer to " + t.what(e)
	case model.Lost:
		if e.Has(model.IsReply) {
			return "answer to " + t.what(e) + " lost"
		}
		return t.what(e) + " lost"
	case model.Applied:
		return t.request(e)
	case model.Checked, model.Marked, model.Effected, model.Absorbed:
		return who + ": " + join(stepWord(e), ", ", t.stored(e).note)
	}
	row, _ := t.befell(e)
	return trimFault(row.note)
}

// request tells what reached the queue, and how it answered.
func (t *teller) request(e *model.Event) string {
	from := t.station(e.Proc)
	if from == atQueue || from == nowhere {
		row, _ := t.pumped(e)
		return row.note
	}
	return t.what(e) + " by " + t.labels.Proc(e.Proc) + ": " + t.answerNote(e)
}
