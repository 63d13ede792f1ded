package scenarios

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios/actors"
)

func itoa(n int) string { return strconv.Itoa(n) }

// name reads `story NAME`.
func (p *parser) name(a *script.Args) {
	name, ok := a.Operand("name", "story lost-ack")
	if !ok {
		return
	}
	if !isStoryName(name) {
		a.Fail("%s is no name for a story; use a-z, 0-9 and -, at most %d of them", script.Quote(name), script.MaxName)
	}
	p.story.Name = name
}

func isStoryName(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isStoryNameByte(s[i]) {
			return false
		}
	}
	return s != "" && len(s) <= script.MaxName
}

func isStoryNameByte(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' }

// seed reads `seed N`, decimal or 0x hexadecimal.
func (p *parser) seed(a *script.Args) {
	word, ok := a.Operand("number", "seed 42")
	if !ok {
		return
	}
	n, err := strconv.ParseUint(word, 0, 64)
	if err != nil {
		a.Fail("%s must be a whole number from 0 to 18446744073709551615, or 0x in hexadecimal", script.Quote(word))
	}
	p.story.Seed = n
}

// horizon reads `horizon D`.
func (p *parser) horizon(a *script.Args) {
	word, ok := a.Operand("duration", "horizon 10m")
	if !ok {
		return
	}
	d, err := script.ParseDuration(word)
	switch {
	case err != nil:
		a.Fail("%v", err)
	case d <= 0:
		a.Fail("%s must be above zero", script.FormatDuration(d))
	}
	p.story.Horizon = d
}

// quiet reads `quiet time=`.
func (p *parser) quiet(a *script.Args) {
	a.Need("time", "2m")
	p.story.Quiet = a.Span("time", 0)
}

// queue reads `queue PROTOCOL [options]`.
func (p *parser) queue(a *script.Args) {
	q := &p.story.Queue
	q.Line = a.Line.No
	if protocol, ok := a.Choose("protocol", queueNames()); ok {
		q.Protocol = protocol
	}
	q.Variant = a.Choice("variant", "", variants(q.Protocol))
	q.Backend = backend(a, q)
	q.Lease = a.Millis("lease", q.Lease)
	if q.Lease == 0 {
		a.Fail("lease=0s is no lease; it must be above zero")
	}
	q.RetryDelay = a.Millis("retry-delay", q.RetryDelay)
	q.ReapEvery = a.Period("reap-every", q.ReapEvery)
	q.PromoteEvery = a.Period("promote-every", q.PromoteEvery)
	q.SweepEvery = a.Period("sweep-every", q.SweepEvery)
	q.MaxAttempts = int(a.Int("max-attempts", int64(q.MaxAttempts), 1, MaxRetries))
	q.MaxStalled = int(a.Int("max-stalled", int64(q.MaxStalled), 1, MaxRetries))
}

func protocols() []string {
	var names []string
	for _, b := range model.Bodies() {
		names = append(names, b.Protocol)
	}
	return slices.Compact(names) // Bodies come sorted
}

// variants are those of the Go body: the wire body knows the same or fewer, and
// the runner says so when it opens one.
func variants(protocol string) []string {
	body, _ := findBody(protocol, defaultQueue.Backend)
	var names []string
	for _, v := range body.Variants {
		names = append(names, v.Name)
	}
	return names
}

// backend reads the option `backend=NAME` or `backend=NAME=ADDRESS`. Which
// addresses there are is for the body to say, when it is opened.
func backend(a *script.Args, q *Queue) string {
	text, ok := a.Option("backend")
	if !ok {
		return q.Backend
	}
	name, address, hasAddress := strings.Cut(text, "=")
	_, linked := findBody(q.Protocol, name)
	switch known := backends(q.Protocol); {
	case !linked && !slices.Contains(known, name):
		a.Fail("%s", script.Unknown("backend", name, known))
	case hasAddress && (name == defaultQueue.Backend || address == ""):
		a.Fail("backend=%s has no address; write backend=%s, or an address as in backend=valkey=spawn", script.Quote(text), name)
	default:
		return text
	}
	return q.Backend
}

// backends are those that stories know and those that are linked. That one is
// not linked into this program is for the runner to say.
func backends(protocol string) []string {
	names := []string{"go", "valkey"}
	for _, b := range model.Bodies() {
		if b.Protocol == protocol && !slices.Contains(names, b.Backend) {
			names = append(names, b.Backend)
		}
	}
	return names
}

// network reads `network [options]`.
func (p *parser) network(a *script.Args) {
	n := &p.story.Network
	n.Line = a.Line.No
	n.Latency = a.Duration("latency", n.Latency)
	n.Jitter = a.Duration("jitter", n.Jitter)
	n.Loss = a.Percent("loss", n.Loss)
	n.Duplicate = a.Percent("duplicate", n.Duplicate)
	n.ReplyLoss = a.Percent("reply-loss", n.ReplyLoss)
	n.Until = a.Span("until", n.Until)
}

// producer reads `producer P [options]`.
func (p *parser) producer(a *script.Args) {
	w := defaultProducer
	w.Line = a.Line.No
	name, ok := p.declared(a, "p")
	w.Name = name
	w.FreshID = a.Flag("fresh-id")
	w.Retries = int(a.Int("retries", int64(w.Retries), 0, MaxRetries))
	w.Timeout = a.Span("timeout", w.Timeout)
	if !ok || !p.room(a, "producers", len(p.story.Producers), 1, MaxProducers) {
		return
	}
	p.story.Producers = append(p.story.Producers, w)
}

// declared reads the operand that names what a declares, such as like.
func (p *parser) declared(a *script.Args, like string) (string, bool) {
	name, ok := a.Name(a.Line.Word + " " + like)
	if !ok {
		return "", false
	}
	a.Title += " " + name
	return name, p.declare(a, name)
}

// room reports whether n more fit beside those that there are.
func (p *parser) room(a *script.Args, what string, have, n, limit int) bool {
	if have+n > limit {
		a.Fail("that makes %d %s; a story has at most %d", have+n, what, limit)
	}
	return have+n <= limit
}

// worker reads `worker W [options]`.
func (p *parser) worker(a *script.Args) {
	name, ok := p.declared(a, "w1")
	w := workerOptions(a)
	if w.Name = name; ok && p.room(a, "workers", len(p.story.Workers), 1, MaxWorkers) {
		p.story.Workers = append(p.story.Workers, w)
	}
}

// workers reads `workers N [prefix=w] [options]`.
func (p *parser) workers(a *script.Args) {
	n, prefix, ok := many(a, "w", MaxWorkers)
	w := workerOptions(a)
	if !ok || !p.room(a, "workers", len(p.story.Workers), n, MaxWorkers) {
		return
	}
	for _, w.Name = range numbered(prefix, n) {
		if !p.declare(a, w.Name) {
			return
		}
		p.story.Workers = append(p.story.Workers, w)
	}
}

// numbered returns n names: the prefix and 1, 2, and so on. They are pieces of one text, so
// that the names of a hundred thousand jobs are one thing to the garbage collector.
func numbered(prefix string, n int) []string {
	var text []byte
	ends := make([]int, 0, n)
	for i := range n {
		text = strconv.AppendInt(append(text, prefix...), int64(i+1), 10)
		ends = append(ends, len(text))
	}
	all, names, from := string(text), make([]string, 0, n), 0
	for _, end := range ends {
		names = append(names, all[from:end])
		from = end
	}
	return names
}

// many reads `N [prefix=]`. Room for the digits is left in the name.
func many(a *script.Args, prefix string, limit int) (int, string, bool) {
	if s, ok := a.Option("prefix"); ok {
		prefix = s
	}
	word, ok := a.Operand("number", a.Line.Word+" 3")
	if !ok {
		return 0, prefix, false
	}
	n, err := strconv.Atoi(word)
	if err != nil || n < 1 || n > limit {
		a.Fail("%s must be a whole number from 1 to %d", script.Quote(word), limit)
		return 0, prefix, false
	}
	if !script.IsName(prefix + itoa(limit)) {
		a.Fail("prefix=%s does not begin a name; use letters, digits, - and _, few of them", script.Quote(prefix))
		return 0, prefix, false
	}
	return n, prefix, true
}

func workerOptions(a *script.Args) Worker {
	w := defaultWorker
	w.Line = a.Line.No
	w.Consumer, w.MarkerLife, w.Handler = consumer(a)
	w.EarlyAck = a.Choice("ack", "late", []string{"late", "early"}) == "early"
	w.Work, w.WorkIsMean = a.Spread("work", w.Work)
	w.Heartbeat = a.Period("heartbeat", w.Heartbeat)
	w.Poll = a.Span("poll", w.Poll)
	w.Timeout = a.Span("timeout", w.Timeout)
	w.SettleRetries = int(a.Int("settle-retries", int64(w.SettleRetries), 0, MaxRetries))
	return w
}

// consumer reads `consumer=NAME`, for a ttl-marker `consumer=ttl-marker:5m`, for
// Go code `consumer=handler:NAME`.
func consumer(a *script.Args) (c actors.Consumer, life time.Duration, handler string) {
	s, ok := a.Option("consumer")
	if !ok {
		return actors.Naive, 0, ""
	}
	name, more, has := strings.Cut(s, ":")
	c, ok = actors.ParseConsumer(name)
	switch {
	case !ok:
		a.Fail("%s", script.Unknown("consumer", name, actors.ConsumerNames()))
	case c == actors.TTLMarker:
		life = markerLife(a, more)
	case c == actors.Handled:
		handler = more
		checkHandler(a, more)
	case has:
		a.Fail("consumer=%s takes no time; only ttl-marker does", script.Quote(s))
	}
	return c, life, handler
}

func markerLife(a *script.Args, s string) time.Duration {
	d, err := script.ParseDuration(s)
	if err != nil || d <= 0 {
		a.Fail("how long is a marker remembered? write consumer=ttl-marker:5m")
	}
	return d
}

// job reads `job J [options]`.
func (p *parser) job(a *script.Args) {
	name, ok := p.declared(a, "J1")
	j, by := jobOptions(a)
	if j.Name = name; ok && p.room(a, "jobs", len(p.story.Jobs), 1, MaxJobs) {
		p.addJob(j, a.Line, by)
	}
}

// jobs reads `jobs N [prefix=J] [every=50ms|every=exp:50ms] [options]`. Exponential
// gaps are drawn as the line is read, from the names of the jobs alone: the jobs of
// a story come at the same instants in each of its runs.
func (p *parser) jobs(a *script.Args) {
	n, prefix, ok := many(a, "J", MaxJobs)
	every, isMean := a.Spread("every", defaultEvery)
	gaps := model.Seed(0).Fork("jobs/" + prefix)
	j, by := jobOptions(a)
	if !ok || !p.room(a, "jobs", len(p.story.Jobs), n, MaxJobs) {
		return
	}
	longest, would := every, "would"
	if isMean {
		longest, would = model.MaxExponential(every), "might"
	}
	if n > 1 && longest > (script.MaxDuration-time.Duration(j.At))/time.Duration(n-1) {
		a.Fail("the last of them %s be enqueued after %s", would, script.FormatDuration(script.MaxDuration))
		return
	}
	for i, name := range numbered(prefix, n) {
		if j.Name = name; !p.declare(a, name) {
			return
		}
		p.addJob(j, a.Line, by)
		gap := every
		if isMean {
			gap = model.Exponential(gaps.Hash(uint64(i+1), 0), every)
		}
		j.At = j.At.Add(gap)
	}
}

func jobOptions(a *script.Args) (j Job, by string) {
	j.Line = a.Line.No
	by, _ = a.Option("by")
	j.At = model.Time(a.Duration("at", 0))
	j.Delay = a.Millis("delay", 0)
	j.Fails = int(a.Int("fails", 0, 0, MaxRetries))
	j.Payload, _ = a.Option("payload")
	if len(j.Payload) > MaxPayload {
		a.Fail("the payload has %d bytes; at most %d are allowed: cut it, nothing goes by what it says", len(j.Payload), MaxPayload)
	}
	a.Refuse("lane", "lanes are not modelled yet")
	return j, by
}

func (p *parser) addJob(j Job, line *script.Line, by string) {
	p.story.Jobs = append(p.story.Jobs, j)
	p.by = append(p.by, jobBy{line, by})
}
