package explore_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/sim/explore"
)

// rounds is a maze in which it is said which doors are treated fairly: each third of
// them is a class.
type rounds struct{ maze }

func (m rounds) Class(door explore.Action) uint8 { return uint8(door / 3 % 3) }

func (m rounds) AppendShape(b []byte, room *uint64) []byte { return m.AppendState(b, room) }

func (m rounds) Repeats(_, _ []explore.Action) bool { return true }

// Actions leaves more dead ends than a maze has.
func (m rounds) Actions(room *uint64, list []explore.Action) []explore.Action {
	for door := range explore.Action(9) {
		if m.draw(*room, door+1<<22, 8) == 0 {
			list = append(list, door)
		}
	}
	return list
}

// manyRounds draws rooms in which few doors go round.
func manyRounds(yield func(rounds) bool) {
	for i := range model.Seed(600) {
		m := rounds{maze{seed: i.Fork("rounds"), rooms: 6 + uint64(i%20), doors: 9, ends: 20}}
		if !yield(m) {
			return
		}
	}
}

// fairRooms lists, by its smallest room, each set of open rooms that can all be reached
// from each other, and says whether a fair walk stays in it for ever. It looks at every
// pair of rooms.
func (m rounds) fairRooms(rooms []uint64) map[uint64]bool {
	next := func(room uint64) (list []uint64, classes []uint8) {
		for _, door := range m.Actions(&room, nil) {
			if to := room; m.Cost(door) == 0 {
				m.Apply(&to, door, nil)
				list, classes = append(list, to), append(classes, m.Class(door))
			}
		}
		return list, classes
	}
	reach := map[[2]uint64]bool{}
	isOpen := func(room uint64) bool { return m.Outlook(&room) == explore.Open }
	for again := true; again; {
		again = false
		for _, a := range rooms {
			list, _ := next(a)
			for _, b := range list {
				for _, c := range rooms {
					if isOpen(a) && isOpen(b) && isOpen(c) && (b == c || reach[[2]uint64{b, c}]) && !reach[[2]uint64{a, c}] {
						reach[[2]uint64{a, c}], again = true, true
					}
				}
			}
		}
	}
	fair := map[uint64]bool{}
	for _, a := range rooms {
		if !reach[[2]uint64{a, a}] {
			continue
		}
		first, always, taken := a, map[uint8]bool{0: true, 1: true, 2: true}, map[uint8]bool{}
		for _, b := range rooms {
			if !reach[[2]uint64{a, b}] || !reach[[2]uint64{b, a}] {
				continue
			}
			first = min(first, b)
			list, classes := next(b)
			for class := range uint8(3) {
				always[class] = always[class] && slices.Contains(classes, class)
			}
			for i, c := range list {
				if reach[[2]uint64{c, a}] || c == a {
					taken[classes[i]] = true
				}
			}
		}
		fair[first] = true
		for class := range uint8(3) {
			fair[first] = fair[first] && (!always[class] || taken[class])
		}
	}
	return fair
}

func TestAFairRunThatStaysAwayFromEveryEndIsFoundWhereThereIsOne(t *testing.T) {
	all := map[bool]int{}
	for m := range manyRounds {
		r := run(t, m, explore.Options{Faults: 2, Drains: true})
		var rooms []uint64
		for room := range m.rooms {
			rooms = append(rooms, room)
		}
		want := map[bool]int{}
		reached := m.reached(2)
		for first, isFair := range m.fairRooms(rooms) {
			if reached[first] {
				want[isFair]++
			}
		}
		d := r.Drained
		if !d.Judged || d.Fair != want[true] || d.Unfair != want[false] || d.Doubts != 0 {
			t.Fatalf("%+v: %+v, want %v", m, d, want)
		}
		if (d.First != nil) != (d.Fair > 0) {
			t.Fatalf("%+v: %+v", m, d)
		}
		if d.First != nil {
			m.walkRound(t, d.First)
		}
		all[true], all[false] = all[true]+d.Fair, all[false]+d.Unfair
	}
	t.Logf("%d fair rounds, %d unfair ones", all[true], all[false])
	if all[true] < 20 || all[false] < 20 {
		t.Error("too few to compare")
	}
}

// reached returns the rooms that are reached with so many faults.
func (m rounds) reached(faults int) map[uint64]bool {
	best := map[uint64]int{0: 0}
	for changed := true; changed; {
		changed = false
		for room, at := range best {
			for _, door := range m.Actions(&room, nil) {
				to, cost := room, at+m.Cost(door)
				m.Apply(&to, door, nil)
				if old, known := best[to]; cost <= faults && (!known || cost < old) {
					best[to], changed = cost, true
				}
			}
		}
	}
	rooms := map[uint64]bool{}
	for room := range best {
		rooms[room] = true
	}
	return rooms
}

// walkRound walks a lasso: its cycle comes back to where it began without a fault or an
// end, and no class is enabled all the way and not taken.
func (m rounds) walkRound(t *testing.T, l *explore.Lasso) {
	t.Helper()
	room, faults := uint64(0), 0
	for _, door := range l.Stem {
		faults += m.Cost(door)
		m.Apply(&room, door, nil)
	}
	first, left := room, map[uint8]bool{0: true, 1: true, 2: true}
	for _, door := range l.Cycle {
		list := m.Actions(&room, nil)
		if !slices.Contains(list, door) || m.Cost(door) > 0 || m.Outlook(&room) != explore.Open {
			t.Fatalf("%+v: %+v cannot be walked at room %d", m, l, room)
		}
		for class := range uint8(3) {
			if !slices.ContainsFunc(list, func(a explore.Action) bool { return m.Cost(a) == 0 && m.Class(a) == class }) {
				delete(left, class)
			}
		}
		delete(left, m.Class(door))
		m.Apply(&room, door, nil)
	}
	if room != first || faults != l.Faults || len(left) > 0 {
		t.Fatalf("%+v: %+v leads from room %d to %d with %d faults and is unfair to %s", m, l, first, room, faults, fmt.Sprint(left))
	}
}
