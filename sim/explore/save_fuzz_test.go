package explore_test

import (
	"bytes"
	"crypto/sha256"
	"testing"

	"github.com/ackgap/ackgap/sim/explore"
)

const (
	savedHead = "ackgap-search/1\n"
	savedRuns = 400 // states more, that a search which was taken up goes on for
)

// padded is a maze to which every string of bytes is a state.
type padded struct{ maze }

func (m padded) LoadState(b []byte, s *uint64) {
	m.maze.LoadState(append(b[:len(b):len(b)], make([]byte, 8)...), s)
}

var savedOptions = []explore.Options{{Faults: 2}, {Faults: 2, DepthFirst: true}, {Faults: 2, Compact: true}, {Faults: 1, Drains: true}}

// FuzzSaved reads whatever it is given as a saved search: as it stands, and with the
// right first line and checksum, as a forger would write it. What is refused is refused
// with an error; what is taken up goes on for a while and is saved again.
func FuzzSaved(f *testing.F) {
	m := padded{maze{seed: 1, rooms: 1 << 12, doors: 4, ends: 9}}
	for i, o := range savedOptions {
		o.MaxStates = 100
		var file bytes.Buffer
		if err := run(f, m, o).Save(&file); err != nil {
			f.Fatal(err)
		}
		body := file.Bytes()[len(savedHead) : file.Len()-sha256.Size]
		f.Add(uint8(i), body)
		f.Add(uint8(i), file.Bytes())
		f.Add(uint8(i+1), body)             // another search: refused
		f.Add(uint8(i), body[:len(body)-1]) // cut short: refused
	}
	f.Add(uint8(0), []byte("\xff\xff\xff\xff\x0f")) // a string of 4 GiB: refused
	f.Fuzz(func(t *testing.T, which uint8, b []byte) {
		o := savedOptions[int(which)%len(savedOptions)]
		o.MaxStates = savedRuns
		for _, text := range [][]byte{b, resealed(b)} {
			o.Resume = bytes.NewReader(text)
			r, err := explore.Run(m, o)
			if err != nil || r.Ending != explore.Full {
				continue
			}
			if err := r.Save(&bytes.Buffer{}); err != nil {
				t.Errorf("it was taken up, and cannot be saved: %v", err)
			}
		}
	})
}

// resealed puts the first line before b and the checksum behind it.
func resealed(b []byte) []byte {
	b = append([]byte(savedHead), b...)
	sum := sha256.Sum256(b)
	return append(b, sum[:]...)
}

// What a file points to has to be there: of a saved search whose checksum is right each
// number is changed in turn, and nothing but an error or a search comes of it.
func TestASavedSearchThatPointsNowhereIsRefused(t *testing.T) {
	m := padded{maze{seed: 1, rooms: 1 << 12, doors: 4, ends: 9}}
	refused, taken := 0, 0
	for _, o := range savedOptions {
		o.MaxStates = 100
		var file bytes.Buffer
		if err := run(t, m, o).Save(&file); err != nil {
			t.Fatal(err)
		}
		o.MaxStates = savedRuns
		body := file.Bytes()[len(savedHead) : file.Len()-sha256.Size]
		for at := range body {
			for _, value := range []byte{0, 1, 0x7f, 0xff, body[at] + 1} {
				other := bytes.Clone(body)
				other[at] = value
				o.Resume = bytes.NewReader(resealed(other))
				if _, err := explore.Run(m, o); err != nil {
					refused++
				} else {
					taken++
				}
			}
		}
	}
	if t.Logf("%d refused, %d taken up", refused, taken); refused < 1000 || taken < 100 {
		t.Error("of one of them there are too few")
	}
}
