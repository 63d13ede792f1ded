package valkey

import "github.com/ackgap/ackgap/model"

// Blind returns the queue as one that is asked and never looked at: it is no
// model.Toucher and no model.Peeker, and a request costs what it costs on the
// wire in production, one call. The properties that read rows or sets are then
// unknown, and a fault of a claim's request strikes at no job. From then on the
// queue is to be used through what Blind returned alone.
func (q *Queue) Blind() model.Queue {
	q.isBlind = true
	return blind{q}
}

type blind struct{ q *Queue }

func (b blind) Apply(now model.Time, req model.Request) model.Reply { return b.q.Apply(now, req) }
func (b blind) Snapshot() model.Snapshot                            { return b.q.Snapshot() }
func (b blind) Reset()                                              { b.q.Reset() }
func (b blind) Err() error                                          { return b.q.Err() }
func (b blind) Close() error                                        { return b.q.Close() }
