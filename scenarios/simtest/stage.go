package simtest

// stage is a coroutine on which one delivery's handler runs after the other, for a
// goroutine that is begun anew for each has to grow its stack anew.
type stage struct {
	co     *coroutine
	course *course // whose handler runs; nil when there is none
	talk
	idle bool    // the handler is over, and the coroutine waits for the next
	over bool    // the coroutine has ended
	g    uintptr // its goroutine, from when it has begun
}

// stageFor returns a stage on which c has not begun yet.
func (o *outside) stageFor(c *course) *stage {
	if n := len(o.idle); n > 0 {
		s := o.idle[n-1]
		o.idle = o.idle[:n-1]
		s.course, s.idle = c, false
		return s
	}
	s := &stage{course: c}
	s.co = newCoroutine(s.run)
	o.stages = append(o.stages, s)
	return s
}

// run is the coroutine. It ends by itself when nobody is given to it.
func (s *stage) run() {
	s.g = goroutine()
	for s.course != nil {
		s.course.body()
		s.course, s.idle = nil, true
		s.co.park()
	}
}

// resume lets the handler run until it parks or is over, and reports whether it
// parked. Where the coroutine has outlived the handler, the next one may have it.
func (s *stage) resume(o *outside) (parked bool) {
	if parked = s.co.resume(); s.idle {
		o.idle = append(o.idle, s)
		return false
	}
	s.over = !parked
	return parked
}

// Rest ends the coroutines that wait for a handler: the run is over, and leaves no
// goroutine behind. Where another follows at once (check.row), they wait for its handlers.
func (o *outside) Rest() {
	if o.row {
		o.stages = append(o.stages[:0], o.idle...)
		return
	}
	for _, s := range o.idle {
		s.co.resume()
	}
	o.idle, o.stages = o.idle[:0], o.stages[:0]
}

// abandon ends all coroutines of a run that did not come to its end: handlers that stand
// still as by a crash, whatever they do of it.
func (o *outside) abandon() {
	for _, s := range o.stages {
		if c := s.course; c != nil && !s.over {
			o.safely("the end of a handler", c.Drop)
		}
	}
	o.Rest()
}
