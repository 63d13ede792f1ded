package exhaust

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/sim/explore"
)

// body is what a queue must be able to do to be explored.
type body interface {
	model.Queue
	model.Cloner
	model.StateAppender
	model.Renamer
	model.Toucher
}

// clocked is a queue that reads its clock for more than deadlines: its tokens follow
// it, and it refuses a token whose lease is over. Where instants are only an order
// it counts its tokens instead, which comes to the same: both rise with every claim.
// What a clock does beyond that it does when writes are forgotten, see outlast.
type clocked interface {
	Untimed() (q model.Queue, isClocked bool)
	Minted() model.Token // the last token that was given
	Outlast(model.Token) // from now on every token is above this one too
}

// queueState is one state of the real queue, and all that the world reads of it. It
// does not change once it is entered.
type queueState struct {
	number   uint64 // a hash of its bytes
	body     body
	bytes    []byte
	stands   [MaxJobs]model.Standing
	active   []uint8 // jobs by deadline
	schedule []uint8 // jobs by run-at
	first    int     // the job that a claim is to be served; -1 for none
	lowest   int     // the one of the smallest id in pending; -1 for none
	paused   bool
	lapse    model.Time // when a pump could first take a job from active
}

// edge is what one request did to the queue in one state.
type edge struct {
	to      uint64
	answer  model.Answer
	job     uint8 // claim: the one that was granted
	token   uint8 // claim: its token
	touched uint8 // the jobs whose row or sets it changed, as bits
	moved   bool  // a pump did something
	writes  bool  // something was changed that a crash may forget
	shorter bool  // extend: the deadline came before where it was
}

// ask is a request to a queue in which time is only an order.
type ask struct {
	op    model.Op
	job   uint8
	token uint8
	place uint8  // where the new deadline or run-at stands among those that are there
	max   uint8  // retry, sweep
	due   uint8  // settling verbs and extend, of a clocked queue: how many members of active are over their deadline
	perm  uint32 // renaming: by job, three bits each: its new place
}

// Renaming is no request: the queue goes on under other ids. Nor is outlasting: it
// knows of a token that it gave before it forgot.
const (
	renaming   = model.Op(31)
	outlasting = model.Op(30)
)

type edgeKey struct {
	from uint64
	ask  ask
}

// machine is the real queue as a table of states and edges, filled as they are
// asked for: a body is cloned and asked once for each, however often the world
// comes there. A fork reads the table of its original and keeps what is new for
// itself until it is joined.
type machine struct {
	original *machine // of a fork
	empty    body
	rule     timing
	clocked  bool
	ids      []model.ID // by job

	states    map[uint64]*queueState
	recent    [256]*queueState // those that were asked for last, by the lowest bits of their numbers
	edges     map[edgeKey]edge
	asked     []edgeKey     // of an original: its edges, in the order in which they were learned
	newStates []*queueState // of a fork: in the order in which they were entered
	newEdges  []newEdge
}

type newEdge struct {
	key  edgeKey
	edge edge
}

// Instants stand in this order: members of active and of schedule stand at steps of
// slot after start, so that there is room between any two.
const (
	start = model.Time(time.Hour)
	slot  = model.Time(4 * time.Millisecond)
)

func newMachine(q model.Queue, rule timing, jobs int) (*machine, error) {
	b, ok := q.(body)
	if !ok {
		return nil, errors.New("the queue cannot be explored: it must tell what it touches, and be able to clone, " +
			"encode and rename its state (see model.Cloner, model.StateAppender and model.Renamer)")
	}
	isClocked := false
	if c, ok := q.(clocked); ok {
		if q, isClocked = c.Untimed(); isClocked {
			b = q.(body)
		}
	}
	m := &machine{empty: b, rule: rule, clocked: isClocked, states: map[uint64]*queueState{}, edges: map[edgeKey]edge{}}
	mint := model.Mint{NS: model.JOB, Node: 1}
	for range jobs {
		m.ids = append(m.ids, mint.Next(0))
	}
	m.probe()
	return m, m.refuseSpans()
}

func (m *machine) fork() *machine {
	f := *m
	f.original, f.states, f.edges = m, map[uint64]*queueState{}, map[edgeKey]edge{}
	f.newStates, f.newEdges = nil, nil
	return &f
}

// join takes over what f has learned. What two forks learned, both learned alike.
func (m *machine) join(f *machine) {
	for _, s := range f.newStates {
		m.states[s.number] = s
	}
	for _, e := range f.newEdges {
		if _, ok := m.edges[e.key]; !ok {
			m.asked = append(m.asked, e.key)
		}
		m.edges[e.key] = e.edge
	}
	f.newStates, f.newEdges = f.newStates[:0], f.newEdges[:0]
	clear(f.states)
	clear(f.edges)
}

// initial enters the empty queue.
func (m *machine) initial() uint64 {
	return m.enter(&queueState{}, m.empty.Clone().(body))
}

// state returns the state with that number, which must have been entered.
func (m *machine) state(number uint64) *queueState {
	recent := &m.recent[number%uint64(len(m.recent))]
	if *recent == nil || (*recent).number != number {
		*recent = m.known(number)
	}
	return *recent
}

// known returns the state with that number, nil if it was not entered.
func (m *machine) known(number uint64) *queueState {
	if m.original != nil {
		if s := m.original.states[number]; s != nil {
			return s
		}
	}
	return m.states[number]
}

// edge returns what a does in the state from.
func (m *machine) edge(from uint64, a ask) edge {
	key := edgeKey{from, a}
	if m.original != nil {
		if e, ok := m.original.edges[key]; ok {
			return e
		}
	}
	e, ok := m.edges[key]
	if !ok {
		switch a.op {
		case renaming:
			e = m.renamed(m.state(from), a.perm)
		case outlasting:
			e = m.outlasted(m.state(from), model.Token(a.token))
		default:
			e = m.apply(m.state(from), a)
		}
		m.edges[key] = e
		if m.original != nil {
			m.newEdges = append(m.newEdges, newEdge{key, e})
		} else {
			m.asked = append(m.asked, key)
		}
	}
	return e
}

// apply asks a clone of the body.
func (m *machine) apply(from *queueState, a ask) edge {
	q := from.body.Clone().(body)
	now, req := m.request(from, a)
	next := *from
	if m.clocked && (a.op.Settles() || a.op == model.OpExtend) {
		m.lapse(q, &next, now, a)
	}
	reply := q.Apply(now, req)
	if reply.Answer == model.UnknownAnswer {
		panic("exhaust: the queue does not know a request of the world: " + reply.Err)
	}
	next.paused = a.op == model.OpPause || a.op != model.OpResume && from.paused
	e := edge{answer: reply.Answer, moved: reply.Moved+reply.Dead > 0}
	for _, t := range q.Touched() {
		j := m.jobOf(t.ID)
		next.stands[j] = t.After
		e.touched |= 1 << j
	}
	e.writes = e.touched != 0 || next.paused != from.paused
	if a.op == model.OpClaim && reply.Answer == model.OK {
		e.job, e.token = uint8(m.jobOf(reply.ID)), small(int64(reply.Token))
	}
	if a.op == model.OpExtend && reply.Answer == model.OK {
		e.shorter = reply.Until < from.stands[a.job].Deadline
	}
	e.to = m.enter(&next, q)
	return e
}

// lapse moves the deadlines of q, and of next, which says where they are, around now:
// the first of them are over, and the others are not.
func (m *machine) lapse(q body, next *queueState, now model.Time, a ask) {
	later := time.Duration(0)
	if a.op != model.OpExtend {
		later = time.Hour // a run-at stands among run-ats, and is no later than now by any step of slot
	}
	moved := func(t model.Time) model.Time {
		if i := (t - start) / slot; i < model.Time(a.due) {
			return now - slot*(model.Time(a.due)-i)
		}
		return t.Add(later)
	}
	same := func(t model.Time) model.Time { return t }
	q.Rename(func(id model.ID) model.ID { return id }, moved, same)
	for _, j := range next.active {
		next.stands[j].Deadline = moved(next.stands[j].Deadline)
	}
}

// outlast returns the state that a queue comes to which forgets all since from, and
// was in the state last: its clock goes on, so that its tokens do.
func (m *machine) outlast(from, last uint64) uint64 {
	if !m.clocked {
		return from
	}
	given := m.state(last).body.(clocked).Minted()
	return m.edge(from, ask{op: outlasting, token: small(int64(given))}).to
}

func (m *machine) outlasted(from *queueState, given model.Token) edge {
	next, q := *from, from.body.Clone().(body)
	q.(clocked).Outlast(given)
	return edge{to: m.enter(&next, q)}
}

// renamed gives each job the id of its new place.
func (m *machine) renamed(from *queueState, perm uint32) edge {
	next := *from
	for j := range m.ids {
		next.stands[perm>>(3*j)&7] = from.stands[j]
	}
	q := from.body.Clone().(body)
	same := func(t model.Time) model.Time { return t }
	q.Rename(func(id model.ID) model.ID { return m.ids[perm>>(3*m.jobOf(id))&7] }, same, same)
	return edge{to: m.enter(&next, q)}
}

// maxToken is the highest token that a state has room for.
const maxToken = 15

func small(n int64) uint8 {
	if n < 0 || n > maxToken {
		panic(fmt.Sprintf("exhaust: a token is %d, and a state has room for 0 to %d", n, maxToken))
	}
	return uint8(n)
}

func (m *machine) jobOf(id model.ID) int {
	j := slices.Index(m.ids, id)
	if j < 0 {
		panic("exhaust: the queue touched an id that nobody minted")
	}
	return j
}

// request puts a into the queue's own words. The instant is chosen so that what is
// computed from it stands in its place: a pump comes at the deadline of the first
// member, and everything that is leased or postponed stands between those that it
// is to stand between.
func (m *machine) request(from *queueState, a ask) (model.Time, model.Request) {
	req := model.Request{Op: a.op, Token: model.Token(a.token), Max: int(a.max)}
	at := start + slot*model.Time(a.place) - slot/2
	switch a.op {
	case model.OpClaim:
		req.Lease = m.rule.lease
		return at.Add(-m.rule.lease), req
	case model.OpExtend:
		req.ID, req.Lease = m.ids[a.job], m.rule.lease
		return at.Add(-m.rule.granted), req
	case model.OpReap, model.OpSweep:
		req.Limit = 1
		return from.lapse, req
	case model.OpPromote:
		req.Limit = 1
		return start, req
	case model.OpRetry, model.OpDelay:
		req.ID, req.Delay = m.ids[a.job], m.rule.retryDelay
	case model.OpEnqueueIn:
		req.ID, req.Delay = m.ids[a.job], m.rule.delays[a.job]
	case model.OpPause, model.OpResume, model.OpDrain, model.OpReadPause:
	default:
		req.ID = m.ids[a.job]
	}
	return at.Add(-req.Delay), req
}

// enter gives the instants of q their canonical names and returns the number of its
// state, of which next says what is known already.
func (m *machine) enter(next *queueState, q body) uint64 {
	next.active = m.ordered(next, model.InActive, func(s *model.Standing) *model.Time { return &s.Deadline })
	next.schedule = m.ordered(next, model.InSchedule, func(s *model.Standing) *model.Time { return &s.RunAt })
	q.Rename(func(id model.ID) model.ID { return id },
		m.rename(next, next.active, func(s *model.Standing) *model.Time { return &s.Deadline }),
		m.rename(next, next.schedule, func(s *model.Standing) *model.Time { return &s.RunAt }))
	next.body, next.bytes = q, q.AppendState(nil)
	next.number = explore.Fingerprint(next.bytes)
	if known := m.known(next.number); known != nil {
		if !bytes.Equal(known.bytes, next.bytes) {
			panic("exhaust: two states of the queue have one fingerprint")
		}
		return next.number
	}
	next.lowest = slices.IndexFunc(next.stands[:], func(s model.Standing) bool { return s.Sets&model.InPending != 0 })
	next.first = next.lowest
	if p, ok := q.(model.Peeker); ok {
		if id, ok := p.Peek(start); ok {
			next.first = m.jobOf(id) // who is served first is the queue's own choice
		}
	}
	next.lapse = start
	if d, ok := q.(model.Duer); ok {
		next.lapse, _ = d.NextDue()
	}
	kept := *next
	m.states[kept.number] = &kept
	if m.original != nil {
		m.newStates = append(m.newStates, &kept)
	}
	return kept.number
}

// ordered lists the jobs in a set by their score.
func (m *machine) ordered(s *queueState, set model.Sets, score func(*model.Standing) *model.Time) []uint8 {
	var list []uint8
	for j := range m.ids {
		if s.stands[j].Sets&set != 0 {
			list = append(list, uint8(j))
		}
	}
	slices.SortStableFunc(list, func(a, b uint8) int {
		return int(*score(&s.stands[a]) - *score(&s.stands[b]))
	})
	return list
}

// rename gives the scores of the jobs in list their canonical names, and returns
// the function that does so.
func (m *machine) rename(s *queueState, list []uint8, score func(*model.Standing) *model.Time) func(model.Time) model.Time {
	old := make([]model.Time, len(list))
	for i, j := range list {
		old[i] = *score(&s.stands[j])
		*score(&s.stands[j]) = start + slot*model.Time(i)
	}
	return func(t model.Time) model.Time { return start + slot*model.Time(slices.Index(old, t)) }
}
