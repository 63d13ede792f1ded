package main

import (
	"container/heap"
	"time"

	"github.com/ackgap/ackgap/model"
)

// conductor runs processes that are goroutines against virtual time: one has the
// turn, is given what happened over a channel, and gives the turn back over another
// when it waits again.
type conductor struct {
	at     int64
	seq    int
	agenda agenda
	posts  []post // by the id of a pending event
	free   []int
	turn   chan struct{}
}

// post is what happens to a process: a message, or the end of a wait.
type post struct {
	to    *process
	wait  int // which wait of the receiver it is for; 0 for a request to the queue
	from  *process
	asked int // the wait that its answer is for; 0 if nobody waits
	req   model.Request
	reply model.Reply
	late  bool // nothing came in time
}

// process is a goroutine with its turn.
type process struct {
	c     *conductor
	in    chan post
	waits int // counts what it has waited for: what came too late is void
	queue *process
}

func (c *conductor) begin(program func(*process)) *process {
	p := &process{c: c, in: make(chan post)}
	go func() {
		<-p.in
		program(p)
		c.turn <- struct{}{}
	}()
	c.send(post{to: p}, 0)
	return p
}

func (c *conductor) send(s post, after time.Duration) {
	id := len(c.posts)
	if n := len(c.free); n > 0 {
		id, c.free = c.free[n-1], c.free[:n-1]
		c.posts[id] = s
	} else {
		c.posts = append(c.posts, s)
	}
	c.seq++
	heap.Push(&c.agenda, &pending{c.at + int64(after), c.seq, id})
}

func (c *conductor) run(over func() bool) {
	for !over() && len(c.agenda) > 0 {
		e := heap.Pop(&c.agenda).(*pending)
		s := c.posts[e.id]
		c.posts[e.id] = post{}
		c.free = append(c.free, e.id)
		if s.wait != 0 && s.wait != s.to.waits {
			continue // void
		}
		c.at = e.at
		s.to.in <- s
		<-c.turn
	}
}

// next gives the turn back until something happens.
func (p *process) next() post {
	p.c.turn <- struct{}{}
	return <-p.in
}

func (p *process) now() model.Time { return model.Time(p.c.at) }

func (p *process) sleep(d time.Duration) {
	p.waits++
	p.c.send(post{to: p, wait: p.waits}, d)
	p.next()
}

func (p *process) call(r model.Request) model.Reply {
	p.waits++
	p.c.send(post{to: p.queue, from: p, asked: p.waits, req: r}, latency)
	p.c.send(post{to: p, wait: p.waits, late: true}, timeout)
	got := p.next()
	p.waits++ // the timeout is void
	return got.reply
}

func (p *process) send(r model.Request) { p.c.send(post{to: p.queue, req: r}, latency) }

// worldChannels is the world on goroutines and channels.
func worldChannels(jobs int) error {
	w := newWorld(jobs)
	c := &conductor{turn: make(chan struct{})}
	began := clock()
	queue := c.begin(func(p *process) {
		for {
			s := p.next()
			reply := w.serve(p.now(), s.req)
			if s.asked > 0 {
				c.send(post{to: s.from, wait: s.asked, reply: reply}, latency)
			}
		}
	})
	for _, program := range w.programs() {
		c.begin(func(p *process) {
			p.queue = queue
			program(counted{w, p})
		})
	}
	c.run(w.over)
	return tell(began, w.events, w.done, w.effects, jobs)
}

// counted is a party whose waits are counted when they are over.
type counted struct {
	w *world
	party
}

func (c counted) sleep(d time.Duration) {
	c.party.sleep(d)
	c.w.count()
}

func (c counted) call(r model.Request) model.Reply {
	reply := c.party.call(r)
	c.w.count()
	return reply
}
