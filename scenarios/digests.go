package scenarios

import (
	"fmt"

	"github.com/ackgap/ackgap/model"
)

// Digests are what a story and its random worlds left, in short. Two programs
// that agree on them agree on every record of every run, and on what was judged of it:
// builds for other machines, with and without the race detector, on one processor and
// on many.
type Digests struct {
	Plain  model.Digest   // of the history of the run as written
	Worlds []model.Digest // of the worlds of the seeds 1, 2, 3, ...; none where the story has no chaos
	Judged []model.Digest // of what Outcome.Judged tells: of the run as written, and behind it of each world
}

// Digests runs s as it is written and the random worlds of the seeds 1 to seeds,
// everything twice. The second time goes from the last seed to the first, so that
// what a run leaves behind in the memory of its runner would show. The error is a
// *Diverged where two runs left different histories, or were judged in two ways.
func (s *Story) Digests(seeds int) (*Digests, error) {
	first, err := s.Run(Options{})
	if err != nil {
		return nil, err
	}
	d := &Digests{Plain: first.History.Digest, Judged: []model.Digest{first.judged()}}
	used := NewRunner()
	if err := d.addWorlds(s, seeds, used); err != nil {
		return nil, err
	}
	then, err := used.Run(s, Options{})
	if err != nil {
		return nil, err
	}
	if err := sameOutcome(first, then); err != nil {
		return nil, fmt.Errorf("%s: %w", s.File, err)
	}
	return d, nil
}

// addWorlds runs the random worlds of s there and back, the way back with the
// memory of used.
func (d *Digests) addWorlds(s *Story, seeds int, used *Runner) error {
	campaign, err := NewCampaign(s)
	if campaign == nil || err != nil {
		return err
	}
	there := NewRunner()
	for i := range seeds {
		w, err := there.World(campaign, uint64(i+1), false)
		if err != nil {
			return err
		}
		d.Worlds = append(d.Worlds, w.Outcome.History.Digest)
		d.Judged = append(d.Judged, w.Outcome.judged())
	}
	for i := seeds - 1; i >= 0; i-- {
		w, err := used.World(campaign, uint64(i+1), false)
		if err != nil {
			return err
		}
		if got := w.Outcome.History.Digest; got != d.Worlds[i] || w.Outcome.judged() != d.Judged[i+1] {
			return fmt.Errorf("%s, seed %d: %w", s.File, i+1, campaign.divergence(uint64(i+1), d.Worlds[i], got))
		}
	}
	return nil
}

// retries is how often a world whose digest differed is run again to see where.
const retries = 20

// divergence names the record in which two runs of one world part, or what was judged
// in two ways. The runs that gave the digests first and then kept no history, so it lets
// the world diverge again; one that will not do so alone is told by its digests.
func (c *Campaign) divergence(seed uint64, first, then model.Digest) error {
	a, err := NewRunner().World(c, seed, true)
	if err != nil {
		return err
	}
	for range retries {
		b, err := NewRunner().World(c, seed, true)
		if err != nil {
			return err
		}
		if err := sameOutcome(a.Outcome, b.Outcome); err != nil {
			return err
		}
	}
	return fmt.Errorf("%w\n  run alone, %d times, it left one history, digest %s, and was judged in one way: what other runs leave behind decides", &Diverged{First: first, Then: then}, retries+1, a.Outcome.History.Digest)
}

// Folded returns the digests of all random worlds as one, in the order of their
// seeds.
func (d *Digests) Folded() model.Digest {
	var sum model.Digest
	for _, w := range d.Worlds {
		sum = model.Digest(model.Mix(uint64(sum ^ w)))
	}
	return sum
}
