package lessons

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/generals"
)

// What the lessons say in words is checked here, lesson by lesson, against the
// histories of the runs that they show. What they say in numbers is counted.

// sound fails the test if a run of b could not be made.
func sound(t *testing.T, b *bench) {
	t.Helper()
	if b.err != nil {
		t.Fatal(b.err)
	}
}

// Lesson 1: four mishaps, two of them with the work done, and one view of them all.
func TestFourMishapsLeaveOneView(t *testing.T) {
	var b bench
	var all []*trial
	ran := 0
	for _, m := range mishaps {
		all = append(all, b.shipped(m.story))
		if all[len(all)-1].hadRun() {
			ran++
		}
	}
	sound(t, &b)
	if ran != len(all)/2 {
		t.Errorf("in %d of %d worlds the work had run", ran, len(all))
	}
	for _, other := range all {
		if diff := cmp.Diff(all[0].seen(), other.seen()); diff != "" {
			t.Errorf("%s is seen otherwise:\n%s", other.Story.Name, diff)
		}
	}
	if len(all[0].seen()) != 3 || views(all) != 1 {
		t.Errorf("%d entries, %d views", len(all[0].seen()), views(all))
	}
}

// Without a mishap the view is another one: the comparison can tell runs apart.
func TestAnACKIsSeen(t *testing.T) {
	var b bench
	if n := views([]*trial{b.with("one-job", ""), b.shipped("lost-ack")}); n != 2 {
		t.Errorf("%d views", n)
	}
	sound(t, &b)
}

// played runs the ten rounds in their order.
func played(t *testing.T) []*trial {
	t.Helper()
	var b bench
	var all []*trial
	for _, r := range dealt() {
		all = append(all, b.with("one-job", r.fault))
	}
	sound(t, &b)
	return all
}

// gameOf returns the game of a lesson.
func gameOf(t *testing.T, l *Lesson) *Game {
	t.Helper()
	for _, beat := range l.Beats {
		if beat.Game != nil {
			return beat.Game
		}
	}
	t.Fatal("no game")
	return nil
}

// Lesson 2: ten rounds, one view, and each fault of them fires.
func TestTenRoundsLeaveOneView(t *testing.T) {
	all := played(t)
	for i, other := range all {
		if diff := cmp.Diff(all[0].seen(), other.seen()); diff != "" {
			t.Errorf("round %d is seen otherwise:\n%s", i+1, diff)
		}
		if len(other.Unfired) > 0 || other.token() != 1 {
			t.Errorf("round %d: %d faults did not fire, token %d", i+1, len(other.Unfired), other.token())
		}
	}
}

// Lesson 2: whatever rule is a function of the view, it is right five times of ten.
func TestEveryRuleOfTheViewIsRightFiveTimes(t *testing.T) {
	game, all := gameOf(t, open(t, 2)), played(t)
	rules := map[string]func(model.View) int{
		"always it ran":     func(model.View) int { return itRan },
		"always it did not": func(model.View) int { return itDidNot },
		"by length":         func(v model.View) int { return len(v) % 2 },
		"by token":          func(v model.View) int { return int(v[1].Token) % 2 },
		"by the clock":      func(v model.View) int { return int(v[len(v)-1].At/model.Time(time.Second)) % 2 },
	}
	for name, rule := range rules {
		if n := game.Score(guess(all, rule)); n != 5 {
			t.Errorf("%s is right %d times", name, n)
		}
	}
	for salt := range model.Seed(1000) {
		rule := func(v model.View) int { return int(salt.Hash(uint64(v.Digest()), 0) % 2) }
		if n := game.Score(guess(all, rule)); n != 5 {
			t.Fatalf("rule %d is right %d times", salt, n)
		}
	}
}

func guess(all []*trial, rule func(model.View) int) []int {
	var guesses []int
	for _, t := range all {
		guesses = append(guesses, rule(t.seen()))
	}
	return guesses
}

// Lesson 2: who knows what happened is right ten times, so the score can tell.
func TestWhoKnowsIsRightTenTimes(t *testing.T) {
	game, all := gameOf(t, open(t, 2)), played(t)
	var guesses []int
	for _, other := range all {
		answer := itDidNot
		if other.hadRun() {
			answer = itRan
		}
		guesses = append(guesses, answer)
	}
	if n := game.Score(guesses); n != 10 {
		t.Errorf("right %d times", n)
	}
}

// Lesson 2: the order of the rounds is pinned, and no simple pattern.
func TestTheOrderOfTheRoundsIsPinned(t *testing.T) {
	want := []int{itRan, itDidNot, itDidNot, itDidNot, itRan, itRan, itRan, itDidNot, itDidNot, itRan}
	if diff := cmp.Diff(want, gameOf(t, open(t, 2)).Answers); diff != "" {
		t.Error(diff)
	}
}

// Lesson 2: in one round the store holds nothing when the lease runs out, and the
// worker writes later.
func TestAbsenceIsNoProof(t *testing.T) {
	for _, other := range played(t) {
		effects := other.all(model.Effected, model.OpNone)
		for _, e := range effects {
			if e.N == 1 && e.Seq > other.lapse() {
				return
			}
		}
	}
	t.Error("no worker writes late")
}

// Lesson 3: with any number of confirmations the last message is lost, and one general
// attacks alone; the run before looks the same to its sender.
func TestOneGeneralAttacksAloneInEachRow(t *testing.T) {
	var a author
	chains := a.staircase()
	sound(t, &a.bench)
	if len(chains) != generals.MaxMessages {
		t.Fatalf("%d chains", len(chains))
	}
	for n, c := range chains {
		last, before := c.Runs[len(c.Runs)-1], c.Runs[len(c.Runs)-2]
		if c.Breach != generals.Agreement || last.Arrives.Has(n+1) || last.Arrives.Len() != n {
			t.Errorf("rounds-%d: breach %s, %d messages arrive", n+1, c.Breach, last.Arrives.Len())
		}
		sender := c.Protocol.Senders[n]
		if last.Views[sender] != before.Views[sender] || !before.Arrives.Has(n+1) {
			t.Errorf("rounds-%d: the sender of the last message can tell", n+1)
		}
	}
}

// Lesson 3: in crash-before-effect the network loses nothing by the time at which the
// lease runs out, and nothing was done.
func TestAPerfectNetworkDoesNotHelp(t *testing.T) {
	var b bench
	run := b.shipped("crash-before-effect")
	sound(t, &b)
	for _, e := range run.History.Events {
		if e.Kind == model.Lost {
			t.Errorf("a message is lost at %s", e.At)
		}
	}
	if run.hadRun() {
		t.Error("the work had run")
	}
}

// Lesson 4: an early ACK loses and never doubles, a late one doubles and never loses.
func TestTheTimeOfTheACKChoosesTheHarm(t *testing.T) {
	var b bench
	early, late := b.crashes("naive", "early"), b.crashes("naive", "late")
	sound(t, &b)
	if early.count(0) == 0 || early.count(2) != 0 {
		t.Errorf("early: %v", early)
	}
	if late.count(2) == 0 || late.count(0) != 0 {
		t.Errorf("late: %v", late)
	}
}

// Lesson 5: for each lease there is a pause that doubles the work, namely any that is
// longer, and the job of a dead worker waits for as long as the lease.
func TestEachLeaseHasItsPause(t *testing.T) {
	var b bench
	for _, lease := range leases {
		h := b.hold(lease)
		longer := b.clocked(lease, faults.Outcome{Kinds: faults.Pause, For: lease + 2*time.Second})
		sound(t, &b)
		if h.isRight() || h.doubled() <= lease || longer.effects() != 2 {
			t.Errorf("lease %s: right %t, doubled by %s; %d effects after a longer pause", lease, h.isRight(), h.doubled(), longer.effects())
		}
		if h.effects[0] != 1 || h.waits < model.Time(lease) || h.waits > model.Time(lease+2*time.Second) {
			t.Errorf("lease %s: %d effects after a short pause, and a job waits %s", lease, h.effects[0], h.waits)
		}
	}
}

// Lesson 6: a marker before the effect loses, one behind it doubles, one with it does
// neither; and to look first is what a pause makes nothing of.
func TestOnlyOneOrderIsHarmless(t *testing.T) {
	var b bench
	list := b.orders()
	sound(t, &b)
	harm := func(o order) [4]int {
		return [4]int{o.crash.count(0), o.crash.count(2), o.pause.count(0), o.pause.count(2)}
	}
	want := [][4]int{{1, 0, 0, 1}, {0, 1, 0, 2}, {0, 0, 0, 0}}
	for i, o := range list {
		if diff := cmp.Diff(want[i], harm(o)); diff != "" {
			t.Errorf("%s: lost and doubled by crashes, then by pauses:\n%s", o.title, diff)
		}
	}
	if list[0].pause.steps[2] != "check" || list[0].pause.effects[2] != 2 || list[1].pause.effects[2] != 2 {
		t.Error("a pause behind the look does not double")
	}
}

// A crash behind a step is a crash before the next one: the strips leave no gap.
func TestBehindAStepIsBeforeTheNext(t *testing.T) {
	var b bench
	for _, pair := range [][2]string{
		{"after=check", "before=apply"}, {"after=apply", "before=mark"}, {"after=mark", "before=settle"},
	} {
		var effects [2]int
		for i, point := range pair {
			text := "workers 2 consumer=marker-last\njob J1\nfault crash w1 " + point + " J1#1\n"
			effects[i] = b.run(b.parse("struck", []byte(text))).effects()
		}
		sound(t, &b)
		if effects[0] != effects[1] {
			t.Errorf("%v: %v effects", pair, effects)
		}
	}
}

// Lesson 7: each memory with an end is outlasted by some way back, and a new id dedupes
// nothing.
func TestOnlyGoodMemoryHolds(t *testing.T) {
	var b bench
	for i, consumer := range kept {
		worst := 0
		for _, n := range b.remember(consumer) {
			worst = max(worst, n)
		}
		want := 2
		if i == len(kept)-1 {
			want = 1
		}
		if worst != want {
			t.Errorf("%s: at worst %d effects, want %d", consumer, worst, want)
		}
	}
	fresh := b.shipped("lost-enqueue-fresh-id")
	sound(t, &b)
	if fresh.effects() != 2 || len(fresh.Story.Workers) != 1 || fresh.Story.Workers[0].Consumer.String() != "atomic" {
		t.Errorf("%d effects of %v", fresh.effects(), fresh.Story.Workers)
	}
}

// Lesson 8: of three guards the store alone keeps the zombie from writing, and a lost
// ACK passes it.
func TestOnlyTheStoreStopsTheZombie(t *testing.T) {
	var b bench
	for i, g := range guards {
		run, want := b.shipped(g.story), 2
		if i == len(guards)-1 {
			want = 1
		}
		if run.effects() != want || refused(run) != "refused" || len(run.all(model.Applied, model.OpClaim)) != 2 {
			t.Errorf("%s: %d effects, %s", g.story, run.effects(), refused(run))
		}
	}
	if n := b.shipped("fenced-store-lost-ack").effects(); n != 2 {
		t.Errorf("a lost ACK leaves %d effects", n)
	}
	sound(t, &b)
}

// Lesson 9: no moment makes the delivery happen once, and one makes the effect so.
func TestNoneOfTheMomentsIsExactlyOnceDelivery(t *testing.T) {
	var b bench
	want := map[string][2]int{
		"duplicate-enqueue": {2, 2}, "zombie-fenced": {2, 2}, "lost-ack-atomic": {2, 1},
		"outside-call": {2, 2}, "outside-call-with-key": {3, 1},
	}
	for name, counts := range want {
		run := b.shipped(name)
		if got := [2]int{run.deliveries(), run.effects()}; got != counts {
			t.Errorf("%s: deliveries and effects %v, want %v", name, got, counts)
		}
	}
	if outbox := b.crashes("marker-last", "late"); outbox.count(2) == 0 {
		t.Error("to die between publishing and marking does no harm")
	}
	sound(t, &b)
}

// Lesson 10: the test passes, more than one in ten worlds breaks, and the first of them
// shrinks to one fault about one job.
func TestTheHaystackShrinksToItsNeedle(t *testing.T) {
	var b bench
	s := b.search()
	sound(t, &b)
	if !s.passes || 10*s.broke <= worlds || s.small == nil {
		t.Fatalf("passes %t, %d of %d worlds break", s.passes, s.broke, worlds)
	}
	if s.small.Property != "no-duplicate-effect" || !s.small.Minimal || s.small.After.Faults != 1 || s.small.After.Jobs != 1 {
		t.Errorf("%s in %+v", s.small.Property, s.small.After)
	}
}

// The map: each guarantee lets through what it says, in the runs that it names.
func TestTheMapLetsThroughWhatItSays(t *testing.T) {
	want := [][]int{{0}, {2, 2}, {0, 2, 2}, {1, 2, 1}, {1, 2}}
	var b bench
	for i, g := range guarantees {
		var effects []int
		for _, name := range g.proofs {
			effects = append(effects, b.shipped(name).effects())
		}
		if diff := cmp.Diff(want[i], effects); diff != "" {
			t.Errorf("%s: effects\n%s", g.name, diff)
		}
	}
	sound(t, &b)
}

// The stories of the lessons come out as they say, and break nothing that they do not
// name.
func TestTheStoriesOfTheLessonsAreMet(t *testing.T) {
	for _, name := range Stories() {
		text, err := Story(name)
		if err != nil {
			t.Fatal(err)
		}
		story, err := scenarios.Parse(name+ext, text)
		if err != nil {
			t.Fatal(err)
		}
		out, err := story.Run(scenarios.Options{Strict: true})
		if err != nil || out.Met != scenarios.Yes || story.Name != name || scenarios.Title(text) == "" {
			t.Errorf("%s: %v %v", name, out.Met, err)
		}
	}
}

// What cannot be run ends a lesson with an error, and no number of it is shown.
func TestABenchKeepsItsFirstError(t *testing.T) {
	var b bench
	if n := b.shipped("lost-akc").effects(); n != 0 || b.err == nil {
		t.Fatalf("%d effects, %v", n, b.err)
	}
	first := b.err
	if b.shipped("another"); b.err != first {
		t.Errorf("%v", b.err)
	}
	if s := b.crashes("naive", "late"); len(s.steps) != 0 {
		t.Error("it runs on")
	}
	if h := b.hold(time.Second); h.doubled() != 0 {
		t.Error("it runs on")
	}
}

func TestThereIsNoLessonBeyondTheLast(t *testing.T) {
	for _, n := range []int{-1, 0, Count + 1} {
		if _, err := Open(n); err == nil {
			t.Errorf("lesson %d opens", n)
		}
	}
}
