package storm

import (
	"time"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// Tide is what is kept of a run: how many jobs were open, that is pending, active or
// scheduled, and what the workers did. Parts are of the horizon.
type Tide struct {
	Before     int  // the most that were open at once before the fault's instant
	Peak       int  // the most that were open at once from then on
	Low        int  // the fewest that were open at once in the last quarter
	End        int  // how many are open at the end
	Third      int  // how many are open in the mean over the third quarter
	Fourth     int  // likewise over the last one
	Deliveries int  // in the last half
	Completed  int  // in the last half: jobs that a settlement ended
	Dead       int  // in the whole run: jobs that were given up
	Cut        bool // the run came to its limit of steps: nothing can be said
}

// Run runs the world of a point and returns its tide.
func (w *Worlds) Run(r *scenarios.Runner, p Point) (Tide, error) {
	s, err := w.Story(p)
	if err != nil {
		return Tide{}, err
	}
	out, err := r.Run(s, scenarios.Options{})
	if err != nil {
		return Tide{}, err
	}
	if out.Lost != nil {
		return Tide{}, out.Lost
	}
	return w.measure(out.History, out.End), nil
}

// gauge follows how many jobs are open.
type gauge struct {
	horizon model.Time
	tide    Tide
	open    int
	since   model.Time // so many are open since then
	sums    [2]int64   // jobs times nanoseconds, over the last two quarters
}

// measure reads the tide off a history.
func (w *Worlds) measure(h *model.History, end model.Cause) Tide {
	g := gauge{horizon: model.Time(w.Horizon), tide: Tide{Cut: end == model.Limit}}
	g.tide.Low = -1
	for i := range h.Events {
		e := &h.Events[i]
		if e.Kind != model.Applied {
			continue
		}
		before := g.open
		dead := g.tide.Dead
		for _, t := range h.TouchedBy(e.Seq) {
			g.open += isOpen(t.After) - isOpen(t.Before)
			g.tide.Dead += isDead(t.After) - isDead(t.Before)
		}
		if e.At >= g.horizon/2 {
			g.count(e, before > g.open && g.tide.Dead == dead)
		}
		g.pass(e.At, before)
		g.note(e.At)
	}
	g.pass(g.horizon, g.open)
	g.note(g.horizon)
	g.tide.End = g.open
	quarter := int64(max(g.horizon/4, 1))
	g.tide.Third, g.tide.Fourth = int(g.sums[0]/quarter), int(g.sums[1]/quarter)
	return g.tide
}

func isOpen(s model.Standing) int {
	if s.Sets&(model.InPending|model.InActive|model.InSchedule) != 0 {
		return 1
	}
	return 0
}

func isDead(s model.Standing) int {
	if s.Sets&model.InDead != 0 {
		return 1
	}
	return 0
}

// count counts what the workers do in the last half.
func (g *gauge) count(e *model.Event, ended bool) {
	switch {
	case e.Op == model.OpClaim && e.Answer == model.OK:
		g.tide.Deliveries++
	case e.Op == model.OpComplete && ended:
		g.tide.Completed++
	}
}

// pass notes that n jobs were open from the last change until now.
func (g *gauge) pass(now model.Time, n int) {
	if now > g.horizon*3/4 {
		g.low(n)
	}
	for i := range g.sums {
		from := g.horizon / 4 * model.Time(2+i)
		until := from + g.horizon/4
		if overlap := min(now, until) - max(g.since, from); overlap > 0 {
			g.sums[i] += int64(n) * int64(overlap)
		}
	}
	g.since = max(g.since, now)
}

// note notes how many jobs are open now.
func (g *gauge) note(now model.Time) {
	if now < g.horizon/4 {
		g.tide.Before = max(g.tide.Before, g.open)
	} else {
		g.tide.Peak = max(g.tide.Peak, g.open)
	}
	if now >= g.horizon*3/4 {
		g.low(g.open)
	}
}

func (g *gauge) low(n int) {
	if g.tide.Low < 0 || n < g.tide.Low {
		g.tide.Low = n
	}
}

// left is how long a backlog takes to drain that fell from the third quarter of the
// horizon to the last one, or 0 where it did not fall.
func (t *Tide) left(horizon time.Duration) time.Duration {
	fall := t.Third - t.Fourth
	if fall <= 0 {
		return 0
	}
	return horizon / 4 / time.Duration(fall) * time.Duration(t.Fourth)
}
