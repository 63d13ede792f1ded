package main

import (
	"time"

	"github.com/ackgap/ackgap/model"
)

// The backend "leaky" is linked into these tests only: the Go machine with a
// defect that the scripts must catch. What one run leaves behind decides about
// the next, so that two runs in one process differ, always.
func init() {
	opened := 0
	model.Register(model.Body{Protocol: "echomq", Backend: "leaky", Open: func(variant string) (model.Queue, error) {
		opened++
		honest, _ := model.FindBody("echomq", "go")
		queue, err := honest.Open(variant)
		machine, _ := queue.(machine)
		return leaky{machine, time.Duration(opened%2) * time.Second}, err
	}})
}

// machine is what a queue must have for workers to know when to claim. It is
// no model.Resetter, so that every run opens another.
type machine interface {
	model.Queue
	model.Toucher
}

// leaky leases for a second more in every other run.
type leaky struct {
	machine
	more time.Duration
}

func (q leaky) Apply(now model.Time, req model.Request) model.Reply {
	if req.Op == model.OpClaim {
		req.Lease += q.more
	}
	return q.machine.Apply(now, req)
}
