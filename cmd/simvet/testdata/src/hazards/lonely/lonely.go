// Package lonely stands in no room of the chain.
package lonely // want "room: package lonely stands in no room"
