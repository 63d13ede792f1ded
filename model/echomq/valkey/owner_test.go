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

// beside returns a queue on a connection of its own to that server, before it
// owns anything.
func beside(t *testing.T, address, name string) *Queue {
	t.Helper()
	q, err := newQueue(connect(t, address, time.Minute), name, virtual)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// A server numbers its connections from one again when it is restarted. The
// number of a live connection, of another life of the server, is of nobody.
func TestANumberOfAnotherLifeOfTheServerIsOfNobody(t *testing.T) {
	address := socketOf(t)
	other := beside(t, address, "other")
	other.name()
	_, number, _ := strings.Cut(other.me, ":")
	if len(other.life) != 40 || other.life == nameOfLife(t, socketOf(t)) {
		t.Errorf("the life of the server is called %q", other.life)
	}
	q := beside(t, address, "q")
	for _, name := range []string{number, ":" + number, "0123456789:" + number, other.life + ":", other.life + ":-1", other.life + ":9999999", "x"} {
		other.ask("SET", q.keys.owner, name)
		if err := q.own(); err == nil || !strings.Contains(err.Error(), "has 1 keys") {
			t.Errorf("owned by %q: the error is %v", name, err)
		}
	}
	other.ask("SET", q.keys.owner, other.me)
	if err := q.own(); !errors.Is(err, errHeld) {
		t.Errorf("owned by one that lives: the error is %v", err)
	}
}

func nameOfLife(t *testing.T, address string) string {
	q := beside(t, address, "q")
	q.name()
	return q.life
}

// Of two programs that find the same keyspace free, or left behind, one takes it.
func TestOneOfTwoThatLookAtOnceTakesTheKeyspace(t *testing.T) {
	address := socketOf(t)
	for _, before := range []string{"", "gone:1"} {
		first, second := beside(t, address, "q"), beside(t, address, "q")
		if before == "" {
			first.ask("DEL", first.keys.owner)
		} else {
			first.ask("SET", first.keys.owner, before)
		}
		for _, q := range []*Queue{first, second} {
			q.name()
			if name, _ := q.holder(); name != before {
				t.Fatalf("the owner is %q, want %q", name, before)
			}
		}
		if a, b := first.take(), second.take(); a != nil || !errors.Is(b, errHeld) {
			t.Errorf("the first is told %v, the second %v", a, b)
		}
		if owner := second.ask("GET", second.keys.owner); owner != first.me {
			t.Errorf("the owner is %v, want %s", owner, first.me)
		}
	}
}

// What happens to a keyspace that was looked at and left does not stand in the way
// of the next one.
func TestAKeyspaceThatWasLeftAloneIsLookedAtNoMore(t *testing.T) {
	address := socketOf(t)
	at, q := beside(t, address, "a"), beside(t, address, "a")
	if err := at.own(); err != nil {
		t.Fatal(err)
	}
	if err := q.own(); !errors.Is(err, errHeld) {
		t.Fatalf("the error is %v", err)
	}
	at.leave()
	q.keys = keysOf("b")
	if err := q.own(); err != nil {
		t.Errorf("the next one is not taken: %v", err)
	}
}

// A server that does not tell whether the owner is there is not taken from it.
func TestAnOwnerOfWhichTheServerTellsNothingLosesNothing(t *testing.T) {
	address := socketOf(t)
	FlushFirst = true
	defer func() { FlushFirst = false }()
	at := openTest(t, address)
	at.Apply(0, cycle[0])
	forgetNumbers()
	for _, command := range []string{"client|list", "client|id", "get", "watch"} {
		at.ask("ACL", "SETUSER", "default", "-"+command)
		if _, err := Open(address); err == nil || !strings.Contains(err.Error(), "NOPERM") {
			t.Errorf("without %s the error is %v", command, err)
		}
		at.ask("ACL", "SETUSER", "default", "+"+command)
	}
	if r := at.Apply(0, cycle[1]); r.Answer != model.OK {
		t.Errorf("the owner was answered %s, %s", r.Answer, r.Err)
	}
}

// A key of somebody's that is called as the owner's, and is of another type, is
// refused, and deleted where that is asked for.
func TestAKeyOfAnotherTypeInTheOwnersPlaceIsSomebodys(t *testing.T) {
	address := socketOf(t)
	q := beside(t, address, "q")
	q.ask("RPUSH", q.keys.owner, "x")
	if err := q.own(); err == nil || !strings.Contains(err.Error(), "as emq:{q}:owner") {
		t.Errorf("the error is %v", err)
	}
	FlushFirst = true
	defer func() { FlushFirst = false }()
	if err := q.own(); err != nil {
		t.Error(err)
	}
}

// A queue that was lost deletes what it left, but no keys of one that has taken
// them since, though that has the number of its connection.
func TestALostQueueDeletesItsOwnKeysOnly(t *testing.T) {
	address := socketOf(t)
	for _, isTaken := range []bool{false, true} {
		lost, err := Open(address)
		if err != nil {
			t.Fatal(err)
		}
		lost.Apply(0, cycle[0])
		witness, want := beside(t, address, "w"), 0
		if isTaken {
			_, number, _ := strings.Cut(lost.me, ":")
			witness.ask("SET", lost.keys.owner, "another:"+number)
			want = 2
		}
		lost.fail(errors.New("lost"))
		if err := lost.Close(); err != nil {
			t.Error(err)
		}
		witness.keys = lost.keys
		if left := witness.all(); len(left) != want {
			t.Errorf("taken by another: %v; left are %q", isTaken, left)
		}
		witness.leave()
	}
}

// A server that does not say that the keyspace was taken, nor that another was
// faster, ends the search for one.
func TestAServerThatDoesNotTakePartIsNotAskedForEver(t *testing.T) {
	address := socketOf(t)
	beside(t, address, "w").ask("ACL", "SETUSER", "default", "-exec")
	if _, err := Open(address); err == nil || !strings.Contains(err.Error(), "NOPERM") {
		t.Errorf("the error is %v", err)
	}
}

// What a server that is lost has told is not what stands there.
func TestAKeyspaceOfALostServerIsNotCounted(t *testing.T) {
	q := openTest(t, "")
	q.fail(errors.New("lost"))
	if err := q.refuse([]string{"x"}); err != q.err {
		t.Errorf("the error is %v", err)
	}
}
