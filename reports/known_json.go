package reports

import (
	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/scenarios"
)

// jsonTwin answers whether the queue could have known better: no, with another
// history that it saw alike; yes, with the message that told it; or open.
type jsonTwin struct {
	Property string     `json:"property"`
	Observer string     `json:"observer"`
	Job      string     `json:"job"`
	N        int32      `json:"n"`
	Known    string     `json:"known"`
	Fact     bool       `json:"fact"` // the delivery had its effect
	View     []int32    `json:"view"` // the numbers of the events that the observer saw
	Digest   string     `json:"digest"`
	Tried    int        `json:"tried"`
	Told     *jsonEvent `json:"told,omitempty"`
	Other    *jsonOther `json:"other,omitempty"`
	Rules    []jsonRule `json:"rules,omitempty"`
}

type jsonOther struct {
	Faults  []string `json:"faults"`
	Story   string   `json:"story"`
	View    string   `json:"view"`    // the digest of its view
	History string   `json:"history"` // the digest of its history
}

type jsonRule struct {
	Rule  string `json:"rule"`
	Here  int    `json:"here"`
	There int    `json:"there"`
	IsRun bool   `json:"is_run"`
}

// jsonTwinOf is nil where nothing was asked.
func jsonTwinOf(r *Run) *jsonTwin {
	k := r.Known
	if k == nil || k.Knowledge == nil {
		return nil
	}
	names := &r.History.Names
	_, behind := r.History.Seen(k.Observer, faults.Queue, k.Cut.Seq)
	out := &jsonTwin{
		Property: k.Property, Observer: procName(names, k.Observer), Job: jobName(names, k.Job), N: k.N,
		Known: "open", Fact: k.Fact, View: behind, Digest: k.View.Digest().String(), Tried: k.Tried,
	}
	if k.Told != nil {
		told := jsonEventOf(names, k.Told)
		out.Known, out.Told = "yes", &told
	}
	if k.Twin != nil {
		out.Known, out.Other = "no", jsonOtherOf(k.Twin)
	}
	if k.Rules != nil {
		out.Rules = []jsonRule{jsonRuleOf("deliver again", k.Rules.Again), jsonRuleOf("stay silent", k.Rules.Silent)}
	}
	return out
}

func jsonOtherOf(t *scenarios.Twin) *jsonOther {
	out := &jsonOther{
		Faults: []string{}, Story: string(t.Story.Text()), View: t.View.Digest().String(), History: t.History.Digest.String(),
	}
	for _, e := range t.Faults {
		out.Faults = append(out.Faults, t.Story.FaultText(e))
	}
	return out
}

func jsonRuleOf(name string, r scenarios.Rule) jsonRule {
	return jsonRule{name, r.Here, r.There, r.IsRun}
}
