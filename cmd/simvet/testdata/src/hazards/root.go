// Package root stands in no room of the chain.
package root // want "room: package at the root stands in no room"
