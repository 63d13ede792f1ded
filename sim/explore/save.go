package explore

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"strings"
)

// A saved search is all that the search knows when it stops between two batches: the
// states and how they were reached, what waits, what was found, and what the model has
// learned. Gone on with, it visits the same states in the same order as if it had not
// been stopped. The file begins with a line that says what it is, names the search that
// it is of, line by line, and ends with the SHA-256 of all before.

const (
	saveFormat = "ackgap-search/1\n"
	sumSize    = sha256.Size
	// maxSaved bounds a single string in a file, so that a length that makes no sense is
	// not taken for one.
	maxSaved = 1 << 30
)

// Keeper is a Model that learns on its way what its states mean. Without it nothing
// but the states is saved.
type Keeper interface {
	// AppendLearned appends what was learned so far.
	AppendLearned(b []byte) []byte
	// Relearn learns it again, before anything else is asked.
	Relearn(b []byte) error
}

// Save writes a search that is Full or Interrupted, for Options.Resume. The error is that
// of w, or says that nothing is left of the search that could go on.
func (r *Result) Save(w io.Writer) error {
	if r.save == nil {
		return errors.New("the search has come to its end: there is nothing to go on with")
	}
	return r.save(w)
}

// identity says line by line what the search is of.
func (s *search[S]) identity() string {
	o := &s.o
	return fmt.Sprintf("faults %d\ndepth first %t\ncompact %t\nsleep sets %t\ndrains %t\n%s", o.Faults, o.DepthFirst, o.Compact, o.Sleep, o.Drains, o.Identity)
}

// saver writes numbers and strings.
type saver struct {
	w   *bufio.Writer
	sum hash.Hash
	err error
}

func (s *saver) num(n uint64) { s.raw(binary.AppendUvarint(nil, n)) }

func (s *saver) text(b []byte) {
	s.num(uint64(len(b)))
	s.raw(b)
}

func (s *saver) raw(b []byte) {
	s.sum.Write(b)
	if _, err := s.w.Write(b); s.err == nil {
		s.err = err
	}
}

// write saves the search.
func (s *search[S]) write(w io.Writer) error {
	v := &saver{w: bufio.NewWriterSize(w, 1<<16), sum: sha256.New()}
	v.raw([]byte(saveFormat))
	v.text([]byte(s.identity()))
	var learned []byte
	if k, ok := s.model.(Keeper); ok {
		learned = k.AppendLearned(nil)
	}
	v.text(learned)
	for _, n := range []int64{int64(s.layer), int64(s.depth), int64(s.queue), s.steps, s.slept} {
		v.num(uint64(n))
	}
	s.writeStates(v)
	s.writeWaits(v)
	s.writeHits(v)
	s.writeGraph(v)
	v.raw(v.sum.Sum(nil))
	return errors.Join(v.err, v.w.Flush())
}

func (s *search[S]) writeStates(v *saver) {
	v.num(uint64(s.store.len()))
	for i := range int32(s.store.len()) {
		p := s.store.place(i)
		v.num(uint64(*s.store.parents.at(i) + 1))
		v.num(uint64(*s.store.choices.at(i)))
		v.num(uint64(p))
		if s.o.Compact {
			v.num(*s.store.prints.at(i))
		}
		if !s.o.Compact || !p.isExpanded() {
			v.text(s.store.bytes(i))
		}
		if s.sleeps != nil {
			v.num(*s.sleeps.sets.at(i))
			v.num(*s.sleeps.taken.at(i))
		}
	}
}

func (s *search[S]) writeWaits(v *saver) {
	v.num(uint64(len(s.waits)))
	for _, layer := range s.waits {
		v.num(uint64(len(layer)))
		for _, l := range layer {
			v.num(uint64(len(l.runs) - l.gone))
			for _, r := range l.runs[l.gone:] {
				v.num(uint64(r.first))
				v.num(uint64(r.end))
			}
		}
	}
}

func (s *search[S]) writeHits(v *saver) {
	v.num(uint64(len(s.hits)))
	for i := range s.hits {
		b := &s.hits[i]
		for _, n := range []int{int(b.hit.Property), int(b.hit.Group), int(b.parent), int(b.action), int(b.cost), b.layer, b.steps} {
			v.num(uint64(n))
		}
	}
}

func (s *search[S]) writeGraph(v *saver) {
	if s.graph == nil {
		return
	}
	v.num(uint64(len(s.graph.sources)))
	for k, i := range s.graph.sources {
		l := &s.graph.looks[k]
		begin, end := s.graph.edges(k)
		for _, n := range []uint64{uint64(i), l.enabled, l.shape, uint64(l.outlook), uint64(end - begin)} {
			v.num(n)
		}
		for e := begin; e < end; e++ {
			v.num(uint64(s.graph.to[e]))
			if s.graph.isFair {
				v.num(uint64(s.graph.classes[e]))
			}
		}
	}
}

// loader reads what a saver has written, of which it is known that it is whole.
type loader struct {
	r    *bufio.Reader
	size int64 // of the file, which no string in it is longer than
	err  error
}

func (l *loader) num() uint64 {
	n, err := binary.ReadUvarint(l.r)
	if l.err == nil {
		l.err = err
	}
	return n
}

func (l *loader) text() []byte {
	n := l.num()
	if l.err != nil || n > maxSaved || int64(n) > l.size {
		l.err = errors.Join(l.err, errors.New("a length makes no sense"))
		return nil
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(l.r, b); l.err == nil {
		l.err = err
	}
	return b
}

// each reads a count, and calls do so often.
func (l *loader) each(do func()) {
	for n := l.num(); n > 0 && l.err == nil; n-- {
		do()
	}
}

// read takes up a search that was saved.
func (s *search[S]) read(r io.ReadSeeker) error {
	size, err := checkSum(r)
	if err != nil {
		return err
	}
	l := &loader{size: size, r: bufio.NewReaderSize(io.LimitReader(r, size-int64(len(saveFormat))-sumSize), 1<<16)}
	if err := sameSearch(string(l.text()), s.identity()); err != nil {
		return err
	}
	learned := l.text()
	if k, ok := s.model.(Keeper); ok && l.err == nil {
		l.err = k.Relearn(learned)
	}
	s.layer, s.depth, s.queue = int(l.num()), int(l.num()), int(l.num())
	s.steps, s.slept = int64(l.num()), int64(l.num())
	l.each(func() { s.readState(l) })
	l.each(func() { s.readWaits(l) })
	l.each(func() { s.readHit(l) })
	if s.graph != nil {
		l.each(func() { s.readSource(l) })
	}
	if l.err == nil {
		l.err = s.check()
	}
	if l.err != nil {
		return fmt.Errorf("the saved search cannot be read: %w", l.err)
	}
	return nil
}

// checkSum finds out whether r is a saved search and whole, and leaves it behind its first
// line.
func checkSum(r io.ReadSeeker) (size int64, err error) {
	if size, err = r.Seek(0, io.SeekEnd); err != nil {
		return 0, err
	}
	if _, err = r.Seek(0, io.SeekStart); err != nil {
		return 0, err
	}
	first := make([]byte, len(saveFormat))
	if _, err = io.ReadFull(r, first); err != nil || string(first) != saveFormat {
		return 0, errors.New("the file is no saved search of this version: its first line is not " + strings.TrimSpace(saveFormat))
	}
	sum, found := sha256.New(), make([]byte, sumSize)
	sum.Write(first)
	if _, err = io.CopyN(sum, r, size-int64(len(first))-sumSize); err == nil {
		_, err = io.ReadFull(r, found)
	}
	if err != nil || !bytes.Equal(found, sum.Sum(nil)) {
		return 0, errors.New("the saved search is damaged or cut short: its checksum does not match")
	}
	_, err = r.Seek(int64(len(first)), io.SeekStart)
	return size, err
}

// sameSearch refuses a file of another search, and says in what it differs.
func sameSearch(saved, mine string) error {
	a, b := strings.Split(saved, "\n"), strings.Split(mine, "\n")
	for i := range max(len(a), len(b)) {
		if line, other := lineOf(a, i), lineOf(b, i); line != other {
			return fmt.Errorf("the saved search is another one: it has %q where this one has %q; go on with the same story and flags, or begin anew", line, other)
		}
	}
	return nil
}

func lineOf(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "nothing more"
}

func (s *search[S]) readState(l *loader) {
	parent, choice, p := int32(l.num())-1, uint16(l.num()), place(l.num())
	var b []byte
	hash := uint64(0)
	if s.o.Compact {
		hash = l.num()
	}
	if !s.o.Compact || !p.isExpanded() {
		b = l.text()
	}
	if !s.o.Compact {
		hash = Fingerprint(b)
	}
	if s.sleeps != nil {
		s.sleeps.sets.add(l.num())
		s.sleeps.taken.add(l.num())
	}
	if l.err != nil {
		return
	}
	if i := s.store.add(hash, measured(append([]byte{0}, b...), 0), parent, choice, p&^expandedBit); p.isExpanded() {
		s.store.expanded(i)
	}
}

func (s *search[S]) readWaits(l *loader) {
	var layer []line
	l.each(func() {
		var depth line
		l.each(func() { depth.runs = append(depth.runs, run{int32(l.num()), int32(l.num())}) })
		layer = append(layer, depth)
	})
	s.waits = append(s.waits, layer)
}

func (s *search[S]) readHit(l *loader) {
	var b best
	b.hit = Hit{Property: uint8(l.num()), Group: uint32(l.num())}
	b.parent, b.action, b.cost = int32(l.num()), Action(l.num()), uint8(l.num())
	b.layer, b.steps = int(l.num()), int(l.num())
	s.best[b.hit] = len(s.hits)
	s.hits = append(s.hits, b)
}

func (s *search[S]) readSource(l *loader) {
	i := int32(l.num())
	s.graph.source(i, look{enabled: l.num(), shape: l.num(), outlook: Outlook(l.num())})
	l.each(func() {
		to, class := int32(l.num()), uint8(0)
		if s.graph.isFair {
			class = uint8(l.num())
		}
		s.graph.edge(to, class)
	})
}
