package explore

import (
	"encoding/binary"
	"slices"
)

// column is a list that grows in pieces, so that it is never copied once it is large.
type column[T any] struct {
	pieces [][]T
	len    int
}

const columnBits = 16 // pieces hold 65,536

func (c *column[T]) add(v T) {
	if c.len&(1<<columnBits-1) == 0 {
		size := 0 // the first piece grows as it must
		if c.len > 0 {
			size = 1 << columnBits
		}
		c.pieces = append(c.pieces, make([]T, 0, size))
	}
	last := &c.pieces[len(c.pieces)-1]
	*last = append(*last, v)
	c.len++
}

func (c *column[T]) at(i int32) *T { return &c.pieces[uint32(i)>>columnBits][i&(1<<columnBits-1)] }

// room returns how many the column has room for.
func (c *column[T]) room() int64 {
	if len(c.pieces) == 0 {
		return 0
	}
	return int64(cap(c.pieces[0])) + int64(len(c.pieces)-1)<<columnBits
}

// arena holds strings of bytes by number, each after its length (its record), in pieces that are
// given back when nothing in them is needed any more. Where all strings of a piece are of
// one length, where one begins is known; else eight lie in a row, and it is known where
// the first of them begins.
type arena struct {
	pieces []piece
	heads  column[uint32] // by row: where in its piece it begins
	len    int32
	held   int64 // of pieces
}

// piece holds 4,096 strings.
type piece struct {
	bytes  []byte
	width  int32 // what each string takes up, with its length, or mixed
	needed int32 // how many strings
}

const (
	mixed     = -1
	pieceBits = 12
	pieceMask = 1<<pieceBits - 1
	rowBits   = 3
	rowMask   = 1<<rowBits - 1
)

func (a *arena) bytesKept() int64 { return a.held + a.heads.room()*4 }

// measured makes a record of what stands in b from at+1 on: a string after its length, for
// which there is room for one byte.
func measured(b []byte, at int) []byte {
	if n := len(b) - at - 1; n >= 0x80 {
		return slices.Replace(b, at, at+1, binary.AppendUvarint(nil, uint64(n))...)
	}
	b[at] = byte(len(b) - at - 1)
	return b
}

// add appends a record, whose number is that of the strings before it.
func (a *arena) add(record []byte) {
	if a.len&pieceMask == 0 {
		a.begin()
	}
	p := &a.pieces[len(a.pieces)-1]
	if a.len&rowMask == 0 {
		a.heads.add(uint32(len(p.bytes)))
	}
	before, room := len(p.bytes), cap(p.bytes)
	p.bytes = append(p.bytes, record...)
	a.held += int64(cap(p.bytes) - room)
	if width := int32(len(p.bytes) - before); before == 0 {
		p.width = width
	} else if p.width != width {
		p.width = mixed
	}
	p.needed++
	a.len++
}

// begin adds a piece, which is likely to need as much as the last.
func (a *arena) begin() {
	last := len(a.pieces) - 1
	if last < 0 {
		a.pieces = append(a.pieces, piece{})
		return
	}
	p := piece{bytes: make([]byte, 0, len(a.pieces[last].bytes))}
	a.held += int64(cap(p.bytes))
	a.pieces = append(a.pieces, p)
	a.drop(last)
}

// from returns the bytes from the record of string i on.
func (a *arena) from(i int32) []byte {
	p := &a.pieces[i>>pieceBits]
	if p.width != mixed {
		return p.bytes[p.width*(i&pieceMask):]
	}
	return pass(p.bytes[*a.heads.at(i >> rowBits):], i&rowMask)
}

func (a *arena) get(i int32) []byte {
	b := a.from(i)
	n, size := length(b)
	return b[size : size+n]
}

// holds reports whether this is the record of string i.
func (a *arena) holds(i int32, record []byte) bool {
	b := a.from(i)
	return len(b) >= len(record) && string(b[:len(record)]) == string(record)
}

// pass passes over so many records. Nearly all are short: their case of length is written out,
// for length is not inlined, and its calls would be 2 to 3% of the instructions of a search.
func pass(b []byte, over int32) []byte {
	for range over {
		if b[0] < 0x80 {
			b = b[1+b[0]:]
			continue
		}
		n, size := length(b)
		b = b[size+n:]
	}
	return b
}

// length reads the length of a string, and how long that is.
func length(b []byte) (n, size int) {
	if b[0] < 0x80 {
		return int(b[0]), 1
	}
	long, size := binary.Uvarint(b)
	return int(long), size
}

// release says that string i is needed no more.
func (a *arena) release(i int32) {
	at := int(i >> pieceBits)
	a.pieces[at].needed--
	if at < len(a.pieces)-1 {
		a.drop(at)
	}
}

// drop gives a piece back if nothing in it is needed.
func (a *arena) drop(at int) {
	if p := &a.pieces[at]; p.needed == 0 {
		a.held -= int64(cap(p.bytes))
		p.bytes = nil
	}
}
