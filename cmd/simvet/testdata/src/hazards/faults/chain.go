// Package faults runs against the chain: no queue, nothing from its right.
package faults

import (
	_ "example.test/hazards/model"
	_ "example.test/hazards/model/echomq" // want "chain: faults may not import model/echomq"
	_ "example.test/hazards/sim"          // want "chain: faults may not import sim"
)
