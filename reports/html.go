package reports

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"strings"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios/argue"
)

// The style sheet and the script of a page, which stand in it.
var (
	//go:embed page/page.css
	pageStyle string
	//go:embed page/page.js
	pageScript string
)

// pageRows is up to how many rows a page shows all of them, and every process.
const pageRows = 400

// Page is what a page says besides its run.
type Page struct {
	Explained *argue.Explanation // what the failure needs and what fixes it; nil where nobody asked
	Charts    []Drawing          // may be empty
	Worlds    *Worlds            // the random worlds about that of the run; nil where it is none
	Tool      string             // what made it: "ackgap 0.3.0, go1.26.0"; may be empty
}

// AppendHTML appends the report of r as one page that needs no network: verdict,
// diagram, the same rows as a table with an anchor (#e12) for each, whether the
// queue could have known, why, what the failure needs and what fixes it where that
// was found out, all properties, the story, and downloads. It is whole without
// JavaScript; with it one can go through the events. A policy in it (CSP) allows the
// page's own style and script by their hashes, and nothing else. Of s only Full
// counts: without it a run of many rows is cut around its evidence.
func AppendHTML(b []byte, r *Run, more Page, s Style) []byte {
	h := &html{b: b, run: r, more: more}
	h.head()
	h.verdict()
	h.diagram(s)
	h.known()
	h.why()
	h.explained()
	h.charts()
	h.worlds()
	h.properties()
	h.claims()
	h.story()
	h.environment()
	h.downloads()
	h.raw("</main><script>", pageScript, "</script></body></html>\n")
	return h.b
}

// html writes a page.
type html struct {
	b    []byte
	run  *Run
	more Page
}

// raw appends markup.
func (h *html) raw(parts ...string) {
	for _, s := range parts {
		h.b = append(h.b, s...)
	}
}

// text appends a string of any origin, in one line and as text.
func (h *html) text(s string) { h.safe(model.Safe(s)) }

// safe appends a string that is safe already, as text.
func (h *html) safe(s string) { h.raw(escaped(shown(s))) }

// element appends a safe string between two tags.
func (h *html) element(open, s, end string) {
	h.raw(open)
	h.safe(s)
	h.raw(end)
}

// section begins a part of the page. The heading is markup.
func (h *html) section(id, heading string) {
	h.raw(`<section id="`, escaped(id), `"><h2>`, heading, `</h2>`)
}

func (h *html) end() { h.raw("</section>") }

// sourceHash is what a policy calls an element's text by.
func sourceHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func (h *html) head() {
	style := pageStyle + colors() + svgStyle
	h.raw(`<!doctype html><html lang="en"><head><meta charset="utf-8">`,
		`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src `, sourceHash(style),
		`; script-src `, sourceHash(pageScript), `; base-uri 'none'; form-action 'none'">`,
		`<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="generator" content="ackgap"><title>`)
	h.safe(h.run.pageTitle())
	h.raw(`</title><style>`, style, `</style></head><body>`)
}

// unmet lists what stands in the way of the story.
func (h *html) unmet() {
	reasons := h.run.unmetTexts()
	if len(reasons) == 0 {
		return
	}
	h.section("unmet", "What is not as expected")
	h.raw("<ul>")
	for _, reason := range reasons {
		h.element("<li>", reason, "</li>")
	}
	h.raw("</ul>")
	h.end()
}

// charts writes the drawings that came with the run.
func (h *html) charts() {
	if len(h.more.Charts) == 0 {
		return
	}
	h.section("charts", "In numbers")
	for i := range h.more.Charts {
		d := &h.more.Charts[i]
		h.raw(`<figure class="scroll" tabindex="0" role="region" aria-label="Chart: `)
		h.text(d.Title)
		h.raw(`"><svg `, d.frame(), `>`, d.inside(), `</svg></figure>`)
	}
	h.end()
}

// why writes the proofs, each step a link to its event.
func (h *html) why() {
	for _, value := range []model.Value{model.Broken, model.Unknown} {
		for _, v := range h.run.withValue(value) {
			h.section("why-"+model.Safe(v.Property), "Why "+escaped(model.Safe(v.Property))+" is "+v.Value.String())
			h.proof(v)
			h.end()
		}
	}
}

func (h *html) proof(v *model.Verdict) {
	events, names := v.Witness.Events, &h.run.History.Names
	if len(events) > 0 {
		h.raw(`<p>Let</p><ol class="let">`)
		for i := range events[:min(len(events), factLimit)] {
			e := &events[i]
			h.raw("<li>e", itoa(i+1), " = ")
			h.safe(describe(names, e))
			h.raw(`, <a href="#e`, itoa(e.Seq), `">event `, itoa(e.Seq), `</a> at `, e.At.String(), "</li>")
		}
		h.raw(`</ol>`)
		if n := len(events) - factLimit; n > 0 {
			h.raw("<p>and ", script.Count(n, "event"), " more.</p>")
		}
		h.raw("<p>Then ")
	} else {
		h.raw("<p>")
	}
	h.safe(witnessText(v))
	h.raw("</p>")
}

// explained writes what the failure needs and what fixes it, as the text does.
func (h *html) explained() {
	if h.more.Explained == nil {
		return
	}
	p := &page{}
	p.needs(h.more.Explained)
	p.fixes(h.more.Explained)
	h.section("needs", "What this failure needs, and what fixes it")
	h.raw(`<div class="scroll" tabindex="0" role="region" aria-label="What it needs and what fixes it"><pre>`, escaped(strings.TrimSpace(string(p.b))), `</pre></div>`)
	h.end()
}

// properties writes every verdict.
func (h *html) properties() {
	h.section("properties", "All properties")
	h.raw(`<table><thead><tr><th scope="col">property</th><th scope="col">value</th><th scope="col" class="n">judged</th><th scope="col">the story</th></tr></thead><tbody>`)
	for i := range h.run.Verdicts {
		v := &h.run.Verdicts[i]
		class := ""
		if v.Value != model.Held && !isReach(v) {
			class = ` class="` + v.Value.String() + `"`
		}
		h.element(`<tr><th scope="row">`, model.Safe(v.Property), `</th>`)
		h.raw(`<td`, class, `>`, valueWord(v), `</td><td class="n">`, itoa(v.Evaluations), `</td>`)
		h.element(`<td>`, strings.TrimPrefix(h.run.asNamed(v), ", "), `</td></tr>`)
	}
	h.raw("</tbody></table>")
	h.end()
}

// storyLimit is how many bytes of a story a page shows.
const storyLimit = 16 << 10

// story writes the story line by line. Where it is longer than a page should be, it
// is cut, and the page says so.
func (h *html) story() {
	text := h.run.Text
	if text == "" {
		return
	}
	h.section("story", "The story")
	h.raw("<pre>")
	for line := range strings.Lines(text[:min(len(text), storyLimit)]) {
		h.text(strings.TrimSuffix(line, "\n"))
		h.raw("\n")
	}
	h.raw("</pre>")
	if len(text) > storyLimit {
		h.raw(`<p class="quiet">These are the first `, itoa(storyLimit), " of ", itoa(len(text)), " bytes.</p>")
	}
	h.end()
}

// environment says what ran and what it left.
func (h *html) environment() {
	r := h.run
	h.section("environment", "Environment")
	h.raw("<dl>")
	for _, d := range [][2]string{
		{"story", r.Story}, {"seed", utoa(r.Seed)}, {"queue", r.Queue}, {"consumers", r.Consumers},
		{"events", itoa(len(r.History.Events))}, {"digest", r.History.Digest.String()}, {"made by", h.more.Tool},
	} {
		if d[1] != "" {
			h.element("<dt>"+d[0]+"</dt><dd>", model.Safe(d[1]), "</dd>")
		}
	}
	h.raw("</dl>")
	h.end()
}
