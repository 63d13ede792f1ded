// Package model runs against the chain.
package model

import (
	_ "example.test/hazards"              // want "chain: model may not import at the root"
	_ "example.test/hazards/model/echomq" // want "chain: model may not import model/echomq"
	_ "example.test/third"                // want "chain: model may not import a module of others, example.test/third"
)
