package outside

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/ackgap/ackgap/reports"
)

// shown are the stories whose pages are looked at.
var shown = []string{"lost-ack", "zombie-fenced", "livelock", "fenced-store-refuses", "lossy-network", "early-ack-loses",
	"late-progress-counts-for-another", "bare-protocol", "mutants/claim-ignores-pending", "echomq/complete-of-two-places",
	"partition-longer-than-lease", "server-lost-last-writes", "clock-jump-expires-leases", "duplicate-enqueue", "heartbeat-stalls",
	"scorer-as-built", "work-never-ran", "reference", "hardened-refuses-late", "outside-call-with-key", "long-names", "many-jobs"}

// made are stories that the catalogue does not have, by what is ugly about them.
var made = map[string]string{
	"long-names": `# Names that are longer than a lifeline is wide, and differ at their ends.
queue    echomq lease=2s
producer the-producer-of-all-invoices-of-the-whole-company
worker   the-first-worker-in-the-frankfurt-data-center
worker   the-second-worker-in-the-frankfurt-data-center
job      invoice-2025-01-000000000000000000000000001 payload=<script>alert(1)</script>
job      invoice-2025-01-000000000000000000000000002
job      invoice-2026-01-000000000000000000000000002
job      invoice-2027-01-000000000000000000000000002
fault    drop complete invoice-2025-01-000000000000000000000000001#1
fault    crash the-second-worker-in-the-frankfurt-data-center after=apply invoice-2025-01-000000000000000000000000002#1 restart=5s
`,
	"many-jobs": "workers 3\njobs 900 every=40ms\nfault drop complete J7#1\n",
}

// screens are the windows in which each page is looked at.
var screens = []struct {
	name       string
	wide, high int64
	scheme     string
}{
	{"1280-light", 1280, 800, "light"},
	{"1280-dark", 1280, 800, "dark"},
	{"390-light", 390, 844, "light"},
	{"390-dark", 390, 844, "dark"},
}

// geometry finds what is ugly in a page: text that overlaps, is cut off or too small to be
// read, a page that scrolls sideways, a target that is too small for a finger, controls
// that take more than an eighth of a telephone's screen.
const geometry = `(() => {
  const bad = [], say = (s) => bad.push(s);
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth) say('the page is ' + root.scrollWidth + ' wide in ' + innerWidth);
  for (const el of document.querySelectorAll('body *')) {
    if (el.closest('.scroll') || el.closest('[hidden]')) continue;
    const r = el.getBoundingClientRect();
    if (r.width && r.right > innerWidth + 1) say(el.tagName + ' ' + el.className + ' ends at ' + r.right + ': ' + el.textContent.slice(0, 40));
  }
  for (const cell of document.querySelectorAll('td,th')) {
    const box = cell.getBoundingClientRect(), range = document.createRange();
    range.selectNodeContents(cell);
    for (const r of range.getClientRects()) {
      if (r.left < box.left - 1 || r.right > box.right + 1 || r.bottom > box.bottom + 1) say('text leaves its cell: ' + cell.textContent.slice(0, 40));
    }
  }
  const texts = [...document.querySelectorAll('svg text:not(.on)')].map((el) => [el, el.getBBox()]);
  for (const [el, b] of texts) {
    const want = +el.getAttribute('textLength');
    if (Math.abs(b.width - want) > (el.textContent.length < 4 ? 2 : 1.5)) say('"' + el.textContent + '" is ' + b.width + ' wide, not ' + want);
  }
  const turn = (el) => +(/rotate\(([-.\d]+)/.exec(el.getAttribute('transform')) || [0, 0])[1];
  // level is where a text would stand if the picture were turned so that it is level.
  const level = ([el, b]) => {
    const rad = turn(el) * Math.PI / 180, x = +el.getAttribute('x'), y = +el.getAttribute('y');
    return {x: x * Math.cos(rad) + y * Math.sin(rad) + b.x - x, y: y * Math.cos(rad) - x * Math.sin(rad) + b.y - y, width: b.width, height: b.height};
  };
  const boxes = texts.map(([el]) => el.getBoundingClientRect()), levels = texts.map(level);
  for (const [i, [el]] of texts.entries()) {
    const a = boxes[i], whole = el.ownerSVGElement.getBoundingClientRect();
    if (a.left < whole.left || a.right > whole.right + 1 || a.top < whole.top || a.bottom > whole.bottom + 1) say('"' + el.textContent + '" leaves its picture');
  }
  for (const el of document.querySelectorAll('body *, svg text')) {
    if (el.classList.contains('on') || ![...el.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()) || !el.getClientRects().length) continue;
    const size = parseFloat(getComputedStyle(el).fontSize) * el.currentCSSZoom, least = el.tagName === 'text' ? 9 : 11.9;
    if (size < least) say('text of ' + size + ' pixels: ' + el.textContent.slice(0, 40));
  }
  const play = document.getElementById('play');
  if (play && innerWidth < 560 && play.offsetHeight > innerHeight / 8) say('the controls take ' + play.offsetHeight + ' of ' + innerHeight);
  for (let i = 0; i < texts.length; i++) for (let k = i + 1; k < texts.length; k++) {
    if (texts[i][0].ownerSVGElement !== texts[k][0].ownerSVGElement) continue;
    const of = turn(texts[i][0]) && turn(texts[i][0]) === turn(texts[k][0]) ? levels : boxes, a = of[i], b = of[k];
    if (a.x + 0.5 < b.x + b.width && b.x + 0.5 < a.x + a.width && a.y + 2 < b.y + b.height && b.y + 2 < a.y + a.height) say('"' + texts[i][0].textContent + '" overlaps "' + texts[k][0].textContent + '"');
  }
  for (const el of document.querySelectorAll('button')) {
    const r = el.getBoundingClientRect();
    if (r.width && (r.width < 44 || r.height < 44)) say('a button of ' + r.width + ' by ' + r.height);
  }
  return bad.slice(0, 8);
})()`

// Each page in four windows: nothing overlaps, is cut off or scrolls sideways, and the
// console stays empty.
func TestPagesInTheBrowser(t *testing.T) {
	ctx := browser(t)
	for _, name := range shown {
		url := page(t, name, htmlOf(t, name))
		for _, s := range screens {
			t.Run(name+"/"+s.name, func(t *testing.T) {
				messages := listen(ctx)
				scheme(t, ctx, s.scheme)
				do(t, ctx, chromedp.EmulateViewport(s.wide, s.high), chromedp.Navigate(url))
				for _, bad := range eval[[]string](t, ctx, geometry) {
					t.Error(bad)
				}
				keep(t, ctx, plain(name)+"-"+s.name)
				for _, m := range messages() {
					t.Errorf("the console says %s", m)
				}
			})
		}
	}
}

// A picture alone is drawn too, and its text is as wide as it is meant to be.
func TestPicturesInTheBrowser(t *testing.T) {
	ctx := browser(t)
	for _, name := range shown {
		path := filepath.Join(t.TempDir(), plain(name)+".svg")
		if err := os.WriteFile(path, reports.AppendSVG(nil, runOf(t, name), reports.Style{}), 0o644); err != nil {
			t.Fatal(err)
		}
		pictured(t, ctx, path)
	}
	for _, name := range []string{"storm", "tolerance", "mutants"} {
		path, err := filepath.Abs("../docs/pictures/" + name + ".svg")
		if err != nil {
			t.Fatal(err)
		}
		pictured(t, ctx, path)
	}
}

// pictured looks at a picture that stands alone, in a window in which it has room.
func pictured(t *testing.T, ctx context.Context, path string) {
	t.Helper()
	name := strings.TrimSuffix(filepath.Base(path), ".svg")
	do(t, ctx, chromedp.EmulateViewport(1400, 800), chromedp.Navigate("file://"+path))
	for _, bad := range eval[[]string](t, ctx, strings.Replace(geometry, "'body *'", "'none'", 1)) {
		t.Errorf("%s: %s", name, bad)
	}
	keep(t, ctx, name+"-svg")
}
