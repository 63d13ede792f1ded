package reports

import "strings"

// ink is one colour of the pictures, on a light and on a dark ground. Each stands
// 4.5:1 or more from its ground, and all of one ground are told apart by readers
// with any of the three colour-vision deficiencies; palette_test.go computes both.
type ink struct {
	tint        tint
	class       string // in SVG and HTML
	light, dark string
}

// ground is what everything is drawn on.
const groundLight, groundDark = "#FFFFFF", "#14181D"

var inks = [...]ink{
	{plain, "ink", "#1B1F24", "#F2F4F6"},
	{delivery, "delivery", "#0B58D5", "#A7CBF8"},
	{ack, "ack", "#035B39", "#08F7A1"},
	{bad, "bad", "#A04712", "#F94D00"},
	{refused, "refused", "#7C0D75", "#DB2DE9"},
	{effect, "ink", "#1B1F24", "#F2F4F6"},
	{dim, "dim", "#6A737D", "#8B95A1"},
}

// class is the name under which style sheets know t.
func (t tint) class() string { return inks[t].class }

// colors is the style sheet of both grounds. Shapes take the colour of their class
// by currentColor.
func colors() string {
	var light, dark strings.Builder
	done := ""
	for _, i := range inks {
		if strings.Contains(done, " "+i.class+" ") {
			continue
		}
		done += " " + i.class + " "
		light.WriteString("." + i.class + "{color:" + i.light + "}")
		dark.WriteString("." + i.class + "{color:" + i.dark + "}")
	}
	return light.String() + ".ground{color:" + groundLight + "}" +
		"@media screen and (prefers-color-scheme:dark){" + dark.String() + ".ground{color:" + groundDark + "}}"
}
