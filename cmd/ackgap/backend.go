package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/echomq/valkey"
	"github.com/ackgap/ackgap/scenarios"
)

// backend is where the queues of stories run, if not where the stories say.
type backend struct {
	name  string
	flush bool
}

func (b *backend) flags(c *cobra.Command) {
	c.Flags().StringVar(&b.name, "backend", "", "run the queue on `BACKEND`: go, valkey (embedded), valkey=spawn, valkey=unix:PATH or valkey=HOST:PORT")
	c.Flags().BoolVar(&b.flush, "flush-queue", false, "with a server's address: delete what stands in the queue's own keyspace, and nothing else, before the first story")
}

// put lets stories run on the backend, and names it on errs: reports are the
// same on every backend and do not.
func (b *backend) put(s *streams, stories []*scenarios.Story) error {
	if b.flush && !b.hasServer() {
		return fmt.Errorf("--flush-queue is for a server that runs; give it with --backend valkey=unix:PATH or valkey=HOST:PORT")
	}
	valkey.FlushFirst = b.flush
	if b.name == "" {
		return nil
	}
	stay := 0
	for _, story := range stories {
		body, err := b.of(story.Queue.Protocol)
		if err != nil {
			return err
		}
		if _, ok := body.Variant(story.Queue.Variant); !ok && story.Queue.Variant != "" {
			stay++ // what is not on the wire
			continue
		}
		story.Queue.Backend = b.name
	}
	fmt.Fprintf(s.errs, "ackgap: backend %s\n", model.Safe(b.name))
	if stay > 0 {
		fmt.Fprintf(s.errs, "ackgap: of %d stories %d stay where they are: they are of variants, which %s does not have\n",
			len(stories), stay, model.Safe(b.name))
	}
	return nil
}

// hasServer reports whether the backend is a server that is not ackgap's own.
func (b *backend) hasServer() bool {
	_, address, _ := strings.Cut(b.name, "=")
	return address != "" && address != "spawn"
}

// of returns the body of the protocol on the backend.
func (b *backend) of(protocol string) (model.Body, error) {
	if body, ok := model.FindBody(protocol, b.name); ok {
		return body, nil
	}
	var names []string
	for _, body := range model.Bodies() {
		if body.Protocol == protocol {
			names = append(names, body.Backend)
		}
	}
	name, _, _ := strings.Cut(b.name, "=")
	return model.Body{}, fmt.Errorf("--backend: %s", script.Unknown("backend", name, names))
}

// close gives back what a runner's queue holds, and says so where that fails:
// the results stand.
func (s *streams) close(r *scenarios.Runner) {
	if err := r.Close(); err != nil {
		fmt.Fprintf(s.errs, "ackgap: closing the queue: %s\n", model.Safe(err.Error()))
	}
}
