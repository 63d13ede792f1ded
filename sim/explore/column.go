package explore

import "encoding/binary"

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
	n := int64(0)
	for _, p := range c.pieces {
		n += int64(cap(p))
	}
	return n
}

// arena holds strings of bytes by number, each after its length, in pieces that are
// given back when nothing in them is needed any more. Eight strings lie in a row, and
// it is known where the first of them begins.
type arena struct {
	heads  column[uint32] // the piece, and where in it, in units of 4 bytes
	pieces [][]byte
	needed []int32 // by piece: how many strings in it
	widths []int32 // by piece: what each string takes up, with its length; mixed if they differ
	len    int32
	widest int   // of the strings, with its length
	held   int64 // of pieces
}

const (
	mixed      = -1
	rowBits    = 3
	rowMask    = 1<<rowBits - 1
	pieceBits  = 20 // a row begins within the first 1 MiB of a piece
	unitBits   = 2
	firstPiece = 1 << 12
)

func (a *arena) bytesKept() int64 { return a.held + a.heads.room()*4 }

// add appends b, whose number is that of the strings before it.
func (a *arena) add(b []byte) {
	a.widest = max(a.widest, len(b)+binary.MaxVarintLen32)
	if a.len&rowMask == 0 {
		a.beginRow()
	}
	last := len(a.pieces) - 1
	p := a.pieces[last]
	before := cap(p)
	p = append(binary.AppendUvarint(p, uint64(len(b))), b...)
	a.held += int64(cap(p) - before)
	if width := int32(len(p) - len(a.pieces[last])); a.widths[last] == 0 {
		a.widths[last] = width
	} else if a.widths[last] != width {
		a.widths[last] = mixed
	}
	a.pieces[last] = p
	a.needed[last]++
	a.len++
}

// beginRow notes where the next row begins: in a new piece, if it may not fit into
// the last.
func (a *arena) beginRow() {
	last := len(a.pieces) - 1
	if last < 0 || len(a.pieces[last])+a.widest<<rowBits > 1<<pieceBits {
		last++
		a.pieces = append(a.pieces, make([]byte, 0, firstPiece<<min(last, pieceBits-12)))
		a.needed, a.widths = append(a.needed, 0), append(a.widths, 0)
		a.held += int64(cap(a.pieces[last]))
		a.drop(last - 1)
	}
	for len(a.pieces[last])%(1<<unitBits) != 0 {
		a.pieces[last] = append(a.pieces[last], 0)
	}
	a.heads.add(uint32(last<<(pieceBits-unitBits) + len(a.pieces[last])>>unitBits))
}

func (a *arena) get(i int32) []byte {
	head := *a.heads.at(i >> rowBits)
	piece := head >> (pieceBits - unitBits)
	p := a.pieces[piece][head<<unitBits&(1<<pieceBits-1):]
	if width := a.widths[piece]; width != mixed {
		p = p[width*(i&rowMask):]
	} else {
		for range i & rowMask {
			n, size := length(p)
			p = p[size+n:]
		}
	}
	n, size := length(p)
	return p[size : size+n]
}

// first returns a byte of the row that string i is in.
func (a *arena) first(i int32) uint8 {
	head := *a.heads.at(i >> rowBits)
	return a.pieces[head>>(pieceBits-unitBits)][head<<unitBits&(1<<pieceBits-1)]
}

// length reads the length of a string, and how long that is.
func length(p []byte) (n, size int) {
	if p[0] < 0x80 {
		return int(p[0]), 1
	}
	long, size := binary.Uvarint(p)
	return int(long), size
}

// release says that string i is needed no more.
func (a *arena) release(i int32) {
	piece := int(*a.heads.at(i >> rowBits) >> (pieceBits - unitBits))
	a.needed[piece]--
	if piece < len(a.pieces)-1 {
		a.drop(piece)
	}
}

// drop gives piece i back if nothing in it is needed.
func (a *arena) drop(i int) {
	if i >= 0 && a.needed[i] == 0 && a.pieces[i] != nil {
		a.held -= int64(cap(a.pieces[i]))
		a.pieces[i] = nil
	}
}
