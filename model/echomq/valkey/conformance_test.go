package valkey

import (
	"testing"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/queuetest"
)

// The scripts pass EchoMQ's own scenarios on every server.
func TestConformance(t *testing.T) {
	for _, address := range someServers(t) {
		q := openTest(t, address)
		queuetest.Run(t, func() model.Queue {
			q.Reset()
			return q
		}, queuetest.EchoMQ, queuetest.Exclusive, queuetest.Fence, queuetest.ServerClock)
	}
}
