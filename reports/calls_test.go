package reports

import (
	"slices"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/model"
)

// doubled are claims that the network doubles. Two answers go back under one number, and
// each picture tells of the one that granted J1#1, in row, and of its lease.
var doubled = []struct {
	what, faults, row string
	isUnheard         bool
}{
	{"the grant arrives, and the copy's answer is lost", "duplicate claim J1#1 after=40s\nfault crash w1 time=40.0035s",
		"J1#1: token 1, lease 30s", false},
	{"the copy's answer arrives, and the grant comes too late", "duplicate claim J1#1 after=1ms\nfault delay-reply claim J1#1 by=3s",
		"J1#1: token 1, lease 30s, there at 3.004s", true},
	{"the grant is lost, and the copy's answer arrives", "duplicate claim J1#1 after=1ms\nfault drop-reply claim J1#1",
		"J1#1 lost: token 1, lease 30s, lost  <- fault", true},
}

func TestADoubledClaimIsToldByItsOwnAnswer(t *testing.T) {
	for _, c := range doubled {
		t.Run(c.what, func(t *testing.T) {
			h := outcomeOf(t, "worker w1 consumer=naive work=20ms\njob J1\nfault "+c.faults).History
			rows := rowsOf(&Run{History: h})
			i := slices.IndexFunc(rows, func(r row) bool { return r.label == "J1#1" })
			got := "J1#1"
			if rows[i].lost {
				got += " lost"
			}
			if got += ": " + rows[i].note; got != c.row {
				t.Errorf("the row is %q, want %q", got, c.row)
			}
			if l := leasesOf(h)[0]; l.isUnheard != c.isUnheard {
				t.Errorf("the lease is unheard: %t, want %t", l.isUnheard, c.isUnheard)
			}
		})
	}
}

// What a worker reads was said by the queue to that very request: in no story of the
// catalogue is an answer without its question, or a question answered twice.
func TestEveryAnswerHasItsQuestion(t *testing.T) {
	for _, r := range catalogue() {
		h := r.History
		tell := newTeller(h, nil)
		for i := range h.Events {
			e := &h.Events[i]
			if e.Kind != model.Answered {
				continue
			}
			x := tell.exchangeOf(e)
			if x.applied == nil || x.applied.Seq > e.Seq || x.reply.Seq != e.Seq {
				t.Errorf("%s: what was asked for that %s reads at %v?", r.Story, h.Names.Proc(e.Proc), e)
			}
		}
	}
}

// An arrow that begins at the answer to one request must not end at another's.
func TestATraceEndsAnArrowAtItsOwnAnswer(t *testing.T) {
	h := outcomeOf(t, "worker w1 work=20ms\njob J1\nfault duplicate claim J1#1 after=1ms\nfault delay-reply claim J1#1 by=3s").History
	text := string(AppendTrace(nil, &Run{History: h}))
	for _, id := range []string{`"answer 6"`, `"answer 7"`} { // the grant, and the copy's answer
		if n := strings.Count(text, `"id":`+id); n != 2 {
			t.Errorf("%s stands at %d slices, want 2: where it begins and where it ends", id, n)
		}
	}
}
