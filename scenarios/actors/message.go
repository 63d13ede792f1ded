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
	var e model.Event
	m.label(&e)
	if m.IsReply {
		e.Flags = model.IsReply
	}
	return e
}

// label writes into e what is known of a message whoever tells of it.
func (m *Msg) label(e *model.Event) {
	e.Op, e.Proc, e.Job, e.ID, e.N, e.Nth, e.Call, e.Token = m.Op, m.Speaker, m.Job, m.ID, m.N, m.Nth, m.Call, m.Token
}

// tellSent records that a request leaves its speaker.
func (m *Msg) tellSent(fx *Effects) {
	e := fx.Event()
	m.label(e)
	e.Kind = model.Sent
	fx.Write(nil)
}

// answered begins the record of an answer that reaches its speaker, which is to be
// written.
func (m *Msg) answered(fx *Effects) *model.Event {
	e := fx.Event()
	m.label(e)
	e.Kind, e.Answer, e.Until = model.Answered, m.Answer, m.Until
	return e
}

// Point is the address of a message about a job: the point at which it may be
// lost, delayed or doubled. All forms of enqueue share one name.
func (m *Msg) Point() (p faults.Point) {
	m.address(&p)
	return p
}

// address writes into p, all of it but Nth, the point of m. Of a message without a
// job, which is no point (yet), it is an address for the draw of its latency only,
// with the speaker in place of the job.
func (m *Msg) address(p *faults.Point) {
	nth := p.Nth
	*p = faults.Point{}
	p.Family, p.Op, p.Reply, p.Job, p.N, p.Nth = faults.Message, m.Op, m.IsReply, m.Job, m.N, nth
	switch {
	case m.Job == model.NoJob:
		p.Proc, p.N = m.Speaker, 0
	case m.Op.Admits():
		p.Op = model.OpEnqueue
	case m.Op == model.OpDelayAt:
		p.Op = model.OpDelay
	}
}
