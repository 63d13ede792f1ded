package reports

import (
	"strings"
	"testing"
)

// A window is as wide as it is: no line of a diagram is wider, whatever the story.
func TestADiagramKeepsToTheWidthOfItsTerminal(t *testing.T) {
	runs := catalogue()
	for _, s := range stories {
		runs = append(runs, s.run())
	}
	drawn := map[int]int{} // by width
	for _, r := range runs {
		for _, wide := range []int{30, 66, 72, 80, 90} {
			text := string(AppendDiagram(nil, r, Style{Width: wide}))
			if !strings.Contains(text, "The diagram") {
				drawn[wide]++
			}
			for _, line := range strings.Split(text, "\n") {
				if isText := strings.Contains(line, "not drawn") || strings.Contains(line, "--"); width(line) > wide && !isText {
					t.Errorf("%s in %d columns has a line of %d:\n%s", r.Story, wide, width(line), line)
				}
			}
		}
	}
	t.Logf("pictures by width, of %d: %v", len(runs), drawn)
	if drawn[30] > len(runs)/10 || drawn[66] < len(runs)*9/10 || drawn[80] < len(runs)-1 {
		t.Error("too few pictures in a wide window, or too many in a narrow one")
	}
}

// What is drawn closer together says the same, in the same order of rows.
func TestANarrowDiagramLeavesNothingOut(t *testing.T) {
	for _, s := range stories {
		d := layOut(s.run(), false)
		words := strings.Join(strings.Fields(string(AppendDiagram(nil, s.run(), Style{Width: 80}))), " ")
		words = strings.ReplaceAll(words, ", lease ", " for ")
		if strings.HasPrefix(words, "The diagram needs") {
			continue
		}
		for i := range d.rows {
			if !d.shown[i] {
				continue
			}
			for _, word := range strings.Fields(strings.Replace(d.rows[i].note, ", lease ", " for ", 1)) {
				at := strings.Index(words, word)
				if at < 0 {
					t.Fatalf("%s: %q of %q is not there, or before an earlier one", s.name, word, d.rows[i].note)
				}
				words = words[at+len(word):]
			}
		}
	}
}

// What has room, or is written for a program, is drawn as ever.
func TestRoomLeavesADiagramAsItIs(t *testing.T) {
	for _, s := range stories {
		if text(s.run(), Style{}) != text(s.run(), Style{Width: 400}) {
			t.Errorf("%s is drawn otherwise in 400 columns", s.name)
		}
	}
}

func TestTheFirstPictureIn80Columns(t *testing.T) {
	golden(t, "lost-ack.80.txt", []byte(text(lostAck(), Style{Width: 80})))
}

// Where no picture can be drawn it is said how wide it must be, and where to look at it.
func TestATerminalTooNarrowIsToldHowWideItMustBe(t *testing.T) {
	got := strings.Join(strings.Fields(string(AppendDiagram(nil, lostAck(), Style{Width: 40}))), " ")
	want := "The diagram needs 66 columns, and here are 40. Make the window wider, or look at it in a browser: `ackgap open STORY`, or --out html=FILE."
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if wide := string(AppendDiagram(nil, lostAck(), Style{Width: 66})); strings.Contains(wide, "The diagram needs") {
		t.Errorf("66 columns are not enough:\n%s", wide)
	}
}
