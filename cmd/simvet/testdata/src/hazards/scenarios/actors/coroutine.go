// Package actors tries the exemption of the coroutine.
package actors

import (
	"iter"
	"time"
)

func handler(s iter.Seq[int]) {
	_, _ = iter.Pull(s)
	_ = time.Now() // want "clock: time.Now"
}
