package simtest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// Replay is the environment variable that holds a token: a check then runs what
// the token holds, twice, and nothing else.
const Replay = "ACKGAP_REPLAY"

// keptIn is where failures are kept, beside the test.
const keptIn = "testdata/ackgap"

// Check runs the stories that were kept, the world as it is written if it says
// what goes wrong, and random worlds, and fails t at the first that breaks a
// promise.
func (c *check) Check(t testing.TB) {
	t.Helper()
	over := false
	defer func() {
		t.Helper()
		p := recover() // is nil anywhere but in the deferred function itself
		if !over {
			c.abandon()
			c.wentAway(t, p)
		}
	}()
	c.checkAll(t)
	over = true
}

// wentAway says why a check did not come to its end, if nobody has yet: by the panic p, or
// by Goexit, which ends the test's goroutine without a word.
func (c *check) wentAway(t testing.TB, p any) {
	t.Helper()
	switch {
	case p != nil:
		t.Fatalf("%s%s: a panic ended the check: %s", c.name, c.during(), panicText(p))
	case c.ended:
		return
	case t.Failed():
		t.Logf("%s%s: what the world called failed the test at once (t.Fatal, t.FailNow), so that there is no verdict, picture or story: let it return an error, or use t.Error", c.name, c.during())
		return
	case t.Skipped():
		return
	}
	if err := c.wrong(); err != nil {
		t.Fatalf("%s%s: %v", c.name, c.during(), err)
	}
	t.Fatalf("%s%s: the queue, or what else the world called, ended the test's goroutine (runtime.Goexit, or t.FailNow and what calls it): let it return", c.name, c.during())
}

// during names the random world that is run, if one is.
func (c *check) during() string {
	if c.seed == nil {
		return ""
	}
	return fmt.Sprintf(" seed %d", *c.seed)
}

// fatalf ends the test with a word of the check's own, which needs no other.
func (c *check) fatalf(t testing.TB, format string, args ...any) {
	t.Helper()
	c.ended = true
	t.Fatalf(format, args...)
}

func (c *check) checkAll(t testing.TB) {
	t.Helper()
	if token := os.Getenv(Replay); token != "" {
		c.replay(t, token)
		return
	}
	err := c.begin()
	if c.runKept(t) && c.runScript(t) && c.campaign != nil {
		c.runWorlds(t)
	}
	if err != nil && !t.Failed() { // not one of the others came to it
		t.Errorf("%s, in the world whose first job is delivered again: %v", c.name, err)
	}
}

// replay runs what a token holds, twice, and shows it.
func (c *check) replay(t testing.TB, s string) {
	t.Helper()
	token, err := scenarios.ParseToken(s)
	if token != nil && token.Build != c.build() {
		c.notMine(t, token)
		return
	}
	if err != nil {
		c.fatalf(t, "%s: %v", Replay, err)
	}
	out, err := c.twice(token.Story)
	if err != nil {
		c.fatalf(t, "%s: %v", Replay, err)
	}
	if got := out.History.Digest.String(); token.Digest != "" && got != token.Digest {
		t.Logf("%s: its digest was %s, and this run's is %s: the handler or the queue is another by now", Replay, token.Digest, got)
	}
	c.mentionOutgrown(t, Replay, out)
	p := c.broken(out)
	failed := p != ""
	if c.isScript(token.Story) || len(token.Story.Expects) > 0 {
		failed = !c.asWritten(out)
	}
	if failed {
		c.report(t, &failure{property: p, out: out, again: c.again(out)})
		return
	}
	t.Logf("%s: %s\n%s", Replay, c.allHeld(), token.Story.Text())
}

// build is the word that tells the tokens of this check from those of others.
func (c *check) build() string { return buildPrefix + fileName(c.name) }

const buildPrefix = "simtest:"

// notMine passes over the token of another check, which may well be of the same package.
func (c *check) notMine(t testing.TB, token *scenarios.Token) {
	t.Helper()
	other, ok := strings.CutPrefix(token.Build, buildPrefix)
	if !ok {
		c.fatalf(t, "%s: the token was made by %s and not by a check of simtest: ackgap replay TOKEN runs it", Replay, script.Quote(token.Build))
	}
	t.Logf("%s: the token is of the check %s: %s was not run", Replay, model.Safe(other), c.name)
}

// twice runs a story two times, which must leave one history.
func (c *check) twice(s *scenarios.Story) (*scenarios.Outcome, error) {
	first, err := c.once(s)
	if err != nil {
		return nil, err
	}
	then, err := c.once(s)
	if err != nil {
		return nil, err
	}
	if err := scenarios.Same(first.History, then.History); err != nil {
		return nil, c.parted(err)
	}
	return then, nil
}

// parted names the record at which two runs of one story part.
func (c *check) parted(err error) error {
	d, ok := errors.AsType[*scenarios.Diverged](err)
	if !ok || d.Record == 0 {
		return c.notDeterministic()
	}
	return fmt.Errorf("%w\n  two runs of one story part at record %d\n  first  %s\n  then   %s", c.notDeterministic(), d.Record, d.A, d.B)
}

// runKept runs what failed before. A story whose faults find no point any more is
// stale, and only mentioned.
func (c *check) runKept(t testing.TB) bool {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(keptIn, fileName(c.name)+"--*.story")) // the pattern is our own
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			c.fatalf(t, "%v", err)
		}
		s, err := scenarios.Parse(file, text)
		if err != nil {
			c.fatalf(t, "%v\nThe story is of an earlier failure; delete it, or put it right.", err)
		}
		out, err := c.twice(s)
		if err != nil {
			c.fatalf(t, "%s, which is kept of an earlier failure: %v", file, err)
		}
		c.mentionOutgrown(t, file, out)
		if p := c.broken(out); p != "" {
			c.blameMemory(t)
			c.report(t, &failure{property: p, out: out, kept: file, again: c.again(out)})
			return false
		}
		all := func(string) bool { return true } // what is tolerated as well
		if len(out.Unfired) == 0 && firstBroken(out, all) == "" {
			t.Logf("%s: what broke once is held now", file)
		}
	}
	return true
}

// mentionOutgrown names the faults of a story that found no point.
func (c *check) mentionOutgrown(t testing.TB, place string, out *scenarios.Outcome) {
	t.Helper()
	for _, e := range out.Unfired {
		t.Logf("%s: no longer occurs: fault %s; delete the story if the handler has outgrown it", place, model.Safe(out.Story.FaultText(e)))
	}
}

// script is the world as its story is written, without its random worlds.
func (c *check) script() *scenarios.Story {
	s := *c.story
	s.Chaos, s.MayBreak, s.Quiet = nil, nil, 0
	return &s
}

// isScript reports whether s is the script.
func (c *check) isScript(s *scenarios.Story) bool {
	return c.scripted && bytes.Equal(s.Text(), c.script().Text())
}

// asWritten reports whether a script came to what it says: its expectations, or where it
// has none all its faults and all promises.
func (c *check) asWritten(out *scenarios.Outcome) bool {
	return out.Met == scenarios.Yes || len(out.Story.Expects) == 0 && c.broken(out) == "" && len(out.Unfired)+len(out.Missing)+len(out.Open) == 0
}

// runScript runs the world once as its story is written, if that says what is to
// go wrong or to come of it.
func (c *check) runScript(t testing.TB) bool {
	t.Helper()
	if !c.scripted {
		return true
	}
	out, err := c.twice(c.script())
	if err != nil {
		c.fatalf(t, "%v", err)
	}
	if out.Met == scenarios.Yes && c.campaign == nil && !changes(out) {
		t.Errorf("%s", c.nothingTested("the story's runs", nil))
		return false
	}
	if c.asWritten(out) {
		return true
	}
	c.blameMemory(t)
	c.report(t, &failure{property: c.broken(out), out: out, again: c.again(out)})
	return false
}

// changes reports whether an effect was counted.
func changes(out *scenarios.Outcome) bool {
	return slices.ContainsFunc(out.History.Events, func(e model.Event) bool { return e.Kind == model.Effected })
}

// counted is what an effect is to be, for it to be counted.
const counted = "Sink, Tx.Apply, a request that is no GET, HEAD or OPTIONS, simsql's Effects"

// effects is changes, of many worlds.
func effects(total *scenarios.Tally) bool {
	i := placeOf("no-duplicate-effect", model.Properties())
	return total.Properties[i].Idle < total.Runs
}

// runWorlds runs the random worlds up to the first that fails.
func (c *check) runWorlds(t testing.TB) {
	t.Helper()
	found, total, err := c.search()
	switch {
	case err != nil:
		c.reportWrong(t, c.config.seed+uint64(max(total.Runs, 1)-1), err)
	case found != nil:
		c.reportWorld(t, found)
	default:
		if err := c.checkSteady(); err != nil {
			t.Errorf("%s: %s, but %v", c.name, c.allHeld(), err)
			return
		}
		c.judge(t, total)
	}
}

// judge says what a campaign without a failure came to. That something was never
// tried is red: it looks like a promise that is held.
func (c *check) judge(t testing.TB, total *scenarios.Tally) {
	t.Helper()
	c.judgeOpen(t, total)
	c.judgeTried(t, total)
	if !effects(total) {
		t.Errorf("%s", c.nothingTested(script.Count(total.Runs, "world"), total))
	}
	for _, says := range total.Vacuous(c.campaign) {
		property, _, may := strings.Cut(says, " may break")
		if may && slices.Contains(c.config.mayBreak, property) || !may && len(c.config.chaos) > 0 {
			t.Errorf("%s in %s: leave it out, or run more", says, script.Count(total.Runs, "world"))
		}
	}
	if c.queues > 0 {
		t.Logf("in %s the queue broke a promise of its own, and what followed is not held against the handler: simtest.Strict() shows them", script.Count(c.queues, "world"))
	}
	verdict := c.allHeld()
	if t.Failed() {
		verdict = "no promise was seen broken, and that is not all that it takes"
	}
	t.Logf("%s from seed %d: %s; %s", script.Count(total.Runs, "world"), c.config.seed, verdict, c.sights(total))
}

// allHeld is what a check without a failure has shown.
func (c *check) allHeld() string {
	if len(c.mine.unjudged()) > 0 {
		return "every promise that can be judged is held"
	}
	return "every promise is held"
}

// judgeOpen says how many worlds could not be judged, and of a queue that does not
// tell what it touches which properties.
func (c *check) judgeOpen(t testing.TB, total *scenarios.Tally) {
	t.Helper()
	unjudged := c.mine.unjudged()
	if len(unjudged) > 0 {
		t.Logf("the queue does not tell what it touches (model.Toucher), so %s cannot be judged; a job that is lost shows as one that never ends, or as one that is completed without its effect", strings.Join(unjudged, ", "))
	}
	beside := append(unjudged, c.config.tolerated()...)
	open, spared := 0, 0 // worlds in which one property is unknown that counts, and one that does not
	for i, p := range model.Properties() {
		if n := total.Properties[i].Unknown; slices.Contains(beside, p.Name) {
			spared = max(spared, n)
		} else {
			open = max(open, n)
		}
	}
	for _, f := range total.Opens {
		left := slices.DeleteFunc(slices.Clone(f.Properties), func(p string) bool { return slices.Contains(beside, p) })
		if open > 0 && len(left) > 0 {
			t.Errorf("%s could not be judged, first in the world of seed %d (%s is unknown): %s",
				script.Count(open, "world"), f.Seed, strings.Join(left, ", "), whyOpen(left))
			return
		}
	}
	if open > 0 || total.Open > spared {
		t.Errorf("%s could not be judged: the run was cut before its end", script.Count(max(open, total.Open), "world"))
	}
}

// whyOpen says what keeps these properties from being judged, and the way out.
func whyOpen(properties []string) string {
	if slices.Contains(properties, "single-holder") || slices.Contains(properties, "deadline-monotone") {
		return "the queue answered a claim or an extend with an end of the lease (Reply.Until) that is not the time which Apply was given plus Request.Lease; say in Until when the lease does end, and give what was asked for"
	}
	return "the run was cut before its end; shorter sleeps, or a longer horizon in Story, let it end"
}

// nothingTested says that no effect was ever counted, and what may be the reason.
func (c *check) nothingTested(worlds string, total *scenarios.Tally) string {
	if c.mine.name != "" {
		return "no worker did a job's work in any of " + worlds + ", so nothing was tested: does a claim serve what an enqueue let in? queuetest.Run says more"
	}
	says := "the handler changed the outside in none of " + worlds + ", so nothing was tested: have its effect counted (" + counted + ")"
	if total != nil && 2*expiries(total) > total.Runs {
		says += fmt.Sprintf("; or does it take longer than its lease, which ran out in %d of them and ends its context? See Heartbeat and Lease", expiries(total))
	}
	return says
}

// expiries counts the worlds in which a lease ran out.
func expiries(total *scenarios.Tally) int {
	return total.Reach[placeOf("saw-expiry", model.Reach())]
}

// placeOf returns the place of a property in a list that has it.
func placeOf(name string, list []*model.Property) int {
	return slices.IndexFunc(list, func(p *model.Property) bool { return p.Name == name })
}

// sights tells what the worlds have shown: redeliveries, expired leases. Of a queue of
// one's own that is counted by its answers (tried).
func (c *check) sights(total *scenarios.Tally) string {
	var list []string
	for i, p := range model.Reach() {
		if c.mine.name != "" && (p.Name == "saw-expiry" || p.Name == "saw-stale-refused") {
			continue
		}
		seen := fmt.Sprintf("%s in %d", p.Name, total.Reach[i])
		if p.Name == "saw-marker-skip" && total.Reach[i] == 0 && c.config.make != nil {
			seen += " (an inbox in SQL is not seen)"
		}
		list = append(list, seen)
	}
	if c.mine.name != "" {
		list = append(list, c.mine.tried.says())
	}
	return strings.Join(list, ", ")
}
