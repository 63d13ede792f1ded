package queuetest_test

import (
	"testing"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/echomq"
	"github.com/ackgap/ackgap/model/queuetest"
)

// A test of a queue of one's own, here EchoMQ, hardened.
func ExampleRun() {
	newQueue := func() model.Queue { return echomq.NewHardened(0) }
	_ = func(t *testing.T) { // func TestQueueClaims(t *testing.T)
		queuetest.Run(t, newQueue, queuetest.Exclusive, queuetest.Fence, queuetest.Dedup)
	}
}
