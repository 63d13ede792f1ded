package reports

import "strings"

// AppendMermaid appends the diagram of r as a sequence diagram in Mermaid, which GitHub
// draws in comments and summaries: a message for each arrow, with a cross at its end
// where it is lost, and a note for what stands at a lifeline. The rows are those of the
// text; of s only Full counts.
func AppendMermaid(b []byte, r *Run, s Style) []byte {
	d := layOut(r, s.Full)
	b = append(b, "sequenceDiagram\n"...)
	for i, l := range d.lanes {
		b = append(b, "    participant P"+itoa(i)+" as "+inMermaid(l.title)+"\n"...)
	}
	for _, l := range d.lines() {
		switch {
		case l.isHidden:
			continue
		case l.row == nil:
			b = append(b, "    Note over P0: "+inMermaid(l.gapText())+"\n"...)
		default:
			b = d.appendMessage(b, l.row)
		}
	}
	return b
}

func (d *diagram) appendMessage(b []byte, r *row) []byte {
	note := noteText(r)
	if r.from == nowhere || r.isWall {
		return append(b, "    Note over P"+itoa(d.lane(r.on))+": "+inMermaid(join(r.label, ", ", r.at.String()+" "+note))+"\n"...)
	}
	arrow := "->>"
	switch {
	case r.isOpen:
		arrow = "--)"
	case r.lost:
		arrow = "--x"
	}
	line := "    P" + itoa(d.lane(r.from)) + arrow + "P" + itoa(d.lane(r.to)) + ": " + inMermaid(r.label+" ("+r.at.String()+")") + "\n"
	b = append(b, line...)
	if note != "" {
		b = append(b, "    Note over P"+itoa(d.lane(r.to))+": "+inMermaid(note)+"\n"...)
	}
	return b
}

// inMermaid writes all but letters, digits and a few marks as entities, of which
// Mermaid makes the runes again: nothing of a name can be a keyword or a mark of its
// grammar.
func inMermaid(s string) string {
	var out strings.Builder
	for i, word := range strings.Fields(s) {
		if i > 0 {
			out.WriteByte(' ')
		}
		if strings.EqualFold(word, "end") {
			out.WriteString("#" + itoa(int32(word[0])) + ";")
			word = word[1:]
		}
		for _, r := range word {
			isPlain := r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || strings.ContainsRune(".,=()-_", r)
			if isPlain {
				out.WriteRune(r)
				continue
			}
			out.WriteString("#" + itoa(r) + ";")
		}
	}
	return out.String()
}
