package valkey

import (
	"errors"
	"testing"

	"github.com/ackgap/ackgap/model"
)

// FuzzReplies lets a server answer with any bytes, in parts. The guard and the client
// come to what a plain reader of RESP2 comes to; and whatever they read is an answer
// to each verb, or a surprise that is told.
func FuzzReplies(f *testing.F) {
	for _, s := range []string{
		"+OK\r\n", "-NOSCRIPT gone\r\n", ":-1\r\n", "$-1\r\n", "*-1\r\n", "$3\r\na\x00b\r\n", "*2\r\n*1\r\n:1\r\n$1\r\nx\r\n",
		"*3\r\n$14\r\nJOB00000000000\r\n$1\r\n{\r\n:1\r\n", "*1048577\r\n", "$67108865\r\n", ":99999999999999999999\r\n",
		"%1\r\n+a\r\n+b\r\n", "*1\r\n*1\r\n*1\r\n*1\r\n", "+a\rb\r\n", "$1\r\nab\r\n",
	} {
		f.Add(s, uint8(1), uint8(1))
	}
	f.Fuzz(func(t *testing.T, sent string, owed, size uint8) {
		n, part := 1+int(owed%3), 1+int(size)
		replies, want := read(sent, n)
		if got := guarded(sent, n, part); got != want {
			t.Fatalf("%q in parts of %d, of which %d are owed: the guard says %q, and a plain reader %q", sent, part, n, got, want)
		}
		if want != whole {
			return
		}
		got, err := clientReads(sent, n, part)
		if err != nil || shown(got) != shown(replies) {
			t.Fatalf("%q: the client reads %s, %v; a plain reader %s", sent, shown(got), err, shown(replies))
		}
		for _, reply := range got {
			understood(t, reply)
		}
	})
}

// understood lets every verb be answered with the reply.
func understood(t *testing.T, reply any) {
	for op := model.Op(1); op.String() != model.Op(255).String(); op++ {
		req := model.Request{Op: op, Batch: []model.Holding{{Token: 1}}}
		if said, ok := reply.(error); ok {
			refusal(said)
		} else if _, ok := decode(0, &req, reply); !ok && errors.Unwrap(surprise(op, reply)) == nil && surprise(op, reply).Error() == "" {
			t.Errorf("%v: a surprise without a word", op)
		}
	}
}
