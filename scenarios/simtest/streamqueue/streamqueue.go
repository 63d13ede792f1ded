// Package streamqueue is a job queue on a Redis stream with a consumer group, as
// many have one: XADD lets a job in, XREADGROUP hands it out, XAUTOCLAIM takes over
// what has been idle for as long as a lease, XACK is the acknowledgement. It is an
// example for simtest.CheckQueue of a client of a real server, in one screen.
//
// It is right for what it claims, and XACK has no fence: it names the entry, and
// not the delivery. A worker that stood still acknowledges what is another's by now,
// and with the entry goes the net below that one: if it dies, nobody takes over. The
// test tells what that costs.
package streamqueue

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/queuetest"
)

// Claims is what a consumer group can do: no Fence is among it, and no ByToken. Nor do
// tokens rise: a job that is let in a second time is another entry, which counts anew. With
// a producer that sends again it is not even Exclusive: two entries are held by two.
var Claims = []queuetest.Capability{
	queuetest.Exclusive, queuetest.Conserving, queuetest.ServerClock,
}

const (
	stream = "jobs"
	group  = "workers"
	worker = "worker" // a group tells its consumers apart for its statistics only
)

// Queue is a model.Queue, which can be emptied, closed, and lost.
type Queue struct {
	redis   *redis.Client
	setTime func(time.Time)
	err     error

	entries map[model.ID]string   // the entry in which the job was handed out last
	given   map[string]model.Time // on a server whose clock cannot be set: when it was handed out
}

// New returns an empty queue in the keyspace of the client: the key "jobs" is
// deleted. SetTime sets the clock of the server, which XAUTOCLAIM goes by. A real
// server has none; with nil it is told before each claim for how long each entry has
// been idle, which is all that is done otherwise.
func New(client *redis.Client, setTime func(time.Time)) *Queue {
	q := &Queue{redis: client, setTime: setTime}
	q.Reset()
	return q
}

// Apply carries out one request by one command, or two.
func (q *Queue) Apply(now model.Time, req model.Request) model.Reply {
	if q.setTime != nil {
		q.setTime(time.UnixMilli(now.UnixMillis()))
	}
	ctx := context.Background()
	switch req.Op {
	case model.OpEnqueue:
		return q.enqueue(ctx, req)
	case model.OpClaim:
		return q.claim(ctx, now, req)
	case model.OpComplete:
		return q.complete(ctx, req)
	case model.OpRetry:
		return q.retry(ctx, req)
	case model.OpExtend, model.OpDelay:
		return model.Reply{Answer: model.Gone} // neither is done here, and who asks shall know
	case model.OpEnqueueIn, model.OpEnqueueAt:
		q.note(errors.New("a stream has no schedule, so that nothing can be enqueued for later"))
		return model.Reply{Answer: model.Duplicate} // Err tells
	case model.OpPromote, model.OpReap, model.OpSweep:
		return model.Reply{Answer: model.OK} // a claim takes over what has been idle
	}
	return model.Reply{Answer: model.UnknownAnswer, Err: "a stream has no " + req.Op.String()}
}

// enqueue adds an entry. A stream does not know a job again.
func (q *Queue) enqueue(ctx context.Context, req model.Request) model.Reply {
	q.note(q.redis.XAdd(ctx, &redis.XAddArgs{Stream: stream, Values: []string{"id", req.ID.String(), "payload", req.Payload}}).Err())
	return model.Reply{Answer: model.Enqueued}
}

// claim takes over what was left idle, or else what is new. The token is how often
// the entry was handed out.
func (q *Queue) claim(ctx context.Context, now model.Time, req model.Request) model.Reply {
	q.tellIdle(ctx, now, req.Lease)
	list, _, err := q.redis.XAutoClaim(ctx, &redis.XAutoClaimArgs{
		Stream: stream, Group: group, Consumer: worker, MinIdle: req.Lease, Start: "0-0", Count: 1,
	}).Result()
	q.note(err)
	if len(list) == 0 {
		read, err := q.redis.XReadGroup(ctx, &redis.XReadGroupArgs{
			Group: group, Consumer: worker, Streams: []string{stream, ">"}, Count: 1, Block: -1,
		}).Result()
		if q.note(err); len(read) == 0 {
			return model.Reply{Answer: model.Empty}
		}
		list = read[0].Messages
	}
	q.given[list[0].ID] = now
	return q.grant(ctx, now.Add(req.Lease), list[0])
}

func (q *Queue) grant(ctx context.Context, until model.Time, m redis.XMessage) model.Reply {
	id, err := model.ParseID(text(m.Values["id"]))
	q.note(err)
	given, _ := q.pending(ctx, m.ID)
	q.entries[id] = m.ID
	return model.Reply{Answer: model.OK, Grant: model.Grant{
		Holding: model.Holding{ID: id, Token: model.Token(given)}, Until: until, Payload: text(m.Values["payload"]),
	}}
}

// complete acknowledges the entry, whoever has it.
func (q *Queue) complete(ctx context.Context, req model.Request) model.Reply {
	n, err := q.redis.XAck(ctx, stream, group, q.entries[req.ID]).Result()
	if q.note(err); n == 0 {
		return model.Reply{Answer: model.Gone}
	}
	return model.Reply{Answer: model.OK}
}

// retry does nothing: what is not acknowledged is taken over when it has been idle
// for long enough.
func (q *Queue) retry(ctx context.Context, req model.Request) model.Reply {
	if _, waits := q.pending(ctx, q.entries[req.ID]); !waits {
		return model.Reply{Answer: model.Gone}
	}
	return model.Reply{Answer: model.Scheduled}
}

// pending returns how often an entry was handed out, if it waits for its
// acknowledgement.
func (q *Queue) pending(ctx context.Context, entry string) (given int64, waits bool) {
	list, err := q.redis.XPendingExt(ctx, &redis.XPendingExtArgs{Stream: stream, Group: group, Start: entry, End: entry, Count: 1}).Result()
	if q.note(err); len(list) == 0 {
		return 0, false
	}
	return list[0].RetryCount, true
}

// tellIdle tells a server whose clock cannot be set which entries have been idle for
// the time of a lease. It says so with a margin of an hour, so that its own
// milliseconds do not count.
func (q *Queue) tellIdle(ctx context.Context, now model.Time, lease time.Duration) {
	if q.setTime != nil {
		return
	}
	list, err := q.redis.XPendingExt(ctx, &redis.XPendingExtArgs{Stream: stream, Group: group, Start: "-", End: "+", Count: math.MaxInt32}).Result()
	q.note(err)
	for _, p := range list {
		var idle time.Duration
		if now.Sub(q.given[p.ID]) >= lease {
			idle = lease + time.Hour
		}
		q.note(q.redis.Do(ctx, "XCLAIM", stream, group, worker, 0, p.ID, "IDLE", idle.Milliseconds(), "JUSTID").Err())
	}
}

// note keeps the first error. That there is nothing is none.
func (q *Queue) note(err error) {
	if err != nil && !errors.Is(err, redis.Nil) && q.err == nil {
		q.err = err
	}
}

func text(v any) string { s, _ := v.(string); return s }

// Err returns why the server can be asked no more.
func (q *Queue) Err() error { return q.err }

// Reset empties the queue.
func (q *Queue) Reset() {
	ctx := context.Background()
	q.entries, q.given = map[model.ID]string{}, map[string]model.Time{}
	q.note(q.redis.Del(ctx, stream).Err())
	q.note(q.redis.XGroupCreateMkStream(ctx, stream, group, "0").Err())
}

// Close closes the client.
func (q *Queue) Close() error { return q.redis.Close() }
