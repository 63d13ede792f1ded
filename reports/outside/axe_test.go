package outside

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/ackgap/ackgap/reports"
)

// serious runs axe-core, and returns what is serious of what it found.
const serious = `axe.run(document).then((r) => r.violations.filter((v) => v.impact === 'serious' || v.impact === 'critical').map((v) => v.id + ': ' + v.help + ': ' + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 120) + ' ' + (n.any[0] ? n.any[0].message : '')).join(' | ')))`

// axe-core (https://github.com/dequelabs/axe-core) finds nothing serious, in light and
// in dark, two events before the end of a run, so that some rows are dimmed.
func TestAxeFindsNothingSerious(t *testing.T) {
	axe := script(t, "axe-core/axe.min.js")
	ctx := browser(t)
	for _, name := range []string{"lost-ack", "fenced-store-refuses", "early-ack-loses", "bare-protocol", "mutants/claim-ignores-pending", "reference"} {
		url := page(t, name, htmlOf(t, name))
		for _, s := range screens {
			scheme(t, ctx, s.scheme)
			do(t, ctx, chromedp.EmulateViewport(s.wide, s.high), chromedp.Navigate(url))
			_ = eval[bool](t, ctx, axe+";document.getElementById('back').click();document.getElementById('back').click();true")
			found := eval[[]string](t, ctx, serious)
			for _, v := range found {
				t.Errorf("%s at %s: %s", name, s.name, v)
			}
		}
	}
}

// Mermaid itself reads every diagram, that of hostile names too.
func TestMermaidReadsEveryDiagram(t *testing.T) {
	mermaid := script(t, "mermaid/dist/mermaid.min.js")
	ctx := browser(t)
	do(t, ctx, chromedp.Navigate("about:blank"))
	_ = eval[bool](t, ctx, mermaid+";true")
	parse := func(name string, text []byte) {
		t.Helper()
		quoted := "`" + strings.NewReplacer("\\", "\\\\", "`", "\\`", "$", "\\$").Replace(string(text)) + "`"
		if got := eval[string](t, ctx, `mermaid.parse(`+quoted+`).then((r) => r.diagramType, (e) => 'refused: ' + e)`); got != "sequence" {
			t.Errorf("%s: %s\n%s", name, got, text)
		}
	}
	for _, name := range catalogue() {
		parse(name, reports.AppendMermaid(nil, runOf(t, name), reports.Style{}))
	}
	r := runOf(t, "lost-ack")
	r.History.Names.Procs = []string{"", "end", "queue", "pump", "a;b%%{#", "loop\nend"}
	parse("hostile", reports.AppendMermaid(nil, r, reports.Style{}))
	if got := eval[string](t, ctx, "mermaid.parse('sequenceDiagram\\n  a->>: x').then(() => 'read', () => 'refused')"); got != "refused" {
		t.Error("what is no diagram is read")
	}
}
