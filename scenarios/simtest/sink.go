package simtest

import (
	"context"
	"errors"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios/actors"
)

// ErrFenced is what ApplyFenced comes back with when a higher token was seen.
var ErrFenced = errors.New("simtest: the store has seen a higher token for this job")

// Sink is the outside ledger. An effect is one change of it under the job; the
// property no-duplicate-effect allows one, no-loss demands one of a job that is
// completed.
type Sink interface {
	// Apply changes the ledger, whatever has happened before.
	Apply(ctx context.Context) error
	// ApplyKey changes it unless it was changed under this key already.
	ApplyKey(ctx context.Context, key string) error
	// ApplyFenced changes it unless a higher token was seen for the job, which is
	// ErrFenced. An equal one passes.
	ApplyFenced(ctx context.Context) error
}

type sink struct{ course *course }

func (s sink) Apply(ctx context.Context) error {
	return s.course.take(ctx, Apply, request{}, func(*course, *request, model.Time) actors.Deed { return actors.Deed{Effects: 1} })
}

func (s sink) ApplyKey(ctx context.Context, key string) error {
	return s.course.take(ctx, Apply, request{key: key}, func(c *course, r *request, _ model.Time) actors.Deed { return c.out.once(r.key) })
}

// once is an effect under a key: absorbed when the key is known.
func (o *outside) once(key string) actors.Deed {
	if o.keys[key] {
		return actors.Deed{Kind: model.Absorbed, Cause: model.ByKey}
	}
	o.keys[key] = true
	return actors.Deed{Effects: 1}
}

func (s sink) ApplyFenced(ctx context.Context) error {
	return s.course.take(ctx, Apply, request{}, func(c *course, r *request, _ model.Time) actors.Deed {
		if c.on.d.Token < c.out.fences[c.on.d.ID] {
			r.err = ErrFenced
			return actors.Deed{Kind: model.Absorbed, Cause: model.ByFence}
		}
		c.out.fences[c.on.d.ID] = c.on.d.Token
		return actors.Deed{Effects: 1}
	})
}
