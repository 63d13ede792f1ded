package scenarios

import (
	"fmt"
	"slices"
	"sync"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
)

// queues are those that are somebody's own Go code, by the name that stories call
// them: `queue NAME`. A story with such a line means something only in the program
// that has the code, which is mostly a test.
var queues struct {
	sync.Mutex
	bodies []model.Body
}

// RegisterQueue lets stories call a queue by name until forget is called. Open
// makes an empty one; it is closed if it is a model.Closer. Bounds says that the
// queue promises at most max-attempts claims of a job, so that deliveries-bounded
// is judged. The error is that the name is taken, or cannot stand in a story: it is
// made of letters, digits, - and _.
func RegisterQueue(name string, bounds bool, open func() (model.Queue, error)) (forget func(), err error) {
	if !isQueueName(name) {
		return nil, fmt.Errorf("%s is no name for a queue; use letters, digits, - and _", script.Quote(name))
	}
	queues.Lock()
	defer queues.Unlock()
	if slices.Contains(protocols(), name) || slices.ContainsFunc(queues.bodies, called(name)) {
		return nil, fmt.Errorf("a queue is called %s already", name)
	}
	const plain = "" // a queue of one's own has no variants, but for what it promises
	queues.bodies = append(queues.bodies, model.Body{
		Protocol: name, Backend: defaultQueue.Backend,
		Variants: []model.Variant{{Name: plain, BoundsDeliveries: bounds}},
		Open:     func(string) (model.Queue, error) { return open() },
	})
	return func() { forgetQueue(name) }, nil
}

func called(name string) func(model.Body) bool {
	return func(b model.Body) bool { return b.Protocol == name }
}

func isQueueName(s string) bool {
	for _, c := range []byte(s) {
		if !isStoryNameByte(c) && c != '_' && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return s != ""
}

func forgetQueue(name string) {
	queues.Lock()
	defer queues.Unlock()
	queues.bodies = slices.DeleteFunc(queues.bodies, called(name))
}

// findBody is model.FindBody, and finds the queues of one's own as well.
func findBody(protocol, backend string) (model.Body, bool) {
	if b, ok := model.FindBody(protocol, backend); ok {
		return b, true
	}
	queues.Lock()
	defer queues.Unlock()
	i := slices.IndexFunc(queues.bodies, called(protocol))
	if i < 0 || backend != defaultQueue.Backend {
		return model.Body{}, false
	}
	return queues.bodies[i], true
}

// queueNames are the words that may stand behind `queue`.
func queueNames() []string {
	names := protocols()
	queues.Lock()
	defer queues.Unlock()
	for _, b := range queues.bodies {
		names = append(names, b.Protocol)
	}
	return names
}
