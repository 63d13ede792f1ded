package scenarios

import (
	"strconv"
	"time"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
)

// mishaps writes what goes wrong.
func (w *writer) mishaps() {
	s := w.story
	w.gap(len(s.Plan) + len(s.Chaos))
	if s.NoChaos {
		w.put(begin("chaos").word("off"), 0)
	}
	for i := range s.Chaos {
		w.chaos(&s.Chaos[i])
	}
	if s.Quiet > 0 {
		w.put(begin("quiet").option("time", script.FormatDuration(s.Quiet)), 0)
	}
	for i := range s.Plan {
		w.put(begin(s.Plan[i].Text(w.names)), s.Plan[i].Line)
	}
}

func (w *writer) chaos(c *Chaos) {
	l := begin("chaos").word(c.Kind.Word(c.Reply))
	for _, op := range c.Ops {
		l.word(op.String())
	}
	for _, p := range c.Procs {
		l.word(w.names.Proc(p))
	}
	l.option("rate", c.Rate.String())
	for _, o := range chaosRanges {
		if o.kinds&c.Kind != 0 {
			l.text(o.key, o.write(*o.of(c)), o.write(o.def))
		}
	}
	w.put(l, c.Line)
}

// deeds writes the `do` and `do?` lines.
func (w *writer) deeds() {
	w.gap(len(w.story.Dos))
	for i := range w.story.Dos {
		d := &w.story.Dos[i]
		directive := "do"
		if d.Optional {
			directive = "do?"
		}
		l := begin(directive).word(d.Op.String())
		w.subject(l, d.Job, d.N)
		if d.By != model.NoProc {
			l.option("by", w.names.Proc(d.By))
		}
		l.option("time", script.FormatDuration(time.Duration(d.At)))
		l.text("token", strconv.FormatInt(int64(d.Token), 10), strconv.FormatInt(int64(OwnToken), 10))
		l.int("max", d.Max, OwnMax)
		if d.Delay != OwnDelay {
			l.option("delay", script.FormatDuration(d.Delay))
		}
		w.put(l, d.Line)
	}
}

// subject writes J, J#N, or nothing for NoJob.
func (w *writer) subject(l *line, j model.Job, n int32) {
	switch {
	case j == model.NoJob:
	case n == 0:
		l.word(w.names.Job(j))
	default:
		l.word(w.names.Job(j) + "#" + itoa(int(n)))
	}
}

func (w *writer) expectations() {
	s := w.story
	w.gap(len(s.Expects) + len(s.MayBreak))
	if len(s.MayBreak) > 0 {
		w.put(begin("expect").word("chaos").word("may-break").words(s.MayBreak), 0)
	}
	for i := range s.Expects {
		l := begin("expect")
		w.expect(l, &s.Expects[i])
		w.put(l, s.Expects[i].Line)
	}
}

func (l *line) words(list []string) *line {
	for _, s := range list {
		l.word(s)
	}
	return l
}

func (w *writer) expect(l *line, e *Expect) {
	switch e.Kind {
	case ExpectVerdict:
		l.word(e.Verdict.String()).words(e.Properties)
	case ExpectEffects:
		w.counted(l.word("effects"), e)
	case ExpectDeliveries:
		w.counted(l.word("deliveries"), e)
	case ExpectAnswer:
		w.answer(l, e)
	case ExpectTwin:
		w.subject(l.word("twin"), e.Job, e.N)
	case ExpectNoTwin:
		l.word("no").word("twin")
	case ExpectState:
		w.subject(l.word("state"), e.Job, 0)
		l.word("=").word(e.State)
	}
}

func (w *writer) counted(l *line, e *Expect) {
	w.subject(l, e.Job, 0)
	l.word(comparisons[e.Cmp]).word(itoa(e.Count))
}

func (w *writer) answer(l *line, e *Expect) {
	if e.Refused {
		w.subject(l.word("refused").word(e.Op.String()), e.Job, e.N)
		return
	}
	w.subject(l.word("answer").word(e.Op.String()), e.Job, e.N)
	l.word("=").word(e.Answer.String())
}
