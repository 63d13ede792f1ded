package reports

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// folded are runs of more rows than a page shows: of one worker, of a few, of more than
// have a lifeline, with evidence in the middle, and with a death in rows that are not
// shown.
var folded = []string{
	"workers 1 consumer=naive work=20ms\njobs 200",
	"workers 8\njobs 300",
	"workers 200\njobs 400",
	"workers 3\njobs 200 every=40ms\nfault drop complete J70#1",
	"workers 1 work=200ms\njobs 300 every=40ms\nfault crash p time=8s",
}

// eachFolded lays every folded run out as a page does by itself, and in full.
func eachFolded(t *testing.T, check func(t *testing.T, r *Run, cut, full *picture)) {
	for _, story := range folded {
		t.Run(story, func(t *testing.T) {
			r := Of(outcomeOf(t, story+"\n"), "", "")
			if n := len(rowsOf(r)); n <= pageRows {
				t.Fatalf("%d rows are not folded", n)
			}
			check(t, r, newPicture(r, Style{}), newPicture(r, Style{Full: true}))
		})
	}
}

// atTheEnd is what a reader who goes through all events of a page sees of each thing.
func atTheEnd(p *picture, r *Run) map[string]string {
	changes, now := merged(p, changesOf(r.History)), map[string]string{}
	for _, t := range thingsOf(r.History, p.lanes, changes) {
		now[t.of] = t.is
	}
	for _, list := range changes {
		for _, c := range list {
			now[c.of] = c.is
		}
	}
	return now
}

// A folded page leaves things out, but what it says of one in the end is true.
func TestAFoldedPageEndsAsTheFullOne(t *testing.T) {
	eachFolded(t, func(t *testing.T, r *Run, cut, full *picture) {
		want := atTheEnd(full, r)
		got := atTheEnd(cut, r)
		for of, is := range got {
			if full, isThere := want[of]; !isThere || is != full {
				t.Errorf("%s is %q in the end, in full %q", of, is, full)
			}
		}
		for _, of := range []string{"J1 in the queue", "effects of J1", "p"} {
			if got[of] == "" {
				t.Errorf("nothing is told of %s", of)
			}
		}
	})
}

// A row changed what it changes on the full page; what hidden rows changed stands
// where they are.
func TestARowIsCreditedWithItsOwnChangesOnly(t *testing.T) {
	hidden := 0
	eachFolded(t, func(t *testing.T, r *Run, cut, full *picture) {
		want := map[int32][]change{}
		for i, list := range merged(full, changesOf(r.History)) {
			if at := full.places[i]; at.row != nil {
				want[at.row.seq] = list
			}
		}
		for i, list := range merged(cut, changesOf(r.History)) {
			at := cut.places[i]
			switch {
			case at.row == nil:
				hidden += len(list)
			case at.isHidden && len(list) > 0:
				t.Errorf("event %d is not shown and has %v", at.row.seq, list)
			case !at.isHidden && !slices.Equal(list, want[at.row.seq]):
				t.Errorf("event %d: %v, in full %v", at.row.seq, list, want[at.row.seq])
			}
		}
	})
	if hidden == 0 {
		t.Error("the hidden rows changed nothing")
	}
}

// Every row is shown or counted, those behind the last that is shown too.
func TestEveryRowIsShownOrCounted(t *testing.T) {
	eachFolded(t, func(t *testing.T, _ *Run, cut, _ *picture) {
		shown, counted := 0, 0
		for _, at := range cut.places {
			counted += len(at.hidden)
			if at.row != nil && !at.isHidden {
				shown++
			}
		}
		if shown+counted != len(cut.rows) || counted == 0 {
			t.Errorf("%d rows are shown and %d are counted, of %d", shown, counted, len(cut.rows))
		}
	})
}

// The end of a folded picture is read as one: where most of it has no lifeline there is one
// gap, and not a row between each two.
func TestNoRowAtTheEndStandsAlone(t *testing.T) {
	eachFolded(t, func(t *testing.T, _ *Run, cut, _ *picture) {
		gaps := 0
		for _, at := range cut.places {
			if len(at.hidden) > 0 {
				gaps++
			}
		}
		if gaps > 3 {
			t.Errorf("%d gaps", gaps)
		}
	})
}

// But what the evidence is about is shown where it stands alone, too: of rows between each
// two of which there is a gap no others stay.
func TestARowThatTheEvidenceIsAboutMayStandAlone(t *testing.T) {
	var drawable []int
	d := diagram{rows: make([]row, 2*lastRows), shown: make([]bool, 2*lastRows)}
	for i := 0; i < len(d.rows); i += 2 {
		drawable, d.shown[i] = append(drawable, i), true
	}
	d.rows[4].mustShow, d.rows[8].isNear = true, true
	d.joinGaps(drawable)
	for i := range d.shown {
		if want := i == 4 || i == 8; d.shown[i] != want {
			t.Errorf("row %d is shown: %v", i, d.shown[i])
		}
	}
}

// Who goes through the events of a folded page comes by its folds: each is a step, in
// the table with a time and in the picture.
func TestAFoldIsAStep(t *testing.T) {
	eachFolded(t, func(t *testing.T, r *Run, cut, _ *picture) {
		html := page200(r)
		ids := regexp.MustCompile(`<tr id="e([0-9-]+)"`).FindAllStringSubmatch(html, -1)
		steps := 0
		for _, at := range cut.places {
			if at.isHidden || at.row == nil && len(at.hidden) == 0 {
				continue
			}
			if steps++; at.row != nil {
				continue
			}
			words := fmt.Sprintf(`</time></td><td><span>%s</span>`, at.gapText())
			if !strings.Contains(html, `<tr id="e`+at.events()+`" class="quiet">`) || !strings.Contains(html, words) {
				t.Errorf("no row of the table says %q", at.gapText())
			}
		}
		if len(ids) != steps {
			t.Errorf("%d steps in the table, want %d", len(ids), steps)
		}
		for _, id := range ids {
			if strings.Count(html, `<g id="d`+id[1]+`">`) != 1 || strings.Count(html, `<tr id="e`+id[1]+`"`) != 1 {
				t.Errorf("the step %s is not once in the table and once in the picture", id[1])
			}
		}
	})
}
