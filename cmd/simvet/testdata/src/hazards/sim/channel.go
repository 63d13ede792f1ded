package sim

type pipe chan int // want "channel: channel type"

type anyPipe interface{ ~chan int } // want "channel: channel type"

func channels(c pipe) {
	c <- 1        // want "channel: send on a channel"
	<-c           // want "channel: receive from a channel"
	for range c { // want "channel: range over a channel"
	}
	close(c) // want "channel: close"
}

func rangesAnyPipe[P anyPipe](p P) {
	for range p { // want "channel: range over a channel"
	}
}
