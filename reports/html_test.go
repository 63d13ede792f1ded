package reports

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/model"
)

func page200(r *Run) string { return string(AppendHTML(nil, r, Page{}, Style{})) }

func pageOf(t *testing.T, story string) string {
	t.Helper()
	return page200(Of(outcomeOf(t, story), "", "ackgap run t.story"))
}

func TestThePageIsHeadedByItsVerdict(t *testing.T) {
	for name, want := range map[string]string{
		"lost-ack":  "<title>BROKEN no-duplicate-effect: lost-ack</title>",
		"crash":     "<title>HELD: crash-after-apply</title>",
		"partition": "<title>UNKNOWN no-loss: cut-off</title>",
	} {
		for _, s := range stories {
			if s.name == name && !strings.Contains(page200(s.run()), want) {
				t.Errorf("%s: no %s", name, want)
			}
		}
	}
}

// Every property may hold, or break as expected, in a run that is not what its story expects.
func TestAPageOfWhatIsNotMetIsHeadedByThat(t *testing.T) {
	const badge = `<header><p class="verdict"><b class="broken">NOT MET</b> `
	for _, c := range []struct{ story, title, heading string }{
		{"story t\nworkers 1\njob J1\nexpect effects J1 = 2\n", "NOT MET: t", "Not met: line 4: expect effects J1 = 2, got 1 effect"},
		{"story t\nworkers 1\njob J1\nfault drop complete J1#1\nexpect broken no-duplicate-effect\nexpect effects J1 = 3\n",
			"NOT MET, BROKEN no-duplicate-effect: t", "Not met: line 6: expect effects J1 = 3, got 2 effects"},
		{"story t\n", "NOT MET: t", "Not met: nothing happens: the story has no job and no do line"},
	} {
		html := pageOf(t, c.story)
		for _, want := range []string{"<title>" + c.title + "</title>", badge + "t: ", "<h1>" + c.heading + "</h1>"} {
			if !strings.Contains(html, want) {
				t.Errorf("%q: no %s in %s", c.story, want, html[strings.Index(html, "<header>"):strings.Index(html, "</header>")])
			}
		}
		if got := text(Of(outcomeOf(t, c.story), "", ""), Style{}); !strings.HasPrefix(got, "NOT MET ") {
			t.Errorf("%q: the text begins with %.40q", c.story, got)
		}
	}
}

// What broke and should not have is the news: that the story is not met is said behind it.
func TestWhatBrokeUnexpectedlyLeadsAReport(t *testing.T) {
	const world = "story t\nworkers 1\njob J1\nfault drop complete J1#1\n"
	for _, expect := range []string{"", "expect held no-duplicate-effect\n", "expect effects J1 = 3\n"} {
		html := pageOf(t, world+expect)
		for _, want := range []string{
			"<title>BROKEN no-duplicate-effect: t</title>", "<h1>The effect of J1 happened more than once</h1>",
			`<header><p class="verdict"><b class="broken">BROKEN</b>no-duplicate-effect</p>`, `<p><b class="broken">NOT MET</b> t: `,
		} {
			if !strings.Contains(html, want) {
				t.Errorf("%q: no %s in %s", expect, want, html[strings.Index(html, "<header>"):strings.Index(html, "</header>")])
			}
		}
		got := text(Of(outcomeOf(t, world+expect), "", ""), Style{})
		if !strings.HasPrefix(got, "BROKEN        no-duplicate-effect") || !strings.Contains(got, "\nNOT MET       t: ") {
			t.Errorf("%q: the text begins with %.200q", expect, got)
		}
	}
}

func TestNothingJudgedIsNotHeld(t *testing.T) {
	const story = "story t\n"
	html, text := pageOf(t, story), text(Of(outcomeOf(t, story), "", ""), Style{})
	if strings.Contains(html, ">HELD<") || !strings.Contains(html, `<b class="unknown">NOT JUDGED</b>`) {
		t.Error(html[strings.Index(html, "<header>"):strings.Index(html, "</header>")])
	}
	if strings.Contains(text, "HELD") || !strings.Contains(text, "\nNOT JUDGED ") {
		t.Error(text)
	}
}

// The policy names the style and the script by their hashes; nothing else can run
// or be loaded, and nothing else is there.
func TestThePolicyAllowsTheseTwoElementsAndNothingElse(t *testing.T) {
	html := page200(lostAck())
	style := regexp.MustCompile(`(?s)<style>(.*?)</style>`).FindAllStringSubmatch(html, -1)
	script := regexp.MustCompile(`(?s)<script>(.*?)</script>`).FindAllStringSubmatch(html, -1)
	if len(style) != 1 || len(script) != 1 || strings.Count(html, "<script") != 1 || strings.Count(html, "<style") != 1 {
		t.Fatalf("%d styles and %d scripts, want one of each", len(style), len(script))
	}
	policy := "default-src 'none'; style-src " + sourceHash(style[0][1]) + "; script-src " + sourceHash(script[0][1]) + ";"
	if !strings.Contains(html, policy) {
		t.Errorf("the policy is not %s", policy)
	}
	body := strings.ReplaceAll(html, script[0][0], "")
	if m := regexp.MustCompile(` (style|on[a-z]+)=|https?://|src="|url\(`).FindString(body); m != "" {
		t.Errorf("the page has %q", m)
	}
}

// Every row of the picture is a row of the table, each leads to the other, and every
// link of the page leads somewhere.
func TestEveryEventHasAnAnchor(t *testing.T) {
	for _, s := range stories {
		html := page200(s.run())
		ids := map[string]int{}
		for _, m := range regexp.MustCompile(` id="([^"]+)"`).FindAllStringSubmatch(html, -1) {
			if ids[m[1]]++; ids[m[1]] > 1 {
				t.Errorf("%s: the id %s stands twice", s.name, m[1])
			}
		}
		for _, m := range regexp.MustCompile(` href="#([^"]+)"`).FindAllStringSubmatch(html, -1) {
			if ids[m[1]] == 0 {
				t.Errorf("%s: nothing is called %s", s.name, m[1])
			}
		}
		d := layOut(s.run(), true)
		if n := strings.Count(html, `<tr id="e`); n != len(d.rows) {
			t.Errorf("%s: %d rows in the table, %d in the picture", s.name, n, len(d.rows))
		}
	}
}

// The page is text between tags that are closed, whatever stands in names.
func TestNamesAndPayloadsStayText(t *testing.T) {
	r := lostAck()
	h := r.History
	bad := `<script>alert(1)</script>"'&<img src=x onerror=alert(1)>`
	h.Names.Procs = []string{"", bad, "queue", "pump", bad + "1", bad + "2"}
	h.Names.Jobs = []string{"", bad}
	r.Story, r.Title, r.Queue, r.Consumers, r.Again, r.Text = bad, bad, bad, bad, bad, "job J1 payload="+bad+"\n\x1b[31m\u202e"
	r.Unfired = []Fault{{Line: 8, Text: bad}}
	r.Reasons = []string{bad}
	r.Verdicts = verdicts(h, twice(h, 1))
	r.Verdicts[1].Witness.Says = bad
	html := page200(r)
	if strings.Count(html, "<script") != 1 || strings.Contains(html, "<img") || strings.ContainsAny(html, "\x1b\u202e") {
		t.Error("a name became markup, or kept what it hides")
	}
	if svg := string(AppendSVG(nil, r, Style{})); strings.Contains(svg, "<script") || strings.Contains(svg, "<img") {
		t.Error("a name became markup in the picture")
	}
}

func TestAPayloadOfAMegabyteIsCutWithANote(t *testing.T) {
	payload := strings.Repeat("<script>x</script>", 1<<20/18)
	r := lostAck()
	r.Text = "worker w1\njob J1 payload=" + payload + "\n"
	html := page200(r)
	if len(html) > 150<<10 {
		t.Errorf("a page of %d bytes", len(html))
	}
	if !strings.Contains(html, "These are the first 16384 of ") || !strings.Contains(html, "would make this page too long") {
		t.Error("nothing says that the story is cut, and that its file is left out")
	}
	if !strings.Contains(html, "&lt;script&gt;x&lt;/script&gt;") || strings.Count(html, "<script") != 1 {
		t.Error("the payload is not shown as text")
	}
}

func TestAPageIsSmall(t *testing.T) {
	if n := len(pageScript); n >= 30<<10 {
		t.Errorf("a script of %d bytes", n)
	}
	most, more := 0, Page{Worlds: &Worlds{Story: "mine"}, Charts: []Drawing{{Body: make([]byte, 10<<10)}}} // as large as one is
	for seed := range uint64(200) {
		more.Worlds.List = append(more.Worlds.List, World{Seed: seed, Broken: []string{"no-duplicate-effect"}})
	}
	for _, r := range catalogue() {
		n := len(AppendHTML(nil, r, more, Style{}))
		if len(r.History.Events) <= 222 {
			most = max(most, n)
			if n >= 150<<10 {
				t.Errorf("%s: %d events are a page of %d bytes", r.Story, len(r.History.Events), n)
			}
		}
	}
	t.Logf("the largest page of up to 222 events has %d bytes, the script %d", most, len(pageScript))
}

// Ten thousand events are cut around the evidence, as in a terminal.
func TestTenThousandEventsAreAPage(t *testing.T) {
	story := "workers 3\njobs 900 every=40ms\nfault drop complete J7#1\n"
	out := outcomeOf(t, story)
	if len(out.History.Events) < 10_000 {
		t.Fatalf("%d events", len(out.History.Events))
	}
	html := page200(Of(out, "", ""))
	t.Logf("%d events are a page of %d bytes", len(out.History.Events), len(html))
	if len(html) > 150<<10 || !strings.Contains(html, "rows not shown, --full") {
		t.Errorf("a page of %d bytes", len(html))
	}
	full := string(AppendHTML(nil, Of(out, "", ""), Page{}, Style{Full: true}))
	t.Logf("in full it has %d bytes", len(full))
	if n := strings.Count(full, `<tr id="e`); n < 3000 {
		t.Errorf("%d rows in full", n)
	}
}

// What the script shows is shown without it too: only its own controls are hidden.
func TestWithoutJavaScriptNothingIsHidden(t *testing.T) {
	html := pageOf(t, "worker w1\nworker w2\njob J1\nfault drop complete J1#1")
	hidden := regexp.MustCompile(`<\w+ id="(\w+)" hidden`).FindAllStringSubmatch(html, -1)
	for _, m := range hidden {
		if m[1] != "play" && m[1] != "states" && m[1] != "blink" {
			t.Errorf("%s is hidden", m[1])
		}
	}
	if len(hidden) != 3 || strings.Count(html, " hidden") != 3 {
		t.Errorf("%d hidden elements, want those of the script", strings.Count(html, " hidden"))
	}
	for _, id := range []string{"diagram", "events", "twin", "why-no-duplicate-effect", "properties", "story", "environment", "downloads"} {
		if !strings.Contains(html, `<section id="`+id+`">`) {
			t.Errorf("no section %s", id)
		}
	}
}

// The changes of all rows, one after the other, lead each thing from where it began
// to where the ledger has it at the end.
func TestChangesLeadFromRowToRow(t *testing.T) {
	for _, r := range catalogue() {
		p := newPicture(r, Style{})
		now := map[string]string{}
		for _, list := range merged(p, changesOf(r.History)) {
			for _, c := range list {
				if was, known := now[c.of]; known && was != c.was {
					t.Fatalf("%s, event %d: %s was %q, and the row says %q", r.Story, c.seq, c.of, was, c.was)
				}
				now[c.of] = c.is
			}
		}
		if len(now) == 0 && len(p.rows) > 0 {
			t.Errorf("%s: nothing changed", r.Story)
		}
	}
}

// The table of states has everybody who has a lifeline, and of each job what the outside
// world holds of it: of a lost one nothing.
func TestTheTableOfStatesListsWhatDoesNotChange(t *testing.T) {
	r := catalogueRun(t, "early-ack-loses")
	p := newPicture(r, Style{})
	got := thingsOf(r.History, p.lanes, merged(p, changesOf(r.History)))
	want := []thing{{"p", "runs"}, {"w1", "runs"}, {"J1 in the queue", "absent"}, {"effects of J1", "0"}}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if _, html, _ := strings.Cut(string(AppendHTML(nil, r, Page{}, Style{})), `<table id="state">`); !strings.Contains(html, `<tr><th scope="row">p</th><td>runs</td>`) {
		t.Error("the idle producer has no row")
	}
}

// Where `do` lines alone speak to a queue there is no worker whose effect could be missing.
func TestNoEffectIsMissedWhereNobodyWorks(t *testing.T) {
	r := catalogueRun(t, "bare-protocol")
	p := newPicture(r, Style{})
	for _, thing := range thingsOf(r.History, p.lanes, merged(p, changesOf(r.History))) {
		if strings.HasPrefix(thing.of, "effects of ") {
			t.Errorf("%q is %q", thing.of, thing.is)
		}
	}
}

// A page names the keys that do something on it.
func TestAPageNamesItsKeys(t *testing.T) {
	for story, want := range map[string]string{
		"lost-ack":       "Home End, f for the violation, b to blink between twins</label>",
		"work-never-ran": "Home End</label>",
	} {
		if page := page200(catalogueRun(t, story)); !strings.Contains(page, want) {
			t.Errorf("%s: no %q", story, want)
		}
	}
}

// A newcomer who reads BROKEN shall know whether that is bad news.
func TestWhatIsExpectedToBreakIsCalledSo(t *testing.T) {
	const badge = `<b class="broken">BROKEN</b>no-duplicate-effect`
	if page := page200(catalogueRun(t, "lost-ack")); !strings.Contains(page, badge+", as expected</p>") {
		t.Error("lost-ack does not break as expected")
	}
	if page := pageOf(t, "worker w1\nworker w2\njob J1\nfault drop complete J1#1\nexpect broken no-duplicate-effect\nexpect effects J1 = 2\n"); !strings.Contains(page, badge+", as expected</p>") {
		t.Error("a story that names what breaks does not expect it")
	}
	if page := pageOf(t, "worker w1\nworker w2\njob J1\nfault drop complete J1#1\n"); !strings.Contains(page, badge+"</p>") {
		t.Error("nobody expects it, and it is called expected")
	}
}

func TestAJobIsFollowedThroughTheQueue(t *testing.T) {
	out := outcomeOf(t, "worker w1\nworker w2\njob J1\nfault drop complete J1#1")
	var states, effects []string
	for _, c := range changesOf(out.History) {
		switch c.of {
		case "J1 in the queue":
			word, _, _ := strings.Cut(c.is, ",")
			states = append(states, word)
		case "effects of J1":
			effects = append(effects, c.was+c.is)
		}
	}
	want := strings.Join([]string{model.StatePending, model.StateActive, model.StatePending, model.StateActive, model.StateCompleted}, " ")
	if got := strings.Join(states, " "); got != want || strings.Join(effects, " ") != "01 12" {
		t.Errorf("%s, effects %v; want %s, effects [01 12]", got, effects, want)
	}
}

// The worlds of a check are a cell each, in words for those who see no cells; what they
// are called is text.
func TestAPageShowsTheWorldsAboutItsRun(t *testing.T) {
	worlds := &Worlds{Story: "<mine>", List: []World{{Seed: 7}, {Seed: 8, May: []string{"no-loss"}}, {Seed: 9, Broken: []string{"no-ghost", "drains"}}, {Seed: 10, Open: []string{"<b>"}}, {Seed: 11, Broken: []string{"no-ghost", "drains"}}}}
	text := string(AppendHTML(nil, catalogueRun(t, "lost-ack"), Page{Worlds: worlds}, Style{}))
	for _, want := range []string{
		"Seeds 7 to 11 of &lt;mine&gt;, 5 worlds: 1 held (dot), 1 broke what they may (half), 2 broke what must hold (full, crossed), 1 left something unknown (empty).",
		`<path class="ack f" fill-rule="evenodd" d="M0 0m4 4h4v4h-4z"/>`, "<li>broke no-loss, as the story says it may: seed 8</li>",
		"<li>broke no-ghost, drains: seeds 9, 11</li>", "<li>left &lt;b&gt; unknown: seed 10</li>",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

// Of a twin both histories are drawn, on the same lifelines and in the same rows where
// the queue saw the same.
func TestAPageDrawsBothHistoriesOfATwin(t *testing.T) {
	r := catalogueRun(t, "lost-ack")
	a, b := newPair(r, r.Known)
	if a.wide != b.wide || a.high != b.high || a.left != b.left {
		t.Errorf("A is %dx%d from %d, B %dx%d from %d", a.wide, a.high, a.left, b.wide, b.high, b.left)
	}
	at := func(p *picture, note string) int {
		for _, place := range p.places {
			if place.row != nil && place.row.note == note {
				return place.y
			}
		}
		return -1
	}
	for _, note := range []string{"enqueued", "lease out: J1"} {
		if y := at(a, note); y < 0 || y != at(b, note) {
			t.Errorf("%q stands at %d in A and at %d in B", note, y, at(b, note))
		}
	}
	if at(a, "effect 1") < 0 || at(b, "effect 1") >= 0 {
		t.Error("the effect is not in A alone")
	}
}

// Each property comes with a history that holds it and one that breaks it.
func TestAPageSaysWhatEachPropertyClaims(t *testing.T) {
	text := string(AppendHTML(nil, catalogueRun(t, "lost-ack"), Page{}, Style{}))
	if got, want := strings.Count(text, "<details>"), len(catalogueRun(t, "lost-ack").Verdicts); got != want {
		t.Errorf("%d properties are explained, want %d", got, want)
	}
	for _, want := range []string{"<summary>no-loss</summary>", "<dt>holds in</dt><dd>J1 is admitted, its worker dies", "<dt>breaks in</dt><dd>J1 is admitted, the queue crashes", "<dt>source</dt>"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}
