package valkey

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ackgap/ackgap/model"
)

// theirs are keys that look like the queue's and are not.
var theirs = []string{"emq:{q}", "emq:{q2}:pending", "emq:{Q}:meta", "xemq:{q}:pending", "other"}

// standing opens a connection to a server that holds the keys given.
func standing(t *testing.T, keys ...string) (*conn, func() []string) {
	t.Helper()
	f := newFake(t)
	address := f.listen(t)
	c := connect(t, address, time.Second)
	for _, k := range keys {
		if _, err := c.call("SET", k, "1"); err != nil {
			t.Fatal(err)
		}
	}
	return c, func() []string {
		c.close()
		late := connect(t, address, time.Second)
		defer late.close()
		r, err := late.call("KEYS", "*")
		if err != nil {
			t.Fatal(err)
		}
		var left []string
		for _, item := range itemsOf(r) {
			left = append(left, textOf(item))
		}
		slices.Sort(left)
		return left
	}
}

// A run begins with nothing of anybody's: a queue whose keys stand is refused,
// and what stands there is named and left alone.
func TestAKeyspaceThatIsNotEmptyIsRefused(t *testing.T) {
	c, left := standing(t, "emq:{q}:pending", "other")
	_, err := openOn(c, "q", virtual)
	if err == nil || !strings.Contains(err.Error(), "emq:{q}:pending") || !strings.Contains(err.Error(), "--flush-queue") {
		t.Errorf("the error is %v", err)
	}
	if got := left(); !slices.Equal(got, []string{"emq:{q}:pending", "other"}) {
		t.Errorf("left are %q", got)
	}
}

// A queue deletes its own keys, on opening if it is told to, on reset and on
// closing, and no others.
func TestAQueueDeletesItsOwnKeysAndNoOthers(t *testing.T) {
	FlushFirst = true
	defer func() { FlushFirst = false }()
	c, left := standing(t, append([]string{"emq:{q}:old", "emq:{q}:job:x"}, theirs...)...)
	q, err := openOn(c, "q", virtual)
	if err != nil {
		t.Fatal(err)
	}
	q.Apply(0, cycle[0])
	q.Apply(0, model.Request{Op: model.OpPause})
	q.Reset()
	if got := q.all(); len(got) > 0 {
		t.Errorf("after the reset there are %q", got)
	}
	q.Apply(0, cycle[0])
	if err := q.Close(); err != nil {
		t.Error(err)
	}
	want := slices.Sorted(slices.Values(theirs))
	if got := left(); !slices.Equal(got, want) {
		t.Errorf("left are %q, want %q", got, want)
	}
}

// What the flat queue never writes is no state to compare.
func TestASnapshotRefusesAForeignKey(t *testing.T) {
	q := openTest(t, "")
	q.ask("SET", q.keys.root+"ring", "1")
	if q.Snapshot(); q.Err() == nil || !strings.Contains(q.Err().Error(), "emq:{ackgap}:ring") {
		t.Errorf("the error is %v", q.Err())
	}
}

// Remove looks at both marks of the lock plane, which no verb here sets.
func TestALockedJobIsNotRemoved(t *testing.T) {
	if err := removesNoLockedJob(openTest(t, "")); err != "" {
		t.Error(err)
	}
}

// removesNoLockedJob returns what is wrong, if anything is.
func removesNoLockedJob(q *Queue) string {
	row := q.keys.rows + pool[0].String()
	for _, mark := range [][]string{{"SET", row + ":lock", "1"}, {"HSET", row, "lock", "1"}} {
		q.Reset()
		q.Apply(0, cycle[0])
		q.ask(mark...)
		if r := q.Apply(0, model.Request{Op: model.OpRemove, ID: pool[0]}); r.Answer != model.Locked {
			return "with " + mark[0] + " it was answered " + r.Answer.String()
		}
	}
	q.Reset()
	return ""
}

// A server that is too old, or does not say, is refused.
func TestAServerMustSayThatItIsNewEnough(t *testing.T) {
	q := openTest(t, "") // miniredis says nothing of a version
	if err := checkServer(q.conn); err == nil || !strings.Contains(err.Error(), "which version") {
		t.Errorf("the error is %v", err)
	}
	f := newFake(t)
	f.version = "6.2.14"
	c := connect(t, f.listen(t), time.Second)
	defer c.close()
	if _, err := openOn(c, "q", virtual); err == nil || !strings.Contains(err.Error(), "of version 6.2.14") {
		t.Errorf("the error is %v", err)
	}
}

// A replica takes no writes, and says so before a run begins.
func TestAReplicaIsRefused(t *testing.T) {
	f := newFake(t)
	f.version = "7.0.0\r\n# Replication\r\nrole:slave"
	c := connect(t, f.listen(t), time.Second)
	defer c.close()
	if _, err := openOn(c, "q", virtual); err == nil || !strings.Contains(err.Error(), "give its primary") {
		t.Errorf("the error is %v", err)
	}
}

// An address that is none, and a server that is not there, say what to do.
func TestAnAddressThatLeadsNowhereSaysWhatToWrite(t *testing.T) {
	for address, want := range map[string]string{
		"localhost":                         "write unix:PATH, HOST:PORT or spawn",
		"unix:/\x1b[2Jx":                    `/\x1b[2Jx`,
		"unix:/" + strings.Repeat("x", 200): "at most 103 bytes here, and this one has 201",
		"unix:/nowhere/sock":                "`valkey=spawn` starts one",
	} {
		if _, err := Open(address); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v, want %q", address, err, want)
		}
	}
}

// Of two pairs of one id the refused one is told from the other, though the wire
// names the id alone.
func TestTwoPairsOfOneIDAreToldApart(t *testing.T) {
	q := openTest(t, "")
	q.Apply(0, cycle[0])
	q.Apply(0, cycle[1])
	good, stale := model.Holding{ID: pool[0], Token: 1}, model.Holding{ID: pool[0], Token: 2}
	r := q.Apply(0, model.Request{Op: model.OpExtendBatch, Lease: time.Minute, Batch: []model.Holding{good, stale}})
	if len(r.Batch) != 1 || r.Batch[0].Holding != stale || len(q.Touched()) != 1 {
		t.Errorf("refused are %+v, touched %+v", r.Batch, q.Touched())
	}
}
