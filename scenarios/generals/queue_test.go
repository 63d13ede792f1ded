package generals_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/generals"
)

func TestEveryRuleOfEveryWorldFails(t *testing.T) {
	for _, w := range generals.Worlds() {
		c, err := generals.TakeCensus(w)
		if err != nil {
			t.Fatal(err)
		}
		if !c.Shown() || c.LoseOnly+c.DoubleOnly+c.Both != c.Rules || c.Refuted != c.Rules {
			t.Errorf("%s: %+v", w, c)
		}
	}
}

// The counts by another way, without trying rules. With S signals and T instants
// there are S+...+S^T views. A rule never doubles if it is silent in the S·T views
// in which nothing was redelivered; it never loses if it redelivers in all views
// without an ACK, (S-1)+...+(S-1)^T. The other views are free.
func TestTheCountsOfTheCensusFollowFromItsViews(t *testing.T) {
	for _, w := range generals.Worlds() {
		views, noAck, quiet := 0, 0, w.Signals()*w.Instants
		for i := 1; i <= w.Instants; i++ {
			views, noAck = views+power(w.Signals(), i), noAck+power(w.Signals()-1, i)
		}
		want := generals.Census{
			World: w, Rules: power(2, views), LoseOnly: power(2, views-quiet), DoubleOnly: power(2, views-noAck),
			Refuted: power(2, views), WithMarker: power(2, views-noAck),
		}
		want.Both = want.Rules - want.LoseOnly - want.DoubleOnly
		got, err := generals.TakeCensus(w)
		if err != nil {
			t.Fatal(err)
		}
		// All combinations of fates but those in which every delivery goes wrong.
		fates := map[bool]int{false: 3, true: 5}[w.Alive]
		want.Runs = power(fates, w.Instants+1) - power(fates-1, w.Instants+1)
		if got != want || w.Views() != views {
			t.Errorf("%s: %d views, %+v\nwant %d, %+v", w, w.Views(), got, views, want)
		}
	}
}

func power(base, n int) int {
	p := 1
	for range n {
		p *= base
	}
	return p
}

func TestTheReadmeCountsTheRules(t *testing.T) {
	rules := 0
	for _, w := range generals.Worlds() {
		rules += w.Rules()
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if said := fmt.Sprintf("%d,%03d of them", rules/1000, rules%1000); !strings.Contains(string(readme), said) {
		t.Errorf("README.md does not say %q", said)
	}
}

// Each pair is replayed by a second queue that looks its view up by the words.
func TestThePairOfEveryRuleIsReplayed(t *testing.T) {
	for _, w := range generals.Worlds() {
		views := viewsByWords(w)
		for r := range w.Rules() {
			p, ok, err := generals.Refute(w, generals.Rule(r))
			if err != nil || !ok {
				t.Fatalf("%s, rule %d: %v %v", w, r, ok, err)
			}
			if err := checkPair(&p, views); err != nil {
				t.Fatalf("%s, rule %d: %v", w, r, err)
			}
		}
	}
}

// viewsByWords numbers all that a queue of w can have seen, as the rules do.
func viewsByWords(w generals.World) map[string]int {
	signals := []string{"silence", "ACK", "begun"}[:w.Signals()]
	views, level := map[string]int{}, []string{""}
	for range w.Instants {
		var next []string
		for _, before := range level {
			for _, s := range signals {
				next = append(next, before+" "+s)
				views[before+" "+s] = len(views)
			}
		}
		level = next
	}
	return views
}

// checkPair returns what is wrong with a pair: it must differ in whether the work
// of J#1 ran, look the same, stay within the bound and leave two counts of effects
// that are not both 1.
func checkPair(p *generals.Pair, views map[string]int) error {
	if p.Delivery != 0 || p.Lost[0] != generals.NeverRan || p.Done[0] != generals.AckLost || !slices.Equal(p.Lost[1:], p.Done[1:]) {
		return fmt.Errorf("the runs are %v and %v", p.Lost, p.Done)
	}
	if slices.ContainsFunc(p.Lost[1:], func(f generals.Fate) bool { return f != generals.Fine }) {
		return fmt.Errorf("more than J#1 goes wrong in %v", p.Lost)
	}
	lost, lostSaw := again(p, p.Lost, views)
	done, doneSaw := again(p, p.Done, views)
	if lostSaw != doneSaw || p.InLost.View() != p.InDone.View() {
		return fmt.Errorf("the queue saw %q and %q", lostSaw, doneSaw)
	}
	if lost != p.InLost.Effects || done != p.InDone.Effects || lost == 1 && done == 1 || lost == done {
		return fmt.Errorf("%d and %d effects, the pair says %d and %d", lost, done, p.InLost.Effects, p.InDone.Effects)
	}
	return nil
}

// again plays one side of a pair, word by word.
func again(p *generals.Pair, fates generals.Fates, views map[string]int) (effects int, saw string) {
	answers := map[generals.Fate]string{
		generals.Fine: "ACK", generals.NeverRan: "silence", generals.AckLost: "silence",
		generals.Died: "begun", generals.DoneUnheard: "begun",
	}
	delivered := true
	for at := range p.World.Instants + 1 {
		answer := "silence"
		if delivered {
			answer = answers[fates[at]]
			if fates[at] == generals.Fine || fates[at] == generals.AckLost || fates[at] == generals.DoneUnheard {
				effects++
			}
		}
		if at == p.World.Instants {
			break // what the last delivery sends back is seen by nobody
		}
		saw += " " + answer
		delivered = p.Rule&(1<<views[saw]) != 0
	}
	return effects, saw
}

// What is asked of a pair and of a census can be refused.
func TestForgedPairsAndCensusesShowNothing(t *testing.T) {
	for name, forge := range map[string]func(*generals.Pair){
		"the queue can tell":      func(p *generals.Pair) { p.InDone.Saw[0] = generals.Ack },
		"the queue did otherwise": func(p *generals.Pair) { p.InDone.Again[2] = true },
		"the truth is the same":   func(p *generals.Pair) { p.InLost.Effects = p.InDone.Effects },
		"nothing is wrong":        func(p *generals.Pair) { p.InLost.Effects, p.InDone.Effects = 1, 1 },
	} {
		p, _, err := generals.Refute(generals.World{Instants: 3}, 1)
		if err != nil || !p.Refutes() {
			t.Fatalf("%+v refutes nothing: %v", p, err)
		}
		if forge(&p); p.Refutes() {
			t.Errorf("not seen: %s", name)
		}
	}
	for name, forge := range map[string]func(*generals.Census){
		"a rule is safe":            func(c *generals.Census) { c.Neither++ },
		"a rule has no pair":        func(c *generals.Census) { c.Refuted-- },
		"the marker saves too few":  func(c *generals.Census) { c.WithMarker-- },
		"the marker saves too many": func(c *generals.Census) { c.WithMarker++ },
	} {
		c, err := generals.TakeCensus(generals.World{Instants: 2})
		if forge(&c); err != nil || c.Shown() {
			t.Errorf("not seen: %s (%v)", name, err)
		}
	}
}

func TestAtLeastOnceWithAnAtomicMarkerPassesEveryRun(t *testing.T) {
	for _, w := range generals.Worlds() {
		rule := generals.AtLeastOnce(w)
		doubled := 0
		for _, f := range w.Runs() {
			if n := w.Play(rule, f, true).Effects; n != 1 {
				t.Errorf("%s: %d effects in %v", w, n, f)
			}
			if w.Play(rule, f, false).Effects > 1 {
				doubled++
			}
		}
		if doubled == 0 {
			t.Errorf("%s: the marker had nothing to absorb", w)
		}
	}
}

func TestAtLeastOnceRedeliversWhileThereIsNoACK(t *testing.T) {
	for _, w := range generals.Worlds() {
		rule := generals.AtLeastOnce(w)
		for saw, i := range viewsByWords(w) {
			if got, want := rule&(1<<i) != 0, !strings.Contains(saw, "ACK"); got != want {
				t.Errorf("%s: after%s it redelivers: %v", w, saw, got)
			}
		}
	}
}

func TestWhatIsOutOfBoundsIsRefused(t *testing.T) {
	for _, c := range []struct {
		w    generals.World
		rule generals.Rule
		want string
	}{
		{generals.World{Instants: 4}, 0, "a world of 4 instants is out of bounds: 1 to 3, or 1 to 2 where the queue hears that work has begun"},
		{generals.World{Instants: 3, Alive: true}, 0, "a world of 3 instants is out of bounds"},
		{generals.World{}, 0, "a world of 0 instants is out of bounds"},
		{generals.World{Instants: 1}, 4, "there is no rule 4: 1 instant of silence or ACK has the rules 0 to 3"},
	} {
		if _, _, err := generals.Refute(c.w, c.rule); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%+v: got %v, want %s", c.w, err, c.want)
		}
		if _, err := generals.TakeCensus(c.w); (err == nil) != (c.w.Instants == 1) {
			t.Errorf("%+v: the census says %v", c.w, err)
		}
	}
}

// What refutes a rule runs on EchoMQ too: one story for each instant at which a
// rule first redelivers, and one for silence. Both sides meet what they expect,
// and the queue of one sees what that of the other does until it acts.
func TestPairsAreStoriesThatRun(t *testing.T) {
	for _, c := range []struct {
		rule          generals.Rule
		lost, doubled int32
	}{
		{0, 0, 1},                        // never
		{1, 1, 2},                        // at instant 1, after silence
		{1 << 2, 1, 2},                   // at instant 2, after silence twice
		{1 << 6, 1, 2},                   // at instant 3
		{generals.Rule(1<<14 - 1), 1, 2}, // always
	} {
		p, ok, err := generals.Refute(generals.World{Instants: 3}, c.rule)
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		lost, done := runSide(t, &p, false), runSide(t, &p, true)
		if effects(lost) != c.lost || effects(done) != c.doubled {
			t.Errorf("rule %d: %d and %d effects, want %d and %d", c.rule, effects(lost), effects(done), c.lost, c.doubled)
		}
		if a, b := untilReap(lost), untilReap(done); !a.Equal(b) || len(a) < 2 {
			t.Errorf("rule %d: the queue sees\n%v\nand\n%v", c.rule, a, b)
		}
	}
}

func runSide(t *testing.T, p *generals.Pair, done bool) *model.History {
	t.Helper()
	text := p.AppendStory(nil, done)
	story, err := scenarios.Parse("pair.story", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	out, err := story.Run(scenarios.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	if out.Met != scenarios.Yes {
		t.Errorf("%v %v\n%s", out.Met, out.Unnamed, text)
	}
	return out.History
}

func effects(h *model.History) int32 {
	var n int32
	for i := range h.Events {
		if h.Events[i].Kind == model.Effected {
			n++
		}
	}
	return n
}

// untilReap is what the queue saw up to its first reap, or to the end.
func untilReap(h *model.History) model.View {
	i := slices.IndexFunc(h.Events, func(e model.Event) bool { return e.Kind == model.Applied && e.Op == model.OpReap })
	if i < 0 {
		i = len(h.Events) - 1
	}
	return h.QueueView(faults.Queue, h.Events[i].Seq)
}
