package echomq_test

import (
	"testing"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/internal/bare"
	"github.com/ackgap/ackgap/model/queuetest"
)

// tell plays a story of bare protocol, as bare.Tell does, to a new queue of
// the variant.
func tell(t *testing.T, variant, script string) {
	t.Helper()
	bare.Tell(t, open(t, variant), variant, script)
}

func TestConformance(t *testing.T) {
	queuetest.Run(t, func() model.Queue { return open(t, "") }, queuetest.EchoMQ)
}
