package exhaust

import (
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/sim/explore"
)

// deed is one action, taken apart.
type deed struct {
	what  what
	how   how
	who   uint8 // a worker
	job   uint8
	n     uint8 // arrive: which letter; jump: how many deadlines; lose: how many writes; act: which delivery
	op    model.Op
	place uint8 // where a new deadline or run-at stands
}

// what are the actions, in the order in which a state lists them.
type what uint8

const (
	doEnqueue what = iota
	doClaim        // a claim is served, and its worker told
	doStep         // a worker takes the next step of its consumer's program
	doSettle       // a worker's settlement is applied, and the worker told
	doBeat         // a worker's heartbeat is applied
	doReap
	doSweep
	doPromote
	doLapse   // the first lease that is not over comes to its end
	doEnd     // the lease of a delivery comes to its end whose job is no member of active
	doWake    // a worker that stood still goes on
	doRestart // a worker that crashed comes back
	doGiveUp  // a worker has waited long enough
	doArrive  // a late letter arrives
	doForget  // a marker is as old as it gets
	doCrash
	doPause
	doJump // the server's clock jumps past the next deadlines
	doLose // the queue crashes and forgets writes
	doAct  // somebody beside the workers speaks to the queue
)

// how is what befalls the message of an action.
type how uint8

const (
	fine how = iota
	dropped
	answerDropped
	late
	doubled
	refused
)

// What the number of a settlement says of heartbeats that are sent before its answer is
// there: none is, one comes right behind it, or they come as long as the answer is on its
// way, so that others speak between.
const (
	beatBehind    = 1
	beatsUnderWay = 2
)

// hows are the kinds that each how is; fine is none.
var hows = [...]Kinds{dropped: Drop, answerDropped: DropReply, late: Delay, doubled: Duplicate, refused: Refuse}

// code packs d into an action.
func (d deed) code() explore.Action {
	return explore.Action(d.what) | explore.Action(d.how)<<5 | explore.Action(d.who)<<8 | explore.Action(d.job)<<11 |
		explore.Action(d.n)<<14 | explore.Action(d.op)<<18 | explore.Action(d.place)<<23
}

// decode takes a apart.
func decode(a explore.Action) deed {
	return deed{
		what: what(a & 31), how: how(a >> 5 & 7), who: uint8(a >> 8 & 7), job: uint8(a >> 11 & 7),
		n: uint8(a >> 14 & 15), op: model.Op(a >> 18 & 31), place: uint8(a >> 23 & 15),
	}
}

// Cost returns whether a is a fault.
func (w *World) Cost(a explore.Action) int {
	d := decode(a)
	if d.how != fine || d.what >= doCrash {
		return 1
	}
	return 0
}
