package reports

import (
	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/scenarios"
)

// known answers whether the queue could have known: the twin side by side, or the
// message that told it.
func (h *html) known() {
	k := h.run.Known
	if k == nil {
		return
	}
	who := "the queue"
	if k.Knowledge != nil {
		who = k.name(h.run)
	}
	h.section("twin", "Could "+escaped(who)+" have known?")
	defer h.end()
	if k.Knowledge == nil {
		h.element("<p>", k.notAsked(), "</p>")
		h.see(k)
		return
	}
	word, sentence := k.word(h.run)
	h.raw("<p><b>", word, "</b> ")
	h.safe(sentence)
	h.raw("</p>")
	if k.Twin == nil {
		return
	}
	h.views(k)
	h.rules(k)
	h.sides(k)
	h.see(k)
}

func (h *html) see(k *Known) {
	if k.Again != "" {
		h.element("<p>Side by side in a terminal: <code>", k.Again, "</code></p>")
	}
}

// views writes the two digests, which are equal.
func (h *html) views(k *Known) {
	a, b := k.View.Digest().String(), k.Twin.View.Digest().String()
	h.raw(`<dl><dt>A's view</dt><dd class="mono">`, a, `</dd><dt>B's view</dt><dd class="mono">`, b, ` equal, `,
		itoa(k.View.Common(k.Twin.View)), " of ", itoa(len(k.View)), ` events</dd></dl>`)
}

// rules writes what came of each rule in both histories.
func (h *html) rules(k *Known) {
	if k.Rules == nil {
		return
	}
	rule := func(name string, r scenarios.Rule) {
		h.element("<dt>"+name+"</dt><dd>", k.came(h.run, r), "</dd>")
	}
	h.raw("<dl>")
	rule("deliver again", k.Rules.Again)
	rule("stay silent", k.Rules.Silent)
	h.raw("</dl>")
	if text := sparedText(k.Rules); text != "" {
		h.element("<p>", text, "</p>")
	}
}

// blinker lets JavaScript show A and B in one place by turns.
const blinker = `<p id="blink" hidden role="group" aria-label="Which history is shown"><button id="both" aria-pressed="true">both</button> ` +
	`<button id="isa" aria-pressed="false">only A</button> <button id="isb" aria-pressed="false">only B</button> ` +
	`<button id="run" aria-pressed="false">blink between A and B</button></p>`

// sideLimit is how many lines of two histories a page shows: the last ones.
const sideLimit = 80

// sides writes the two histories side by side, what was seen between them.
func (h *html) sides(k *Known) {
	r := h.run
	h.raw(blinker)
	h.pair(k)
	h.raw(`<table id="sides"><thead><tr><th scope="col" class="t">time</th>`)
	h.element(`<th scope="col" class="a">A: `, k.says(r, k.Fact), `</th>`)
	h.element(`<th scope="col" class="saw">seen by `, k.name(r), ` in both</th>`)
	h.element(`<th scope="col" class="b">B: `, k.says(r, !k.Fact), `</th></tr></thead><tbody>`)
	list := sidesOf(r, k)
	if n := len(list) - sideLimit; n > 0 {
		h.raw(`<tr class="quiet"><td class="t">⋮</td><td class="a"></td><td class="saw">`, script.Count(n, "line"), ` before</td><td class="b"></td></tr>`)
		list = list[n:]
	}
	clock := clockOf(list)
	for _, s := range list {
		h.raw(`<tr><td class="t">`, clock.tell(s.at), `</td>`)
		h.element(`<td class="a">`, s.a, `</td>`)
		h.element(`<td class="saw">`, s.saw, `</td>`)
		h.element(`<td class="b">`, s.b, `</td></tr>`)
	}
	h.raw(`</tbody></table>`)
}
