package scenarios

import (
	"strconv"
	"strings"
	"time"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios/actors"
)

// Text returns the story in its canonical form, which Parse reads as the same
// story, but for its Line fields: no comment, no option that says the default,
// the parts in the order of Story. Jobs or workers that one line made, and that
// are still as it made them, are one line again.
func (s *Story) Text() []byte {
	w := writer{story: s, names: &s.Cast().Names}
	w.all()
	return []byte(strings.Join(w.lines, "\n") + "\n" + s.history())
}

func (s *Story) history() string {
	if !s.HasHistory {
		return ""
	}
	return historyMark + "\n" + s.History
}

// writer writes a story line by line, and keeps where each line came from.
type writer struct {
	story  *Story
	names  *model.Names
	lines  []string
	origin []int // parallel to lines: Line of the part, 0 for none
	single bool  // for Set: a line for the network, each producer, worker and job
}

func (w *writer) all() {
	w.head()
	w.cast()
	w.mishaps()
	w.deeds()
	w.expectations()
}

// line is one line as it grows.
type line struct{ b []byte }

func begin(word string) *line { return &line{b: []byte(word)} }

func (l *line) word(s string) *line {
	l.b = append(append(l.b, ' '), s...)
	return l
}

func (l *line) option(key, value string) *line {
	l.word(key)
	l.b = script.AppendValue(append(l.b, '='), value)
	return l
}

// The options below are written only where they differ from the default.

func (l *line) text(key, v, def string) *line {
	if v == def {
		return l
	}
	return l.option(key, v)
}

func (l *line) span(key string, v, def time.Duration) *line {
	return l.text(key, script.FormatDuration(v), script.FormatDuration(def))
}

func (l *line) period(key string, v, def time.Duration) *line {
	if v == 0 && def != 0 {
		return l.option(key, "off")
	}
	return l.span(key, v, def)
}

func (l *line) int(key string, v, def int) *line { return l.text(key, itoa(v), itoa(def)) }

func (l *line) share(key string, v script.PPM) *line { return l.text(key, v.String(), "0%") }

func (l *line) flag(key string, on bool) *line {
	if on {
		return l.word(key)
	}
	return l
}

// put ends a line that came from the line at.
func (w *writer) put(l *line, at int) {
	w.lines = append(w.lines, string(l.b))
	w.origin = append(w.origin, at)
}

// gap sets a part off from what stands before it, unless the part is empty.
func (w *writer) gap(n int) {
	if n > 0 {
		w.put(begin(""), 0)
	}
}

func (w *writer) head() {
	s := w.story
	w.put(begin("story").word(s.Name), 0)
	if s.Seed != 0 {
		w.put(begin("seed").word(strconv.FormatUint(s.Seed, 10)), 0)
	}
	if s.Horizon != defaultHorizon {
		w.put(begin("horizon").word(script.FormatDuration(s.Horizon)), 0)
	}
	w.queue(&s.Queue, &defaultQueue)
	n := &s.Network
	l := begin("network").span("latency", n.Latency, defaultNetwork.Latency).span("jitter", n.Jitter, 0).
		share("loss", n.Loss).share("duplicate", n.Duplicate).share("reply-loss", n.ReplyLoss).span("until", n.Until, 0)
	if string(l.b) != "network" || w.single {
		w.put(l, n.Line)
	}
}

func (w *writer) queue(q, def *Queue) {
	l := begin("queue").word(q.Protocol).text("variant", q.Variant, def.Variant).text("backend", q.Backend, def.Backend)
	l.span("lease", q.Lease, def.Lease).int("max-attempts", q.MaxAttempts, def.MaxAttempts).span("retry-delay", q.RetryDelay, def.RetryDelay)
	l.period("reap-every", q.ReapEvery, def.ReapEvery).period("promote-every", q.PromoteEvery, def.PromoteEvery)
	l.period("sweep-every", q.SweepEvery, def.SweepEvery).int("max-stalled", q.MaxStalled, def.MaxStalled)
	w.put(l, q.Line)
}

func (w *writer) cast() {
	w.producers()
	w.workers()
	w.jobs()
}

func (w *writer) producers() {
	list := w.story.Producers
	implied := defaultProducer
	if implied.Line = list[0].Line; len(list) == 1 && list[0] == implied && !w.single {
		return
	}
	for _, p := range list {
		l := begin("producer").word(p.Name).int("retries", p.Retries, defaultProducer.Retries)
		w.put(l.span("timeout", p.Timeout, defaultProducer.Timeout).flag("fresh-id", p.FreshID), p.Line)
	}
}

func (w *writer) workers() {
	list := w.story.Workers
	for i := 0; i < len(list); {
		k := &list[i]
		n, prefix := 1, ""
		if !w.single {
			n, prefix = madeByOne(len(list)-i, func(j int) string { return list[i+j].Name }, func(j int) bool {
				twin := list[i+j]
				twin.Name = k.Name
				return twin == *k
			})
		}
		l := begin("worker").word(k.Name)
		if n > 1 {
			l = begin("workers").word(itoa(n)).text("prefix", prefix, "w")
		}
		w.put(workerText(l, k), k.Line)
		i += n
	}
}

func workerText(l *line, k *Worker) *line {
	consumer := k.Consumer.String()
	if k.Consumer == actors.TTLMarker {
		consumer += ":" + script.FormatDuration(k.MarkerLife)
	}
	if k.Consumer == actors.Handled {
		consumer += ":" + k.Handler
	}
	l.text("consumer", consumer, actors.Naive.String())
	if k.EarlyAck {
		l.option("ack", "early")
	}
	def := &defaultWorker
	if k.WorkIsMean {
		l.option("work", "exp:"+script.FormatDuration(k.Work))
	} else {
		l.span("work", k.Work, def.Work)
	}
	l.period("heartbeat", k.Heartbeat, def.Heartbeat).span("poll", k.Poll, def.Poll)
	return l.span("timeout", k.Timeout, def.Timeout).int("settle-retries", k.SettleRetries, def.SettleRetries)
}

func (w *writer) jobs() {
	list := w.story.Jobs
	for i := 0; i < len(list); {
		j := &list[i]
		n, prefix, every := 1, "", time.Duration(0)
		if i+1 < len(list) && !w.single {
			every = list[i+1].At.Sub(j.At)
			n, prefix = madeByOne(len(list)-i, func(k int) string { return list[i+k].Name }, func(k int) bool {
				twin := list[i+k]
				twin.Name, twin.At = j.Name, twin.At.Add(-time.Duration(k)*every)
				return every >= 0 && twin == *j // a `jobs` line goes forward
			})
		}
		l := begin("job").word(j.Name)
		if n > 1 {
			l = begin("jobs").word(itoa(n)).text("prefix", prefix, "J").span("every", every, defaultEvery)
		}
		w.put(w.job(l, j), j.Line)
		i += n
	}
}

func (w *writer) job(l *line, j *Job) *line {
	l.span("at", time.Duration(j.At), 0).text("by", w.names.Proc(j.By), w.story.Producers[0].Name)
	return l.span("delay", j.Delay, 0).int("fails", j.Fails, 0).text("payload", j.Payload, "")
}

// madeByOne tells how many of n items are what one `workers` or `jobs` line
// makes: names that count from 1, and all else alike (which is where the Line
// comes in: separate lines stay separate).
func madeByOne(n int, name func(int) string, alike func(int) bool) (int, string) {
	prefix, ok := strings.CutSuffix(name(0), "1")
	if !ok || prefix == "" {
		return 1, ""
	}
	made := 1
	for made < n && name(made) == prefix+itoa(made+1) && alike(made) {
		made++
	}
	return made, prefix
}
