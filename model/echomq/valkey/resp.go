package valkey

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"time"
)

// The limits of a reply. A server that sends more is not believed: its word
// must not decide how much memory is taken.
const (
	maxLine  = 64 << 10 // bytes
	maxBulk  = 64 << 20 // bytes
	maxItems = 1 << 20  // of one array
	maxDepth = 8        // arrays within arrays
)

// kind is the sort of a reply.
type kind uint8

const (
	null kind = iota
	status
	failure // an error reply: its text begins with the class word
	integer
	bulk
	array
)

var kindNames = [...]string{"nil", "a status", "an error", "an integer", "a string", "an array"}

func (k kind) String() string { return kindNames[k] }

// reply is one RESP2 value.
type reply struct {
	kind  kind
	n     int64  // integer
	text  string // status, failure, bulk
	items []reply
}

// conn is one connection to a server. Calls are made one after the other, from
// one goroutine. It does not connect again: after an error it is spent.
type conn struct {
	net     net.Conn
	r       *bufio.Reader
	out     []byte
	waiting int           // commands of the present exchange
	timeout time.Duration // of a whole exchange; 0: none
}

func newConn(c net.Conn, timeout time.Duration) *conn {
	return &conn{net: c, r: bufio.NewReaderSize(c, 16<<10), timeout: timeout}
}

// add puts one more command into the exchange that do will make.
func (c *conn) add(args ...string) {
	c.out = appendHead(c.out, '*', len(args))
	for _, a := range args {
		c.out = appendBulk(c.out, a)
	}
	c.waiting++
}

// do sends what was added, in one write, and returns the replies in order. An
// error is of the connection or of the protocol; error replies are replies.
func (c *conn) do() ([]reply, error) {
	n := c.waiting
	c.waiting = 0
	if c.timeout > 0 {
		if err := c.net.SetDeadline(time.Now().Add(c.timeout)); err != nil {
			return nil, err
		}
	}
	_, err := c.net.Write(c.out)
	c.out = c.out[:0]
	if err != nil {
		return nil, err
	}
	replies := make([]reply, n)
	for i := range replies {
		if replies[i], err = readReply(c.r, 0); err != nil {
			return nil, err
		}
	}
	if c.r.Buffered() > 0 {
		return nil, errors.New("the server sent more replies than it was asked for")
	}
	return replies, nil
}

// call makes an exchange of one command.
func (c *conn) call(args ...string) (reply, error) {
	c.add(args...)
	replies, err := c.do()
	if err != nil {
		return reply{}, err
	}
	return replies[0], nil
}

func (c *conn) close() error { return c.net.Close() }

func appendHead(b []byte, sigil byte, n int) []byte {
	b = strconv.AppendInt(append(b, sigil), int64(n), 10)
	return append(b, '\r', '\n')
}

func appendBulk(b []byte, s string) []byte {
	b = appendHead(b, '$', len(s))
	return append(append(b, s...), '\r', '\n')
}

// readReply reads one value. An end of input in its middle is an error that
// says so.
func readReply(r *bufio.Reader, depth int) (reply, error) {
	line, err := readLine(r)
	if err != nil {
		return reply{}, err
	}
	rest := line[1:]
	switch line[0] {
	case '+':
		return reply{kind: status, text: string(rest)}, nil
	case '-':
		return reply{kind: failure, text: string(rest)}, nil
	case ':':
		n, err := strconv.ParseInt(string(rest), 10, 64)
		if err != nil {
			return reply{}, fmt.Errorf("the server sent the integer %q", shorten(rest))
		}
		return reply{kind: integer, n: n}, nil
	case '$':
		return readBulk(r, rest)
	case '*':
		return readArray(r, rest, depth)
	}
	return reply{}, fmt.Errorf("the server sent %q, which is no RESP2", shorten(line))
}

// readLine reads up to CRLF, which it drops, and at least one byte.
func readLine(r *bufio.Reader) ([]byte, error) {
	var long []byte
	for {
		part, err := r.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			if long = append(long, part...); len(long) <= maxLine {
				continue
			}
			err = fmt.Errorf("the server sent a line of more than %d bytes", maxLine)
		}
		if err != nil {
			return nil, cutShort(err)
		}
		line := part
		if long != nil {
			line = append(long, part...)
		}
		if len(line) < 3 || line[len(line)-2] != '\r' {
			return nil, fmt.Errorf("the server sent the line %q, which does not end as RESP does", shorten(line))
		}
		return line[:len(line)-2], nil
	}
}

// readBulk reads as much as is there, so that a length alone costs no memory.
func readBulk(r *bufio.Reader, head []byte) (reply, error) {
	n, err := readLength(head, maxBulk)
	if err != nil || n < 0 {
		return reply{}, err
	}
	var b bytes.Buffer
	if _, err := io.CopyN(&b, r, int64(n)+2); err != nil {
		return reply{}, cutShort(err)
	}
	if !bytes.HasSuffix(b.Bytes(), []byte("\r\n")) {
		return reply{}, errors.New("the server sent a string of another length than it said")
	}
	return reply{kind: bulk, text: string(b.Bytes()[:n])}, nil
}

func readArray(r *bufio.Reader, head []byte, depth int) (reply, error) {
	n, err := readLength(head, maxItems)
	if err != nil || n < 0 {
		return reply{}, err
	}
	if depth == maxDepth {
		return reply{}, fmt.Errorf("the server sent arrays within arrays, more than %d deep", maxDepth)
	}
	list := reply{kind: array}
	for range n {
		item, err := readReply(r, depth+1)
		if err != nil {
			return reply{}, err
		}
		list.items = append(list.items, item)
	}
	return list, nil
}

// readLength reads a length from -1, which is nil, to most.
func readLength(head []byte, most int) (int, error) {
	n, err := strconv.Atoi(string(head))
	if err != nil || n < -1 || n > most {
		return 0, fmt.Errorf("the server sent the length %q; from -1 to %d are read", shorten(head), most)
	}
	return n, nil
}

// cutShort names what an end of input is within a reply.
func cutShort(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the server closed the connection before its reply was complete")
	}
	return err
}

// shorten keeps what a message can show of b.
func shorten(b []byte) []byte { return b[:min(len(b), 40)] }
