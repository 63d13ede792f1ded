package reports

import (
	"slices"

	"github.com/ackgap/ackgap/model"
)

// change is what an event made of one thing that a reader may follow: a job in the
// queue, what the outside world holds of it, or a process.
type change struct {
	seq     int32
	job     model.Job // NoJob where it is of a process
	of      string    // "J1 in the queue", "w1"; safe
	was, is string
}

// subject is a job, or the process of that name.
type subject struct {
	job  model.Job
	proc string
}

// about is what c changed something of. All things of one job are followed, or none: of
// a job that is seen to be completed nobody shall miss the effects.
func (c *change) about() subject {
	if c.job != model.NoJob {
		return subject{job: c.job}
	}
	return subject{proc: c.of}
}

// thing is what a reader may follow, and what it is at the start.
type thing struct{ of, is string }

// thingsOf lists what can be followed through changes, in an order that does not depend
// on them: who has a lifeline, also where nothing happens to him, then job by job.
func thingsOf(h *model.History, lanes []lane, changes [][]change) []thing {
	starts := map[string]string{}
	for _, list := range changes {
		for _, c := range list {
			if _, isKnown := starts[c.of]; !isKnown {
				starts[c.of] = c.was
			}
		}
	}
	var all []thing
	add := func(of string) {
		if is, isKnown := starts[of]; isKnown {
			all = append(all, thing{of, is})
			delete(starts, of)
		}
	}
	for _, l := range lanes {
		if _, isKnown := starts[l.title]; !isKnown && l.at != atQueue && l.at != atStore {
			starts[l.title] = atWork
		}
		add(l.title)
	}
	names := labels(&h.Names)
	for _, name := range names.Procs {
		add(name)
	}
	for _, name := range names.Jobs {
		if _, isFollowed := starts[inQueue(name)]; isFollowed && starts[effectsOf(name)] == "" && hasWorkers(h) {
			starts[effectsOf(name)] = "0" // which is what a lost job has in the end
		}
		add(inQueue(name))
		add(effectsOf(name))
		add(markerOf(name))
	}
	return all
}

// hasWorkers reports whether anybody asked for a job who would have done it: where `do`
// lines alone speak to the queue nobody has an effect, and none is missing.
func hasWorkers(h *model.History) bool {
	return slices.ContainsFunc(h.Events, func(e model.Event) bool { return e.Kind == model.Sent && e.Op == model.OpClaim })
}

// What a thing is called.
func inQueue(job string) string   { return job + " in the queue" }
func effectsOf(job string) string { return "effects of " + job }
func markerOf(job string) string  { return "marker of " + job }

// atWork is a process of which nothing else is known.
const atWork = "runs"

// states follows the things of one history.
type states struct {
	*teller
	ledger  *model.Ledger
	jobs    []string // by job: where it stands in the queue
	effects []string // by job
	markers []string // by job
	procs   []string // by process
	before  []string // by process: what a pause interrupts
	all     []change
}

// changesOf returns what changed in h, in the order of its events.
func changesOf(h *model.History) []change {
	jobs, procs := len(h.Names.Jobs)+1, len(h.Names.Procs)+1
	s := &states{teller: newTeller(h, nil), ledger: ledgerOf(h), jobs: filled(jobs, model.StateAbsent), effects: filled(jobs, "0"),
		markers: filled(jobs, "none"), procs: filled(procs, atWork), before: filled(procs, atWork)}
	for i := range h.Events {
		e := &h.Events[i]
		s.ledger.Observe(e, h.TouchedBy(e.Seq))
		s.observe(e)
	}
	return s.all
}

func filled(n int, with string) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = with
	}
	return list
}

func (s *states) observe(e *model.Event) {
	s.queue(e, e.Job)
	for _, touch := range s.h.TouchedBy(e.Seq) {
		s.queue(e, s.jobOf(touch.ID))
	}
	if e.Job != model.NoJob {
		name := s.nameOfJob(e.Job)
		switch e.Kind {
		case model.Effected:
			s.set(e, e.Job, ofJob(s.effects, e.Job), effectsOf(name), itoa(e.Effect))
		case model.Marked:
			s.set(e, e.Job, ofJob(s.markers, e.Job), markerOf(name), "there")
		}
	}
	s.process(e)
}

func (s *states) nameOfJob(j model.Job) string { return s.labels.Job(j) }

// queue notes where j stands in the queue, and who holds it.
func (s *states) queue(e *model.Event, j model.Job) {
	if j == model.NoJob || e.Kind != model.Applied && e.Kind != model.Admitted && e.Kind != model.Restarted {
		return
	}
	is := s.ledger.State(j)
	if d, ok := s.ledger.Delivery(j, int32(s.ledger.Deliveries(j))); ok && is == model.StateActive {
		is += ", " + s.labels.Proc(d.Worker) + " by token " + itoa(d.Token) + " until " + d.Until.String()
	}
	s.set(e, j, ofJob(s.jobs, j), inQueue(s.nameOfJob(j)), is)
}

// process notes what e tells about a process.
func (s *states) process(e *model.Event) {
	if e.Proc <= model.NoProc || int(e.Proc) >= len(s.procs) {
		return
	}
	p := &s.procs[e.Proc]
	name, is := s.labels.Proc(e.Proc), *p
	switch e.Kind {
	case model.Answered:
		if e.Op == model.OpClaim && e.Answer == model.OK && !e.Has(model.IsLate) {
			is = "has " + s.delivery(e) + ", token " + itoa(e.Token)
		}
	case model.Sent:
		if e.Op == model.OpClaim {
			is = "asks for a job"
		}
	case model.Crashed:
		is = "dead"
	case model.Restarted:
		is = atWork
	case model.Paused:
		s.before[e.Proc], is = is, "stands still"
	case model.Woke:
		is = s.before[e.Proc]
	}
	s.set(e, model.NoJob, p, name, is)
}

func (s *states) set(e *model.Event, j model.Job, place *string, of, is string) {
	if *place == is {
		return
	}
	s.all = append(s.all, change{e.Seq, j, of, *place, is})
	*place = is
}
