package valkey

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/ackgap/ackgap/model"
)

// batch is how many jobs claim-batch, promote, reap and sweep take at most when
// the request names no limit: EchoMQ's own 100.
const batch = 100

// arguments appends to a what EVALSHA takes behind the digest: how many keys,
// the keys, and the arguments, as the head of each script lists them.
func (q *Queue) arguments(a []string, req *model.Request) []string {
	if !isAboutOne(req.Op) {
		return q.ofMany(a, req)
	}
	id, s := req.ID.String(), &q.keys.sets
	row := q.keys.rows + id
	token := strconv.FormatInt(int64(req.Token), 10)
	switch req.Op {
	case model.OpEnqueue:
		return append(a, "2", row, s[pending], id, req.Payload)
	case model.OpEnqueueAt:
		return append(a, "2", row, s[schedule], id, req.Payload, epochMillis(req.At))
	case model.OpEnqueueIn:
		return append(a, "2", row, s[schedule], id, req.Payload, millis(req.Delay))
	case model.OpComplete:
		return append(a, "4", row, s[pending], s[active], q.keys.completed, id, token)
	case model.OpRetry:
		return append(a, "6", row, s[pending], s[active], s[schedule], s[dead], q.keys.failed,
			id, token, millis(req.Delay), strconv.Itoa(req.Max), req.Error)
	case model.OpDelay:
		return append(a, "3", row, s[active], s[schedule], id, token, millis(req.Delay))
	case model.OpDelayAt:
		return append(a, "3", row, s[active], s[schedule], id, token, epochMillis(req.At))
	case model.OpExtend:
		return append(a, "2", row, s[active], id, token, millis(req.Lease))
	case model.OpRemove:
		return append(a, "7", row, s[pending], s[active], s[schedule], s[dead], row+":lock", row+":logs", id)
	case model.OpReprocess:
		return append(a, "3", row, s[pending], s[dead], id)
	case model.OpUpdateData:
		return append(a, "1", row, req.Payload)
	}
	panic("valkey: no script of " + req.Op.String())
}

// ofMany is arguments for the verbs that name no job.
func (q *Queue) ofMany(a []string, req *model.Request) []string {
	k, s := &q.keys, &q.keys.sets
	switch req.Op {
	case model.OpClaim:
		return append(q.claimKeys(a), millis(req.Lease))
	case model.OpClaimBatch:
		return append(q.claimKeys(a), millis(req.Lease), limitOf(req))
	case model.OpPromote:
		return append(a, "3", s[pending], s[schedule], k.rows, limitOf(req))
	case model.OpReap:
		return append(a, "3", s[pending], s[active], k.rows, limitOf(req))
	case model.OpSweep:
		return append(a, "5", s[pending], s[active], s[dead], k.failed, k.rows, limitOf(req), strconv.Itoa(req.Max))
	case model.OpDrain:
		if req.All {
			return append(a, "3", k.rows, s[pending], s[schedule])
		}
		return append(a, "2", k.rows, s[pending])
	}
	panic("valkey: no script of " + req.Op.String())
}

// claimKeys appends the keys of both claims, and how many they are.
func (q *Queue) claimKeys(a []string) []string {
	k := &q.keys
	if q.scripts.mints {
		return append(a, "4", k.sets[pending], k.sets[active], k.rows, k.meta)
	}
	return append(a, "3", k.sets[pending], k.sets[active], k.rows)
}

func limitOf(req *model.Request) string {
	if req.Limit == 0 {
		return strconv.Itoa(batch)
	}
	return strconv.Itoa(req.Limit)
}

// epochMillis is an instant on the wire: whole milliseconds since 1970.
func epochMillis(t model.Time) string { return strconv.FormatInt(t.UnixMillis(), 10) }

// millis is a span as the wire has it: whole milliseconds, rounded down.
func millis(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

// classes are the error classes of the wire and the answers that they stand for.
var classes = []struct {
	word   string
	answer model.Answer
}{
	{"EMQKIND", model.WrongKind},
	{"EMQSTALE", model.Stale},
	{"EMQLOCK", model.Locked},
	{"EMQSTATE", model.NotDead},
}

// refusal puts an error reply into an answer.
func refusal(said error) model.Reply {
	word, _, _ := strings.Cut(said.Error(), " ")
	for _, c := range classes {
		if c.word == word {
			return model.Reply{Answer: c.answer}
		}
	}
	return unknown(said.Error())
}

// decode puts the answer of a script into the queue's own words. An error of
// another class than EchoMQ's is the server's about itself (it has no memory
// left, is a replica, is of a cluster, holds another type of key), and one that
// the script cannot give means that there is no such server: both fail the queue.
func (q *Queue) decode(now model.Time, req *model.Request, r any) model.Reply {
	if said, isError := r.(error); isError {
		if !strings.HasPrefix(said.Error(), "EMQ") {
			q.fail(fmt.Errorf("%s: the server answered %q", req.Op, said))
		}
		return refusal(said)
	}
	rep, ok := decode(now, req, r)
	if !ok {
		q.fail(surprise(req.Op, r))
	}
	return rep
}

func surprise(op model.Op, r any) error {
	return fmt.Errorf("%s: the server does not speak the protocol: %s", op, brief(r))
}

func decode(now model.Time, req *model.Request, r any) (model.Reply, bool) {
	switch req.Op {
	case model.OpClaim:
		return decodeClaim(now, req, r)
	case model.OpClaimBatch:
		return decodeBatch(now, req, r)
	case model.OpRetry:
		return decodeRetry(now, req, r)
	case model.OpSweep:
		return decodeSweep(r)
	}
	n, isNumber := r.(int64)
	if !isNumber {
		return model.Reply{}, false
	}
	return decodeNumber(now, req, n)
}

// decodeNumber reads the answers that are one number: a count, or whether it was
// done.
func decodeNumber(now model.Time, req *model.Request, n int64) (model.Reply, bool) {
	switch req.Op {
	case model.OpPromote, model.OpReap, model.OpDrain:
		return model.Reply{Answer: model.OK, Moved: int(n)}, n >= 0
	case model.OpEnqueue, model.OpEnqueueAt, model.OpEnqueueIn:
		if n == 0 {
			return model.Reply{Answer: model.Duplicate}, true
		}
	case model.OpComplete:
		if n == 0 {
			return model.Reply{Answer: model.Gone}, true
		}
	default:
		if n == -1 {
			return model.Reply{Answer: model.Gone}, true
		}
	}
	return accepted(now, req), n == 1
}

// accepted is the answer to a request that was carried out. The wire does not
// say until when: it follows from the clock that the request was given.
func accepted(now model.Time, req *model.Request) model.Reply {
	rep := model.Reply{Answer: model.OK}
	switch req.Op {
	case model.OpEnqueue:
		rep.Answer = model.Enqueued
	case model.OpEnqueueAt, model.OpDelayAt:
		rep.Answer, rep.Until = model.Scheduled, req.At.FloorMillis()
	case model.OpEnqueueIn, model.OpDelay, model.OpRetry:
		rep.Answer, rep.Until = model.Scheduled, now.Add(req.Delay).FloorMillis()
	case model.OpExtend:
		rep.Until = now.Add(req.Lease).FloorMillis()
	}
	return rep
}

func decodeRetry(now model.Time, req *model.Request, r any) (model.Reply, bool) {
	if r == "dead" {
		return model.Reply{Answer: model.DeadLettered}, true
	}
	return accepted(now, req), r == "scheduled"
}

func decodeSweep(r any) (model.Reply, bool) {
	counts := itemsOf(r)
	if len(counts) != 2 {
		return model.Reply{}, false
	}
	moved, ok := counts[0].(int64)
	dead, too := counts[1].(int64)
	return model.Reply{Answer: model.OK, Moved: int(moved), Dead: int(dead)}, ok && too
}

func decodeClaim(now model.Time, req *model.Request, r any) (model.Reply, bool) {
	if r == nil {
		return model.Reply{Answer: model.Empty}, true
	}
	g, ok := decodeGrant(now, req, r)
	return model.Reply{Answer: model.OK, Grant: g}, ok
}

func decodeBatch(now model.Time, req *model.Request, r any) (model.Reply, bool) {
	items, isList := r.([]any)
	if len(items) == 0 {
		return model.Reply{Answer: model.Empty}, isList
	}
	grants := make([]model.Grant, len(items))
	for i, item := range items {
		g, ok := decodeGrant(now, req, item)
		if !ok {
			return model.Reply{}, false
		}
		grants[i] = g
	}
	return model.Reply{Answer: model.OK, Batch: grants}, true
}

// decodeGrant reads {id, payload, token}; the payload is nil where there was no
// row.
func decodeGrant(now model.Time, req *model.Request, r any) (model.Grant, bool) {
	items := itemsOf(r)
	if len(items) != 3 {
		return model.Grant{}, false
	}
	id, err := model.ParseID(textOf(items[0]))
	payload, hasPayload := items[1].(string)
	token, isNumber := items[2].(int64)
	if err != nil || !isNumber || !hasPayload && items[1] != nil {
		return model.Grant{}, false
	}
	return model.Grant{
		Holding: model.Holding{ID: id, Token: model.Token(token)},
		Until:   now.Add(req.Lease).FloorMillis(),
		Payload: payload, Bare: !hasPayload,
	}, true
}
