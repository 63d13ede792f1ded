package reports

import "strings"

// diagram writes the picture, what goes through it, the states, and the rows as a
// table.
func (h *html) diagram(s Style) {
	r := h.run
	if len(r.History.Events) == 0 {
		return
	}
	s.Full = s.Full || len(rowsOf(r)) <= pageRows
	p := newPicture(r, s)
	p.link = true
	h.section("diagram", "What happened")
	h.raw(`<figure class="scroll" tabindex="0" role="region" aria-label="Space-time diagram: time runs down, each process has a lifeline"><svg `, p.frame(), `>`)
	h.b = append(h.b, p.draw(r)...)
	h.raw(`</svg></figure>`)
	if signs := p.signWords(); len(signs) > 0 {
		h.element(`<p class="signs">Signs: `, strings.Join(signs, "; "), `</p>`)
	}
	if len(p.undrawn) > 0 {
		c := newCast(r.History)
		h.element(`<p class="quiet">Not drawn, --full: `, p.undrawnNames(&c), `</p>`)
	}
	h.raw(player)
	h.end()
	changes := merged(p, changesOf(r.History))
	h.states(p, changes)
	h.events(p, changes)
}

// player is what JavaScript shows: it goes through the events.
const player = `<div id="play" hidden role="group" aria-label="Go through the events">` +
	`<button id="first" aria-label="first event">|◀</button><button id="back" aria-label="one event back">◀</button>` +
	`<input id="at" type="range" min="0" aria-label="event"><button id="next" aria-label="next event">▶</button>` +
	`<button id="last" aria-label="last event">▶|</button><button id="broken"><span>to the </span>violation</button>` +
	`<output id="say" for="at" aria-live="polite"></output></div>`

// keys is the switch of the keys, which WCAG 2.1.4 asks for; it need not stay in sight. It
// names those that do something on this page.
func (h *html) keys(p *picture) {
	h.raw(`<p class="keys"><label><input id="keys" type="checkbox" checked> by keys, too: ← → Home End`)
	if p.shows(func(r *row) bool { return r.isBroken }) {
		h.raw(`, f for the violation`)
	}
	if k := h.run.Known; k != nil && k.Knowledge != nil && k.Twin != nil {
		h.raw(`, b to blink between twins`)
	}
	h.raw(`</label></p>`)
}

// states writes what JavaScript shows: a row for each thing that can be followed, which
// says what it is at the start.
func (h *html) states(p *picture, changes [][]change) {
	h.raw(`<section id="states" hidden><h2>State at this event</h2><table id="state"><thead><tr><th scope="col">of</th><th scope="col">before</th><th scope="col">after</th></tr></thead><tbody>`)
	for _, t := range thingsOf(h.run.History, p.lanes, changes) {
		h.element(`<tr><th scope="row">`, t.of, `</th>`)
		h.element(`<td>`, t.is, `</td><td></td></tr>`)
	}
	h.raw(`</tbody></table>`)
	h.keys(p)
	h.end()
}

// events writes the rows of the picture as a table, each with what it changed.
func (h *html) events(p *picture, changes [][]change) {
	h.section("events", "The same as a table")
	h.raw(`<table><thead><tr><th scope="col" class="n">event</th><th scope="col" class="n">time</th><th scope="col">what happened, and what it changed</th></tr></thead><tbody>`)
	c := newCast(h.run.History)
	for i := range p.places {
		at := &p.places[i]
		switch {
		case at.isHidden:
		case at.row != nil:
			h.event(&c, at.row, p.clock, changes[i])
		case len(at.hidden) > 0:
			h.fold(&at.line, p.clock, changes[i])
		default:
			h.element(`<tr class="quiet"><td class="n">⋮</td><td></td><td>`, at.gapText(), `</td></tr>`)
		}
	}
	h.raw(`</tbody></table>`)
	h.end()
}

// event writes one row of the table.
func (h *html) event(c *cast, r *row, times clock, changes []change) {
	seq := itoa(r.seq)
	h.raw(`<tr id="e`, seq, `"`)
	if r.isBroken {
		h.raw(` class="broken"`)
	}
	h.raw(`><td class="n"><a href="#d`, seq, `">`, seq, `</a></td><td class="n"><time>`, times.tell(r.at), `</time></td><td><span>`)
	h.safe(rowText(c, r))
	h.raw(`</span>`)
	h.changes(changes)
	h.raw(`</td></tr>`)
}

// fold writes the row that stands for rows that are not shown, with what changed
// until the next that is: who goes through the events comes by it, too.
func (h *html) fold(l *line, times clock, changes []change) {
	h.raw(`<tr id="e`, l.events(), `" class="quiet"><td class="n">⋮</td><td class="n"><time>`, times.tell(l.hidden[len(l.hidden)-1].at), `</time></td><td>`)
	h.element(`<span>`, l.gapText(), `</span>`)
	h.changes(changes)
	h.raw(`</td></tr>`)
}

// changes writes what a row changed.
func (h *html) changes(changes []change) {
	for _, ch := range changes {
		h.element(`<small><b>`, ch.of, `</b> `)
		h.element(`<i>`, ch.was, `</i> → `)
		h.element(`<i>`, ch.is, `</i></small>`)
	}
}

// rowText tells a row in words, as its arrow and its mark do in a picture.
func rowText(c *cast, r *row) string {
	if r.from == nowhere {
		note := noteText(r)
		if who := c.title(r.on); !strings.HasPrefix(note, who+" ") {
			return join(who, ": ", note)
		}
		return note
	}
	arrow := " → "
	if r.isWall && !r.isOneway {
		arrow = " ↔ "
	}
	return join(c.title(r.from)+arrow+c.title(r.to)+": "+r.label, ", ", noteText(r))
}

// merged gives each line of p what changed from its event on to that of the next row,
// each thing once; the first has what changed before it too. What changed in rows that
// are not shown stands at the line that says so. Of jobs and processes that no row shown
// changes and that have no lifeline, nothing is told.
func merged(p *picture, changes []change) [][]change {
	if len(p.places) == 0 {
		return nil
	}
	at := linesOf(p.places, changes)
	followed := map[subject]bool{}
	for _, l := range p.lanes {
		followed[subject{proc: l.title}] = true
	}
	for i := range changes {
		if p.places[at[i]].row != nil {
			followed[changes[i].about()] = true
		}
	}
	out := make([][]change, len(p.places))
	for i, c := range changes {
		if followed[c.about()] {
			out[at[i]] = withChange(out[at[i]], c)
		}
	}
	return out
}

// linesOf returns, for each change, the index of the line that tells of it.
func linesOf(places []place, changes []change) []int {
	at := make([]int, len(changes))
	line, end := len(places), len(changes)
	for i := len(places) - 1; i >= 0; i-- {
		if !places[i].isHidden {
			line = i
		}
		if places[i].row == nil {
			continue
		}
		for ; end > 0 && changes[end-1].seq >= places[i].row.seq; end-- {
			at[end-1] = line
		}
	}
	for ; end > 0; end-- {
		at[end-1] = line // before the first row
	}
	return at
}

// withChange adds a change, or lets an earlier one of the same thing go on to it.
func withChange(list []change, c change) []change {
	for i := range list {
		if list[i].of != c.of {
			continue
		}
		list[i].is = c.is
		if list[i].was == list[i].is {
			list = append(list[:i], list[i+1:]...)
		}
		return list
	}
	return append(list, c)
}
