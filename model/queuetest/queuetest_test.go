package queuetest_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/echomq"
	"github.com/ackgap/ackgap/model/queuetest"
)

// breaks, in the environment, names the variant that the suite is to run on.
const breaks = "ACKGAP_QUEUETEST_VARIANT"

// TestSuite is the suite as a user writes it, on the variant that is named.
func TestSuite(t *testing.T) {
	queuetest.Run(t, func() model.Queue {
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
