package sim

import (
	"time"
	wall "time"
)

var readClock = time.Now // want "clock: time.Now"

func clocks(t time.Time) {
	_ = wall.Now()                             // want "clock: time.Now"
	_ = time.Since(t)                          // want "clock: time.Since"
	_ = time.Until(t)                          // want "clock: time.Until"
	time.Sleep(time.Second)                    // want "clock: time.Sleep"
	_ = time.After(time.Second)                // want "clock: time.After"
	_ = time.AfterFunc(time.Second, func() {}) // want "clock: time.AfterFunc"
	_ = time.Tick(time.Second)                 // want "clock: time.Tick"
	_ = time.NewTicker(time.Second)            // want "clock: time.NewTicker"
	_ = time.NewTimer(time.Second)             // want "clock: time.NewTimer"
	_ = t.Local()                              // want "clock: (time.Time).Local"
	_ = t.In(time.Local)                       // want "clock: time.Local"
	_ = time.Unix(0, 0)                        // want "clock: time.Unix"
	_ = time.UnixMilli(0)                      // want "clock: time.UnixMilli"
	_ = time.UnixMicro(0)                      // want "clock: time.UnixMicro"
	_, _ = time.LoadLocation("Europe/Paris")   // want "clock: time.LoadLocation"
}
