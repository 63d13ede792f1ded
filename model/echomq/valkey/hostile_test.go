package valkey

import (
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ackgap/ackgap/model"
)

// fake is a server that behaves until the call of a script that it is told to
// misbehave at.
type fake struct {
	*embedded
	version     string // as INFO tells it
	connections int    // so far; one at a time
	calls       int    // scripts called so far
	at          int    // misbehave at this one, from 1; 0: never
	bad         func(c net.Conn, good []byte)
}

// listen serves one connection on a socket and returns its address.
func (f *fake) listen(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	t.Cleanup(func() { l.Close(); <-done })
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			f.connections++
			f.serveConn(c)
		}
	}()
	return "unix:" + path
}

func (f *fake) serveConn(c net.Conn) {
	defer c.Close()
	var got []byte
	part := make([]byte, 64<<10)
	for {
		n, err := c.Read(part)
		if err != nil {
			return
		}
		got = append(got, part[:n]...)
		for {
			args, size, _ := readRequest(got)
			if size == 0 {
				break
			}
			got = got[size:]
			f.answer(c, args)
		}
	}
}

func (f *fake) answer(c net.Conn, args []string) {
	switch args[0] {
	case "INFO":
		_, _ = c.Write(appendBulk(nil, "redis_version:"+f.version+"\r\n"))
		return
	case "CLIENT":
		_, _ = c.Write(f.client(args[1:]))
		return
	}
	f.serve(args)
	good := append([]byte(nil), f.out.Bytes()...)
	f.out.Reset()
	if args[0] == "EVALSHA" {
		if f.calls++; f.calls == f.at {
			f.bad(c, good)
			return
		}
	}
	_, _ = c.Write(good)
}

// client tells the number of the one connection that there is, and what is known
// of one with a number.
func (f *fake) client(args []string) []byte {
	me := strconv.Itoa(f.connections)
	if args[0] == "ID" {
		return []byte(":" + me + "\r\n")
	}
	if args[2] != me {
		return appendBulk(nil, "")
	}
	return appendBulk(nil, "id="+me+"\n")
}

func newFake(t *testing.T) *fake {
	t.Helper()
	e, err := newEmbedded()
	if err != nil {
		t.Fatal(err)
	}
	return &fake{embedded: e, version: "7.0.0"}
}

func connect(t *testing.T, address string, timeout time.Duration) *conn {
	t.Helper()
	c, err := dial(address, timeout)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.close() })
	return c
}

func say(text string) func(net.Conn, []byte) {
	return func(c net.Conn, _ []byte) { _, _ = c.Write([]byte(text)) }
}

func drip(c net.Conn, _ []byte) {
	for {
		if _, err := c.Write([]byte("1")); err != nil {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// slow is what the queue says of a server that takes its time.
const slow = "claim: the server has not answered within 300ms"

// Whatever a server answers instead of a reply, the queue says what was wrong,
// answers unknown from then on, and does not wait for ever.
func TestAHostileServerIsNamedAndNeverBelieved(t *testing.T) {
	for _, h := range []struct {
		name string
		bad  func(net.Conn, []byte)
		want string
	}{
		{"closed", func(c net.Conn, _ []byte) { c.Close() }, "claim: the server closed the connection before its reply was complete"},
		{"truncated", func(c net.Conn, good []byte) { _, _ = c.Write(good[:len(good)/2]); c.Close() }, "closed the connection before its reply was complete"},
		{"silent", func(net.Conn, []byte) {}, slow},
		{"slow", drip, slow},
		{"a status", say("+OK\r\n"), `claim: the server does not speak the protocol: it answered "OK"`},
		{"a number", say(":7\r\n"), "does not speak the protocol: it answered 7"},
		{"a job that is no id", say("*3\r\n$1\r\nJ\r\n$-1\r\n:1\r\n"), "does not speak the protocol: it answered an array"},
		{"a token that is no number", say("*3\r\n$14\r\nJOB00000000001\r\n$-1\r\n$1\r\n1\r\n"), "does not speak the protocol"},
		{"another protocol", say("HTTP/1.1 400 Bad Request\r\n\r\n"), "which is no RESP2"},
		{"no CRLF", say("+OK\n"), "does not end as RESP does"},
		{"no integer", say(":x\r\n"), `the integer "x"`},
		{"a long string", say("$50000000000\r\n"), `the length "50000000000"`},
		{"a length below zero", say("$-5\r\n"), `the length "-5"`},
		{"a wrong length", say("$3\r\nJOB00000000001\r\n"), "of another length than it said"},
		{"a long array", say("*9223372036854775807\r\n"), `the length "9223372036854775807"`},
		{"a deep array", say(strings.Repeat("*1\r\n", 100_000)), "and 65536 arrays at once"},
		{"an endless line", func(c net.Conn, _ []byte) { _, _ = c.Write([]byte("+" + strings.Repeat("x", 1<<20) + "\r\n")) }, "a line of more than 65536 bytes"},
		{"more than was asked", func(c net.Conn, good []byte) { _, _ = c.Write(append(good, "+OK\r\n"...)) }, "more replies than it was asked for"},
	} {
		t.Run(h.name, func(t *testing.T) {
			f := newFake(t)
			f.at, f.bad = 2, h.bad
			c := connect(t, f.listen(t), time.Minute)
			defer func() { _ = c.close() }()
			q, err := openOn(c, "q", virtual)
			if err != nil {
				t.Fatal(err)
			}
			if h.want == slow { // a loaded machine may be as slow as that server, so only here
				c.timeout = 300 * time.Millisecond
			}
			defer q.Close()
			if r := q.Apply(0, cycle[0]); r.Answer != model.Enqueued {
				t.Fatalf("before, the queue answered %+v", r)
			}
			for range 3 {
				r := q.Apply(0, cycle[1])
				if r.Answer != model.UnknownAnswer || !strings.Contains(r.Err, h.want) || len(q.Touched()) > 0 {
					t.Fatalf("answered %s, %q; want unknown, %q", r.Answer, r.Err, h.want)
				}
			}
			if q.Err() == nil || !strings.Contains(q.Err().Error(), h.want) {
				t.Errorf("the queue remembers %v, want %q", q.Err(), h.want)
			}
		})
	}
}

// A server that is lost while the queue is closed leaves keys: that is said, once.
// One that can be reached again leaves none.
func TestAServerThatIsLostWhileClosingIsTold(t *testing.T) {
	for _, isBack := range []bool{true, false} {
		f := newFake(t)
		address := f.listen(t)
		q, err := openOn(connect(t, address, time.Minute), "q", virtual)
		if err != nil {
			t.Fatal(err)
		}
		q.redial = func() (*conn, error) { return nil, errors.New("nobody is there") }
		if isBack {
			q.redial = func() (*conn, error) { return dial(address, time.Minute) }
		}
		q.Apply(0, cycle[0])
		_ = q.conn.guard.Conn.Close()
		if err := q.Close(); isBack != (err == nil) || !isBack && !strings.Contains(err.Error(), "keys emq:{q}:* may be left: valkey: SCAN") {
			t.Errorf("it is back: %v; the error is %v", isBack, err)
		}
		if left := f.redis.Keys(); isBack != (len(left) == 0) {
			t.Errorf("it is back: %v; left are %q", isBack, left)
		}
	}
}

// What Err has told, Close does not tell again; that a server which is back has not
// deleted the keys, it tells.
func TestCloseTellsWhatErrHasNot(t *testing.T) {
	for _, wasLost := range []bool{true, false} {
		q, err := openOn(connect(t, newFake(t).listen(t), time.Minute), "q", virtual)
		if err != nil {
			t.Fatal(err)
		}
		q.redial = func() (*conn, error) { return newConn(&tape{size: 1}, 0), nil }
		if wasLost {
			q.fail(errors.New("lost"))
		}
		_ = q.conn.guard.Conn.Close()
		if err := q.Close(); wasLost != (err == nil) {
			t.Errorf("it was lost before: %v; the error is %v", wasLost, err)
		}
	}
}

// An error of a class of EchoMQ's that no verb here has is an answer: it is passed
// on, and the queue goes on.
func TestAnUnknownErrorClassIsPassedThrough(t *testing.T) {
	f := newFake(t)
	f.at, f.bad = 2, say("-EMQRATE too many at once\r\n")
	q, err := openOn(connect(t, f.listen(t), time.Second), "q", virtual)
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	q.Apply(0, cycle[0])
	if r := q.Apply(0, cycle[2]); r.Answer != model.UnknownAnswer || r.Err != "EMQRATE too many at once" {
		t.Errorf("answered %s, %q", r.Answer, r.Err)
	}
	if r := q.Apply(0, cycle[0]); r.Answer != model.Duplicate || q.Err() != nil {
		t.Errorf("afterwards it answered %s, %v", r.Answer, q.Err())
	}
}

// What a server says about itself is no answer of the queue's: nothing that comes
// after it is judged.
func TestWhatAServerSaysAboutItselfFailsTheQueue(t *testing.T) {
	for _, said := range []string{
		"OOM command not allowed when used memory > 'maxmemory'.", "READONLY You can't write against a read only replica.",
		"CLUSTERDOWN Hash slot not served", "MOVED 1 127.0.0.1:7000", "WRONGTYPE Operation against a key", "ERR user_script:1: what",
	} {
		f := newFake(t)
		f.at, f.bad = 2, say("-"+said+"\r\n")
		q, err := openOn(connect(t, f.listen(t), time.Minute), "q", virtual)
		if err != nil {
			t.Fatal(err)
		}
		q.Apply(0, cycle[0])
		r := q.Apply(0, cycle[1])
		if want := fmt.Sprintf("claim: the server answered %q", said); r.Answer != model.UnknownAnswer || !strings.Contains(r.Err, want) || q.Err() == nil {
			t.Errorf("answered %s, %q, %v; want %q", r.Answer, r.Err, q.Err(), want)
		}
		q.Close()
	}
}

// A server that has forgotten the scripts is given them once more.
func TestForgottenScriptsAreLoadedAgain(t *testing.T) {
	q := openTest(t, "")
	clear(q.conn.guard.Conn.(*embedded).lua.scripts)
	if r := q.Apply(0, cycle[0]); r.Answer != model.Enqueued {
		t.Errorf("answered %s, %q", r.Answer, r.Err)
	}
}

// The first seconds of 1970 are told like all others.
func TestAClockIn1970IsTold(t *testing.T) {
	for _, address := range someServers(t) {
		q := openTest(t, address)
		for i, at := range []int64{0, 1, 999, 1000, 12_345} {
			q.Apply(0, model.Request{Op: model.OpEnqueue, ID: pool[i%4]})
			r := q.Apply(instant(at), model.Request{Op: model.OpClaim, Lease: time.Millisecond})
			if s := q.Snapshot(); len(s.Active) != 1 || s.Active[0].Score != at+1 {
				t.Errorf("%q: at %d ms it was answered %+v, and active is %+v", address, at, r, s.Active)
			}
			q.Reset()
		}
	}
}

// Before 1970 a server's clock cannot be: the queue says so and does not guess.
func TestAClockBefore1970FailsTheQueue(t *testing.T) {
	q := openTest(t, "")
	r := q.Apply(model.Time(-60*365*24*time.Hour), cycle[0])
	if r.Answer != model.UnknownAnswer || !strings.Contains(r.Err, "before 1970") || q.Err() == nil {
		t.Errorf("answered %s, %q", r.Answer, r.Err)
	}
}
