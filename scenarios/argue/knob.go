package argue

import (
	"slices"
	"strconv"
	"time"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// Knob is one option of the small story, and what came of it at each value of a
// ladder.
type Knob struct {
	Name  string // "lease"; of a fault "f1 for", where f1 is as in Needs
	Own   string // the value that the small story has; "" where its workers differ
	Spans []Span // the ladder, cut where the answer changes
}

// Span is a stretch of a ladder with one answer. From and To are the first and
// the last value that was tried.
type Span struct {
	From, To string
	Result   Result
}

// AlwaysFails reports whether the option does not matter.
func (k *Knob) AlwaysFails() bool { return len(k.Spans) == 1 && k.Spans[0].Result.Answer == Fails }

// off is the last rung of a period that can be switched off.
const off = -1

// The ladders. Each holds the value of the story itself, too.
var (
	leases    = seconds(1, 2, 5, 10, 20, 30, 45, 60, 120, 300, 600)
	spans     = append(millis(1, 20, 100), leases...)
	waits     = append(millis(100), seconds(1, 5, 10, 30, 60, 600)...)
	periods   = append(append(millis(100), seconds(1, 10, 60)...), off)
	latencies = millis(0, 1, 10, 100, 1000) // beyond, a worker's timeout is shorter than its round trip
	polls     = append(millis(1, 50), seconds(1, 10)...)
	counts    = []int64{0, 1, 2, 3, 5, 10}
	caps      = []int64{1, 2, 3, 5, 10}
)

func seconds(list ...int64) []int64 { return times(time.Second, list) }
func millis(list ...int64) []int64  { return times(time.Millisecond, list) }

func times(unit time.Duration, list []int64) []int64 {
	for i := range list {
		list[i] *= int64(unit)
	}
	return list
}

// dial is an option that can be turned: how it is read and set in a story. Get
// returns false where the story has no such option, or more than one value of it.
type dial struct {
	name   string
	ladder []int64
	text   func(int64) string
	get    func(*scenarios.Story) (int64, bool)
	set    func(*scenarios.Story, int64)
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

func duration(n int64) string {
	if n == off {
		return "off"
	}
	return script.FormatDuration(time.Duration(n))
}

// turnKnobs puts each option of the small story to the values of its ladder.
func (a *arguer) turnKnobs() error {
	for _, d := range dials(a.small.Story) {
		own, ok := d.get(a.small.Story)
		ladder := slices.Clone(d.ladder)
		k := Knob{Name: d.name}
		if ok {
			ladder, k.Own = withOwn(ladder, own), d.text(own)
		}
		for _, v := range ladder {
			if err := a.turn(&k, &d, v); err != nil {
				return err
			}
		}
		a.out.Knobs = append(a.out.Knobs, k)
	}
	a.out.Tried = a.tried
	return nil
}

// turn runs the small story with one value of one option.
func (a *arguer) turn(k *Knob, d *dial, v int64) error {
	s := edited(a.small.Story, func(s *scenarios.Story) { d.set(s, v) })
	_, r, err := a.run(s)
	if err != nil {
		return err
	}
	if n := len(k.Spans); n > 0 && k.Spans[n-1].Result.same(r) {
		k.Spans[n-1].To = d.text(v)
		return nil
	}
	k.Spans = append(k.Spans, Span{From: d.text(v), To: d.text(v), Result: *r})
	return nil
}

// withOwn puts the story's own value into its place on a ladder, of which off is
// the end.
func withOwn(ladder []int64, own int64) []int64 {
	if slices.Contains(ladder, own) {
		return ladder
	}
	i := slices.IndexFunc(ladder, func(v int64) bool { return v > own || v == off })
	if i < 0 {
		i = len(ladder)
	}
	return slices.Insert(ladder, i, own)
}

// edited returns a copy of s in which edit may change all but expectations.
func edited(s *scenarios.Story, edit func(*scenarios.Story)) *scenarios.Story {
	e := *s
	e.Producers, e.Workers, e.Jobs = slices.Clone(s.Producers), slices.Clone(s.Workers), slices.Clone(s.Jobs)
	e.Plan, e.Dos = slices.Clone(s.Plan), slices.Clone(s.Dos)
	edit(&e)
	return &e
}

// dials lists the options that s has, in the order of its text.
func dials(s *scenarios.Story) (list []dial) {
	list = append(list, queueDials(s)...)
	list = append(list, dial{"latency", latencies, duration,
		func(s *scenarios.Story) (int64, bool) { return int64(s.Network.Latency), true },
		func(s *scenarios.Story, v int64) { s.Network.Latency = time.Duration(v) }})
	if len(s.Jobs) > 0 {
		list = append(list, each("producer retries", counts, number, producersOf, func(p *scenarios.Producer) *int { return &p.Retries }),
			each("producer timeout", waits, duration, producersOf, func(p *scenarios.Producer) *time.Duration { return &p.Timeout }))
	}
	if len(s.Workers) > 0 {
		list = append(list, workerDials(s)...)
	}
	if slices.ContainsFunc(s.Jobs, func(j scenarios.Job) bool { return j.Fails > 0 }) {
		list = append(list, each("fails", counts, number, func(s *scenarios.Story) []scenarios.Job { return s.Jobs },
			func(j *scenarios.Job) *int { return &j.Fails }))
	}
	for i := range s.Plan {
		list = append(list, faultDials(i, s.Plan[i].Outcome)...)
	}
	return list
}

func queueDials(s *scenarios.Story) []dial {
	queue := func(s *scenarios.Story) []*scenarios.Queue { return []*scenarios.Queue{&s.Queue} }
	span := func(name string, ladder []int64, at func(*scenarios.Queue) *time.Duration) dial {
		return each(name, ladder, duration, queue, func(q **scenarios.Queue) *time.Duration { return at(*q) })
	}
	count := func(name string, at func(*scenarios.Queue) *int) dial {
		return each(name, caps, number, queue, func(q **scenarios.Queue) *int { return at(*q) })
	}
	list := []dial{
		span("lease", leases, func(q *scenarios.Queue) *time.Duration { return &q.Lease }),
		count("max-attempts", func(q *scenarios.Queue) *int { return &q.MaxAttempts }),
		span("retry-delay", waits, func(q *scenarios.Queue) *time.Duration { return &q.RetryDelay }),
		span("reap-every", periods, func(q *scenarios.Queue) *time.Duration { return &q.ReapEvery }),
		span("promote-every", periods, func(q *scenarios.Queue) *time.Duration { return &q.PromoteEvery }),
	}
	if s.Queue.SweepEvery > 0 {
		list = append(list, span("sweep-every", periods, func(q *scenarios.Queue) *time.Duration { return &q.SweepEvery }),
			count("max-stalled", func(q *scenarios.Queue) *int { return &q.MaxStalled }))
	}
	return list
}

func producersOf(s *scenarios.Story) []scenarios.Producer { return s.Producers }
func workersOf(s *scenarios.Story) []scenarios.Worker     { return s.Workers }

func workerDials(s *scenarios.Story) []dial {
	span := func(name string, ladder []int64, at func(*scenarios.Worker) *time.Duration) dial {
		return each(name, ladder, duration, workersOf, at)
	}
	list := []dial{
		span("work", spans, func(w *scenarios.Worker) *time.Duration { return &w.Work }),
		span("poll", polls, func(w *scenarios.Worker) *time.Duration { return &w.Poll }),
		span("timeout", waits, func(w *scenarios.Worker) *time.Duration { return &w.Timeout }),
		each("settle-retries", counts, number, workersOf, func(w *scenarios.Worker) *int { return &w.SettleRetries }),
	}
	if slices.ContainsFunc(s.Workers, func(w scenarios.Worker) bool { return w.Heartbeat > 0 }) {
		list = append(list, span("heartbeat", periods, func(w *scenarios.Worker) *time.Duration { return &w.Heartbeat }))
	}
	n := int64(len(s.Workers))
	return append(list, dial{"workers", []int64{n, n + 1, n + 2, n + 4, n + 9}, number,
		func(s *scenarios.Story) (int64, bool) { return int64(len(s.Workers)), true }, addWorkers})
}

// each is the dial of an option that all items of a list have: they are set alike.
func each[T any, V ~int | ~int64](name string, ladder []int64, text func(int64) string, list func(*scenarios.Story) []T, at func(*T) *V) dial {
	return dial{name: name, ladder: ladder, text: text,
		get: func(s *scenarios.Story) (int64, bool) {
			items := list(s)
			own := *at(&items[0])
			return orOff(int64(own), ladder), !slices.ContainsFunc(items, func(item T) bool { return *at(&item) != own })
		},
		set: func(s *scenarios.Story, v int64) {
			if v == off {
				v = 0
			}
			for i := range list(s) {
				*at(&list(s)[i]) = V(v)
			}
		}}
}

// orOff is the period v as its ladder has it.
func orOff(v int64, ladder []int64) int64 {
	if v == 0 && slices.Contains(ladder, off) {
		return off
	}
	return v
}

// addWorkers gives the story n workers: more of the last one. Those who only speak
// are numbered behind them.
func addWorkers(s *scenarios.Story, n int64) {
	more := model.Proc(n) - model.Proc(len(s.Workers))
	speakers := faults.Pump + 1 + model.Proc(len(s.Producers)+len(s.Workers))
	for i := range s.Dos {
		if s.Dos[i].By >= speakers {
			s.Dos[i].By += more
		}
	}
	last := s.Workers[len(s.Workers)-1]
	for i := len(s.Workers) + 1; int64(len(s.Workers)) < n; i++ {
		last.Name = "more-w" + strconv.Itoa(i)
		s.Workers = append(s.Workers, last)
	}
}

// faultDials lists how long the ith fault lasts, or how late it makes a message.
func faultDials(i int, o faults.Outcome) (list []dial) {
	for _, d := range []struct {
		name string
		at   func(*faults.Outcome) *time.Duration
	}{
		{"by", func(o *faults.Outcome) *time.Duration { return &o.By }},
		{"after", func(o *faults.Outcome) *time.Duration { return &o.After }},
		{"for", func(o *faults.Outcome) *time.Duration { return &o.For }},
		{"restart", func(o *faults.Outcome) *time.Duration { return &o.Restart }},
	} {
		if *d.at(&o) <= 0 {
			continue
		}
		list = append(list, dial{"f" + strconv.Itoa(i+1) + " " + d.name, spans, duration,
			func(s *scenarios.Story) (int64, bool) { return int64(*d.at(&s.Plan[i].Outcome)), true },
			func(s *scenarios.Story, v int64) { *d.at(&s.Plan[i].Outcome) = time.Duration(v) }})
	}
	return list
}
