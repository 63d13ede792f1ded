package scenarios_test

import (
	"strings"
	"testing"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/actors"
)

// quick is a handler that applies once and returns: the least of an
// actors.Outside.
type quick struct{}

func (quick) Reset()                                  {}
func (quick) Begin(actors.Delivery) actors.Course     { return &errand{} }
func (quick) Serve(int32, model.Time) (d actors.Deed) { return d }

type errand struct{ done bool }

func (e *errand) Drop() {}
func (e *errand) Go(actors.Wake) actors.Call {
	if e.done {
		return actors.Call{}
	}
	return actors.Call{Step: model.StepApply, Effect: true}
}

func (e *errand) Do(_ model.Time, refused bool) actors.Deed {
	e.done = true
	if refused {
		return actors.Deed{Kind: model.Absorbed, Cause: model.ByRefusal}
	}
	return actors.Deed{Effects: 1}
}

func register(t *testing.T, name string) {
	t.Helper()
	forget, err := scenarios.RegisterHandler(name, func() actors.Outside { return quick{} })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(forget)
}

func TestAHandlerIsAConsumerThatAStoryNames(t *testing.T) {
	register(t, `Test "quick"/1`)
	s, err := scenarios.Parse("f", []byte(`
worker w1 consumer="handler:Test \"quick\"/1"
job J1
fault crash w1 after=apply J1#1 restart=1s
expect effects J1 = 2
expect broken no-duplicate-effect
`))
	if err != nil {
		t.Fatal(err)
	}
	again, err := scenarios.Parse("f", s.Text())
	if err != nil || string(again.Text()) != string(s.Text()) {
		t.Fatalf("%v\n%s", err, s.Text())
	}
	out, err := again.Run(scenarios.Options{})
	if err != nil || out.Met != scenarios.Yes {
		t.Errorf("%v\n%s", err, out.HistoryText())
	}
}

func TestAHandlerThatNobodyHasIsRefusedWithTheWayOut(t *testing.T) {
	_, err := scenarios.Parse("f", []byte("worker w1 consumer=handler:TestShip\njob J1"))
	if err == nil || !strings.Contains(err.Error(), `no Go code is registered under handler:"TestShip"`) || !strings.Contains(err.Error(), "go test -run") {
		t.Errorf("%v", err)
	}
}

func TestTwoHandlersOfOneNameAreRefused(t *testing.T) {
	register(t, "one")
	if _, err := scenarios.RegisterHandler("one", func() actors.Outside { return quick{} }); err == nil {
		t.Error("the second was taken")
	}
}

func TestTheWorkersOfOneStoryHaveOneHandler(t *testing.T) {
	register(t, "one")
	register(t, "two")
	s, err := scenarios.Parse("f", []byte("worker w1 consumer=handler:one\nworker w2 consumer=handler:two\njob J1"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Run(scenarios.Options{}); err == nil || !strings.Contains(err.Error(), "f:2: the workers of one story have one handler") {
		t.Errorf("%v", err)
	}
}
