package coverage

import "github.com/ackgap/ackgap/model"

// Fault is a kind of fault, as the rows of the map have it.
type Fault uint8

// The faults, in the order of the map.
const (
	Drop Fault = iota
	DropReply
	Delay // of a request or of a reply
	Duplicate
	Crash // of a worker, a producer or the pump
	Pause
	Stall
	Partition
	Clock
	ServerRestart // a crash of the queue
	Error         // the store refuses the effect
	FaultCount
)

var faultNames = [FaultCount]string{
	"drop", "drop-reply", "delay", "duplicate", "crash", "pause", "stall", "partition", "clock", "server-restart", "error",
}

// String returns the word that the map shows.
func (f Fault) String() string { return faultNames[f] }

// Phase is a phase of the protocol, as the columns of the map have it.
type Phase uint8

// The phases, in the order of the map.
const (
	Enqueue Phase = iota
	Claim
	ClaimReply
	Check
	Mark
	Apply
	Heartbeat
	Settle
	SettleReply
	Reap
	Promote
	Sweep
	PhaseCount
)

var phaseNames = [PhaseCount]string{
	"enqueue", "claim", "claim-reply", "check", "mark", "apply", "heartbeat", "settle", "settle-reply", "reap", "promote", "sweep",
}

// String returns the word that the map shows.
func (p Phase) String() string { return phaseNames[p] }

// Phases is a set of phases.
type Phases uint16

const (
	allPhases = Phases(1)<<PhaseCount - 1
	atStore   = Phases(1<<Check | 1<<Mark)
	ofPump    = Phases(1<<Reap | 1<<Promote | 1<<Sweep)
	replies   = Phases(1<<ClaimReply | 1<<SettleReply)
)

func setOf(p Phase) Phases { return 1 << p }

// Has reports whether p is in the set.
func (s Phases) Has(p Phase) bool { return s>>p&1 != 0 }

// impossible is the closed list of what cannot occur, and why. Everything else can.
var impossible = []struct {
	fault  Fault
	phases Phases
	why    string
}{
	{Drop, replies, "a lost answer is a drop-reply"},
	{Drop, atStore, "the store is beside the worker: there is no message"},
	{Drop, ofPump, "the pump is beside the queue: there is no message"},
	{DropReply, 1<<Claim | 1<<Settle, "the answer is claim-reply or settle-reply"},
	{DropReply, atStore, "the store is beside the worker: there is no message"},
	{DropReply, ofPump, "the pump is beside the queue: there is no message"},
	{Delay, atStore, "the store is beside the worker: there is no message"},
	{Delay, ofPump, "the pump is beside the queue: there is no message"},
	{Duplicate, replies, "only requests are doubled"},
	{Duplicate, atStore, "the store is beside the worker: there is no message"},
	{Duplicate, ofPump, "the pump is beside the queue: there is no message"},
	{Stall, allPhases &^ (1 << Heartbeat), "only a heartbeat stalls"},
	{Partition, atStore | 1<<Apply, "the store and the outside service are always within reach"},
	{Partition, ofPump, "the pump is beside the queue: there is no link to cut"},
	{Error, allPhases &^ (1 << Apply), "only an effect is refused"},
}

// Impossible returns why f never strikes at p, and "" where it can.
func Impossible(f Fault, p Phase) string {
	for _, i := range impossible {
		if i.fault == f && i.phases.Has(p) {
			return i.why
		}
	}
	return ""
}

// Cell is one place of the map.
type Cell struct {
	Fault  Fault
	Phase  Phase
	Broken bool // of worlds in which something broke, rather than of those that held
}

// Goals returns the cells that can occur, by fault, phase and verdict.
func Goals() (list []Cell) {
	for f := range FaultCount {
		for p := range PhaseCount {
			if Impossible(f, p) == "" {
				list = append(list, Cell{f, p, false}, Cell{f, p, true})
			}
		}
	}
	return list
}

// Verdict is how the worlds of the cell went: model.Held or model.Broken.
func (c Cell) Verdict() model.Value {
	if c.Broken {
		return model.Broken
	}
	return model.Held
}

// String returns the cell as messages name it: "clock at mark (broken)".
func (c Cell) String() string {
	return c.Fault.String() + " at " + c.Phase.String() + " (" + c.Verdict().String() + ")"
}
