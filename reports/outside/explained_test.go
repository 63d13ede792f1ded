package outside

import (
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/ackgap/ackgap/reports"
	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/argue"
)

// The page of an explanation in four windows: its tables are of text, so that none of their
// lines is broken, and axe-core finds nothing serious.
func TestAPageOfAnExplanation(t *testing.T) {
	axe := script(t, "axe-core/axe.min.js")
	text, err := scenarios.Text("lost-ack")
	if err != nil {
		t.Fatal(err)
	}
	story, err := scenarios.Parse("lost-ack.story", text)
	if err != nil {
		t.Fatal(err)
	}
	e, err := argue.Explain(story, argue.Options{Runs: 20})
	if err != nil {
		t.Fatal(err)
	}
	r := reports.SmallRun(e, "ackgap run lost-ack")
	url := page(t, "explained", reports.AppendHTML(nil, r, reports.Page{Tool: "ackgap test", Explained: e}, reports.Style{}))
	ctx := browser(t)
	for _, s := range screens {
		scheme(t, ctx, s.scheme)
		do(t, ctx, chromedp.EmulateViewport(s.wide, s.high), chromedp.Navigate(url))
		for _, bad := range eval[[]string](t, ctx, geometry) {
			t.Errorf("%s: %s", s.name, bad)
		}
		if got := eval[bool](t, ctx, `(() => { const pre = document.querySelector('#needs pre'), s = getComputedStyle(pre);
			return Math.abs(pre.getBoundingClientRect().height - pre.textContent.split('\n').length * parseFloat(s.lineHeight)) < parseFloat(s.lineHeight) / 2 })()`); !got {
			t.Errorf("%s: a line of the tables is broken", s.name)
		}
		keep(t, ctx, "explained-"+s.name)
		_ = eval[bool](t, ctx, axe+";true")
		for _, v := range eval[[]string](t, ctx, serious) {
			t.Errorf("%s: %s", s.name, v)
		}
	}
}
