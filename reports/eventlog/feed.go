package eventlog

import (
	"errors"
	"math"
	"time"

	"github.com/ackgap/ackgap/model"
)

// feed gives the names of a log their numbers and the judge its events.
type feed struct {
	*header
	doubts   *doubts
	holes    *holes
	judge    *model.Judge
	ledger   *model.Ledger
	remember int64

	procs  map[string]model.Proc
	jobs   map[string]model.Job
	about  []jobInfo   // by Job
	free   []model.Job // numbers to be given again
	gone   filter
	minted uint64 // the last id that was made for a job without one
	fixed  int    // jobs of the header, which keep their numbers

	isTimed bool
	crowded bool       // there are more names of processes than numbers
	clock   model.Time // the highest that the queue's clock showed since it was set
	skew    model.Time // how far it was set off
	count   int64      // events judged
	told    int64      // jobs that the log tells of besides those of its header
	speaks  bool       // some event is about a job
	forgot  int64      // jobs whose records were let go
	sum     uint64     // of the lines so far
	ended   bool
	isCut   bool // the end came before quiet
}

// jobInfo is what is known of a job besides the ledger.
type jobInfo struct {
	id     model.ID   // under which the queue knows it
	spoken int64      // the last event about it
	at     model.Time // of the queue's last event about it
	queued bool       // there was one

	made, several bool // the id was made here; there was another one before
}

func newFeed(h *header, o *Options, d *doubts) *feed {
	f := &feed{
		header: h, doubts: d, clock: math.MinInt64, holes: &holes{}, remember: int64(o.Remember),
		procs: make(map[string]model.Proc), jobs: make(map[string]model.Job),
		about: make([]jobInfo, len(h.names.Jobs)), fixed: len(h.names.Jobs),
	}
	for i, name := range h.names.Procs[1:] {
		f.procs[name] = model.Proc(i + 1)
	}
	for i, name := range h.names.Jobs[1:] {
		f.jobs[name] = model.Job(i + 1)
	}
	facts := h.facts
	facts.SeesClaims, facts.TokensCount = h.seesClaims(), h.attempts
	facts.Toucher, facts.Queue, facts.Pump = h.touches, f.proc([]byte(h.queue)), f.proc([]byte(h.pump))
	for i, name := range h.workers {
		facts.Workers[i].Proc = f.proc([]byte(name))
	}
	if !h.crew {
		facts.Workers = []model.WorkerFacts{{}} // somebody works, as no-loss and drains must know
	}
	f.judge = model.NewJudge(facts, model.Properties())
	f.ledger = f.judge.Ledger()
	return f
}

// proc returns the number of a process. Where there are more names than numbers,
// the rest share one.
func (f *feed) proc(name []byte) model.Proc {
	p, ok := f.procs[string(name)]
	switch {
	case ok || len(name) == 0:
		return p
	case len(f.names.Procs) > math.MaxInt16-1:
		name, f.crowded = []byte("(others)"), true
		if p, ok = f.procs[string(name)]; ok {
			return p
		}
	}
	p = model.Proc(len(f.names.Procs))
	f.names.Procs = append(f.names.Procs, string(name))
	f.procs[string(name)] = p
	return p
}

// job returns the number of the job that r is about.
func (f *feed) job(r *record) model.Job {
	j, ok := f.jobs[string(r.job)]
	if ok || len(r.job) == 0 {
		return j
	}
	name := string(r.job)
	if f.gone.has(name) {
		f.doubts.note(comeback, r.line)
	}
	f.told++
	if n := len(f.free); n > 0 {
		j, f.free = f.free[n-1], f.free[:n-1]
		f.names.Jobs[j], f.about[j] = name, jobInfo{}
	} else {
		j = model.Job(len(f.names.Jobs))
		f.names.Jobs, f.about = append(f.names.Jobs, name), append(f.about, jobInfo{})
	}
	f.jobs[name] = j
	return j
}

// observe judges the event that r tells.
func (f *feed) observe(r *record) error {
	if f.ended {
		return &Error{Line: r.line, Err: errors.New("it stands behind the end of the log; ended must be the last event")}
	}
	if len(r.touched) > 0 && !f.touches {
		return &Error{Line: r.line, Err: &fieldError{"touched", errors.New(`the header does not say "touches": true, so that it would not be judged; say so, and tell them in every event of the queue`)}}
	}
	e := r.event
	e.Seq, e.Proc, e.Peer, e.Job = int32(r.seq), f.proc(r.worker), f.proc(r.peer), f.job(r)
	if r.seq == 0 {
		e.Seq = int32(r.ord)
	}
	f.count++
	f.sum = addLine(f.sum, r.hash)
	f.name(r, &e)
	f.tellTies(r, &e)
	f.readClock(r, &e)
	f.fill(r, &e)
	if f.ended = e.Kind == model.Ended; f.ended {
		f.isCut = e.Cause != model.Quiet
		f.checkEnd(r)
	}
	f.judge.Observe(&e, r.touched)
	if e.Kind == model.Restarted && f.queue != "" && e.Proc == f.procs[f.queue] {
		f.ledger.SetPaused(e.Answer == model.QueuePaused) // a forgotten pause is in no touch
	}
	if f.count%f.remember == 0 {
		f.forget()
	}
	return nil
}

// name gives e the id of its job, where the properties ask for one. A job that is
// never told with an id gets one of its own. An id that is not always told, or that two
// jobs share, would tear a job apart: that is noted.
func (f *feed) name(r *record, e *model.Event) {
	if e.Job == model.NoJob {
		return
	}
	info := &f.about[e.Job]
	info.spoken, f.speaks = f.count, true
	if !e.ID.IsZero() {
		owner := f.ledger.JobOf(e.ID)
		if info.made || owner != model.NoJob && owner != e.Job {
			f.doubts.note(oddID, r.line)
		}
		info.several = info.several || !info.id.IsZero() && info.id != e.ID
		info.id = e.ID
		return
	}
	if e.Kind != model.Applied && e.Kind != model.Admitted {
		return
	}
	if info.id.IsZero() && !f.touches {
		f.minted++
		info.id, info.made = model.ID{NS: [3]byte{'L', 'O', 'G'}, Value: f.minted}, true
	}
	if e.ID = info.id; e.ID.IsZero() || info.several {
		f.doubts.note(oddID, r.line)
	}
}

// tellTies notes when only the place in the file says which of two events of the
// queue about one job was first.
func (f *feed) tellTies(r *record, e *model.Event) {
	if !f.isTimed || e.Job == model.NoJob || e.Kind != model.Applied {
		return
	}
	info := &f.about[e.Job]
	if info.queued && info.at == e.At {
		f.doubts.note(tie, r.line)
	}
	info.queued, info.at = true, e.At
}

// readClock notes when the queue's clock goes back though no line sets it, or cannot be
// one: the deadlines of leases cannot be held against it then.
func (f *feed) readClock(r *record, e *model.Event) {
	if e.Kind == model.ClockSet && f.queue != "" && e.Proc == f.procs[f.queue] {
		f.clock, f.skew = math.MinInt64, model.Time(e.Skew)
	}
	if e.Kind != model.Applied {
		return
	}
	if r.known.has(hasServer) {
		shows, off := e.Server, e.Server-e.At-f.skew
		if shows == model.Never || shows == 0 && off <= -model.Time(time.Second) || off < -maxClockOff || off > maxClockOff {
			f.doubts.note(oddClock, r.line)
		}
	}
	if e.Server < f.clock {
		f.holes.note(holeClock, r.line)
	}
	f.clock = max(f.clock, e.Server)
}

// maxClockOff is how far the queue's clock may be from the time of the log.
const maxClockOff = model.Time(24 * time.Hour)

// checkEnd holds the log against what its last event says of it.
func (f *feed) checkEnd(r *record) {
	if r.known.has(hasCount) && int64(r.count) != f.count-1 {
		f.doubts.say("the ended line counts %d events before it, and there are %d", r.count, f.count-1)
	}
	if f.header.digest && !r.known.has(hasDigest) {
		f.doubts.forged = true
		f.doubts.say("the ended line has no digest, and the header says that it has one")
	} else if f.doubts.forged = r.known.has(hasDigest) && r.digest != f.sum; f.doubts.forged {
		f.doubts.say("the lines are not those that were written: their digest is %s, and the ended line says %s", model.Digest(f.sum), model.Digest(r.digest))
	}
	switch {
	case f.partial:
		f.doubts.say("the header says \"complete\": false, so that some events may be missing")
	case !f.isTimed:
	case !f.vouched:
		f.doubts.say("the events have no seq, and the header does not say \"complete\": true, so that nobody knows whether some are missing")
	case !r.known.has(hasCount):
		f.doubts.say("the events have no seq, and the ended line does not count them (events), so that nobody knows whether some are missing")
	}
}

// forget lets the jobs go that have ended and were not spoken of for a while. What
// somebody must still be shown stays: the jobs of the header and of a verdict, and a
// completed job without an effect, of which no-loss will ask.
func (f *feed) forget() {
	stay := make(map[model.Job]bool)
	for _, v := range f.judge.Verdicts() {
		stay[v.Witness.Job] = true
		for i := range v.Witness.Events {
			stay[v.Witness.Events[i].Job] = true
		}
	}
	needEffect := f.records.has(findKind("applied"))
	var old []model.Job
	for j := model.Job(f.fixed); int(j) < len(f.about); j++ {
		isOld := f.about[j].spoken > 0 && f.count-f.about[j].spoken >= f.remember
		if isOld && !stay[j] && (!needEffect || f.ledger.Effects(j) > 0 || f.ledger.State(j) == model.StateDead) {
			old = append(old, j)
		}
	}
	for _, j := range f.ledger.Forget(old) {
		f.gone.add(f.names.Jobs[j])
		delete(f.jobs, f.names.Jobs[j])
		f.names.Jobs[j], f.about[j] = "", jobInfo{}
		f.free = append(f.free, j)
		f.forgot++
	}
}

// closeUp ends a log that has no end of its own, so that what asks for the end is
// asked.
func (f *feed) closeUp() {
	if f.crowded {
		f.doubts.say("there are more than %d processes, and the last of them were taken for one", math.MaxInt16-1)
	}
	if f.ended {
		return
	}
	f.doubts.say("no ended line: the log is cut, or it still goes on")
	f.isCut = true
	f.judge.Observe(&model.Event{Kind: model.Ended, Cause: model.Horizon, Seq: int32(f.count + 1)}, nil)
}

// jobCount returns how many jobs the log tells of, those of the header too.
func (f *feed) jobCount() int64 { return f.told + int64(f.fixed) - 1 }
