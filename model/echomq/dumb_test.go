package echomq_test

import (
	"maps"
	"slices"
	"strconv"

	"github.com/ackgap/ackgap/model"
)

// dumb is EchoMQ's flat queue written a second time, from the description of its
// scripts: a keyspace of maps and strings, sorted on each call. It shares no code
// with the machine under test and cares for nothing but being obviously right.
type dumb struct {
	rows              map[string]map[string]string
	sets              map[string]map[string]int64 // set, id: score in Unix milliseconds
	paused            bool
	completed, failed int
	touched           []string // ids in the order of their changes
}

func newDumb() *dumb {
	return &dumb{
		rows: map[string]map[string]string{},
		sets: map[string]map[string]int64{"pending": {}, "active": {}, "schedule": {}, "dead": {}},
	}
}

// The commands of the server, each of which notes the id.

func (d *dumb) hset(id, field, value string) {
	d.touched = append(d.touched, id)
	if d.rows[id] == nil {
		d.rows[id] = map[string]string{}
	}
	d.rows[id][field] = value
}

func (d *dumb) hincr(id, field string) int {
	n, _ := strconv.Atoi(d.rows[id][field])
	d.hset(id, field, strconv.Itoa(n+1))
	return n + 1
}

func (d *dumb) hdel(id, field string) {
	d.touched = append(d.touched, id)
	delete(d.rows[id], field)
}

func (d *dumb) del(id string) {
	d.touched = append(d.touched, id)
	delete(d.rows, id)
}

func (d *dumb) zadd(set, id string, score int64) {
	d.touched = append(d.touched, id)
	d.sets[set][id] = score
}

func (d *dumb) zrem(set, id string) bool {
	_, was := d.sets[set][id]
	d.touched = append(d.touched, id)
	delete(d.sets[set], id)
	return was
}

// zrange lists a set by (score, id).
func (d *dumb) zrange(set string) []string {
	ids := slices.Collect(maps.Keys(d.sets[set]))
	slices.SortFunc(ids, func(a, b string) int {
		if d.sets[set][a] != d.sets[set][b] {
			return int(d.sets[set][a] - d.sets[set][b])
		}
		if a < b {
			return -1
		}
		return 1
	})
	return ids
}

// due lists at most limit members whose score is not above now.
func (d *dumb) due(set string, now int64, limit int) []string {
	if limit == 0 {
		limit = 100
	}
	var ids []string
	for _, id := range d.zrange(set) {
		if d.sets[set][id] <= now && len(ids) < limit {
			ids = append(ids, id)
		}
	}
	return ids
}

// unixMillis and instant are the way there and back between virtual time and
// the server's clock.
func unixMillis(t int64) int64 {
	ms := t / 1_000_000
	if t%1_000_000 < 0 {
		ms--
	}
	return 1735689600000 + ms
}

func instant(ms int64) model.Time { return model.Time((ms - 1735689600000) * 1_000_000) }

// apply carries out any verb of the flat queue, but for the checks of the host.
func (d *dumb) apply(at model.Time, r model.Request) model.Reply {
	d.touched = nil
	now := unixMillis(int64(at))
	lease := unixMillis(int64(instant(now)) + int64(r.Lease))
	delay := unixMillis(int64(instant(now)) + int64(r.Delay))
	given := unixMillis(int64(r.At))
	id := r.ID.String()
	switch r.Op {
	case model.OpEnqueue:
		return d.enqueue(id, r.Payload, "pending", "pending", 0)
	case model.OpEnqueueAt:
		return d.enqueue(id, r.Payload, "scheduled", "schedule", given)
	case model.OpEnqueueIn:
		return d.enqueue(id, r.Payload, "scheduled", "schedule", delay)
	case model.OpClaim:
		grants := d.claim(1, lease)
		if len(grants) == 0 {
			return model.Reply{Answer: model.Empty}
		}
		return model.Reply{Answer: model.OK, Grant: grants[0]}
	case model.OpClaimBatch:
		n := r.Limit
		if n == 0 {
			n = 100
		}
		grants := d.claim(n, lease)
		if len(grants) == 0 {
			return model.Reply{Answer: model.Empty}
		}
		return model.Reply{Answer: model.OK, Batch: grants}
	case model.OpComplete:
		return d.complete(id, r.Token)
	case model.OpRetry:
		return d.retry(id, r.Token, delay, r.Max, r.Error)
	case model.OpDelay:
		return d.delay(id, r.Token, delay)
	case model.OpDelayAt:
		return d.delay(id, r.Token, given)
	case model.OpExtend:
		a, until := d.extend(id, r.Token, lease)
		return model.Reply{Answer: a, Grant: model.Grant{Until: until}}
	case model.OpExtendBatch:
		reply := model.Reply{Answer: model.OK}
		for _, h := range r.Batch {
			if a, _ := d.extend(h.ID.String(), h.Token, lease); a != model.OK {
				reply.Batch = append(reply.Batch, model.Grant{Holding: h})
			}
		}
		return reply
	case model.OpPromote:
		return d.moveDue("schedule", now, r.Limit)
	case model.OpReap:
		return d.moveDue("active", now, r.Limit)
	case model.OpSweep:
		return d.sweep(now, r.Max, r.Limit)
	default:
		return d.operate(id, r)
	}
}

func (d *dumb) enqueue(id, payload, state, set string, score int64) model.Reply {
	if id[:3] != "JOB" {
		return model.Reply{Answer: model.WrongKind}
	}
	if _, stands := d.rows[id]; stands {
		return model.Reply{Answer: model.Duplicate}
	}
	d.hset(id, "state", state)
	d.hset(id, "attempts", "0")
	d.hset(id, "payload", payload)
	d.zadd(set, id, score)
	if set == "schedule" {
		return model.Reply{Answer: model.Scheduled, Grant: model.Grant{Until: instant(score)}}
	}
	return model.Reply{Answer: model.Enqueued}
}

func (d *dumb) claim(n int, until int64) []model.Grant {
	var grants []model.Grant
	for _, id := range d.zrange("pending") {
		if len(grants) == n {
			break
		}
		d.zrem("pending", id)
		token := d.hincr(id, "attempts")
		d.hset(id, "state", "active")
		d.zadd("active", id, until)
		payload, there := d.rows[id]["payload"]
		parsed, err := model.ParseID(id)
		if err != nil {
			panic(err)
		}
		grants = append(grants, model.Grant{
			Holding: model.Holding{ID: parsed, Token: model.Token(token)},
			Until:   instant(until), Payload: payload, Bare: !there,
		})
	}
	return grants
}

// fence answers gone if the row has no attempts, stale if they are others.
func (d *dumb) fence(id string, token model.Token) model.Answer {
	attempts, there := d.rows[id]["attempts"]
	if !there {
		return model.Gone
	}
	if attempts != strconv.FormatInt(int64(token), 10) {
		return model.Stale
	}
	return model.OK
}

func (d *dumb) complete(id string, token model.Token) model.Reply {
	if a := d.fence(id, token); a != model.OK {
		return model.Reply{Answer: a}
	}
	if !d.zrem("active", id) {
		d.zrem("pending", id)
	}
	d.del(id)
	d.completed++
	return model.Reply{Answer: model.OK}
}

func (d *dumb) retry(id string, token model.Token, at int64, most int, text string) model.Reply {
	if d.fence(id, token) != model.OK {
		return model.Reply{Answer: model.Stale}
	}
	if !d.zrem("active", id) {
		d.zrem("pending", id)
	}
	d.hset(id, "last_error", text)
	if int(token) >= most {
		d.hset(id, "state", "dead")
		d.zadd("dead", id, 0)
		d.failed++
		return model.Reply{Answer: model.DeadLettered}
	}
	d.hset(id, "state", "scheduled")
	d.zadd("schedule", id, at)
	return model.Reply{Answer: model.Scheduled, Grant: model.Grant{Until: instant(at)}}
}

func (d *dumb) delay(id string, token model.Token, at int64) model.Reply {
	if id[:3] != "JOB" {
		return model.Reply{Answer: model.WrongKind}
	}
	if _, stands := d.rows[id]; !stands {
		return model.Reply{Answer: model.Gone}
	}
	if d.fence(id, token) != model.OK {
		return model.Reply{Answer: model.Stale}
	}
	d.zrem("active", id)
	d.hset(id, "state", "scheduled")
	d.zadd("schedule", id, at)
	return model.Reply{Answer: model.Scheduled, Grant: model.Grant{Until: instant(at)}}
}

func (d *dumb) extend(id string, token model.Token, until int64) (model.Answer, model.Time) {
	if a := d.fence(id, token); a != model.OK {
		return a, 0
	}
	d.zadd("active", id, until)
	return model.OK, instant(until)
}

func (d *dumb) moveDue(set string, now int64, limit int) model.Reply {
	ids := d.due(set, now, limit)
	for _, id := range ids {
		d.zrem(set, id)
		d.zadd("pending", id, 0)
		d.hset(id, "state", "pending")
	}
	return model.Reply{Answer: model.OK, Moved: len(ids)}
}

func (d *dumb) sweep(now int64, most, limit int) model.Reply {
	reply := model.Reply{Answer: model.OK}
	for _, id := range d.due("active", now, limit) {
		d.zrem("active", id)
		if d.hincr(id, "stalled") >= most {
			d.hset(id, "state", "dead")
			d.hset(id, "last_error", "stalled")
			d.zadd("dead", id, 0)
			d.failed++
			reply.Dead++
			continue
		}
		d.zadd("pending", id, 0)
		d.hset(id, "state", "pending")
		reply.Moved++
	}
	return reply
}

func (d *dumb) operate(id string, r model.Request) model.Reply {
	_, stands := d.rows[id]
	switch r.Op {
	case model.OpRemove:
		if !stands {
			return model.Reply{Answer: model.Gone}
		}
		for _, set := range []string{"pending", "active", "schedule", "dead"} {
			d.zrem(set, id)
		}
		d.del(id)
	case model.OpReprocess:
		if !stands {
			return model.Reply{Answer: model.Gone}
		}
		if _, in := d.sets["dead"][id]; !in {
			return model.Reply{Answer: model.NotDead}
		}
		d.zrem("dead", id)
		d.hdel(id, "last_error")
		d.hset(id, "state", "pending")
		d.zadd("pending", id, 0)
	case model.OpUpdateData:
		if !stands {
			return model.Reply{Answer: model.Gone}
		}
		d.hset(id, "payload", r.Payload)
	case model.OpPause:
		d.paused = true
	case model.OpResume:
		d.paused = false
	case model.OpReadPause:
		if d.paused {
			return model.Reply{Answer: model.QueuePaused}
		}
	case model.OpDrain:
		return model.Reply{Answer: model.OK, Moved: d.drain(r.All)}
	default:
		panic("dumb: " + r.Op.String())
	}
	return model.Reply{Answer: model.OK}
}

func (d *dumb) drain(all bool) int {
	sets := []string{"pending"}
	if all {
		sets = append(sets, "schedule")
	}
	n := 0
	for _, set := range sets {
		for _, id := range d.zrange(set) {
			d.del(id)
			d.zrem(set, id)
			n++
		}
	}
	return n
}
