package valkey

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
)

// The limits of an exchange. A server that sends more is not believed: its word
// must not decide how much memory is taken.
const (
	maxBytes  = 256 << 20
	maxLine   = 64 << 10
	maxBulk   = 64 << 20 // bytes of one string
	maxItems  = 1 << 20  // of all arrays
	maxArrays = 64 << 10 // the client reads one within the other by recursion
)

// guard is the connection as the client sees it. A client believes the lengths
// that a server tells: one that is a lie takes all memory, or panics. So the
// guard follows the frames as they pass, and lets nothing pass but whole and
// sane RESP2, and no more replies than are owed.
type guard struct {
	net.Conn
	isOut, isClosed bool

	owed int    // values to come: replies, and items of arrays that have begun
	line []byte // as far as it has come
	body int    // bytes to come of a string, with its CRLF

	bytes, items, arrays int // of this exchange
}

// owe lets an exchange of so many replies begin.
func (g *guard) owe(replies int) {
	g.owed = replies
	g.bytes, g.items, g.arrays = 0, 0, 0
}

// handOut is the client's dialer: there is one connection, and never a second.
func (g *guard) handOut(context.Context, string, string) (net.Conn, error) {
	if g.isOut {
		return nil, errors.New("the connection is lost")
	}
	g.isOut = true
	g.owed++ // its HELLO
	return g, nil
}

// Close ends the connection once, whoever asks first.
func (g *guard) Close() error {
	if g.isClosed {
		return nil
	}
	g.isClosed = true
	return g.Conn.Close()
}

func (g *guard) Read(b []byte) (int, error) {
	n, err := g.Conn.Read(b)
	if bad := g.follow(b[:n]); bad != nil {
		return 0, bad
	}
	if errors.Is(err, io.EOF) {
		err = errors.New("the server closed the connection before its reply was complete")
	}
	return n, err
}

// follow goes through what has come, string by string and line by line.
func (g *guard) follow(b []byte) (err error) {
	if g.bytes += len(b); g.bytes > maxBytes {
		return fmt.Errorf("the server sent more than %d bytes at once", maxBytes)
	}
	for len(b) > 0 && err == nil {
		switch n := min(g.body, len(b)); {
		case g.owed == 0:
			err = errors.New("the server sent more replies than it was asked for")
		case n > 0:
			err = g.pass(b[:n])
			b = b[n:]
		default:
			part, rest, isWhole := bytes.Cut(b, []byte("\n"))
			g.line, b = append(g.line, part...), rest
			if len(g.line) > maxLine {
				err = fmt.Errorf("the server sent a line of more than %d bytes", maxLine)
			} else if isWhole {
				err = g.head(string(g.line))
				g.line = g.line[:0]
			}
		}
	}
	return err
}

// pass lets a part of a string pass, which ends with CRLF.
func (g *guard) pass(part []byte) error {
	g.body -= len(part)
	end := "\r\n"[:max(0, 2-g.body)] // as much of it as has come by now
	if !bytes.HasSuffix(part, []byte(end[max(0, len(end)-len(part)):])) {
		return errors.New("the server sent a string of another length than it said")
	}
	if g.body == 0 {
		g.owed--
	}
	return nil
}

// head judges the line that is a value, or begins one. Nil is "$-1" or "*-1" and
// nothing else: the client reads "$-01" as the empty string.
func (g *guard) head(line string) error {
	if len(line) < 2 || line[len(line)-1] != '\r' {
		return fmt.Errorf("the server sent the line %q, which does not end as RESP does", shorten(line))
	}
	sigil, rest := line[0], line[1:len(line)-1]
	n, err := strconv.ParseUint(rest, 10, 63) // where it is a length
	switch {
	case sigil == '+', sigil == '-', line == "$-1\r", line == "*-1\r":
		g.owed--
	case sigil == ':':
		if _, err := strconv.ParseInt(rest, 10, 64); err != nil {
			return fmt.Errorf("the server sent the integer %q", shorten(rest))
		}
		g.owed--
	case sigil == '$':
		if err != nil || n > maxBulk {
			return fmt.Errorf("the server sent a string of the length %q; from -1 to %d are read", shorten(rest), maxBulk)
		}
		g.body = int(n) + 2
	case sigil == '*':
		if err != nil || n > uint64(maxItems-g.items) || g.arrays == maxArrays {
			return fmt.Errorf("the server sent an array of the length %q; from -1 to %d are read, and %d arrays at once",
				shorten(rest), maxItems, maxArrays)
		}
		g.arrays, g.items, g.owed = g.arrays+1, g.items+int(n), g.owed+int(n)-1
	default:
		return fmt.Errorf("the server sent %q, which is no RESP2", shorten(line))
	}
	return nil
}
