// Package valkey is the exempt package: a socket is its trade.
package valkey

import (
	"net"
	"time"

	_ "example.test/hazards/model/echomq"
	_ "example.test/third"
)

func connect(c net.Conn, m map[string]float64) {
	_ = c.SetDeadline(time.Now())
	for range m {
		go connect(c, m)
	}
}
