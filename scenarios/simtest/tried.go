package simtest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/queuetest"
	"github.com/ackgap/ackgap/scenarios"
)

// tried is how often queues of one's own were put into the positions that their claims
// are about. It is counted by their answers, which each of them gives: a queue that has no
// reaper, or says gone where others say stale, shows neither saw-expiry nor
// saw-stale-refused.
type tried struct {
	again   int // deliveries of a job that nobody had settled since it was delivered before
	late    int // settlements and extensions for a delivery that was not the last
	refused int // of those
}

// hand is what a queue has handed out of one job.
type hand struct {
	token   model.Token // of the last delivery
	n       int         // deliveries
	settled bool        // the last one was
}

// count takes note of a request and its answer.
func (t *tried) count(hands map[model.ID]hand, req *model.Request, rep *model.Reply) {
	switch h := hands[req.ID]; {
	case req.Op == model.OpClaim && rep.Answer == model.OK:
		was := hands[rep.ID]
		if was.n > 0 && !was.settled {
			t.again++
		}
		hands[rep.ID] = hand{token: rep.Token, n: was.n + 1}
	case !req.Op.Settles() && req.Op != model.OpExtend || h.n == 0:
	case h.n > 1 && req.Token != h.token:
		if t.late++; !rep.Answer.Accepted() {
			t.refused++
		}
	case req.Op.Settles() && rep.Answer.Accepted():
		h.settled = true
		hands[req.ID] = h
	}
}

// untried says what a queue claims that the worlds have not tried, a sentence each.
func (c *check) untried(total *scenarios.Tally) []string {
	var list []string
	if c.mine.tried.again == 0 {
		list = append(list, "no job that was out and not settled was delivered again, so that no lease was seen to end")
	}
	if queuetest.Has(c.config.claims, queuetest.Fence) && c.mine.tried.late == 0 {
		list = append(list, "fence is claimed, and no settlement came for an earlier delivery")
	}
	beside := c.mine.unjudged()
	for i, p := range model.Properties() {
		claimed := slices.Contains(queuetest.Properties(c.config.claims...), p.Name)
		if claimed && !slices.Contains(beside, p.Name) && total.Properties[i].Idle == total.Runs {
			list = append(list, p.Name+" was never looked at")
		}
	}
	return list
}

// judgeTried says how far the queue was tried. What was not tried at all is red in the
// worlds that are there by default, once they are enough: it looks like a claim that is
// held.
func (c *check) judgeTried(t testing.TB, total *scenarios.Tally) {
	t.Helper()
	if c.mine.name == "" {
		return
	}
	if list := c.unasked(); len(list) > 0 {
		t.Logf("of what the queue claims these worlds say nothing about %s: queuetest.Run asks for it", strings.Join(list, ", "))
	}
	says := t.Logf
	if own := c.config.story != "" || len(c.config.chaos)+len(c.config.shaped) > 0; !own && total.Runs >= scenarios.EnoughChaos {
		says = t.Errorf
	}
	if list := c.untried(total); len(list) > 0 {
		says("in %s some of what the queue claims was not tried, so that nothing is known of it: %s", script.Count(total.Runs, "world"), strings.Join(list, "; "))
	}
}

// unasked are the claims that no world asks about, be it that no property goes with them,
// or that it takes a queue which tells what it touches. Clocks that are off ask about
// ServerClock by the leases.
func (c *check) unasked() (list []string) {
	beside := append(queuetest.Properties(), c.mine.unjudged()...)
	for _, claim := range append(queuetest.Capabilities(), c.config.claims...) { // of DedupWindow there are many
		if slices.Contains(list, string(claim)) || claim == queuetest.EchoMQ || claim == queuetest.ServerClock || !queuetest.Has(c.config.claims, claim) {
			continue
		}
		judged := slices.ContainsFunc(queuetest.Properties(claim), func(p string) bool { return !slices.Contains(beside, p) })
		if !judged {
			list = append(list, string(claim))
		}
	}
	return list
}

// says tells what was counted.
func (t *tried) says() string {
	return fmt.Sprintf("%s of a job that nobody had settled; %s by an earlier delivery, of which %d refused",
		script.Count(t.again, "redelivery"), script.Count(t.late, "stale request"), t.refused)
}
