package queuetest_test

import (
	"cmp"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/echomq"
	"github.com/ackgap/ackgap/model/queuetest"
)

// breaks, in the environment, names the variant that the suite is to run on.
const breaks = "ACKGAP_QUEUETEST_VARIANT"

// TestSuite is the suite as a user writes it, on the variant that is named: with none on
// EchoMQ as built, which has what it claims.
func TestSuite(t *testing.T) {
	queuetest.Run(t, func() model.Queue {
		if q, ok := ending[os.Getenv(breaks)]; ok {
			return q
		}
		switch os.Getenv(breaks) {
		case "hoard":
			hoard = cmp.Or(hoard, windowed(t, time.Hour)())
			return hoard
		case "takes-old-tokens":
			return forgiving{variant(t, "")(), map[model.ID]model.Token{}}
		}
		q, err := echomq.New(os.Getenv(breaks))
		if err != nil {
			t.Fatal(err)
		}
		return q
	}, queuetest.EchoMQ)
}

// The suite fails where a queue breaks what it promises, and names the scenario.
func TestTheSuiteFailsOnBrokenQueues(t *testing.T) {
	for variant, scenario := range map[string]string{
		"no-fence": "stale", "lifo": "order", "reap-forgets": "reap", "token-reset": "reap",
		"double-admission": "duplicate", "shortening-extend": "lock_extend", "retry-never-dead": "dead",
		"dead-early": "backoff", "claim-ignores-pending": "retry", "settle-keeps-active": "complete",
	} {
		cmd := exec.Command(os.Args[0], "-test.run=TestSuite")
		cmd.Env = append(os.Environ(), breaks+"="+variant)
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), "--- FAIL: TestSuite/"+scenario) {
			t.Errorf("%s passes the scenario %s (%v)", variant, scenario, err)
		}
	}
}

// forgiving takes what an earlier delivery says for the word of the last one.
type forgiving struct {
	model.Queue
	last map[model.ID]model.Token
}

func (f forgiving) Apply(now model.Time, req model.Request) model.Reply {
	if req.Token != 0 && req.Token < f.last[req.ID] {
		req.Token = f.last[req.ID]
	}
	r := f.Queue.Apply(now, req)
	if req.Op == model.OpClaim {
		f.last[r.ID] = r.Token
	}
	return r
}

// EchoMQ's own scenarios do not ask for all that it claims: the rest is asked as it is of
// who claims it by name.
func TestWhoClaimsEchoMQIsAskedForWhatNoScenarioAsks(t *testing.T) {
	cmd := exec.Command(os.Args[0], "-test.run=TestSuite")
	cmd.Env = append(os.Environ(), breaks+"=takes-old-tokens")
	out, err := cmd.CombinedOutput()
	text := string(out)
	if err == nil || strings.Count(text, "--- FAIL: TestSuite/") != 1 || !strings.Contains(text, "--- FAIL: TestSuite/fence") {
		t.Errorf("it is not the fence alone that fails (%v)\n%s", err, text)
	}
}

// served is a queue that is a function.
type served func(model.Request) model.Reply

func (f served) Apply(_ model.Time, req model.Request) model.Reply { return f(req) }

// ending are queues that end whoever asks them.
var ending = map[string]model.Queue{
	"panics":      served(func(model.Request) model.Reply { panic("not yet\x1b[2J written") }),
	"dereference": served(func(model.Request) model.Reply { var r *model.Reply; return *r }),
	"goexit":      served(func(model.Request) model.Reply { runtime.Goexit(); return model.Reply{} }),
	"nil":         nil,
}

// What ends its caller fails each question by name, with its place, and the test program
// goes on.
func TestAQueueThatEndsItsCallerFailsTheTestAndNothingElse(t *testing.T) {
	for name, says := range map[string][]string{
		"panics":      {"the queue panicked in enqueue at 0s: not yet\\x1b[2J written, thrown at /", "the queue panicked in mint: "},
		"dereference": {"/queuetest_test.go:"},
		"goexit":      {"ended the test's goroutine (runtime.Goexit"},
		"nil":         {"newQueue returned nil"},
	} {
		cmd := exec.Command(os.Args[0], "-test.run=TestSuite")
		cmd.Env = append(os.Environ(), breaks+"="+name)
		out, _ := cmd.CombinedOutput()
		text := string(out)
		for _, part := range append(says, "--- FAIL: TestSuite/completes", "--- FAIL: TestSuite/retries", "--- FAIL: TestSuite/mint") {
			if !strings.Contains(text, part) || strings.Contains(text, "\ngoroutine ") {
				t.Errorf("%s: no %q in\n%s", name, part, text)
			}
		}
	}
}

// hoard is a queue whose rows are kept in a variable: what newQueue returns is never
// empty again.
var hoard model.Queue

// A queue that remembers the one before fails under a name of its own, and is told so.
func TestAQueueThatRemembersTheOneBeforeIsCalledSo(t *testing.T) {
	cmd := exec.Command(os.Args[0], "-test.run=TestSuite/starts-empty")
	cmd.Env = append(os.Environ(), breaks+"=hoard")
	out, err := cmd.CombinedOutput()
	const says = `the first said: enqueue at 0s was answered enqueued; and the second: enqueue at 0s was answered duplicate; what do they share?`
	if err == nil || !strings.Contains(string(out), says) {
		t.Errorf("%v\n%s", err, out)
	}
}

// blind is a queue that shows nothing but its answers.
type blind struct{ model.Queue }

// The suite can be run on such a queue too: the answers are judged.
func TestAQueueThatShowsNothingIsJudgedByItsAnswers(t *testing.T) {
	queuetest.Run(t, func() model.Queue {
		q, err := echomq.New("")
		if err != nil {
			t.Fatal(err)
		}
		return blind{q}
	}, queuetest.EchoMQ)
}
