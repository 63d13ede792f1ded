package reports

import (
	"slices"
	"strings"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// top is what the properties of a run come to: a word, the properties of which it is,
// the first of them in plain words, and a sentence for each.
func (r *Run) top() (word, names, plain string, says []string) {
	for _, value := range []model.Value{model.Broken, model.Unknown} {
		for _, v := range r.withValue(value) {
			if names == "" {
				plain = plainSentence(r, v)
			}
			names = join(names, ", ", model.Safe(v.Property))
			says = append(says, headline(r, v))
		}
		if names != "" {
			return value.String(), names, plain, says
		}
	}
	word, names = heldLine(r)
	plain = model.Safe(r.Story) + ": nothing is broken"
	if word == notJudged {
		plain = model.Safe(r.Story) + ": there was nothing to judge"
	}
	return word, names, plain, nil
}

// pageTitle is what a page is called in a row of tabs: that the story is not met, where
// that leads, what is broken or unknown, and the story.
func (r *Run) pageTitle() string {
	word, names, _, says := r.top()
	lead := strings.ToUpper(word)
	if len(says) > 0 {
		lead += " " + names
	}
	if r.unmetLeads() {
		if len(says) == 0 {
			lead = ""
		}
		lead = join(strings.ToUpper(r.Outcome.String()), ", ", lead)
	}
	return join(lead, ": ", model.Safe(r.Story))
}

// heading is what a page is headed by: that the story is not met and the first thing in
// its way, where that leads, or else what its properties come to.
func (r *Run) heading() string {
	if !r.unmetLeads() {
		_, _, plain, _ := r.top()
		return plain
	}
	word := r.Outcome.String()
	return join(strings.ToUpper(word[:1])+word[1:], ": ", r.against())
}

// against is the first thing that stands in the way of a story that its outcome leads, in
// plain words where it is a property: none is broken that should not be.
func (r *Run) against() string {
	for _, v := range r.withValue(model.Unknown) {
		if r.unlooked(v) {
			return plainSentence(r, v)
		}
	}
	if unmet := r.unmetTexts(); len(unmet) > 0 {
		return unmet[0]
	}
	return ""
}

// verdict writes what a page begins with: whether the story is met, what broke or is
// unknown, and how to run it again. What is the news of the two comes first.
func (h *html) verdict() {
	r := h.run
	h.raw(`<header>`)
	first, then := h.values, func() { h.outcome(`<p>`) }
	if r.unmetLeads() {
		first, then = func() { h.outcome(`<p class="verdict">`) }, h.values
	}
	first()
	heading := r.heading()
	h.element(`<h1>`, heading, `</h1>`)
	_, _, _, says := r.top()
	for _, s := range says {
		if !strings.HasSuffix(heading, s) {
			h.element("<p>", s, "</p>")
		}
	}
	if title := strings.Join(strings.Fields(r.Title), " "); title != "" {
		h.element("<p>", model.Safe(title), "</p>")
	}
	then()
	if r.Again != "" {
		h.element(`<p>Run it again: <code>`, model.Safe(r.Again), `</code></p>`)
	}
	h.raw(`</header><main>`)
	h.unmet()
}

// values writes what the properties come to.
func (h *html) values() {
	word, names, _, _ := h.run.top()
	class := word
	if word == notJudged {
		class = model.Unknown.String()
	}
	h.raw(`<p class="verdict"><b class="`, class, `">`, strings.ToUpper(word), `</b>`)
	h.safe(names + h.run.asExpected())
	h.raw(`</p>`)
}

// asExpected says of what is broken or unknown that the story expects all of it.
func (r *Run) asExpected() string {
	unkept := append(r.withValue(model.Broken), r.withValue(model.Unknown)...)
	if len(unkept) == 0 || slices.ContainsFunc(unkept, r.unlooked) {
		return ""
	}
	return ", as expected"
}

// outcome writes whether the story is met, in a paragraph that the tag begins.
func (h *html) outcome(tag string) {
	class := "held"
	if h.run.Outcome != scenarios.Yes {
		class = "broken"
	}
	h.raw(tag, `<b class="`, class, `">`, strings.ToUpper(h.run.Outcome.String()), `</b> `)
	h.safe(model.Safe(h.run.Story) + ": " + h.run.tally())
	h.raw(`</p>`)
}
