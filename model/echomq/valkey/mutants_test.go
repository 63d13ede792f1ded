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
	variant string
	op      model.Op
	line    int
	says    string // the line as it was and as it is
	text    string // the whole script
}

// mutants breaks every script in every line that decides or writes: a guard that
// never holds and one that always holds, a write that is left out, a bound that
// is off by one.
func mutants() []mutant {
	var all []mutant
	for op, name := range scriptNames {
		if name != "" {
			all = append(all, mutantsOf("", model.Op(op), mustRead(name))...)
		}
	}
	for _, op := range hardenedNames {
		all = append(all, mutantsOf("hardened", op, mustRead("hardened/"+scriptNames[op]))...)
	}
	return all
}

func mutantsOf(variant string, op model.Op, script string) (all []mutant) {
	lines := strings.SplitAfter(script, "\n")
	for i, line := range lines {
		for _, changed := range changes(line) {
			broken := slices.Clone(lines)
			broken[i] = changed
			all = append(all, mutant{variant, op, i + 1,
				fmt.Sprintf("%s -> %s", strings.TrimSpace(line), strings.TrimSpace(changed)), strings.Join(broken, "")})
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
		{"i = 1, #", "i = 3, #"}, {"'minted', 1", "'minted', 2"}, {" or not deadline", ""}, {"now < ", "now <= "}, {" and now < tonumber(deadline)", ""},
		{" or now >= tonumber(deadline)", ""}, {", 'token', token", ""}, {"1735689600000", "1735689600001"}, {"set = 2,", "set = 3,"}, {", 5 do", ", 4 do"}, {"'0'", "'1'"},
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
			t.Errorf("%s %s, line %d: %s: no difference was seen", m.variant, scriptNames[m.op], m.line, m.says)
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
	for _, m := range []mutant{
		{op: model.OpClaim, text: mustRead("claim")},
		{op: model.OpPromote, text: mustRead("promote")},
		{op: model.OpRetry, text: mustRead("hardened/retry"), variant: "hardened"},
	} {
		if after, killed := kill(t, m); killed {
			t.Errorf("%s %s was killed after %d lists", m.variant, m.op, after)
		}
	}
}

// kill looks for commands that the mutant answers otherwise than the Go machine,
// and returns how many lists it took.
func kill(t *testing.T, m mutant) (after int, killed bool) {
	t.Helper()
	broken, lists := *virtual, commands
	if m.variant != "" {
		broken, lists = *hardened, commandsByHolders
	}
	broken.of[m.op] = newScript(prelude, m.text)
	q := openScripts(t, &broken)
	if removesNoLockedJob(q) != "" {
		return 0, true
	}
	for seed := range 400 {
		if q.err != nil || parts(q, lists.Example(seed), m) {
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
	step  model.Time
	req   model.Request
	aimed bool // spoken by who holds the job that was given last
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

// commandsByHolders are commands of which many are spoken by who has the job.
var commandsByHolders = rapid.Custom(func(t *rapid.T) []command {
	list := commands.Draw(t, "commands")
	for i := range list {
		list[i].aimed = rapid.Bool().Draw(t, "by the holder")
	}
	return list
})

// parts reports whether the queue and the Go machine part company over list.
// What one verb's mutant leaves is looked at after that verb, and at the end.
func parts(q *Queue, list []command, m mutant) bool {
	q.Reset()
	machine, err := echomq.New(m.variant)
	if err != nil {
		panic(err)
	}
	p := &pair{machine: machine, scripts: q, given: map[model.ID]model.Token{}}
	found := &finding{}
	for i, c := range list {
		p.now += c.step
		if c.aimed && !p.last.IsZero() {
			p.aim(&c.req)
		}
		if c.req.Op == m.op || i == len(list)-1 {
			p.ask(found, c.req)
		} else {
			p.note(c.req, machine.Apply(p.now, c.req))
			if q.Apply(p.now, c.req).Answer == model.UnknownAnswer && q.err != nil {
				return true
			}
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
