package valkey

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/echomq"
)

// The prelude is all that is sent besides what production would run, and what
// production would run is the file.
func TestThePreludeIsTheOnlyDifference(t *testing.T) {
	sent := 0
	for op, name := range scriptNames {
		if name == "" {
			continue
		}
		file, err := os.ReadFile("lua/" + name + ".lua")
		if err != nil {
			t.Fatal(err)
		}
		if bare.of[op].sent != string(file) {
			t.Errorf("%s: without the prelude something else than the file is sent", name)
		}
		if virtual.of[op].sent != prelude+string(file) {
			t.Errorf("%s: with the prelude not the prelude and the file are sent", name)
		}
		sent++
	}
	for _, op := range hardenedNames {
		if source := mustRead("hardened/" + scriptNames[op]); hardened.of[op].sent != prelude+source {
			t.Errorf("%s: of hardened not the prelude and the file are sent", op)
		}
	}
	if files, err := filepath.Glob("lua/hardened/*.lua"); err != nil || len(files) != len(hardenedNames) {
		t.Errorf("%d scripts of hardened are sent, and there are %d files (%v)", len(hardenedNames), len(files), err)
	}
	if files, err := filepath.Glob("lua/*.lua"); err != nil || len(files) != sent+1 {
		t.Errorf("%d scripts are sent, and there are %d files (%v)", sent, len(files), err)
	}
}

// The prelude answers TIME, however it is spelt, from the last argument, which
// the script does not see, and lets all else through, errors too.
func TestThePreludeShadowsTheClockAndNothingElse(t *testing.T) {
	const source = `local t = redis.call('time')
		local word = redis.call('SET', KEYS[1], ARGV[1])
		return {t[1], t[2], #ARGV, word['ok'], redis.call('GET', KEYS[1]), redis.call('GET', 'none') == false, redis.call('STRLEN', KEYS[1])}`
	for _, address := range someServers(t) {
		q := openTest(t, address)
		key := q.keys.root + "x"
		r := eval(t, q, prelude+source, "1", key, "hello", "1735689600007000")
		want := []any{"1735689600", "7000", int64(1), "OK", "hello", int64(1), int64(5)}
		if d := cmp.Diff(want, itemsOf(r)); d != "" {
			t.Errorf("%q: (-want +got)\n%s", address, d)
		}
		const wrong = `return redis.call('HGET', KEYS[1], 'f')`
		with := eval(t, q, prelude+wrong, "1", key, "0000000")
		if without := eval(t, q, wrong, "1", key); class(with) != "WRONGTYPE" || class(without) != "WRONGTYPE" {
			t.Errorf("%q: with the prelude the error is %q, without it %q", address, with, without)
		}
	}
}

func class(r any) string {
	word, _, _ := strings.Cut(fmt.Sprint(r), " ")
	return word
}

func eval(t *testing.T, q *Queue, source string, args ...string) any {
	t.Helper()
	sha := q.ask("SCRIPT", "LOAD", source)
	r, err := q.conn.call(append([]string{"EVALSHA", textOf(sha)}, args...)...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// someServers are the embedded one, and a real one where there is one or must be.
func someServers(t *testing.T) []string {
	if _, err := FindServer(); err != nil && os.Getenv("ACKGAP_REQUIRE") == "" {
		t.Logf("without a real server: %v", err)
		return []string{""}
	}
	return []string{"", "spawn"}
}

// Without the prelude, by a real server's own clock and with real waiting, the
// scripts answer what the Go machine answers by a virtual one.
func TestByItsOwnClockAServerAnswersTheSame(t *testing.T) {
	requireServer(t)
	q, err := spawn(bare)
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	machine, err := echomq.New("")
	if err != nil {
		t.Fatal(err)
	}
	const short = 150 * time.Millisecond
	id := pool[0]
	began := time.Now()
	for _, step := range []struct {
		wait time.Duration
		req  model.Request
		want string // what both answer
	}{
		{0, model.Request{Op: model.OpEnqueueIn, ID: id, Delay: short, Payload: "a"}, "scheduled"},
		{0, model.Request{Op: model.OpPromote}, "ok 0"},
		{2 * short, model.Request{Op: model.OpPromote}, "ok 1"},
		{0, model.Request{Op: model.OpClaim, Lease: short}, "ok 0"},
		{0, model.Request{Op: model.OpReap}, "ok 0"},
		{2 * short, model.Request{Op: model.OpReap}, "ok 1"},
		{0, model.Request{Op: model.OpClaim, Lease: time.Hour}, "ok 0"},
		{0, model.Request{Op: model.OpExtend, ID: id, Token: 1, Lease: time.Hour}, "stale"},
		{0, model.Request{Op: model.OpExtend, ID: id, Token: 2, Lease: short}, "ok 0"},
		{2 * short, model.Request{Op: model.OpSweep, Max: 2}, "ok 1"},
		{0, model.Request{Op: model.OpClaim, Lease: time.Hour}, "ok 0"},
		{0, model.Request{Op: model.OpRetry, ID: id, Token: 3, Max: 3, Error: "boom"}, "dead"},
	} {
		time.Sleep(step.wait)
		now := model.Time(time.Since(began))
		for _, r := range []model.Reply{machine.Apply(now, step.req), q.Apply(now, step.req)} {
			if got := inShort(r); got != step.want {
				t.Fatalf("%s was answered %q, want %q (%s)", step.req.Op, got, step.want, r.Err)
			}
		}
	}
	if d := cmp.Diff(machine.Snapshot().Rows, q.Snapshot().Rows); d != "" {
		t.Errorf("rows: the machine (-) and the server (+) differ:\n%s", d)
	}
}

func inShort(r model.Reply) string {
	if r.Answer == model.OK {
		return "ok " + string(rune('0'+r.Moved))
	}
	return r.Answer.String()
}
