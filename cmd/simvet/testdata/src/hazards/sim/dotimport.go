package sim

import . "time"

func hiddenClock() { Sleep(Second) } // want "clock: time.Sleep"
