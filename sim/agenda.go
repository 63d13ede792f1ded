package sim

import "github.com/ackgap/ackgap/model"

// class orders what happens at one instant.
type class uint64

const (
	byFault  class = iota // windows, clock steps, crashes, restarts, wakings
	injected              // from outside: `do` lines, in file order
	woken                 // what waited for a process that wakes at this instant
	ordinary              // all else, in order of scheduling
)

// what an entry of the agenda stands for.
type what uint8

const (
	aTimer what = iota
	aMessage
	aStep
	aControl
	whatCount
)

// entry is one thing to come: two words, ordered by (at, key).
type entry struct {
	at  model.Time
	key key
}

// key is, from the highest bits down: a class, a sequence that no other entry has and
// that therefore decides, and what the entry is about.
type key uint64

const (
	slotBits, whatBits, refBits, seqBits = 3, 2, 21, 36

	whatShift  = slotBits
	refShift   = whatShift + whatBits
	seqShift   = refShift + refBits
	classShift = seqShift + seqBits

	maxRef = 1<<refBits - 1
)

// about completes the key k of a class and a sequence. Ref is, for aMessage and
// aControl, their index, and the process otherwise; slot is, for aTimer, which, and
// for aStep the kind of input.
func (k key) about(w what, ref int32, slot uint8) key {
	return k | key(ref)<<refShift | key(w)<<whatShift | key(slot)
}

func (k key) what() what  { return what(k >> whatShift & (1<<whatBits - 1)) }
func (k key) ref() int32  { return int32(k >> refShift & maxRef) }
func (k key) slot() uint8 { return uint8(k & (1<<slotBits - 1)) }

// place is the index i as a ref.
func place(i int) int32 {
	if i > maxRef {
		panic("sim: a run cannot have more than 2,097,151 messages or faults on their way at once")
	}
	return int32(i)
}

func (e entry) before(o entry) bool {
	return e.at < o.at || e.at == o.at && e.key < o.key
}

// agenda is a priority queue of entries, of which those after the horizon never come. Most
// of what is scheduled comes in order already: steps of this instant, and messages over
// links of one latency. Each of these sorts has a run, a plain queue to which an entry is
// added when it is not before the last. All else is among few, while that has room, and else
// near, sorted. With more pending, what comes from the edge on is on the ladder, from which a
// bucket at a time comes among few or near. The first of all is the first of few or the lead.
type agenda struct {
	few               tournament
	near, steps, mail run
	lead              entry      // the first of the three runs; the edge stands for the ladder, where nothing is near
	edge              model.Time // what comes from it on is on the ladder, or never comes
	horizon           model.Time
	ladder            ladder
	fetch             func([]entry) // told what has come from the ladder; may be nil
}

func (a *agenda) reset(horizon model.Time) {
	a.few.reset()
	a.near.reset()
	a.steps.reset()
	a.mail.reset()
	a.ladder.reset()
	a.lead, a.edge, a.horizon = nothing, horizon+1, horizon
}

func (a *agenda) push(e entry) {
	switch {
	case e.key.what() == aStep && a.steps.fits(e):
		if a.steps.push(e) {
			a.lead = firstOf(a.lead, e)
		}
	case e.key.what() == aMessage && a.mail.fits(e):
		if a.mail.push(e) {
			a.lead = firstOf(a.lead, e)
		}
	default:
		a.add(e)
	}
}

// add is push for what comes in no order.
func (a *agenda) add(e entry) {
	if a.few.isTaken() && e.at < a.edge {
		a.few.replay(e)
		return
	}
	a.admit(e)
}

// admit is add for what does not take the seat of what was popped last, as it does in the
// step of a timer that is armed again.
func (a *agenda) admit(e entry) {
	switch {
	case e.at >= a.edge:
		if e.at <= a.horizon {
			a.climb(e)
		}
	case a.few.hasRoom():
		a.few.play(a.few.seat(), e)
	default:
		a.lead = firstOf(a.lead, e)
		if a.near.insert(e); len(a.near.list)-a.near.head > crowd {
			a.spill()
		}
	}
}

// climb puts e on the ladder.
func (a *agenda) climb(e entry) {
	if a.ladder.push(e); a.ladder.size == 1 {
		a.lead = firstOf(a.lead, a.first())
	}
}

// isFew reports whether it is plain that the first of all is among few: then few.pop takes it
// out. The kernel asks this itself, for a pop that asks would not be inlined.
func (a *agenda) isFew() bool { return a.few.ats[1] < a.lead.at }

// popAny takes the first of all out, wherever it is, or returns nothing.
func (a *agenda) popAny() entry {
	if a.few.isTaken() {
		a.few.leave()
	}
	for {
		switch {
		case a.few.first().before(a.lead):
			return a.few.pop()
		case a.lead.at > a.horizon:
			return nothing
		case a.lead.key != atEdge:
			return a.advance()
		}
		a.refill()
	}
}

// advance takes the lead out of its run.
func (a *agenda) advance() entry {
	e := a.lead
	switch e.key {
	case a.near.next.key:
		a.near.advance()
	case a.mail.next.key:
		a.mail.advance()
	default:
		a.steps.advance()
	}
	a.lead = firstOf(firstOf(a.first(), a.mail.next), a.steps.next)
	return e
}

// first returns the first that is near, or else the edge, if something is on the ladder.
func (a *agenda) first() entry {
	if len(a.near.list) == 0 && a.ladder.size > 0 {
		return entry{a.edge, atEdge}
	}
	return a.near.next
}

// atEdge is the key of what stands for the ladder: before those of all entries.
const atEdge key = 0

// scattered is how much has to be pending for it to pay to fetch what is next: with less,
// all that is fetched is in a cache that is near enough.
const scattered = 8192

// refill takes what comes next from the ladder, when nothing is near: among few as far as it
// has room, for only the rest has to be sorted.
func (a *agenda) refill() {
	list, end := a.ladder.next()
	a.edge = min(end, a.horizon+1)
	if a.fetch != nil && a.ladder.size > scattered {
		a.fetch(list)
	}
	if rest := a.few.fill(list); len(rest) > 0 {
		a.near.fill(rest)
	}
	a.lead = firstOf(firstOf(a.first(), a.mail.next), a.steps.next)
}

// spill moves what is near but comes last to the ladder, in whole instants. A crowd
// at the first instant stays.
func (a *agenda) spill() {
	list := a.near.list[a.near.head:]
	cut := len(list) / 2
	if list[cut].at == list[0].at {
		return
	}
	for list[cut-1].at == list[cut].at {
		cut--
	}
	a.ladder.put(list[cut:], a.edge)
	a.edge = list[cut].at
	a.near.list = a.near.list[:a.near.head+cut]
}

// run is a queue of entries in their order.
type run struct {
	next entry // the first, or nothing
	list []entry
	head int // where next stands; what lies before it is gone
}

// nothing comes after all entries, and is a control that there is not.
var nothing = entry{at: latest + 1, key: 1<<64 - 1}

func (r *run) reset() { r.next, r.list, r.head = nothing, r.list[:0], 0 }

// advance takes next out of a run that has one.
func (r *run) advance() {
	if r.head++; r.head < len(r.list) {
		r.next = r.list[r.head]
		return
	}
	r.reset()
}

func (r *run) fits(e entry) bool {
	n := len(r.list)
	return n == 0 || !e.before(r.list[n-1])
}

// push adds e behind the last, and reports whether there is none before it.
func (r *run) push(e entry) bool {
	r.grow(e)
	if len(r.list) == 1 {
		r.next = e
		return true
	}
	return false
}

// grow puts e at the end of the list. When that is full and more than half of it is
// gone, the room of what is gone is used again.
func (r *run) grow(e entry) {
	if len(r.list) == cap(r.list) && 2*r.head > len(r.list) {
		r.list = r.list[:copy(r.list, r.list[r.head:])]
		r.head = 0
	}
	r.list = append(r.list, e)
}

// fill puts a list, which is in no order, into a run without entries.
func (r *run) fill(list []entry) {
	r.list, r.head = append(r.list[:0], list...), 0
	sortEntries(r.list)
	r.next = r.list[0]
}

// insert puts e in its place, by moving the shorter side if there are many.
func (r *run) insert(e entry) {
	if n := len(r.list); n-r.head > crowd/2 && r.head > 0 && e.before(r.list[(r.head+n)/2]) {
		r.head--
		list := r.list[r.head:]
		i := 0
		for i+1 < len(list) && list[i+1].before(e) {
			list[i] = list[i+1]
			i++
		}
		list[i] = e
		r.next = list[0]
		return
	}
	r.grow(e)
	list := r.list[r.head:]
	i := len(list) - 1
	for ; i > 0; i-- {
		later := list[i-1]
		if !e.before(later) {
			break
		}
		list[i] = later
	}
	list[i] = e
	r.next = list[0]
}
