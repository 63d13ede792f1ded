package valkey

import (
	"testing"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/queuetest"
)

// The scripts do on every server what EchoMQ claims.
func TestConformance(t *testing.T) {
	for _, address := range someServers(t) {
		q := openTest(t, address)
		queuetest.Run(t, func() model.Queue {
			q.Reset()
			return q
		}, queuetest.EchoMQ)
	}
}
