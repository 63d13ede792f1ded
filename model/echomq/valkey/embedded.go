package valkey

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/alicebob/miniredis/v2/server"
)

// embedded is a miniredis behind a net.Conn without a network: what is written
// is carried out within Write, in the caller's goroutine, and what it answered
// is there to be read. No goroutine, no port, no lock to wait for.
//
// It runs scripts itself. Miniredis builds a Lua state for every call, which
// takes about nine tenths of the call's time; this one keeps its state
// and lets redis.call go to miniredis' own commands.
type embedded struct {
	redis  *miniredis.Miniredis
	server *server.Server
	peer   *server.Peer
	lua    *luaRunner

	in, out bytes.Buffer
	writer  *bufio.Writer // to out; the peer's
}

// newEmbedded returns a new and empty server.
func newEmbedded() (*embedded, error) {
	e := &embedded{redis: miniredis.NewMiniRedis()}
	first, err := e.redis.Dial() // the server does not exist before
	if err != nil {
		return nil, err
	}
	e.server = e.redis.Server()
	e.writer = bufio.NewWriter(&e.out)
	e.peer = server.NewPeer(e.writer)
	e.lua = newLuaRunner(e.server)
	return e, first.Close()
}

// Write takes requests in RESP and carries out those that are complete.
func (e *embedded) Write(b []byte) (int, error) {
	e.in.Write(b)
	for {
		args, size, err := readRequest(e.in.Bytes())
		if err != nil {
			return len(b), err
		}
		if size == 0 {
			return len(b), nil
		}
		e.in.Next(size)
		e.serve(args)
	}
}

func (e *embedded) serve(args []string) {
	switch strings.ToUpper(args[0]) {
	case "EVALSHA":
		e.out.Write(e.lua.evalsha(args[1:]))
	case "SCRIPT":
		e.out.Write(e.lua.load(args[1:]))
	default:
		e.server.Dispatch(e.peer, args)
		e.writer.Flush()
	}
}

func (e *embedded) Read(b []byte) (int, error) {
	if e.out.Len() == 0 {
		return 0, io.EOF
	}
	return e.out.Read(b)
}

func (e *embedded) Close() error {
	e.lua.close()
	e.redis.Close()
	return nil
}

// The rest of net.Conn. Nothing here ever waits, so a deadline has no meaning.
func (e *embedded) LocalAddr() net.Addr              { return embeddedAddr{} }
func (e *embedded) RemoteAddr() net.Addr             { return embeddedAddr{} }
func (e *embedded) SetDeadline(time.Time) error      { return nil }
func (e *embedded) SetReadDeadline(time.Time) error  { return nil }
func (e *embedded) SetWriteDeadline(time.Time) error { return nil }

type embeddedAddr struct{}

func (embeddedAddr) Network() string { return "memory" }
func (embeddedAddr) String() string  { return "embedded" }

// readRequest reads the request that b begins with, and tells its size; 0 when
// it is not complete.
func readRequest(b []byte) (args []string, size int, err error) {
	n, at, ok := requestHead(b, '*')
	if !ok {
		return nil, 0, nil
	}
	args = make([]string, n)
	for i := range args {
		length, head, ok := requestHead(b[at:], '$')
		at += head
		if !ok || at+length+2 > len(b) {
			return nil, 0, nil
		}
		args[i] = string(b[at : at+length])
		at += length + 2
	}
	return args, at, nil
}

// requestHead reads a sigil and a number. Only this package's own client is
// ever at the other end.
func requestHead(b []byte, sigil byte) (n, size int, ok bool) {
	end := bytes.IndexByte(b, '\n')
	if end < 2 || b[0] != sigil {
		return 0, 0, false
	}
	n, err := strconv.Atoi(string(b[1 : end-1]))
	return n, end + 1, err == nil && n >= 0
}

func appendHead(b []byte, sigil byte, n int) []byte {
	b = strconv.AppendInt(append(b, sigil), int64(n), 10)
	return append(b, '\r', '\n')
}

func appendBulk(b []byte, s string) []byte {
	b = appendHead(b, '$', len(s))
	return append(append(b, s...), '\r', '\n')
}
