package actors

import (
	"time"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
)

// Ref is the place of an id in the scene's table of minted ids.
type Ref int32

// NoRef is no id.
const NoRef Ref = -1

// Msg is a message between actors: a request of the queue's protocol or its
// answer, or a call to the outside service.
type Msg struct {
	Op      model.Op
	Answer  model.Answer // replies
	Cause   model.Cause  // retry: why the handler failed
	IsReply bool
	Keyed   bool       // apply: the call carries a key that the service dedupes by
	Named   bool       // a raw request names its token; otherwise that of its delivery is sent
	Speaker model.Proc // who made the request; kept in the reply
	Job     model.Job
	Ref     Ref
	N       int32 // delivery; 0 for an enqueue
	Nth     int32 // the how manyeth sending of the request, from 1
	Call    int32 // the speaker's number for it; 0 for raw requests and the pump's
	Max     int32 // retry: the cap; sweep: lapses
	Line    int32 // raw requests: the line of the story
	Ask     int32 // apply: the handler's number for what it asks of the service; 0 for none
	Token   model.Token
	Span    time.Duration // claim, extend: the lease; retry, delay, enqueue-in: the delay
	Until   model.Time    // replies: a deadline or run-at of the server's clock
	ID      model.ID      // what Ref stands for, for the history
}

// Label says what the history needs to know of a message that the network lost.
func (m Msg) Label() model.Event {
	e := model.Event{Op: m.Op, Proc: m.Speaker, Job: m.Job, ID: m.ID, N: m.N, Nth: m.Nth, Call: m.Call, Token: m.Token}
	if m.IsReply {
		e.Flags = model.IsReply
	}
	return e
}

// sent is the record of a request that leaves its speaker.
func (m *Msg) sent() model.Event {
	e := m.Label()
	e.Kind = model.Sent
	return e
}

// answered is the record of an answer that reaches its speaker.
func (m *Msg) answered() model.Event {
	e := m.Label()
	e.Kind, e.Flags = model.Answered, 0
	e.Answer, e.Until = m.Answer, m.Until
	return e
}

// Point is the address of a message about a job: the point at which it may be
// lost, delayed or doubled. All forms of enqueue share one name.
func (m *Msg) Point() faults.Point {
	op := m.Op
	switch {
	case op.Admits():
		op = model.OpEnqueue
	case op == model.OpDelayAt:
		op = model.OpDelay
	}
	return faults.Point{Family: faults.Message, Op: op, Reply: m.IsReply, Job: m.Job, N: m.N}
}

// addressOf is the address of a message that is no point (yet), for the draw of
// its latency only: it names the speaker instead of a job.
func (m *Msg) addressOf() faults.Point {
	return faults.Point{Family: faults.Message, Op: m.Op, Reply: m.IsReply, Proc: m.Speaker}
}
