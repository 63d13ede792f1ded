package reports

import "github.com/ackgap/ackgap/model"

// claims writes of each property what it claims, with a history in which it holds, one in
// which it does not, and the source of the idea.
func (h *html) claims() {
	h.section("claims", "What each property claims")
	for i := range h.run.Verdicts {
		if m, ok := model.FindProperty(h.run.Verdicts[i].Property); ok {
			h.claim(m)
		}
	}
	h.end()
}

func (h *html) claim(m *model.Property) {
	h.element(`<details><summary>`, model.Safe(m.Name), `</summary><dl>`)
	for _, d := range [][2]string{
		{"claim", claimText(m)}, {docTerm(m), m.Doc}, {"judged at", m.Column},
		{"holds in", m.Holds}, {counterTerm(m), m.Breaks}, {"source", m.Source},
	} {
		if d[1] != "" {
			h.element("<dt>"+d[0]+"</dt><dd>", model.Safe(d[1]), "</dd>")
		}
	}
	h.raw(`</dl></details>`)
}
