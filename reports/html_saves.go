package reports

import (
	"encoding/base64"

	"github.com/ackgap/ackgap/faults/script"
)

// saveLimit is how many bytes the downloads of a page may have together.
const saveLimit = 32 << 10

// save is one download of a page: its file's ending, its type, what it is.
type save struct {
	ending, kind, words string
	bytes               func(*Run) []byte
}

var saves = []save{
	{"story", "text/plain", "the story", func(r *Run) []byte { return []byte(r.Text) }},
	{"txt", "text/plain", "the history", func(r *Run) []byte { return r.History.AppendText(nil) }},
	{"svg", "image/svg+xml", "the picture", func(r *Run) []byte { return AppendSVG(nil, r, Style{}) }},
	{"json", "application/json", "all as JSON", func(r *Run) []byte { return AppendJSON(nil, r) }},
}

// downloads writes links that hold their files. What would make the page too long is
// named, with the command that makes it.
func (h *html) downloads() {
	h.section("downloads", "Downloads")
	h.raw(`<p class="saves">`)
	room, left := saveLimit, 0
	for i := range saves {
		s := &saves[i]
		data := s.bytes(h.run)
		if len(data) == 0 {
			continue
		}
		if len(data) > room {
			left++
			continue
		}
		room -= len(data)
		h.raw(`<a download="`)
		h.text(h.run.Story)
		h.raw(".", s.ending, `" href="data:`, s.kind, `;base64,`, base64.StdEncoding.EncodeToString(data), `">`, s.words, `</a> `)
	}
	h.raw("</p>")
	if left > 0 {
		h.raw(`<p class="quiet">`, script.Count(left, "file"), ` would make this page too long. <code>ackgap run --out FORMAT=FILE</code> writes each form of a run.</p>`)
	}
	h.end()
}
