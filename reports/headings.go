package reports

import "strings"

const columnWide = 3 // of a column that has one sign for each property

// headings names the columns of a table, the last one on top: each name ends where the
// column before the first one does, and a line leads from it to its column and down.
func (p *page) headings(names []string, before int) {
	down := ""
	for i := len(names) - 1; i >= 0; i-- {
		p.right(plain, names[i], before)
		p.line(dim, " "+strings.Repeat("─", columnWide*(i+1)-2)+"╮"+down)
		down = strings.Repeat(" ", columnWide-1) + "│" + down
	}
}
