package reports

import (
	"slices"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
)

// slotLimit is how many rows of two histories a page draws: the last ones.
const slotLimit = 40

// pair draws the two histories as two pictures of one size: the same lifelines in the
// same places, and what the observer saw in the same rows. Shown by turns in one place,
// nothing moves but what the observer could not see.
func (h *html) pair(k *Known) {
	a, b := newPair(h.run, k)
	h.raw(`<div id="pair">`)
	h.half("a", "A: "+k.says(h.run, k.Fact), a, h.run)
	h.half("b", "B: "+k.says(h.run, !k.Fact), b, &Run{Story: h.run.Story, History: k.Twin.History})
	h.raw(`</div>`)
}

// half writes one of the two.
func (h *html) half(class, title string, p *picture, r *Run) {
	h.raw(`<figure class="`, class, `"><figcaption>`)
	h.safe(title)
	h.raw(`</figcaption><div class="scroll" tabindex="0" role="region" aria-label="`)
	h.safe("Space-time diagram of history " + title)
	h.raw(`"><svg `, p.frame(), `>`)
	h.b = append(h.b, p.draw(r)...)
	h.raw(`</svg></div></figure>`)
}

// slot is one line of both pictures: a row of each, or of one, or idle time that is cut.
type slot struct {
	a, b  *row
	later model.Time
}

// newPair lays both histories out on the lifelines that both need.
func newPair(r *Run, k *Known) (a, b *picture) {
	rowsA, seenA := k.rowsOf(r, k.Cut.Seq)
	rowsB, seenB := k.rowsOf(&Run{History: k.Twin.History, Late: lateOf(k.Twin.Story, k.Twin.History)}, k.Twin.Cut.Seq)
	slots := cutIdle(slotsOf(rowsA, rowsB, seenA, seenB))
	slots = slots[max(0, len(slots)-slotLimit):]

	d := &diagram{}
	for _, s := range slots {
		for _, row := range []*row{s.a, s.b} {
			if row != nil {
				d.rows, d.shown = append(d.rows, *row), append(d.shown, true)
			}
		}
	}
	c := newCast(r.History)
	d.chooseLanes(&c, true)
	d.readTimes()
	d.place(true)
	a, b = d.half("a", slots, func(s *slot) *row { return s.a }), d.half("b", slots, func(s *slot) *row { return s.b })
	both := &picture{diagram: d, times: len("time"), places: slices.Concat(a.places, b.places)}
	both.measure()
	for _, p := range []*picture{a, b} {
		p.left, p.numbers, p.times, p.notes, p.wide = both.left, both.numbers, both.times, both.notes, both.wide
	}
	a.hang(r.History)
	b.hang(k.Twin.History)
	return a, b
}

// half is one of two pictures: the rows that it has of the slots, each at its slot.
func (d *diagram) half(name string, slots []slot, of func(*slot) *row) *picture {
	p := &picture{diagram: d, times: len("time"), name: name}
	y := headHigh
	for i := range slots {
		if row := of(&slots[i]); row != nil || slots[i].later > 0 {
			p.places = append(p.places, place{line{row: row, later: slots[i].later}, y + rowHigh/2})
		}
		y += rowHigh
	}
	p.high = y + margin
	return p
}

// rowsOf returns the rows about the delivery of k, or seen by its observer, and which
// events those are that it saw.
func (k *Known) rowsOf(r *Run, cut int32) (rows []row, seen []int32) {
	_, seen = r.History.Seen(k.Observer, faults.Queue, cut)
	for _, row := range rowsOf(r) {
		e := &r.History.Events[row.seq-1]
		if _, isSeen := slices.BinarySearch(seen, row.seq); isSeen || k.tells(r.History, e, cut) {
			rows = append(rows, row)
		}
	}
	return rows, seen
}

// slotsOf puts the rows of both in lines: between two things that the observer saw, the
// first of A beside the first of B, and so on. A row that was seen begins its stretch in
// both.
func slotsOf(a, b []row, seenA, seenB []int32) (slots []slot) {
	for len(a)+len(b) > 0 {
		at := min(stretch(a, seenA), stretch(b, seenB))
		var s slot
		if len(a) > 0 && stretch(a, seenA) == at {
			s.a, a = &a[0], a[1:]
		}
		if len(b) > 0 && stretch(b, seenB) == at {
			s.b, b = &b[0], b[1:]
		}
		slots = append(slots, s)
	}
	return slots
}

// stretch is how much the observer had seen at the first of rows, with that itself.
func stretch(rows []row, seen []int32) int {
	if len(rows) == 0 {
		return len(seen) + 1
	}
	n, _ := slices.BinarySearch(seen, rows[0].seq+1)
	return n
}

// cutIdle puts a line between two where both histories stand still.
func cutIdle(slots []slot) (out []slot) {
	last := model.Time(-1)
	for _, s := range slots {
		first, then := model.Time(-1), last
		for _, row := range []*row{s.a, s.b} {
			if row == nil {
				continue
			}
			if first < 0 || row.at < first {
				first = row.at
			}
			then = max(then, row.at)
		}
		if last >= 0 && first-last >= pauseShown {
			out = append(out, slot{later: first - last})
		}
		out, last = append(out, s), then
	}
	return out
}
