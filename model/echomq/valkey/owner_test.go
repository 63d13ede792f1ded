package valkey

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/ackgap/ackgap/model"
)

// socketOf begins a server of this machine's and returns its address.
func socketOf(t *testing.T) string {
	t.Helper()
	requireServer(t)
	q := openTest(t, "spawn")
	return "unix:" + strings.TrimPrefix(q.conn.guard.RemoteAddr().String(), "unix:")
}

// Two programs that run at once on one server take a keyspace each, though each
// counts its queues from one, and --flush-queue takes nothing from the other.
func TestTwoProgramsOnOneServerTakeTwoKeyspaces(t *testing.T) {
	address := socketOf(t)
	FlushFirst = true
	defer func() { FlushFirst = false }()
	first := openTest(t, address)
	first.Apply(0, cycle[0])
	forgetNumbers()
	second := openTest(t, address)
	if first.keys.root != "emq:{ackgap-1}:" || second.keys.root != "emq:{ackgap-2}:" {
		t.Errorf("the keyspaces are %s and %s", first.keys.root, second.keys.root)
	}
	if r := first.Apply(0, cycle[1]); r.Answer != model.OK {
		t.Errorf("the first has lost its job: it was answered %s, %s", r.Answer, r.Err)
	}
}

// forgetNumbers makes of this process another one.
func forgetNumbers() { numbers.taken = nil }

// What a program that was killed leaves is refused, and taken over where that is
// asked for.
func TestWhatAKilledProgramLeavesIsTakenOverWhenAsked(t *testing.T) {
	address := socketOf(t)
	killed, err := Open(address)
	if err != nil {
		t.Fatal(err)
	}
	killed.Apply(0, cycle[0])
	_ = killed.conn.close()
	forgetNumbers()
	for waited := 0; ; waited++ { // the server notices when it comes to it
		_, err = Open(address)
		if err != nil || waited > 100 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if err == nil || !strings.Contains(err.Error(), "has 3 keys emq:{ackgap-1}:*") {
		t.Errorf("the error is %v", err)
	}
	FlushFirst = true
	defer func() { FlushFirst = false }()
	q := openTest(t, address)
	if left := q.all(); q.keys.root != "emq:{ackgap-1}:" || len(left) > 0 {
		t.Errorf("in %s stand %q", q.keys.root, left)
	}
}

// A keyspace in which another connection is at work is not opened.
func TestAKeyspaceAtWorkIsNotOpened(t *testing.T) {
	address := socketOf(t)
	at := openTest(t, address)
	c := connect(t, address, time.Minute)
	if _, err := openOn(c, strings.TrimSuffix(strings.TrimPrefix(at.keys.root, "emq:{"), "}:"), virtual); !errors.Is(err, errHeld) {
		t.Errorf("the error is %v", err)
	}
}
