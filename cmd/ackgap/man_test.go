package main

import "testing"

// What stands in a help is text in the manual: no request, no escape, and dashes and
// quotes that can be pasted.
func TestAManualPageIsText(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{".so /etc/passwd", `\&.so /etc/passwd`},
		{`a\fBb`, `a\efBb`},
		{"'quoted' --flag", `\(aqquoted\(aq \-\-flag`},
		{"~/x ^y `z`", `\(ti/x \(hay \(gaz\(ga`},
	} {
		if got := roff(c.line); got != c.want {
			t.Errorf("%q is %q, want %q", c.line, got, c.want)
		}
	}
}
