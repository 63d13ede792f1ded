package explore_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/sim/explore"
)

// maze is a random graph: the states are numbers, the actions doors. What a door
// leads to, whether it costs a fault and what is found behind it is drawn.
type maze struct {
	seed  model.Seed
	rooms uint64
	doors uint32
	ends  uint32 // one room in so many is an end
}

func (m maze) draw(room uint64, door explore.Action, n uint32) uint32 {
	return model.Below(m.seed.Hash(room, uint64(door)), n)
}

func (m maze) Initial() uint64 { return 0 }

func (m maze) Actions(room *uint64, list []explore.Action) []explore.Action {
	for door := range explore.Action(m.draw(*room, 1<<20, m.doors) + 1) {
		list = append(list, door)
	}
	return list
}

func (m maze) Cost(door explore.Action) int {
	if door%3 == 2 {
		return 1
	}
	return 0
}

func (m maze) Apply(room *uint64, door explore.Action, hits []explore.Hit) []explore.Hit {
	if h := m.draw(*room, door+1<<10, 40); h < 8 {
		hits = append(hits, explore.Hit{Property: uint8(h % 4), Group: uint32(h)})
	}
	*room = uint64(m.draw(*room, door, uint32(m.rooms)))
	return hits
}

func (m maze) AppendState(b []byte, room *uint64) []byte { return binary.AppendUvarint(b, *room) }

func (m maze) LoadState(b []byte, room *uint64) { *room, _ = binary.Uvarint(b) }

func (m maze) Outlook(room *uint64) explore.Outlook {
	switch m.draw(*room, 1<<21, m.ends) {
	case 0:
		return explore.End
	case 1:
		return explore.Edge
	}
	return explore.Open
}

// forked is a maze that several cores may walk.
type forked struct{ maze }

func (m forked) Fork() explore.Model[uint64]        { return m.maze }
func (m forked) Join(forks []explore.Model[uint64]) {}

// place is a room as the plain search below reaches it.
type place struct{ faults, steps int }

func (p place) before(q place) bool {
	return p.faults < q.faults || p.faults == q.faults && p.steps < q.steps
}

// plain is a search that can be seen to be right: distances are lowered until none
// can be.
type plain struct {
	rooms  map[uint64]place
	hits   map[explore.Hit]place
	stuck  int // rooms from which no way out is known
	beyond int // rooms from which one is to be had at the edge only
}

func search(m maze, faults int) plain {
	p := plain{map[uint64]place{0: {}}, map[explore.Hit]place{}, 0, 0}
	for changed := true; changed; {
		changed = false
		for room, at := range p.rooms {
			for _, door := range m.Actions(&room, nil) {
				next, to := place{at.faults + m.Cost(door), at.steps + 1}, room
				hits := m.Apply(&to, door, nil)
				if next.faults > faults {
					continue
				}
				for _, h := range hits {
					if best, known := p.hits[h]; !known || next.before(best) {
						p.hits[h] = next
					}
				}
				if best, known := p.rooms[to]; !known || next.before(best) {
					p.rooms[to], changed = next, true
				}
			}
		}
	}
	for room := range p.rooms {
		switch {
		case m.comesTo(explore.End, room, map[uint64]bool{}):
		case m.comesTo(explore.Edge, room, map[uint64]bool{}):
			p.beyond++
		default:
			p.stuck++
		}
	}
	return p
}

func (m maze) comesTo(o explore.Outlook, room uint64, seen map[uint64]bool) bool {
	if m.Outlook(&room) == o {
		return true
	}
	seen[room] = true
	return slices.ContainsFunc(m.Actions(&room, nil), func(door explore.Action) bool {
		to := room
		m.Apply(&to, door, nil)
		return m.Cost(door) == 0 && !seen[to] && m.comesTo(o, to, seen)
	})
}

func mazes(yield func(maze) bool) {
	for i := range model.Seed(300) {
		m := maze{seed: i.Fork("maze"), rooms: 20 << (i % 6), doors: 2 + uint32(i%4), ends: 3 + uint32(i%30)}
		if !yield(m) {
			return
		}
	}
}

func run[S any](t testing.TB, m explore.Model[S], o explore.Options) *explore.Result {
	t.Helper()
	r, err := explore.Run(m, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestEveryStateIsVisitedOnceAndEveryTrailIsAShortestOne(t *testing.T) {
	stuck, beyond := 0, 0
	for m := range mazes {
		want := search(m, 2)
		r := run(t, m, explore.Options{Faults: 2, Drains: true})
		if r.States != len(want.rooms) || r.Drained.Stuck != want.stuck || r.Drained.Beyond != want.beyond || r.Ending != explore.Exhausted {
			t.Fatalf("%+v: %s with %d states, %+v; want %d, %d stuck, %d beyond", m, r.Ending, r.States, r.Drained, len(want.rooms), want.stuck, want.beyond)
		}
		stuck, beyond = stuck+r.Drained.Stuck, beyond+r.Drained.Beyond
		got := map[explore.Hit]place{}
		for _, f := range r.Found {
			got[f.Hit] = place{f.Faults, len(f.Actions)}
			m.replay(t, f)
		}
		if d := cmp.Diff(want.hits, got, cmp.AllowUnexported(place{})); d != "" {
			t.Fatalf("%+v: %s", m, d)
		}
	}
	if stuck == 0 || beyond == 0 {
		t.Errorf("%d rooms of all mazes were stuck, and %d at the edge: drains was not tried", stuck, beyond)
	}
}

// replay walks a trail and looks whether it ends in its hit with as many faults as
// it says.
func (m maze) replay(t *testing.T, f explore.Trail) {
	t.Helper()
	room, faults, hits := uint64(0), 0, []explore.Hit(nil)
	for _, door := range f.Actions {
		if !slices.Contains(m.Actions(&room, nil), door) {
			t.Fatalf("%+v: room %d has no door %d", m, room, door)
		}
		faults += m.Cost(door)
		hits = m.Apply(&room, door, nil)
	}
	if faults != f.Faults || !slices.Contains(hits, f.Hit) {
		t.Fatalf("%+v: the trail to %+v takes %d faults, not %d, and ends with %v", m, f.Hit, faults, f.Faults, hits)
	}
}

func TestLayersSayHowManyStatesNeedSoManyFaults(t *testing.T) {
	for m := range mazes {
		sum := 0
		for k := range 3 {
			r := run(t, m, explore.Options{Faults: k})
			if len(r.Layers) > k {
				sum += r.Layers[k].States
			}
			if sum != r.States {
				t.Fatalf("%+v: the layers up to %d faults hold %d states, a search with so many finds %d", m, k, sum, r.States)
			}
		}
	}
}

func TestModesAndCoresAgree(t *testing.T) {
	for m := range mazes {
		want := run(t, m, explore.Options{Faults: 2})
		for _, o := range []explore.Options{
			{Compact: true}, {Cores: 2}, {Cores: 3, Compact: true}, {DepthFirst: true}, {DepthFirst: true, Cores: 2},
		} {
			o.Faults = 2
			got := run(t, forked{m}, o)
			if got.States != want.States || !slices.Equal(layerSizes(got), layerSizes(want)) {
				t.Fatalf("%+v: %+v finds %d states, the plain search %d", m, o, got.States, want.States)
			}
			if d := cmp.Diff(found(want, !o.DepthFirst), found(got, !o.DepthFirst)); d != "" {
				t.Fatalf("%+v: %+v: %s", m, o, d)
			}
		}
	}
}

func layerSizes(r *explore.Result) (sizes []int) {
	for _, l := range r.Layers {
		sizes = append(sizes, l.States)
	}
	return sizes
}

// found lists what was found and by how many faults, with its trails where they are the
// same in any case.
func found(r *explore.Result, trails bool) (list []string) {
	for _, f := range r.Found {
		text := fmt.Sprint(f.Hit, f.Faults)
		if trails {
			text = fmt.Sprint(f)
		}
		list = append(list, text)
	}
	slices.Sort(list)
	return list
}

func TestASearchStopsAtTheBestHitThatIsAskedFor(t *testing.T) {
	stopped := 0
	for m := range mazes {
		all := run(t, m, explore.Options{Faults: 2})
		asked := func(h explore.Hit) bool { return h.Property == 1 }
		at := slices.IndexFunc(all.Found, func(f explore.Trail) bool { return asked(f.Hit) })
		r := run(t, m, explore.Options{Faults: 2, Stop: asked})
		got := slices.IndexFunc(r.Found, func(f explore.Trail) bool { return asked(f.Hit) })
		if at < 0 {
			if r.Ending != explore.Exhausted || got >= 0 {
				t.Fatalf("%+v: nothing is to be found, and the search %s", m, r.Ending)
			}
			continue
		}
		if r.Ending == explore.Stopped { // else it was the last thing to be found
			stopped++
		}
		want := all.Found[at]
		if r.States > all.States || r.Found[got].Faults != want.Faults || len(r.Found[got].Actions) != len(want.Actions) {
			t.Fatalf("%+v: %s with %+v, want %+v", m, r.Ending, r.Found[got], want)
		}
	}
	if stopped < 10 {
		t.Errorf("only %d searches stopped early", stopped)
	}
}

func TestNothingIsLookedForBehindACut(t *testing.T) {
	cuts := 0
	for m := range mazes {
		cut := func(h explore.Hit) bool { return h.Property == 1 }
		all, r := run(t, m, explore.Options{Faults: 2}), run(t, m, explore.Options{Faults: 2, Cut: cut})
		if all.States > r.States {
			cuts++
		}
		for _, f := range r.Found {
			room, hits := uint64(0), []explore.Hit(nil)
			for i, door := range f.Actions {
				hits = m.Apply(&room, door, nil)
				if i < len(f.Actions)-1 && slices.ContainsFunc(hits, cut) {
					t.Fatalf("%+v: the trail %v goes through a cut", m, f)
				}
			}
		}
	}
	if cuts < 10 {
		t.Errorf("only %d mazes are smaller for a cut", cuts)
	}
}

func TestLimitsEndASearchAndAreNotTakenForItsEnd(t *testing.T) {
	m := maze{seed: 1, rooms: 1 << 20, doors: 4, ends: 9}
	for _, o := range []explore.Options{{MaxStates: 5000}, {MaxBytes: 1 << 20}} {
		if r := run(t, m, o); r.Ending != explore.Full {
			t.Errorf("%+v: %s after %d states and %d bytes", o, r.Ending, r.States, r.Bytes)
		}
	}
	calls := 0
	r := run(t, m, explore.Options{Progress: func(p explore.Progress) bool { calls++; return p.States < 3000 }})
	if r.Ending != explore.Interrupted || calls == 0 || r.States < 3000 {
		t.Errorf("%s after %d states and %d calls", r.Ending, r.States, calls)
	}
}

func TestWhatCannotBeServedIsRefused(t *testing.T) {
	for _, o := range []explore.Options{{Faults: -1}, {Faults: 201}, {DepthFirst: true, Drains: true}} {
		if _, err := explore.Run(maze{rooms: 2, doors: 1, ends: 2}, o); err == nil {
			t.Errorf("%+v was not refused", o)
		}
	}
}

// priced is a maze whose doors cost what no action may.
type priced struct {
	forked
	cost int
}

func (m priced) Cost(explore.Action) int { return m.cost }

func (m priced) Fork() explore.Model[uint64] { return m }

func TestAModelWhoseActionsCostOtherThanAFaultOrNoneIsRefused(t *testing.T) {
	for _, cost := range []int{-1, 2, 256} {
		for _, cores := range []int{1, 2} {
			says := func() (p any) {
				defer func() { p = recover() }()
				m := priced{forked{maze{rooms: 20, doors: 2, ends: 3}}, cost}
				return run(t, m, explore.Options{Faults: 3, Cores: cores}).States
			}()
			if !strings.Contains(fmt.Sprint(says), "costs neither 0 faults nor 1") {
				t.Errorf("with doors of %d faults, on %d cores: %v", cost, cores, says)
			}
		}
	}
}

func TestTheOddsOfALostStateAreToldInTheCompactModeAlone(t *testing.T) {
	r := explore.Result{States: 1 << 20, Compact: true}
	if got := r.OneIn().String(); got != "33554464" { // 2^65 / (2^20 (2^20-1))
		t.Errorf("1 in %s", got)
	}
	if r.Compact = false; r.OneIn() != nil {
		t.Error("an exact search has odds")
	}
}

// BenchmarkSearch measures the engine itself: a maze of a million rooms, whose
// steps cost next to nothing.
func BenchmarkSearch(b *testing.B) {
	m := forked{maze{seed: 1, rooms: 1 << 20, doors: 6, ends: 9}}
	for _, o := range []explore.Options{{}, {Compact: true}, {Cores: 2}, {DepthFirst: true}} {
		b.Run(fmt.Sprintf("compact=%t/cores=%d/depth-first=%t", o.Compact, max(1, o.Cores), o.DepthFirst), func(b *testing.B) {
			states, kept := 0, int64(0)
			for b.Loop() {
				r, err := explore.Run(m, o)
				if err != nil {
					b.Fatal(err)
				}
				states, kept = states+r.States, r.Bytes
			}
			b.ReportMetric(float64(states)/b.Elapsed().Seconds(), "states/s")
			b.ReportMetric(float64(kept)/float64(states/b.N), "bytes/state")
		})
	}
}
