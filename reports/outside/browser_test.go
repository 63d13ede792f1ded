package outside

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/ackgap/ackgap/reports"
)

// browser starts Chromium, for one test and what it has below.
func browser(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := chromedp.NewExecAllocator(context.Background(),
		append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium(t)), chromedp.NoSandbox)...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	return ctx
}

func do(t *testing.T, ctx context.Context, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	timed, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	if err := chromedp.Do(timed, steps...); err != nil {
		t.Fatal(err)
	}
}

// eval returns the value of an expression in the page.
func eval[T any](t *testing.T, ctx context.Context, expression string) T {
	t.Helper()
	timed, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	value, err := chromedp.Run(timed, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatalf("%v\nin %.200s", err, expression)
	}
	return value
}

// scheme lets the page be read by somebody who wants light or dark, and no motion.
func scheme(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}}); err != nil {
		t.Fatal(err)
	}
}

// page writes a page and returns its address, which is a file's: nothing serves it.
func page(t *testing.T, name string, html []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), plain(name)+".html")
	if err := os.WriteFile(path, html, 0o644); err != nil {
		t.Fatal(err)
	}
	return "file://" + path
}

// listen collects what the page says to its console.
func listen(ctx context.Context) (heard func() []string) {
	ctx, stop := context.WithCancel(ctx)
	messages := chromedp.Console(ctx)
	done := make(chan []string)
	go func() {
		var all []string
		for m, err := range messages {
			if err != nil {
				break
			}
			all = append(all, m.String())
		}
		done <- all
	}()
	return func() []string { stop(); return <-done }
}

// plain is the name of a story as that of a file.
func plain(name string) string { return strings.ReplaceAll(name, "/", "-") }

// keep keeps a picture of the whole page, where somebody wants to look at it.
func keep(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	folder := os.Getenv("ACKGAP_SHOTS")
	if folder == "" {
		return
	}
	shot, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, name+".png"), shot, 0o644); err != nil {
		t.Fatal(err)
	}
}

// Without JavaScript every fact is there to be read: what the script shows is in the
// rows of the table.
func TestAPageWithoutJavaScript(t *testing.T) {
	ctx := browser(t)
	if _, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		t.Fatal(err)
	}
	url := page(t, "lost-ack", reports.AppendHTML(nil, runOf(t, "lost-ack"), reports.Page{}, reports.Style{}))
	do(t, ctx, chromedp.EmulateViewport(390, 844), chromedp.Navigate(url))
	text := eval[string](t, ctx, `document.body.innerText`)
	for _, fact := range []string{
		"BROKEN", "no-duplicate-effect", "ackgap run lost-ack", "complete J1#1, lost", "effects of J1 1 → 2",
		"J1 in the queue active, w1 by token 1 until 30.003s → pending", "Could the queue have known?", "No.",
		"answer to claim J1#1 lost", "a contradiction", "stale-token-rejected", "fault drop complete J1#1", "seed", "all as JSON",
	} {
		if !strings.Contains(text, fact) {
			t.Errorf("the page does not show %q", fact)
		}
	}
	if strings.Contains(text, "to the violation") || strings.Contains(text, "blink between") {
		t.Error("a control is shown that does nothing")
	}
	for _, bad := range eval[[]string](t, ctx, geometry) {
		t.Error(bad)
	}
}

// By keyboard alone one goes through the events, jumps to the violation, and blinks.
func TestGoingThroughTheEventsByKeyboard(t *testing.T) {
	ctx := browser(t)
	url := page(t, "lost-ack", reports.AppendHTML(nil, runOf(t, "lost-ack"), reports.Page{}, reports.Style{}))
	do(t, ctx, chromedp.EmulateViewport(1280, 800), chromedp.Navigate(url))
	says := func(want string) {
		t.Helper()
		if got := eval[string](t, ctx, `document.getElementById('say').textContent`); !strings.Contains(got, want) {
			t.Errorf("it says %q, want %q", got, want)
		}
	}
	state := func(thing string) string {
		return eval[string](t, ctx, `[...document.querySelectorAll('#state tbody tr')].filter((r) => r.cells[0].textContent === '`+thing+`').map((r) => r.cells[1].textContent + ' > ' + r.cells[2].textContent)[0]`)
	}
	says("step 9 of 9")
	do(t, ctx, chromedp.KeyEvent("f"))
	says("event 22, step 8 of 9: 31.024s, w2 → store: apply, effect 2")
	if got := state("effects of J1"); got != "1 > 2" {
		t.Errorf("the effects of J1 are %s, want 1 > 2", got)
	}
	do(t, ctx, chromedp.KeyEvent(kb.Home))
	says("event 2, step 1 of 9")
	do(t, ctx, chromedp.KeyEvent(kb.ArrowRight))
	says("event 7, step 2 of 9")
	if got := state("J1 in the queue"); !strings.HasPrefix(got, "pending > active, w1 by token 1") {
		t.Errorf("J1 is %s", got)
	}
	if n := eval[int](t, ctx, `document.querySelectorAll('svg g.later').length`); n != 7 {
		t.Errorf("%d rows of the picture are still to come, want 7", n)
	}
	if got := eval[string](t, ctx, `document.getElementById('at').getAttribute('aria-valuetext')`); !strings.HasPrefix(got, "event 7, step 2 of 9, 0.003s") {
		t.Errorf("the slider says %q", got)
	}
}

// Whoever blinks between the two histories sees that what the queue saw does not move
// by a pixel.
func TestBlinkingMovesNothingThatTheQueueSaw(t *testing.T) {
	ctx := browser(t)
	url := page(t, "lost-ack", reports.AppendHTML(nil, runOf(t, "lost-ack"), reports.Page{}, reports.Style{}))
	for _, wide := range []int64{1280, 390} {
		do(t, ctx, chromedp.EmulateViewport(wide, 844), chromedp.Navigate(url))
		where := `[...document.querySelectorAll('#sides .saw')].map((el) => { const r = el.getBoundingClientRect(); return [r.x, r.y + scrollY, r.width, r.height].join() }).join(' ')`
		visible := `[...document.querySelectorAll('#sides td')].filter((el) => getComputedStyle(el).visibility === 'visible' && el.textContent).map((el) => el.className).join(' ')`
		do(t, ctx, chromedp.Click(chromedp.CSS("#isa")))
		a, showsA := eval[string](t, ctx, where), eval[string](t, ctx, visible)
		do(t, ctx, chromedp.Click(chromedp.CSS("#isb")))
		b, showsB := eval[string](t, ctx, where), eval[string](t, ctx, visible)
		if a != b || a == "" {
			t.Errorf("at %d: what the queue saw stands at\n%s in A and\n%s in B", wide, a, b)
		}
		if !eval[bool](t, ctx, `[...document.querySelectorAll('#sides tr')].every((tr) => { const [a, b] = ['.a', '.b'].map((c) => tr.querySelector(c).getBoundingClientRect()); return a.x === b.x && a.y === b.y && a.width === b.width })`) {
			t.Errorf("at %d: B does not stand where A does", wide)
		}
		if strings.Contains(showsA+" ", "b ") || strings.Contains(showsB+" ", "a ") || showsA == showsB {
			t.Errorf("A shows %q, B %q", showsA, showsB)
		}
	}
}

// The two histories are two pictures in one place: lifelines and what the queue saw stand
// where they stood, and only one of the two is to be seen.
func TestTheTwoPicturesOfATwin(t *testing.T) {
	ctx := browser(t)
	url := page(t, "lost-ack", reports.AppendHTML(nil, runOf(t, "lost-ack"), reports.Page{}, reports.Style{}))
	do(t, ctx, chromedp.EmulateViewport(1280, 800), chromedp.Navigate(url))
	picture := func(which string) string {
		return eval[string](t, ctx, `(() => { const texts = [...document.querySelectorAll('#pair .`+which+` svg text')];
			const at = (el) => { const r = el.getBoundingClientRect(); return [el.textContent, r.x, r.y + scrollY].join() };
			return texts.filter((el) => ['p', 'queue', 'w1', 'store', 'enqueue J1', '31.000s', 'lease out: J1'].includes(el.textContent)).map(at).join(' ') + ' ' +
				getComputedStyle(document.querySelector('#pair .`+which+`')).visibility })()`)
	}
	do(t, ctx, chromedp.Click(chromedp.CSS("#isa")))
	a, hiddenB := picture("a"), picture("b")
	do(t, ctx, chromedp.Click(chromedp.CSS("#isb")))
	hiddenA, b := picture("a"), picture("b")
	if a != b || !strings.HasSuffix(a, "visible") || strings.Count(a, ",") < 14 {
		t.Errorf("A shows\n%s and B\n%s", a, b)
	}
	if !strings.HasSuffix(hiddenA, "hidden") || !strings.HasSuffix(hiddenB, "hidden") {
		t.Error("one of them does not go away")
	}
}

// Tab comes to the present row of the picture, arrows walk from row to row with what is
// said of it, and Enter leads to the table.
func TestWalkingThroughThePictureByKeyboard(t *testing.T) {
	ctx := browser(t)
	url := page(t, "lost-ack", reports.AppendHTML(nil, runOf(t, "lost-ack"), reports.Page{}, reports.Style{}))
	do(t, ctx, chromedp.EmulateViewport(1280, 800), chromedp.Navigate(url))
	focused := func(want string) {
		t.Helper()
		if got := eval[string](t, ctx, `document.activeElement.id + ': ' + document.activeElement.getAttribute('aria-label') + ', ' + document.querySelectorAll('#diagram g[tabindex="0"]').length + ' by Tab'`); got != want {
			t.Errorf("the focus is on %q, want %q", got, want)
		}
	}
	do(t, ctx, chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Tab))
	focused("d24: event 24, w2 → queue: complete J1#2, done, 1 by Tab")
	do(t, ctx, chromedp.KeyEvent(kb.ArrowUp))
	focused("d22: event 22, w2 → store: apply, effect 2 ← BROKEN no-duplicate-effect, 1 by Tab")
	do(t, ctx, chromedp.KeyEvent(kb.Home))
	focused("d2: event 2, p → queue: enqueue J1, enqueued, 1 by Tab")
	do(t, ctx, chromedp.KeyEvent(kb.ArrowDown))
	if got := eval[string](t, ctx, `document.getElementById('say').textContent`); !strings.HasPrefix(got, "event 7, step 2 of 9") {
		t.Errorf("it says %q", got)
	}
	do(t, ctx, chromedp.KeyEvent(kb.Enter))
	if got := eval[string](t, ctx, `location.hash`); got != "#e7" {
		t.Errorf("Enter leads to %q", got)
	}
}

// What a payload says is shown, and done by nobody.
func TestAPayloadOfMarkupIsText(t *testing.T) {
	ctx := browser(t)
	r := runOf(t, "lost-ack")
	r.Text = "job J1 payload=<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">" + strings.Repeat("x", 1<<20)
	r.Again = `<svg onload="document.title='owned'">`
	url := page(t, "payload", reports.AppendHTML(nil, r, reports.Page{}, reports.Style{}))
	do(t, ctx, chromedp.EmulateViewport(390, 844), chromedp.Navigate(url))
	got := eval[string](t, ctx, `[document.title, document.scripts.length, document.images.length, document.body.innerText.includes("<script>document.title='owned'</script>")].join(' ')`)
	if got != "BROKEN no-duplicate-effect: lost-ack 1 0 true" {
		t.Errorf("%s", got)
	}
	for _, bad := range eval[[]string](t, ctx, geometry) {
		t.Error(bad)
	}
}

// Ten thousand events in full: the page is there, and a step through it is soon done.
func TestTenThousandEventsCanBeUsed(t *testing.T) {
	ctx := browser(t)
	r := runOf(t, "many-jobs")
	url := page(t, "many", reports.AppendHTML(nil, r, reports.Page{}, reports.Style{Full: true}))
	start := time.Now()
	do(t, ctx, chromedp.EmulateViewport(1280, 800), chromedp.Navigate(url))
	loaded := time.Since(start)
	step := eval[float64](t, ctx, `(() => { const s = document.getElementById('at'), t = performance.now(); for (let i = 0; i < 20; i++) { s.value = +s.value - 1; s.dispatchEvent(new Event('input')); } return (performance.now() - t) / 20 })()`)
	t.Logf("%d events: shown after %v, %.1f ms a step", len(r.History.Events), loaded.Round(time.Millisecond), step)
	if loaded > 30*time.Second || step > 200 {
		t.Error("that is too slow")
	}
}
