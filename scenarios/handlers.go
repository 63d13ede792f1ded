package scenarios

import (
	"fmt"
	"slices"
	"sync"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/scenarios/actors"
)

// handlers are the consumers that are somebody's own Go code, by the name that
// stories call them: consumer=handler:NAME. A story with such a line means
// something only in the program that has the code, which is mostly a test.
var handlers struct {
	sync.Mutex
	names []string
	open  map[string]func() actors.Outside
}

// RegisterHandler lets stories call a handler by name until forget is called.
// Open returns the world outside of one runner, with the handler in it; it is
// Reset before each run. The error is that the name is taken.
func RegisterHandler(name string, open func() actors.Outside) (forget func(), err error) {
	handlers.Lock()
	defer handlers.Unlock()
	if name == "" || handlers.open[name] != nil {
		return nil, fmt.Errorf("a handler is called %s already, or the name is empty", script.Quote(name))
	}
	if handlers.open == nil {
		handlers.open = map[string]func() actors.Outside{}
	}
	handlers.open[name] = open
	handlers.names = append(handlers.names, name)
	return func() { forgetHandler(name) }, nil
}

func forgetHandler(name string) {
	handlers.Lock()
	defer handlers.Unlock()
	delete(handlers.open, name)
	handlers.names = slices.DeleteFunc(handlers.names, func(s string) bool { return s == name })
}

// findHandler returns what opens the outside of the handler called name, or nil.
func findHandler(name string) func() actors.Outside {
	handlers.Lock()
	defer handlers.Unlock()
	return handlers.open[name]
}

// checkHandler refuses a name under which nothing is registered.
func checkHandler(a *script.Args, name string) {
	if findHandler(name) == nil {
		a.Fail("no Go code is registered under handler:%s: such a story runs in the test whose handler it is (ACKGAP_REPLAY=TOKEN go test -run ...)", script.Quote(name))
	}
}

// openedOutside is the outside of the last run, which the next of its handler
// takes over.
type openedOutside struct {
	handler string
	outside actors.Outside
}

// buildOutside gives all workers the one world that the story's handler reaches.
func (w *world) buildOutside() error {
	var outside actors.Outside
	for i := range w.story.Workers {
		k := &w.story.Workers[i]
		if k.Consumer != actors.Handled {
			continue
		}
		if outside == nil {
			if err := w.openOutside(k.Handler); err != nil {
				return fmt.Errorf("%s:%d: %w", w.story.File, k.Line, err)
			}
			outside = w.outside.outside
			outside.Reset()
		}
		if k.Handler != w.outside.handler {
			return fmt.Errorf("%s:%d: the workers of one story have one handler; %s is another than %s",
				w.story.File, k.Line, script.Quote(k.Handler), script.Quote(w.outside.handler))
		}
		w.workers[i].SetOutside(outside)
	}
	w.store.SetOutside(outside)
	return nil
}

func (w *world) openOutside(handler string) error {
	if w.outside.outside != nil && w.outside.handler == handler {
		return nil
	}
	open := findHandler(handler)
	if open == nil {
		return fmt.Errorf("the handler %s is registered no more", script.Quote(handler))
	}
	w.outside = openedOutside{handler, open()}
	return nil
}

// dismiss ends what handlers have left under way when a run is over.
func (w *world) dismiss() {
	for i := range w.workers {
		if w.workers[i].Consumer == actors.Handled {
			w.workers[i].Crash()
		}
	}
	if o, ok := w.outside.outside.(rester); ok {
		o.Rest()
	}
}

// rester is an Outside that lets go of something when a run is over.
type rester interface{ Rest() }
