package exhaust

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/sim/explore"
)

var _ explore.Keeper = (*World)(nil)

// askSize is how many bytes a question to the queue takes in a saved search.
const askSize = 8 + 6 + 4

// AppendLearned appends every question that the queue was asked, in their order: asked
// again, they lead to the same states of it.
func (w *World) AppendLearned(b []byte) []byte {
	for _, k := range w.machine.asked {
		a := &k.ask
		b = binary.LittleEndian.AppendUint64(b, k.from)
		b = append(b, uint8(a.op), a.job, a.token, a.place, a.max, a.due)
		b = binary.LittleEndian.AppendUint32(b, a.perm)
	}
	return b
}

// Relearn asks the queue what it was asked.
func (w *World) Relearn(b []byte) error {
	w.machine.initial()
	for ; len(b) >= askSize; b = b[askSize:] {
		from := binary.LittleEndian.Uint64(b)
		if w.machine.state(from) == nil {
			return errors.New("the queue answers otherwise than it did when the search was saved")
		}
		w.machine.edge(from, ask{
			op: model.Op(b[8]), job: b[9], token: b[10], place: b[11], max: b[12], due: b[13],
			perm: binary.LittleEndian.Uint32(b[14:]),
		})
	}
	if len(b) > 0 {
		return errors.New("what was learned of the queue ends within a question")
	}
	return nil
}

// identity tells this world, and what is looked for in it, from others.
func (w *World) identity(asked uint32) string {
	var b strings.Builder
	s := &w.scope
	fmt.Fprintf(&b, "claims %d\nkinds %s\nacts %v\nsymmetry %t\npartial order %t\nlooked for %b\nbackend %s\n",
		s.Claims, s.Kinds, s.Acts, s.Symmetry, s.PartialOrder, asked, w.story.Queue.Backend)
	b.Write(w.story.Text())
	return b.String()
}
