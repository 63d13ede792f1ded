package explore_test

import (
	"encoding/binary"
	"testing"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/sim/explore"
)

// alike is a maze whose states all have the fingerprint 0.
type alike struct{ maze }

func (m alike) AppendState(b []byte, room *uint64) []byte { return appendAlike(b, *room) }
func (m alike) LoadState(b []byte, room *uint64)          { *room = binary.LittleEndian.Uint64(b) }
func (m alike) Fork() explore.Model[uint64]               { return m }
func (m alike) Join(forks []explore.Model[uint64])        {}

type alikeRounds struct{ rounds }

func (m alikeRounds) AppendState(b []byte, room *uint64) []byte { return appendAlike(b, *room) }
func (m alikeRounds) LoadState(b []byte, room *uint64)          { *room = binary.LittleEndian.Uint64(b) }

// appendAlike appends a room, and behind it what takes the hash to 0.
func appendAlike(b []byte, room uint64) []byte {
	const factor, inverse = 0xC6A4A7935BD1E995, 0x5F7A0EA7E59B19BD // modulo 2^64
	size := uint64(16)
	k := room * factor
	k = (size*factor ^ (k^k>>47)*factor) * factor * inverse
	b = binary.LittleEndian.AppendUint64(b, room)
	return binary.LittleEndian.AppendUint64(b, (k^k>>47)*inverse)
}

// In the exact mode nothing hangs on fingerprints but time.
func TestStatesThatAllHaveOneFingerprintAreToldApart(t *testing.T) {
	for room := range uint64(100) {
		if f := explore.Fingerprint(appendAlike(nil, room<<room)); f != 0 {
			t.Fatalf("room %d has the fingerprint %x", room<<room, f)
		}
	}
	agree := func(o explore.Options, want, got *explore.Result) {
		t.Helper()
		if !same(want, got) {
			t.Fatalf("%+v: %+v\nwhere fingerprints differ, and\n%+v\nwhere not", o, want, got)
		}
	}
	for i := range model.Seed(3) {
		m := maze{seed: i.Fork("alike"), rooms: 800, doors: 5, ends: 20}
		for _, o := range []explore.Options{{}, {Cores: 2}, {DepthFirst: true}, {Drains: true}} {
			o.Faults = 2
			agree(o, run(t, m, o), run(t, alike{m}, o))
		}
	}
	for m := range manyRounds {
		o := explore.Options{Faults: 2, Drains: true}
		agree(o, run(t, m, o), run(t, alikeRounds{m}, o))
	}
}
