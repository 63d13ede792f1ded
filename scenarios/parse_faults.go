package scenarios

import (
	"slices"
	"strings"
	"time"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
)

// fault reads a `fault` or `fault?` line.
func (p *parser) fault(line *script.Line) {
	e, ok := faults.ParseFault(line, p.cast, &p.errs)
	if !ok {
		return
	}
	if e.Point.Op == model.OpApply && !e.Outcome.Has(faults.Refuse) && !p.calls {
		p.errs.Add(line.No, 0, "%s: no message to strike: only a worker with consumer=external or external-key sends `apply` to another service", line.Word)
		return
	}
	if e.Point.Proc == faults.Queue && e.Outcome.Has(faults.Clock) && !p.jump(e.Outcome.By) {
		p.errs.Add(line.No, 0, "%s: the jumps of its clock add up to more than %s; leave out some",
			line.Word, script.FormatDuration(script.MaxDuration))
		return
	}
	if clash, ok := p.plan.Add(e); !ok {
		p.errs.Add(line.No, 0, "%s: line %d says the same fault of the same point; one is enough", line.Word, clash.Line)
	}
}

// jump takes note that the queue's clock jumps by d, and reports whether all its
// jumps together still fit into a Time. Other clocks are set off once.
func (p *parser) jump(d time.Duration) bool {
	if d.Abs() > script.MaxDuration-p.jumps {
		return false
	}
	p.jumps += d.Abs()
	return true
}

// chaos reads `chaos KIND [OP|PROCESS ...] rate= [options]` or `chaos off`.
func (p *parser) chaos(a *script.Args) {
	word, ok := a.Choose("kind", append(faults.KindWords(), "off"))
	if !ok {
		a.Stop()
		return
	}
	if p.story.NoChaos || word == "off" && len(p.story.Chaos) > 0 {
		a.Fail("`chaos off` stands alone: with it no other chaos line has a meaning")
		a.Stop()
		return
	}
	if word == "off" {
		p.story.NoChaos = true
		return
	}
	a.Title += " " + word
	if len(p.story.Chaos) == faults.MaxRules {
		a.Fail("a story may have %d chaos lines, and this is one more", faults.MaxRules)
		a.Stop()
		return
	}
	c := Chaos{Line: a.Line.No}
	c.Kind, c.Reply, _ = faults.ParseKind(word)
	p.chaosTargets(a, &c)
	chaosOptions(a, &c)
	p.story.Chaos = append(p.story.Chaos, c)
}

// isMessageKind reports whether k befalls messages, rather than processes.
func isMessageKind(k faults.Kinds) bool {
	return k&(faults.Drop|faults.Delay|faults.Duplicate|faults.Refuse) != 0
}

// chaosTargets reads the verbs or the processes that the kind may befall.
func (p *parser) chaosTargets(a *script.Args, c *Chaos) {
	for a.Left() > 0 {
		if isMessageKind(c.Kind) {
			chaosOp(a, c)
		} else {
			p.chaosProc(a, c)
		}
	}
}

func chaosOp(a *script.Args, c *Chaos) {
	ops := []string{"enqueue", "claim", "complete", "retry", "extend", "apply"}
	if c.Kind == faults.Refuse {
		ops = []string{"apply"}
	}
	if word, ok := a.Choose("verb", ops); ok {
		op, _ := model.ParseOp(word)
		c.Ops = addOnce(a, c.Ops, op, word)
	}
}

func (p *parser) chaosProc(a *script.Args, c *Chaos) {
	name, _ := a.Operand("process", "w1")
	proc, ok := p.cast.Proc(name)
	if !ok {
		a.Unknown("process", name, p.cast.ProcNames())
		return
	}
	if why := sparedFrom(c.Kind, p.cast.Actor(proc)); why != "" {
		a.Fail("not %s: %s", name, why)
		return
	}
	c.Procs = addOnce(a, c.Procs, proc, name)
}

func addOnce[T comparable](a *script.Args, list []T, v T, word string) []T {
	if slices.Contains(list, v) {
		a.Fail("%s stands twice", word)
		return list
	}
	return append(list, v)
}

// sparedFrom says why a process cannot suffer the kind k, or "": the rules of
// fault lines.
func sparedFrom(k faults.Kinds, a faults.Actor) string {
	switch {
	case a.Role == faults.RoleSpeaker:
		return "it only speaks in `do` lines"
	case k == faults.Pause && a.Role == faults.RoleQueue:
		return "a queue does not stand still"
	case k == faults.Stall && !a.Beats:
		return "it has no heartbeat; write heartbeat=10s on a worker line"
	case k == faults.Partition && a.Role != faults.RoleProducer && a.Role != faults.RoleWorker:
		return "the links that can be cut are those of a worker or a producer to the queue"
	case k == faults.Clock && a.Role == faults.RolePump:
		return "it reads the queue's clock"
	}
	return ""
}

// chaosOptions reads rate= and the ranges that the kind knows.
func chaosOptions(a *script.Args, c *Chaos) {
	if a.Need("rate", "5%") {
		if c.Rate = a.Percent("rate", script.Whole); c.Rate == 0 {
			a.Fail("rate=0%% never strikes; leave the line out")
		}
	}
	for _, o := range chaosRanges {
		if o.kinds&c.Kind != 0 {
			*o.of(c) = o.read(a, o.key, o.def)
		}
	}
}

// chaosRanges is the table of the ranges: which kinds know them, and how they
// are read and written.
var chaosRanges = []struct {
	key   string
	kinds faults.Kinds
	def   Span
	of    func(*Chaos) *Span
	read  func(a *script.Args, key string, def Span) Span
	write func(Span) string
}{
	{"by", faults.Delay | faults.Duplicate, defaultBy, func(c *Chaos) *Span { return &c.By }, readSpan, writeSpan},
	{"for", faults.Pause | faults.Stall | faults.Partition, defaultFor, func(c *Chaos) *Span { return &c.For }, readSpan, writeSpan},
	{"restart", faults.Crash, defaultRestart, func(c *Chaos) *Span { return &c.Restart }, readSpan, writeSpan},
	{"jump", faults.Clock, defaultJump, func(c *Chaos) *Span { return &c.Jump }, readOffsets, writeOffsets},
	{"count", ^faults.Kinds(faults.Drop | faults.Delay | faults.Duplicate | faults.Refuse), defaultCount, func(c *Chaos) *Span { return &c.Count }, readCounts, writeCounts},
}

// maxWindows bounds count=: more windows than this hide each other.
const maxWindows = 100

// ends splits `LOW..HIGH`; one value is both.
func ends(s string) (low, high string) {
	low, high, found := strings.Cut(s, "..")
	if !found {
		high = low
	}
	return low, high
}

func readOffsets(a *script.Args, key string, def Span) Span {
	s, ok := a.Option(key)
	if !ok {
		return def
	}
	low, high := ends(s)
	from, err := script.ParseDuration(low)
	to, err2 := script.ParseDuration(high)
	if err != nil || err2 != nil || from > to {
		a.Fail("%s=%s must be a range of durations, the lower first; write %s=%s", key, script.Quote(s), key, writeSpan(def))
		return def
	}
	return Span{from, to}
}

func readSpan(a *script.Args, key string, def Span) Span {
	s := readOffsets(a, key, def)
	if s.Low <= 0 {
		a.Fail("%s=%s must be above zero", key, writeSpan(s))
	}
	return s
}

func readCounts(a *script.Args, key string, def Span) Span {
	s, ok := a.Option(key)
	if !ok {
		return def
	}
	low, high := ends(s)
	from, ok1 := count(low)
	to, ok2 := count(high)
	if !ok1 || !ok2 || from > to || to > maxWindows {
		a.Fail("%s=%s must be a range of whole numbers up to %d, the lower first; write %s=%s", key, script.Quote(s), maxWindows, key, writeCounts(def))
		return def
	}
	return Span{time.Duration(from), time.Duration(to)}
}

func writeSpan(s Span) string {
	return script.FormatDuration(s.Low) + ".." + script.FormatDuration(s.High)
}

func writeOffsets(s Span) string { return signed(s.Low) + ".." + signed(s.High) }

func signed(d time.Duration) string {
	if d > 0 {
		return "+" + script.FormatDuration(d)
	}
	return script.FormatDuration(d)
}

func writeCounts(s Span) string { return itoa(int(s.Low)) + ".." + itoa(int(s.High)) }
