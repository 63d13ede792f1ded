// Package scenarios may name a queue, but not its server.
package scenarios

import (
	_ "example.test/hazards/model/echomq"
	_ "example.test/hazards/model/echomq/valkey" // want "chain: scenarios may not import model/echomq/valkey"
	_ "example.test/hazards/reports"             // want "chain: scenarios may not import reports"
	_ "example.test/hazards/scenarios/actors"
)
