package eventlog

import (
	"fmt"
	"strings"

	"github.com/ackgap/ackgap/model"
)

// need says what a log must hold, so that a property can be judged by it.
type need struct {
	property string
	kinds    kindSet // must be listed in records, or it is never held
	excuse   kindSet // must be listed, or what is missing might excuse a breach
	// standsAlone: the evidence of a breach says all; nothing that is missing from
	// the log could excuse it.
	standsAlone bool
	counts      bool   // but for a breach of several events, which counts what lies between them
	touches     bool   // the queue's events must tell what they touched
	holes       []hole // fields whose absence leaves it open
}

// hole is a field that some event lacks and that the header does not make good.
type hole uint8

const (
	holeToken hole = iota
	holeDeadline
	holeCap
	holeClock
	holeCount
)

var holeWords = [holeCount]string{
	holeToken:    "the claim in line %d has no token",
	holeDeadline: "the event in line %d does not say until when its lease runs (until; or lease in the header)",
	holeClock:    "the queue's clock goes back in line %d",
	holeCap:      "the retry in line %d does not say at how many attempts the job is dead (max; or max-attempts in the header)",
}

// holes holds the first line of each hole, 0 where there is none.
type holes [holeCount]int64

func (h *holes) note(kind hole, line int64) {
	if h[kind] == 0 {
		h[kind] = line
	}
}

// byQueue are the kinds that the queue writes about its jobs.
var byQueue = setOf("enqueued", "claimed", "extended", "settled", "dead", "refused", "reaped", "promoted", "operated")

// ends are the kinds that end a delivery or a job.
var ends = setOf("settled", "dead", "operated")

// counted are the kinds by which the claims of an incarnation are counted.
var counted = setOf("claimed", "enqueued")

// seesClaims reports whether they can be.
func (h *header) seesClaims() bool { return counted&^h.records == 0 }

// needs has one entry for each property.
var needs = []need{
	{property: "no-loss", kinds: byQueue | setOf("admitted", "applied"), excuse: ends | setOf("applied"), touches: true},
	{property: "no-duplicate-effect", kinds: setOf("applied"), standsAlone: true},
	{property: "stale-token-rejected", kinds: setOf("claimed", "extended", "settled", "dead"), standsAlone: true},
	{property: "settled-once", kinds: setOf("claimed", "settled", "dead"), excuse: setOf("claimed")},
	{property: "one-place", kinds: byQueue, standsAlone: true, touches: true},
	{property: "no-ghost", kinds: byQueue, standsAlone: true, touches: true},
	{property: "tokens-rise", kinds: setOf("claimed"), standsAlone: true, holes: []hole{holeToken}},
	{property: "single-holder", kinds: ends | setOf("claimed", "extended"), excuse: ends | setOf("extended"), holes: []hole{holeDeadline, holeClock}},
	{property: "terminal-absorbing", kinds: byQueue, excuse: byQueue, touches: true},
	{property: "admission-honest", kinds: byQueue, excuse: byQueue, touches: true},
	{property: "attempts-bounded", kinds: setOf("settled", "dead"), excuse: counted, standsAlone: true, counts: true, holes: []hole{holeToken, holeCap}},
	{property: "deliveries-bounded", kinds: setOf("claimed", "enqueued"), excuse: setOf("enqueued")},
	{property: "mint-order", kinds: byQueue, excuse: byQueue, touches: true},
	{property: "deadline-monotone", kinds: ends | setOf("claimed", "extended"), excuse: ends | setOf("claimed", "extended"), holes: []hole{holeDeadline, holeClock}},
	{property: "work-conserving", kinds: byQueue | setOf("idle"), excuse: byQueue, touches: true},
	{property: "drains", kinds: ends | setOf("admitted"), excuse: ends},
}

func needOf(property string) *need {
	for i := range needs {
		if needs[i].property == property {
			return &needs[i]
		}
	}
	return &need{property: property, kinds: 1<<len(kinds) - 1, excuse: 1<<len(kinds) - 1}
}

// verdict is what may be said of a property: the judge's answer, unless something is
// missing that could change it.
func (f *feed) verdict(v model.Verdict, complete bool) model.Verdict {
	n := needOf(v.Property)
	standsAlone := n.standsAlone && !(n.counts && len(v.Witness.Events) > 1)
	var missing []string
	switch {
	case v.Value == model.Broken && standsAlone:
		missing = f.lacking(n)
	case v.Value == model.Broken:
		missing = append(f.unlisted(n.excuse), f.lacking(n)...)
	default:
		missing = append(f.unlisted(n.kinds), f.lacking(n)...)
	}
	if f.doubts.disputed() || !complete && !(v.Value == model.Broken && standsAlone) {
		missing = append(missing, NotComplete)
	}
	if f.isTimed && v.Value == model.Broken && atOneInstant(v.Witness.Events) {
		missing = append(missing, "two events of the evidence have the same time, and no seq says which was first")
	}
	if !f.speaks {
		missing = []string{"the log tells of no job"}
	}
	if v.Value != model.Broken && n.touches && !f.touches {
		missing = append(missing, "the log does not tell where the jobs stand (touched; \"touches\": true in the header)")
	}
	return without(v, missing)
}

// NotComplete is the sentence of a verdict that is open for the doubts about the log
// alone, which Result tells once.
const NotComplete = "the log is not complete"

// without takes back an answer for which something is missing.
func without(v model.Verdict, missing []string) model.Verdict {
	if len(missing) == 0 {
		return v
	}
	says := strings.Join(missing, "; ")
	if v.Value == model.Broken {
		v.Witness.Says = says + "; else it would be broken, for " + v.Witness.Says
	} else {
		v.Witness = model.Witness{Says: says}
	}
	v.Value = model.Unknown
	return v
}

// unlisted complains about the kinds that the header does not list.
func (f *feed) unlisted(need kindSet) []string {
	if lack := need &^ f.records; lack != 0 {
		return []string{"records in the header does not list " + strings.Join(lack.words(), ", ")}
	}
	return nil
}

// lacking complains about what events or the header leave open.
func (f *feed) lacking(n *need) (list []string) {
	for _, h := range n.holes {
		if line := f.holes[h]; line != 0 {
			list = append(list, fmt.Sprintf(holeWords[h], line))
		}
	}
	if n.property == "attempts-bounded" && !f.attempts && !f.touches && !f.seesClaims() {
		list = append(list, "the log does not tell the attempts of a job (\"tokens\": \"attempts\" in the header, if tokens count them), nor all enqueues and claims, by which they could be counted")
	}
	if n.property == "drains" && f.isCut && !f.crew {
		list = append(list, "the recording stopped before the queue was quiet, and the header names no workers (workers), by which drains sets its bound")
	}
	if n.property == "drains" && f.isCut && f.forgot > 0 {
		list = append(list, "the recording stopped before the queue was quiet, and the bound of drains counts jobs whose records were let go")
	}
	return list
}

func atOneInstant(events []model.Event) bool {
	for i := range events {
		for k := range i {
			if events[i].At == events[k].At {
				return true
			}
		}
	}
	return false
}
