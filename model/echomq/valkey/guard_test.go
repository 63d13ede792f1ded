package valkey

import (
	"errors"
	"fmt"
	"io"
	"net"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// Whatever comes, in whatever parts, the guard lets pass what a plain reader of
// RESP2 calls so many whole replies, stops at the first byte that no such reply can
// have, and waits for the rest of what may become one; and the client reads what
// the plain reader reads.
func TestTheGuardLetsPassWhatAPlainReaderReads(t *testing.T) {
	said := map[verdict]int{}
	rapid.Check(t, func(t *rapid.T) {
		owed := rapid.IntRange(1, 3).Draw(t, "owed")
		sent := drawReplies.Draw(t, "sent")
		replies, want := read(sent, owed)
		said[want]++
		for _, size := range []int{1, rapid.IntRange(2, 9).Draw(t, "part"), len(sent) + 1} {
			if got := guarded(sent, owed, size); got != want {
				t.Fatalf("%q in parts of %d, of which %d are owed: the guard says %q, want %q", sent, size, owed, got, want)
			}
			if isMore := want == bad && replies != nil; isMore {
				continue // the client reads no further than it must
			}
			got, err := clientReads(sent, owed, size)
			if (err == nil) != (want == whole) || shown(got) != shown(replies) {
				t.Fatalf("%q in parts of %d, of which %d are owed: the client reads %s, %v; want %s", sent, size, owed, shown(got), err, shown(replies))
			}
		}
	})
	for _, v := range []verdict{whole, short, bad} {
		if said[v] == 0 {
			t.Errorf("of all that was sent nothing was %s", v)
		}
	}
}

// verdict is what can be said of bytes that so many replies are awaited of.
type verdict string

const (
	whole verdict = "whole"
	short verdict = "short" // as far as it has come there is nothing wrong
	bad   verdict = "bad"
)

// drawReplies draws replies, most of them nested ones, and breaks some.
var drawReplies = rapid.Custom(func(t *rapid.T) string {
	var b strings.Builder
	for range rapid.IntRange(1, 3).Draw(t, "replies") {
		b.WriteString(drawReply(2).Draw(t, "reply"))
	}
	s := b.String()
	at := rapid.IntRange(0, len(s)).Draw(t, "at")
	piece := rapid.SampledFrom([]string{"\r", "\n", "\r\n", "-", "0", "9", "$", "*", ":", "+", "$-1\r\n", ">1\r\n", "%1\r\n", "_\r\n", "x"}).Draw(t, "piece")
	switch rapid.IntRange(0, 7).Draw(t, "broken") {
	case 0:
		return s[:at]
	case 1:
		return s[:at] + piece + s[at:]
	case 2:
		return s[:at] + piece + s[min(len(s), at+1):]
	}
	return s
})

func drawReply(depth int) *rapid.Generator[string] {
	leaf := rapid.SampledFrom([]string{
		"+OK\r\n", "+\r\n", "+a\rb\r\n", "-ERR no\r\n", "-EMQSTALE\r\n", "-\r\n",
		":0\r\n", ":-0\r\n", ":+7\r\n", ":9223372036854775807\r\n", ":9223372036854775808\r\n", ":\r\n", ":1.5\r\n", ":inf\r\n",
		"$-1\r\n", "$-01\r\n", "*-01\r\n", "$05\r\nabcde\r\n", "$-0\r\n\r\n", "$+1\r\na\r\n", "$0\r\n\r\n", "$2\r\n\r\n\r\n", "$5\r\n$1\r\na\r\n", "$-2\r\n", "$inf\r\n", "$\r\n", "$67108865\r\n",
		"*-1\r\n", "*0\r\n", "*-2\r\n", "*1048577\r\n", ">1\r\n+push\r\n", "%1\r\n+a\r\n+b\r\n", "_\r\n", "#t\r\n", ",1.5\r\n", "(1\r\n", "=5\r\ntxt:a\r\n", "~0\r\n", "!3\r\nERR\r\n",
		"-ERR a\r\nb\r\n", "\r\n", "\n", "+OK\n", "HTTP/1.1 400\r\n",
	})
	sound := rapid.SampledFrom([]string{"+OK\r\n", ":12\r\n", "$3\r\na\nb\r\n", "$-1\r\n", "-EMQRATE a b\r\n", "*0\r\n"})
	list := rapid.Custom(func(t *rapid.T) string {
		items := rapid.SliceOfN(drawReply(depth-1), 0, 3).Draw(t, "items")
		return fmt.Sprintf("*%d\r\n%s", len(items), strings.Join(items, ""))
	})
	if depth == 0 {
		return rapid.OneOf(sound, sound, sound, sound, leaf)
	}
	return rapid.OneOf(sound, list, list, leaf)
}

// read is the plain reader: all of s is there, and it reads one reply within the
// other.
func read(s string, owed int) (replies []any, v verdict) {
	for range owed {
		var one any
		if one, s, v = readOne(s); v != whole {
			return nil, v
		}
		replies = append(replies, one)
	}
	if s != "" {
		return replies, bad // more than was owed
	}
	return replies, whole
}

var (
	integer = regexp.MustCompile(`^[+-]?[0-9]+$`)
	length  = regexp.MustCompile(`^[0-9]+$`)
)

func readOne(s string) (value any, rest string, v verdict) {
	line, rest, isLine := strings.Cut(s, "\n")
	if !isLine {
		return nil, "", short
	}
	if len(line) < 2 || !strings.HasSuffix(line, "\r") {
		return nil, "", bad
	}
	text := line[1 : len(line)-1]
	n, err := strconv.ParseInt(text, 10, 64)
	isLength := err == nil && length.MatchString(text)
	switch {
	case line[0] == '+':
		return text, rest, whole
	case line[0] == '-':
		return errors.New(text), rest, whole
	case line[0] == ':' && err == nil && integer.MatchString(text):
		return n, rest, whole
	case line == "$-1\r", line == "*-1\r":
		return nil, rest, whole
	case line[0] == '$' && isLength && n <= maxBulk:
		return readText(rest, int(n))
	case line[0] == '*' && isLength && n <= maxItems:
		list := make([]any, 0, n)
		for range n {
			var item any
			if item, rest, v = readOne(rest); v != whole {
				return nil, "", v
			}
			list = append(list, item)
		}
		return list, rest, whole
	}
	return nil, "", bad
}

func readText(s string, n int) (value any, rest string, v verdict) {
	for i := n; i < min(n+2, len(s)); i++ {
		if s[i] != "\r\n"[i-n] {
			return nil, "", bad
		}
	}
	if len(s) < n+2 {
		return nil, "", short
	}
	return s[:n], s[n+2:], whole
}

// shown tells nil, a number, a text, an error and a list from each other.
func shown(reply any) string {
	switch r := reply.(type) {
	case error:
		return fmt.Sprintf("error %q", r.Error())
	case []any:
		items := make([]string, len(r))
		for i, item := range r {
			items[i] = shown(item)
		}
		return fmt.Sprint(items)
	}
	return fmt.Sprintf("%#v", reply)
}

// guarded is what the guard says of s when it comes in parts of that size.
func guarded(s string, owed, size int) verdict {
	g := &guard{}
	g.owe(owed)
	for len(s) > 0 {
		part := s[:min(size, len(s))]
		s = s[len(part):]
		if g.follow([]byte(part)) != nil {
			return bad
		}
	}
	if g.owed > 0 {
		return short
	}
	return whole
}

// clientReads is what a client behind the guard makes of s.
func clientReads(s string, owed, size int) ([]any, error) {
	c := newConn(&tape{said: "-ERR unknown command 'HELLO'\r\n", then: s, size: size}, 0)
	defer func() { _ = c.close() }()
	for range owed {
		c.add("X")
	}
	return c.do()
}

// tape is a connection on which it is known beforehand what comes: one answer to
// the first write, and one to all that follow, after which the other end is gone.
type tape struct {
	net.Conn
	said, then string
	size       int
	writes     int
}

func (t *tape) Write(b []byte) (int, error) {
	if t.writes++; t.writes == 2 {
		t.said += t.then
	}
	return len(b), nil
}

func (t *tape) Read(b []byte) (int, error) {
	if t.said == "" {
		return 0, io.EOF
	}
	n := copy(b[:min(t.size, len(b))], t.said)
	t.said = t.said[n:]
	return n, nil
}

func (t *tape) Close() error                     { return nil }
func (t *tape) RemoteAddr() net.Addr             { return embeddedAddr{} }
func (t *tape) SetDeadline(time.Time) error      { return nil }
func (t *tape) SetReadDeadline(time.Time) error  { return nil }
func (t *tape) SetWriteDeadline(time.Time) error { return nil }

// The limits are of one exchange, and each holds: what a server sends in a long run
// is more than all of them.
func TestTheLimitsAreOfOneExchange(t *testing.T) {
	arrays := strings.Repeat("*0\r\n", maxArrays)
	items := fmt.Sprintf("*%d\r\n%s", maxItems, strings.Repeat(":1\r\n", maxItems))
	g := &guard{}
	for i, sent := range []string{arrays, arrays, items, items} {
		g.owe(maxArrays)
		if err := g.follow([]byte(sent)); err != nil {
			t.Fatalf("exchange %d: %v", i, err)
		}
	}
	text := make([]byte, maxBulk)
	for _, c := range []struct {
		what string
		sent []string
		want string
	}{
		{"arrays", []string{arrays, "*0\r\n"}, "65536 arrays at once"},
		{"items", []string{items, "*1\r\n"}, "an array of the length"},
		{"bytes", slices.Repeat([]string{fmt.Sprintf("$%d\r\n", maxBulk), string(text), "\r\n"}, 4), "bytes at once"},
	} {
		g := &guard{}
		g.owe(maxArrays + 1)
		var err error
		for i, sent := range c.sent {
			if err = g.follow([]byte(sent)); err != nil && i < len(c.sent)-2 {
				t.Fatalf("%s: part %d: %v", c.what, i, err)
			}
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the error is %v", c.what, err)
		}
	}
}

// Of a line, of a string and of an exchange the longest is read, and no byte more.
func TestTheLongestIsReadAndNoByteMore(t *testing.T) {
	for _, c := range []struct {
		what string
		sent func(more int) (before int, reply string)
		want string
	}{
		{"a line", func(more int) (int, string) { return 0, "+" + strings.Repeat("x", 64<<10-2+more) + "\r\n" }, "a line of more than 65536 bytes"},
		{"a string", func(more int) (int, string) { return 0, fmt.Sprintf("$%d\r\n", 64<<20+more) }, "from -1 to 67108864 are read"},
		{"an exchange", func(more int) (int, string) { return 256<<20 - 4 + more, ":1\r\n" }, "more than 268435456 bytes at once"},
	} {
		for more := range 2 {
			g := &guard{}
			g.owe(1)
			before, reply := c.sent(more)
			g.bytes += before
			err := g.follow([]byte(reply))
			if more == 0 && err != nil || more == 1 && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%s, %d beyond the limit: %v", c.what, more, err)
			}
		}
	}
}

// A client that dials again is given nothing: there is one connection.
func TestThereIsNeverASecondConnection(t *testing.T) {
	g := &guard{}
	if _, err := g.handOut(t.Context(), "", ""); err != nil {
		t.Error(err)
	}
	if _, err := g.handOut(t.Context(), "", ""); err == nil {
		t.Error("it was handed out twice")
	}
}
