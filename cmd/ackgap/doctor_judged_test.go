package main

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/model"
)

// twofaced is the Go machine, which tells of what its first grant touched in one of two
// ways, as the dice fall. No answer depends on that, so that the history is the same; what is
// judged of it is not.
type twofaced struct {
	machine
	face    func() bool
	tell    func(after *model.Standing, face bool)
	granted bool
	told    []model.Touch
}

func (q *twofaced) Apply(now model.Time, req model.Request) model.Reply {
	reply := q.machine.Apply(now, req)
	q.told = slices.Clone(q.machine.Touched())
	if req.Op == model.OpClaim && reply.Answer == model.OK && !q.granted {
		q.granted = true
		q.tell(&q.told[0].After, q.face())
	}
	return reply
}

func (q *twofaced) Touched() []model.Touch { return q.told }

// What is sown: a verdict that is the one or the other, and one that is the same for
// another reason, by the order of a map, which differs in one process, and by the number
// of processors, which does not.
var faces = []struct {
	name string
	face func() bool
	tell func(after *model.Standing, face bool)
	told [2]string // what the doctor names, and one of both sides
}{
	{"a-verdict-by-the-order-of-a-map", orderOfAMap, inTwoSets, [2]string{"one-place differs\n", " broken, "}},
	{"a-witness-by-the-order-of-a-map", orderOfAMap, halfARow, [2]string{"no-ghost differs\n", "e1 left a row that is in no set"}},
	{"a-verdict-by-the-processors", oneProcessor, inTwoSets, [2]string{"one-place differs\n", "on one processor         broken, "}},
	{"a-witness-by-the-processors", oneProcessor, halfARow, [2]string{"no-ghost differs\n", "e1 left a row that is in no set"}},
}

func orderOfAMap() bool {
	for k := range manyKeys {
		return k%2 == 0
	}
	return false
}

func oneProcessor() bool { return runtime.GOMAXPROCS(0) == 1 }

func inTwoSets(after *model.Standing, face bool) {
	if face {
		after.Sets |= model.InDead
	}
}

func halfARow(after *model.Standing, face bool) {
	after.Fields, after.Sets = model.HasState, model.InDead // whatever it waits for is no longer waited for
	if face {
		after.Sets = 0
	}
}

func init() {
	honest, _ := model.FindBody("echomq", "go")
	for _, f := range faces {
		model.Register(model.Body{Protocol: "echomq", Backend: f.name, Unlisted: true, Open: func(variant string) (model.Queue, error) {
			queue, err := honest.Open(variant)
			return &twofaced{machine: queue.(machine), face: f.face, tell: f.tell}, err
		}})
	}
}

// What is judged of one history in two ways is found too, and named: a verdict, and the
// reason of one.
func TestTheDoctorFindsWhatIsJudgedInTwoWays(t *testing.T) {
	t.Setenv(beAckgap, "1")
	for _, f := range faces {
		file := filepath.Join(t.TempDir(), "sown.story")
		if err := os.WriteFile(file, []byte("queue echomq backend="+f.name+"\nworker w1\njob J1\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		code, said := doctorOf(t, file)
		if code != exitDiverged || !strings.Contains(said, "the verdict of "+f.told[0]) || !strings.Contains(said, f.told[1]) {
			t.Errorf("%s: exit status %d\n%s", f.name, code, said)
		}
	}
}
