package exhaust

import (
	"fmt"
	"time"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// seen returns when a moment was, in the history of the last run. A moment that
// leaves no record of its own is not seen.
func (s *solver) seen(m *moment) (model.Time, bool) {
	if m.what == doLapse || m.what == doEnd {
		return s.lapsed(m)
	}
	if m.what == doForget {
		return s.forgotten(m)
	}
	e := s.event(m)
	if beat := s.beatOf(m, e); beat != nil {
		e = beat
	}
	if e == nil {
		return 0, false
	}
	return e.At, true
}

// beatOf returns the heartbeat right behind a settlement, if moment m has one.
func (s *solver) beatOf(m *moment, settled *model.Event) *model.Event {
	if m.what != doSettle || m.isTrailed || !m.isBeating && !m.isOverdue || settled == nil {
		return nil
	}
	for i := range s.history.Events {
		e := &s.history.Events[i]
		if e.Seq > settled.Seq && e.Kind == model.Applied && e.Op == model.OpExtend && s.isAbout(e, m) && e.N == int32(m.n) {
			return e
		}
	}
	return nil
}

// beaten returns the heartbeat of moment m: the first that comes after all that comes
// before it, however many the worker has sent.
func (s *solver) beaten(m *moment) *model.Event {
	after := model.Time(0)
	for k := range s.moments {
		o := &s.moments[k]
		if o == m {
			break
		}
		if at, ok := s.seen(o); ok && o.what != doLapse && o.what != doEnd {
			after = max(after, at)
		}
	}
	for i := range s.history.Events {
		e := &s.history.Events[i]
		isBeat := e.Kind == model.Applied && e.Op == model.OpExtend && s.isAbout(e, m) && e.N == int32(m.n)
		if isBeat && e.At >= after && !e.Has(model.IsCopy|model.IsRaw) {
			return e
		}
	}
	return nil
}

// lapsed returns when the lease of a job was over that the last moment before m has
// set.
func (s *solver) lapsed(m *moment) (at model.Time, ok bool) {
	n := uint8(0)
	for k := range s.moments {
		o := &s.moments[k]
		if o == m {
			break
		}
		if o.job == m.job && o.leases() {
			e := s.event(o)
			if beat := s.beatOf(o, e); beat != nil {
				e = beat
			}
			if e != nil && e.Answer == model.OK && e.Until > 0 {
				at, ok, n = e.Until.Add(-s.skew()), true, o.n
			}
		}
	}
	return s.keptUp(m, n, at), ok
}

// keptUp returns when a lease of the nth delivery is over that would be over at a time,
// but for the heartbeats that come in time and that the path leaves out.
func (s *solver) keptUp(m *moment, n uint8, at model.Time) model.Time {
	for i := range s.history.Events {
		e := &s.history.Events[i]
		isBeat := e.Kind == model.Applied && e.Op == model.OpExtend && s.isAbout(e, m) && e.N == int32(n)
		if isBeat && e.Answer == model.OK && !e.Has(model.IsCopy|model.IsRaw) && e.At < at {
			at = max(at, e.Until.Add(-s.skew()))
		}
	}
	return at
}

// leases reports whether a moment may set a lease.
func (m *moment) leases() bool {
	return m.op == model.OpClaim || m.op == model.OpExtend || m.what == doSettle && !m.isTrailed && (m.isBeating || m.isOverdue)
}

// forgotten returns when the marker of a job was as old as it gets.
func (s *solver) forgotten(m *moment) (at model.Time, ok bool) {
	var life time.Duration
	for i := range s.story.Workers {
		life = max(life, s.story.Workers[i].MarkerLife)
	}
	for k := range s.moments {
		o := &s.moments[k]
		if o == m {
			break
		}
		if o.what == doStep && o.job == m.job {
			if e := s.event(o); e != nil && e.Kind == model.Effected {
				at, ok = e.At.Add(life), true
			}
		}
	}
	return at, ok
}

func (s *solver) isAbout(e *model.Event, m *moment) bool { return e.Job == model.Job(m.job)+1 }

// last returns the last event that is such.
func (s *solver) last(such func(*model.Event) bool) *model.Event {
	for i := len(s.history.Events) - 1; i >= 0; i-- {
		if e := &s.history.Events[i]; such(e) {
			return e
		}
	}
	return nil
}

// first returns the first event that is such.
func (s *solver) first(such func(*model.Event) bool) *model.Event {
	for i := range s.history.Events {
		if e := &s.history.Events[i]; such(e) {
			return e
		}
	}
	return nil
}

// event returns the record of a moment.
func (s *solver) event(m *moment) *model.Event {
	if m.what == doBeat && m.how == fine {
		return s.beaten(m)
	}
	count := int32(0)
	for i := range s.history.Events {
		e := &s.history.Events[i]
		if !s.isRecord(e, m) {
			continue
		}
		if count++; count >= m.count {
			return e
		}
	}
	return nil
}

// claimOf returns the record of the claim that began the delivery of m.
func (s *solver) claimOf(m *moment) *model.Event {
	return s.event(&moment{deed: deed{what: doClaim, job: m.job, n: m.n}})
}

// isRecord reports whether e is what moment m leaves in a history.
func (s *solver) isRecord(e *model.Event, m *moment) bool {
	isMine := s.isAbout(e, m) && e.N == int32(m.n)
	switch m.what {
	case doReap, doSweep, doPromote:
		return e.Kind == model.Applied && e.Op == m.op && s.touches(e, m)
	case doStep:
		if m.how == late || m.how == doubled {
			return (e.Kind == model.Effected || e.Kind == model.Absorbed) && isMine
		}
		if m.how == dropped || m.how == refused {
			isLost := m.how == dropped && e.Kind == model.Lost && e.Op == model.OpApply // it fails when it has waited
			return (e.Kind == model.Failed || isLost) && isMine
		}
		return e.Step == m.step && isMine && e.Kind != model.Failed
	case doClaim:
		return e.Kind == model.Applied && e.Op == model.OpClaim && e.Answer == model.OK && isMine
	case doArrive:
		if m.op == model.OpApply {
			return (e.Kind == model.Effected || e.Kind == model.Absorbed) && isMine
		}
		if m.op == model.OpClaim && m.n > 0 && e.Answer != model.OK {
			return false
		}
		return e.Kind == model.Applied && s.op(e) == m.op && isMine && (e.Nth == m.nth || m.op == model.OpClaim) && e.Has(model.IsCopy) == m.copied
	case doAct:
		isNamed := s.actJob(m) == model.NoJob || s.isAbout(e, m) && (m.n == 0 || e.N == int32(m.n))
		return e.Kind == model.Applied && e.Has(model.IsRaw) && e.Op == m.op && isNamed
	case doJump:
		return e.Kind == model.ClockSet && e.Proc == faults.Queue
	case doLose:
		return e.Kind == model.Restarted && e.Proc == faults.Queue
	case doGiveUp:
		return e.Kind == model.TimedOut && e.Op == m.op && isMine && e.Nth == m.nth
	case doEnqueue, doSettle, doBeat:
		return e.Kind == m.kind() && s.isRequest(e, m)
	}
	return false
}

// isRequest reports whether e is about the request of moment m, and neither about a copy
// of it nor about a raw one.
func (s *solver) isRequest(e *model.Event, m *moment) bool {
	return s.op(e) == m.op && s.isAbout(e, m) && e.N == int32(m.n) && e.Nth == m.nth && !e.Has(model.IsCopy|model.IsRaw)
}

// op returns the verb of e as plans name it: all forms of enqueue share one name.
func (s *solver) op(e *model.Event) model.Op {
	if e.Op.Admits() {
		return model.OpEnqueue
	}
	return e.Op
}

// touches reports whether a tick moved the job of m.
func (s *solver) touches(e *model.Event, m *moment) bool {
	for _, t := range s.history.TouchedBy(e.Seq) {
		if s.ledgerJob(t.ID) == model.Job(m.job)+1 {
			return true
		}
	}
	return false
}

// ledgerJob returns the job under which an id was seen.
func (s *solver) ledgerJob(id model.ID) model.Job {
	for i := range s.history.Events {
		if e := &s.history.Events[i]; e.ID == id && e.Job != model.NoJob {
			return e.Job
		}
	}
	return model.NoJob
}

// confirm replays the story from its own text, and returns it if the property is
// broken in it, or seen where it is a reach claim, and every fault of it struck.
func (s *solver) confirm(property string) (*Concrete, error) {
	s.story.Name = suffixed(s.w.story.Name, "-"+property)
	verdict := model.Broken
	if p, _ := model.FindProperty(property); p.Claim == model.Sometimes {
		verdict = model.Held
	}
	s.story.Expects = []scenarios.Expect{{Kind: scenarios.ExpectVerdict, Verdict: verdict, Properties: []string{property}}}
	found, err := s.replay(s.story)
	if found == nil || err != nil {
		return found, err
	}
	short := s.story
	if short.Horizon = s.w.story.Horizon; found.Outcome.History.Events[len(found.Outcome.History.Events)-1].At <= model.Time(short.Horizon) {
		return s.replay(short)
	}
	if property == "drains" { // what never ends does not until an earlier horizon either, if that is late enough
		if early, err := s.replay(short); early != nil || err != nil {
			return early, err
		}
	}
	return found, nil
}

// suffixed returns name with a suffix behind as much of it as leaves room.
func suffixed(name, suffix string) string {
	return name[:min(len(name), script.MaxName-len(suffix))] + suffix
}

// replay runs story as it reads from its own text. One that cannot be written is an error.
func (s *solver) replay(story scenarios.Story) (*Concrete, error) {
	text := story.Text()
	parsed, err := scenarios.Parse(story.Name+".story", text)
	if err != nil {
		return nil, fmt.Errorf("it cannot be written as a story: %w", err)
	}
	out, err := parsed.Run(scenarios.Options{})
	if err != nil || out.Met != scenarios.Yes {
		return nil, err
	}
	return &Concrete{Story: parsed, Outcome: out}, nil
}
