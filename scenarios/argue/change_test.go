package argue

import (
	"slices"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/actors"
)

func parse(t *testing.T, text string) *scenarios.Story {
	t.Helper()
	s, err := scenarios.Parse("test.story", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// arguing returns an arguer of a story that is taken for small as it is.
func arguing(t *testing.T, s *scenarios.Story) *arguer {
	t.Helper()
	out, err := s.Run(scenarios.Options{})
	if err != nil {
		t.Fatal(err)
	}
	small := &scenarios.Shrunk{Story: s, Property: "no-duplicate-effect", Job: 1, Outcome: out}
	return &arguer{runner: scenarios.NewRunner(), small: small, world: s, runs: 10, sweep: InTurn, out: &Explanation{Small: small}}
}

// A fault that is there for nothing is told from the one that is needed.
func TestAFaultThatIsNotNeededIsNotCalledNeeded(t *testing.T) {
	a := arguing(t, parse(t, "worker w1\njob J1\nfault drop complete J1#1\nfault delay enqueue J1 by=1s\n"))
	if err := a.findNeeds(); err != nil {
		t.Fatal(err)
	}
	if n := a.out.Needs; len(n) != 2 || !n[0].Needed() || n[1].Needed() || !n[1].Changes {
		t.Errorf("%+v", n)
	}
}

// A line that does nothing changes no record.
func TestAFaultThatNeverFiresChangesNothing(t *testing.T) {
	a := arguing(t, parse(t, "worker w1\njob J1\nfault drop complete J1#1\nfault? drop complete J1#9\n"))
	if err := a.findNeeds(); err != nil {
		t.Fatal(err)
	}
	if n := a.out.Needs[1]; n.Changes || n.Needed() {
		t.Errorf("%+v", n)
	}
}

// Every consumer is a change of a story that has another, and says what it asks.
func TestEveryConsumerIsTried(t *testing.T) {
	s := parse(t, "worker w1 consumer=scorer\njob J1\n")
	list := changesOf(s)
	for _, name := range actors.ConsumerNames() {
		c, _ := actors.ParseConsumer(name)
		i := slices.IndexFunc(list, func(c change) bool {
			value, _, _ := strings.Cut(c.value, ":")
			return c.option == "consumer" && value == name
		})
		switch {
		case c == actors.Scorer && i >= 0:
			t.Errorf("the story has %s already", name)
		case c != actors.Scorer && (i < 0 || list[i].means == "" || list[i].means != meanings[c]):
			t.Errorf("%s is not tried, or nobody says what it is", name)
		}
	}
	for _, c := range list {
		if c.means == "" {
			t.Errorf("%s: nobody says what it is", c.text())
		}
	}
	if Changes(s) != len(list) {
		t.Errorf("%d changes are announced and %d tried", Changes(s), len(list))
	}
}

// What is changed is what its text says, in the words of a story.
func TestEachChangeReadsBack(t *testing.T) {
	s := parse(t, "queue echomq variant=no-fence reap-every=off promote-every=off\nworker w1 work=1s heartbeat=1s settle-retries=1\nworker w2 ack=early\njob J1\n")
	for _, c := range changesOf(s) {
		text := string(apply(s, c).Text())
		changed, err := scenarios.Parse("changed.story", []byte(text))
		if err != nil {
			t.Errorf("%s: %v", c.text(), err)
			continue
		}
		again := apply(changed, c)
		if got := string(again.Text()); got != text {
			t.Errorf("%s: made twice it is\n%s\nand once\n%s", c.text(), got, text)
		}
		if string(s.Text()) == text {
			t.Errorf("%s changes nothing", c.text())
		}
	}
}

// A fault at the mark of a consumer strikes where another one marks, and where that
// takes no such step it finds no place.
func TestAFaultFollowsItsStep(t *testing.T) {
	s := parse(t, "worker w1 consumer=marker-last\njob J1\nfault crash w1 before=mark J1#1 restart=5s\n")
	to := func(consumer string) *Result {
		a := arguing(t, s)
		i := slices.IndexFunc(changesOf(s), func(c change) bool { return c.value == consumer })
		r, err := a.trySmall(apply(s, changesOf(s)[i]))
		if err != nil {
			t.Fatal(err)
		}
		return &r
	}
	if r := to("atomic"); r.Answer != Holds || r.Unfired != 0 {
		t.Errorf("atomic: %+v", r)
	}
	if r := to("natural"); r.Answer != Holds || r.Unfired != 1 {
		t.Errorf("natural: %+v", r)
	}
}

// Workers are added behind the others, and those who only speak keep their lines.
func TestMoreWorkersLeaveTheSpeakersTheirLines(t *testing.T) {
	s := parse(t, "worker w1\njob J1\ndo claim by=ann time=1m\ndo claim by=w1 time=2m\n")
	more := edited(s, func(s *scenarios.Story) { addWorkers(s, 3) })
	names := more.Cast().Names
	if got := names.Proc(more.Dos[0].By) + " " + names.Proc(more.Dos[1].By); got != "ann w1" || len(more.Workers) != 3 {
		t.Errorf("%d workers, and the lines are spoken by %s", len(more.Workers), got)
	}
	if _, err := scenarios.Parse("more.story", more.Text()); err != nil {
		t.Error(err)
	}
}

// A period that is off is the last rung of its ladder.
func TestOffIsTheLastRung(t *testing.T) {
	ladder := withOwn([]int64{1, 5, off}, 7)
	if !slices.Equal(ladder, []int64{1, 5, 7, off}) {
		t.Errorf("%v", ladder)
	}
	if duration(off) != "off" {
		t.Errorf("off is written %s", duration(off))
	}
}

// The own value of an option is a rung of its ladder, also where that lacks it; an
// option that its workers do not share has none.
func TestTheOwnValueIsARung(t *testing.T) {
	turned := func(text string) *arguer {
		a := arguing(t, parse(t, text))
		if err := a.turnKnobs(); err != nil {
			t.Fatal(err)
		}
		return a
	}
	on := turned("queue echomq lease=10s\nworker w1 work=1s\njob J1\n").out.Tried
	off := turned("queue echomq lease=7s\nworker w1 work=1s\njob J1\n")
	if off.out.Tried != on+1 || off.out.Knobs[0].Own != "7s" {
		t.Errorf("%d runs with a lease that is on the ladder, and %d with %q", on, off.out.Tried, off.out.Knobs[0].Own)
	}
	for _, k := range turned("worker w1 work=1s\nworker w2 work=2s\njob J1\n").out.Knobs {
		if k.Name == "work" && k.Own != "" {
			t.Errorf("two workers work %s", k.Own)
		}
	}
}

// A run that the limit of steps cuts is unknown, whatever was seen by then.
func TestARunThatIsCutIsUnknown(t *testing.T) {
	a := arguing(t, parse(t, "worker w1\njob J1\n"))
	out, err := a.runner.Run(a.world, scenarios.Options{MaxSteps: 5})
	if err != nil {
		t.Fatal(err)
	}
	if r := a.judge(out); out.End != model.Limit || r.Answer != Open {
		t.Errorf("it ended by %s and is judged %s", out.End, r.Answer)
	}
}
