package lessons

import (
	"strings"
	"unicode/utf8"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/reports"
)

// glyphs are the marks of this package's figures, with their ASCII forms of the same
// width and the ink of what went wrong. A pair comes before its half.
var glyphs = [...]struct{ mark, ascii, ink string }{
	{"◌", "0", red}, {"◆◆", "**", red}, {"◆", "*", ""}, {"╳", "X", red}, {"▶", ">", ""}, {"◀", "<", ""},
}

// drawn returns text, a line of a figure, in a style.
func drawn(text string, s reports.Style) string {
	for _, g := range glyphs {
		form := g.mark
		if s.ASCII {
			form = g.ascii
		}
		if g.ink != "" {
			form = string(paint(nil, g.ink, form, s))
		}
		text = strings.ReplaceAll(text, g.mark, form)
	}
	return text
}

// lines is a figure that is written line by line.
func lines(list ...string) Figure {
	return func(b []byte, s reports.Style) []byte {
		for _, l := range list {
			b = append(append(b, drawn(strings.TrimRight("  "+l, " "), s)...), '\n')
		}
		return b
	}
}

// table is a figure of columns that are as wide as their widest cell.
func table(rows ...[]string) Figure { return columns(3, rows) }

func columns(apart int, rows [][]string) Figure {
	var widths []int
	for _, r := range rows {
		for i, c := range r {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(c))
		}
	}
	var list []string
	for _, r := range rows {
		line := ""
		for i, c := range r {
			line += c + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(c)+apart)
		}
		list = append(list, line)
	}
	return lines(list...)
}

// stack puts figures below each other, with what stands between them.
func stack(between string, figures ...Figure) Figure {
	return func(b []byte, s reports.Style) []byte {
		for i, f := range figures {
			if i > 0 {
				b = append(b, between...)
			}
			b = f(b, s)
		}
		return b
	}
}

// picture is the space-time diagram of a run.
func picture(t *trial) Figure {
	return func(b []byte, s reports.Style) []byte {
		run := reports.AppendDiagram(nil, &reports.Run{History: t.History}, s)
		return append(b, run[min(1, len(run)):]...) // a figure makes its own room
	}
}

// recordOf is what the queue saw until the first lease ran out, in the words of a
// history, a line for each entry.
func recordOf(t *trial) []string {
	h := model.History{Names: t.History.Names, Events: t.seen()}
	return strings.Split(strings.TrimRight(string(h.AppendText(nil)), "\n"), "\n")
}

// marks is how a number of effects is drawn.
func marks(effects int) string {
	if effects == 0 {
		return "◌"
	}
	return strings.Repeat("◆", effects)
}
