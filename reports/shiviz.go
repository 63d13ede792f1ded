package reports

import (
	"slices"
	"strings"

	"github.com/ackgap/ackgap/model"
)

// shivizHead holds the two regular expressions that ShiViz asks for, a line each: of an
// event, and of what stands between two executions.
const shivizHead = "(?<event>.*)\\n(?<host>\\S*) (?<clock>{.*})\n^=== (?<trace>.*) ===$\n"

// AppendShiViz appends r as a log for ShiViz (https://bestchai.bitbucket.io/shiviz/):
// each event with the vector clock of its host. Where r has a twin, it is the second
// execution, so that ShiViz shows where the two differ.
func AppendShiViz(b []byte, r *Run) []byte {
	b = append(b, shivizHead...)
	b = append(b, "=== "+model.Safe(r.Story)+" ===\n"...)
	b = appendExecution(b, r.History)
	if k := r.Known; k != nil && k.Knowledge != nil && k.Twin != nil {
		b = append(b, "=== its twin: "+model.Safe(k.Twin.Wrong())+" ===\n"...)
		b = appendExecution(b, k.Twin.History)
	}
	return b
}

// clocks are the vector clocks of the hosts of one history.
type clocks struct {
	*teller
	hosts  []string
	now    [][]int // by host
	sent   [][]int // by call: the clock that its request carries
	answer [][]int // by the number of a request's record: the clock that its answer carries
	b      []byte
}

func appendExecution(b []byte, h *model.History) []byte {
	c := &clocks{teller: newTeller(h, nil), b: b}
	c.sent, c.answer = make([][]int, len(c.calls)), make([][]int, len(h.Events)+1)
	for i := range h.Events {
		c.observe(&h.Events[i])
	}
	return c.b
}

// host returns the number of the host called name, which \S* must match.
func (c *clocks) host(s station) int {
	name := c.title(s)
	if s > nowhere {
		name = strings.ReplaceAll(model.Safe(c.names.Proc(model.Proc(s))), " ", "_") // in full: no two are alike
	}
	i := slices.Index(c.hosts, name)
	if i < 0 {
		i = len(c.hosts)
		c.hosts, c.now = append(c.hosts, name), append(c.now, nil)
	}
	return i
}

func (c *clocks) observe(e *model.Event) {
	at, call := c.station(e.Proc), e.Call
	if int(call) >= len(c.sent) {
		call = 0
	}
	switch e.Kind {
	case model.Lost, model.Admitted:
		return // nobody is there when a message is lost; who is told has read the answer
	case model.Sent:
		c.sent[call] = c.event(at, nil, "send "+c.what(e))
	case model.Applied:
		at = far(e)
		c.answer[e.Seq] = c.event(at, c.sent[call], c.what(e)+" -> "+e.Answer.String())
	case model.Answered:
		var carried []int
		if asked := c.exchangeOf(e).applied; asked != nil {
			carried = c.answer[asked.Seq]
		}
		c.event(at, carried, "read "+e.Answer.String()+" to "+c.what(e))
	case model.Checked, model.Marked, model.Effected, model.Absorbed:
		step := join(stepWord(e), " ", c.delivery(e))
		c.event(atStore, c.event(at, nil, step), join(step, ": ", c.stored(e).note))
	default:
		row, worth := c.tell(e)
		if worth && row.on != nowhere {
			c.event(row.on, nil, noteText(&row))
		}
	}
	c.follow(e)
}

// event writes one event at s, which knows what the message that led to it knew, and
// returns the clock that a message from here carries. Nowhere has no clock.
func (c *clocks) event(s station, message []int, text string) []int {
	if s == nowhere {
		return nil
	}
	h := c.host(s)
	now := c.now[h]
	for len(now) < len(c.hosts) {
		now = append(now, 0)
	}
	for i, n := range message {
		now[i] = max(now[i], n)
	}
	now[h]++
	c.now[h] = now
	c.b = append(c.b, text+"\n"+c.hosts[h]+" {"...)
	first := true
	for i, n := range now {
		if n == 0 {
			continue
		}
		if !first {
			c.b = append(c.b, ", "...)
		}
		first = false
		c.b = append(c.b, quoted(c.hosts[i])+":"+itoa(n)...)
	}
	c.b = append(c.b, "}\n"...)
	return slices.Clone(now)
}
