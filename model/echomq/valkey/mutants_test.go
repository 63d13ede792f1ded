package valkey

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/echomq"
)

// mutant is one script with one line changed.
type mutant struct {
	op   model.Op
	line int
	says string // the line as it was and as it is
	text string // the whole script
}

// mutants breaks every script in every line that decides or writes: a guard that
// never holds and one that always holds, a write that is left out, a bound that
// is off by one.
func mutants() []mutant {
	var all []mutant
	for op, name := range scriptNames {
		if name == "" {
			continue
		}
		lines := strings.SplitAfter(mustRead(name), "\n")
		for i, line := range lines {
			for _, changed := range changes(line) {
				broken := slices.Clone(lines)
				broken[i] = changed
				all = append(all, mutant{model.Op(op), i + 1,
					fmt.Sprintf("%s -> %s", strings.TrimSpace(line), strings.TrimSpace(changed)), strings.Join(broken, "")})
			}
		}
	}
	return all
}

func changes(line string) []string {
	var list []string
	code := strings.TrimSpace(line)
	switch {
	case strings.HasPrefix(code, "if "):
		list = append(list, "if false then\n", "if true then\n")
	case strings.HasPrefix(code, "redis.call("):
		list = append(list, "-- left out\n")
	}
	for _, c := range [][2]string{
		{">=", ">"}, {"'-inf', now,", "'-inf', now - 1,"}, {"'-inf', now,", "'-inf', now + 1,"}, {"math.floor(", "math.ceil(0.5 + "},
		{"'LIMIT', 0,", "'LIMIT', 1,"}, {" 0, ARGV[1])", " 1, ARGV[1])"}, {"now + ARGV", "now - ARGV"}, {"'attempts', 1", "'attempts', 2"},
		{"i = 1, #", "i = 3, #"}, {"set = 2,", "set = 3,"}, {", 5 do", ", 4 do"}, {"'0'", "'1'"},
	} {
		if strings.Contains(line, c[0]) && !strings.HasPrefix(code, "--") {
			list = append(list, strings.Replace(line, c[0], c[1], 1))
		}
	}
	return list
}

// Every mutant of every script is told from the Go machine.
func TestEveryMutantOfAScriptIsKilled(t *testing.T) {
	all := mutants()
	killed, worst := 0, 0
	for _, m := range all {
		after, ok := kill(t, m)
		if !ok {
			t.Errorf("%s, line %d: %s: no difference was seen", scriptNames[m.op], m.line, m.says)
			continue
		}
		killed, worst = killed+1, max(worst, after)
	}
	t.Logf("%d of %d mutants killed, the slowest after %d lists of commands", killed, len(all), worst)
	if len(all) < 100 {
		t.Errorf("%d mutants are too few to mean something", len(all))
	}
}

// What kills a mutant must not kill the script itself.
func TestAScriptAsItIsSurvives(t *testing.T) {
	for _, op := range []model.Op{model.OpClaim, model.OpPromote} {
		if after, killed := kill(t, mutant{op: op, text: mustRead(scriptNames[op])}); killed {
			t.Errorf("%s was killed after %d lists", op, after)
		}
	}
}

// kill looks for commands that the mutant answers otherwise than the Go machine,
// and returns how many lists it took.
func kill(t *testing.T, m mutant) (lists int, killed bool) {
	t.Helper()
	broken := *virtual
	broken.of[m.op] = newScript(prelude, m.text)
	q := openScripts(t, &broken)
	if removesNoLockedJob(q) != "" {
		return 0, true
	}
	for seed := range 400 {
		if q.err != nil || parts(q, commands.Example(seed), m.op) {
			return seed + 1, true
		}
	}
	return 0, false
}

func openScripts(t *testing.T, s *scripts) *Queue {
	t.Helper()
	e, err := newEmbedded()
	if err != nil {
		t.Fatal(err)
	}
	q, err := newQueue(newConn(e, 0), "ackgap", s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = q.conn.close() }) // a mutant may have failed the queue, which closes it too
	return q
}

// command is one request and how long after the one before it comes.
type command struct {
	step model.Time
	req  model.Request
}

// commands draws lists of commands, claims and enqueues more often than others.
var commands = rapid.Custom(func(t *rapid.T) []command {
	ops := []model.Op{model.OpEnqueue, model.OpEnqueue, model.OpClaim, model.OpClaim, model.OpClaim}
	for op := model.OpEnqueue; op <= model.OpDrain; op++ {
		if op != model.OpApply {
			ops = append(ops, op)
		}
	}
	list := make([]command, 40)
	now := model.Time(0)
	for i := range list {
		list[i].step = model.Time(rapid.SampledFrom([]int64{0, 0, 1e6, 5e6, 30e6, -10e6}).Draw(t, "step"))
		now += list[i].step
		list[i].req = drawRequest(t, rapid.SampledFrom(ops).Draw(t, "verb"), now)
	}
	return list
})

// parts reports whether the queue and the Go machine part company over list.
// What one verb's mutant leaves is looked at after that verb, and at the end.
func parts(q *Queue, list []command, op model.Op) bool {
	q.Reset()
	machine, err := echomq.New("")
	if err != nil {
		panic(err)
	}
	p := &pair{machine: machine, scripts: q}
	found := &finding{}
	for i, c := range list {
		p.now += c.step
		if c.req.Op == op || i == len(list)-1 {
			p.ask(found, c.req)
		} else if machine.Apply(p.now, c.req); q.Apply(p.now, c.req).Answer == model.UnknownAnswer && q.err != nil {
			return true
		}
		if found.yes {
			return true
		}
	}
	return false
}

// finding notes that something was found.
type finding struct{ yes bool }

func (f *finding) Fatalf(string, ...any) { f.yes = true }
