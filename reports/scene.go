package reports

import (
	"strings"

	"github.com/ackgap/ackgap/model"
)

// AppendScene appends r as a lecture shows it: the picture first and what its signs mean,
// then words, a paragraph each, the verdict in a line or two, and the command that runs it.
func AppendScene(b []byte, r *Run, words []string, s Style) []byte {
	p := &page{b: b, style: s}
	p.diagram(r)
	p.signs(r)
	for _, paragraph := range words {
		p.end()
		p.wrap("", paragraph)
	}
	p.end()
	broken := r.withValue(model.Broken)
	for _, v := range broken {
		p.left(bad, strings.ToUpper(v.Value.String()), leadWidth)
		p.line(plain, model.Safe(v.Property)+r.asNamed(v))
	}
	if len(broken) == 0 {
		p.held(r)
	}
	p.unmet(r)
	p.line(plain, "RUN AGAIN  "+model.Safe(r.Again))
	return p.b
}

// signs says what the signs of the diagram mean, those of them that it shows.
func (p *page) signs(r *Run) {
	d := layOut(r, p.style.Full)
	p.entries("Signs: ", d.signWords())
}

// signWords are the signs that d shows, each with what it means.
func (d *diagram) signWords() (list []string) {
	for i := range signs {
		if d.shows(signs[i].isIn) {
			list = append(list, string(signs[i].row.mark)+" "+signs[i].words)
		}
	}
	if d.shows(isLostMessage) {
		list = append(list, string(markLost)+" "+lostWords)
	}
	return list
}

func (d *diagram) shows(is func(*row) bool) bool {
	for i := range d.rows {
		if d.shown[i] && is(&d.rows[i]) {
			return true
		}
	}
	return false
}

// entries writes lead and entries, as many on a line as there is room.
func (p *page) entries(lead string, list []string) {
	at := lead
	for i, entry := range list {
		switch {
		case i == 0:
			at += entry
		case width(at+"; "+entry) > p.wide():
			p.line(plain, at+";")
			at = strings.Repeat(" ", width(lead)) + entry
		default:
			at += "; " + entry
		}
	}
	if len(list) > 0 {
		p.line(plain, at)
	}
}
