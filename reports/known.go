package reports

import (
	"strings"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// Known answers COULD THE QUEUE HAVE KNOWN? about one run. All of it was found by
// running other histories.
type Known struct {
	Property string // that broke and made one ask; empty where somebody just asked
	*scenarios.Knowledge
	Rules  *scenarios.Rules // nil where it has no twin, or cannot be made to follow both
	Again  string           // the command that shows the twin; may be empty
	events int              // how many the run has, if they are too many to ask
}

// askLimit is how many events a run may have for its report to ask: each other
// history is a run as long as it.
const askLimit = 50_000

// knownOf asks about the failure of o; nil where nothing is to be asked.
func knownOf(o *scenarios.Outcome, again string) *Known {
	if n := len(o.History.Events); n > askLimit {
		return &Known{events: n, Again: twinCommand(again)}
	}
	property, k := o.CouldHaveKnown(faults.Queue)
	if k == nil {
		return nil
	}
	return KnownOf(o, property, k, again)
}

// KnownOf puts the answer k about the run o into the words of a report. Again is
// the command that runs o again.
func KnownOf(o *scenarios.Outcome, property string, k *scenarios.Knowledge, again string) *Known {
	known := &Known{Property: property, Knowledge: k, Again: twinCommand(again)}
	if rules, ok := o.Story.Rules(o.History, k); ok {
		known.Rules = &rules
	}
	return known
}

// twinCommand is the command that shows the twin of what again runs.
func twinCommand(again string) string {
	for _, verb := range []string{"ackgap run ", "ackgap replay "} {
		if rest, ok := strings.CutPrefix(again, verb); ok {
			return "ackgap twin " + strings.TrimSuffix(rest, " --strict")
		}
	}
	return ""
}

// known writes whether the queue could have known, in short.
func (p *page) known(r *Run) {
	k := r.Known
	if k == nil {
		return
	}
	p.end()
	if k.Knowledge == nil {
		p.line(effect, "COULD THE QUEUE HAVE KNOWN?")
		p.wrap("  ", k.notAsked())
		p.see(k)
		return
	}
	p.answer(r, k)
	if k.Twin != nil {
		p.see(k)
	}
}

func (k *Known) notAsked() string {
	return "Not asked: the run has " + script.Count(k.events, "event") + ", and each other history is as long."
}

func (p *page) see(k *Known) {
	if k.Again != "" {
		p.line(plain, "  SIDE BY SIDE  "+model.Safe(k.Again))
	}
}

// AppendTwin appends the answer in full: what AppendText says of it in short, and
// the two histories side by side.
func AppendTwin(b []byte, r *Run, s Style) []byte {
	p := &page{b: b, style: s}
	p.answer(r, r.Known)
	if r.Known.Twin != nil {
		p.end()
		p.sides(r, r.Known)
	}
	return p.b
}

// answer writes No, Yes or Open, and why.
func (p *page) answer(r *Run, k *Known) {
	p.put(effect, "COULD "+k.who(r)+" HAVE KNOWN?")
	p.spaces += 2
	switch {
	case k.Twin != nil:
		p.line(bad, "No.")
		p.twin(r, k)
	case k.Told != nil:
		p.line(ack, "Yes.")
		p.wrap("  ", k.yes(r))
	default:
		p.line(plain, "Open.")
		p.wrap("  ", k.open(r))
	}
}

// word is the answer in a word, and its sentence where there is no twin.
func (k *Known) word(r *Run) (word, sentence string) {
	switch {
	case k.Twin != nil:
		return "No.", k.apart(r)
	case k.Told != nil:
		return "Yes.", k.yes(r)
	}
	return "Open.", k.open(r)
}

// yes names the message that told it.
func (k *Known) yes(r *Run) string {
	text := "Event " + itoa(k.Told.Seq) + " (" + k.Told.At.String() + ") told it that " + k.says(r, k.Fact) + ": " +
		describe(&r.History.Names, k.Told) + ". " + k.tried(r) + ", and this event is in none of them."
	if k.Property != "" && k.Observer == faults.Queue {
		text += " So the gap is not to blame: here the queue was told."
	}
	return text
}

// open says why there is neither a twin nor a message that told.
func (k *Known) open(r *Run) string {
	if k.Short {
		return k.tried(r) + ": the search was cut short there, and says nothing of the others."
	}
	if k.Tried == 0 {
		return "No history of this world was found in which " + k.says(r, !k.Fact) + "."
	}
	return k.tried(r) + ": to " + k.name(r) + " each looks different, and where it parts no message told it."
}

func (k *Known) tried(r *Run) string {
	return "Tried " + script.Count(k.Tried, "history") + " in which " + k.says(r, !k.Fact)
}

// twin writes the two views and what each rule makes of both histories.
func (p *page) twin(r *Run, k *Known) {
	p.wrap("  ", k.apart(r))
	records := script.Count(len(k.View), "event")
	p.line(plain, "    A's view  "+k.View.Digest().String()+"  "+records)
	equal := "equal, " + itoa(k.View.Common(k.Twin.View)) + " of " + records
	p.line(plain, "    B's view  "+k.Twin.View.Digest().String()+"  "+equal)
	p.view(r, k)
	if k.Rules != nil {
		p.rule("  deliver again  ", r, k, k.Rules.Again)
		p.rule("  stay silent    ", r, k, k.Rules.Silent)
		p.spared(k.Rules)
	}
}

// apart says what is so in the run and not in its twin, and until when they look alike.
func (k *Known) apart(r *Run) string {
	return "In this run, A, " + k.says(r, k.Fact) + k.when(r.History) + ". In B, the same world with " + k.instead() + ", " +
		k.says(r, !k.Fact) + k.when(k.Twin.History) + "; and up to " + k.act(r) + " " + k.name(r) + " saw the same."
}

// spared names a rule that is right in both histories: there the queue need not know.
func (p *page) spared(rules *scenarios.Rules) { p.wrap("  ", sparedText(rules)) }

// sparedText is "" where neither rule is.
func sparedText(rules *scenarios.Rules) string {
	var right []string
	if isRight(&rules.Again) {
		right = append(right, "to deliver again")
	}
	if isRight(&rules.Silent) {
		right = append(right, "to stay silent")
	}
	if len(right) == 0 {
		return ""
	}
	return "In these two it need not know: " + strings.Join(right, " or ") + " is right in both."
}

func isRight(rule *scenarios.Rule) bool { return rule.Here == 1 && rule.There == 1 }

// viewLimit is how many records of a view are listed unless all are asked for.
const viewLimit = 8

// view lists what the observer saw in both: the last records.
func (p *page) view(r *Run, k *Known) {
	_, behind := r.History.Seen(k.Observer, faults.Queue, k.Cut.Seq)
	if n := len(behind) - viewLimit; n > 0 && !p.style.Full {
		p.line(dim, "            ⋮  "+script.Count(n, "event")+" before, --full")
		behind = behind[n:]
	}
	var times clock
	for _, seq := range behind {
		times.sees(r.History.Events[seq-1].At)
	}
	for _, seq := range behind {
		e := &r.History.Events[seq-1]
		p.right(plain, times.tell(e.At), 14)
		p.line(plain, "  "+describe(&r.History.Names, e))
	}
}

// rule says what came of one rule in both histories, as it was run.
func (p *page) rule(lead string, r *Run, k *Known, rule scenarios.Rule) {
	p.wrap(lead, k.came(r, rule))
}

// came says what came of a rule in both histories.
func (k *Known) came(r *Run, rule scenarios.Rule) string {
	a, b := k.outcome(r, rule.Here)+" in A", k.outcome(r, rule.There)+" in B"
	if rule.IsRun {
		a += " (this run)"
	}
	return a + ", " + b
}

// outcome says what it is that the ledger changed n times under the job.
func (k *Known) outcome(r *Run, n int) string {
	switch n {
	case 0:
		return "loses " + labels(&r.History.Names).Job(k.Job)
	case 1:
		return "is right"
	}
	return "makes " + itoa(n) + " effects"
}

// who is the observer in a heading.
func (k *Known) who(r *Run) string {
	if k.Observer == faults.Queue {
		return "THE QUEUE"
	}
	return labels(&r.History.Names).Proc(k.Observer)
}

func (k *Known) name(r *Run) string {
	if k.Observer == faults.Queue {
		return "the queue"
	}
	return k.who(r)
}

func (k *Known) delivery(r *Run) string {
	return labels(&r.History.Names).Job(k.Job) + "#" + itoa(k.N)
}

// says states the fact, or its contrary, about the delivery.
func (k *Known) says(r *Run, is bool) string { return k.delivery(r) + " " + k.verb(is) }

func (k *Known) verb(is bool) string {
	switch {
	case k.Observer == faults.Queue && is:
		return "had its effect"
	case k.Observer == faults.Queue:
		return "had no effect"
	case is:
		return "was settled"
	}
	return "was not settled"
}

// when says at which instant of h the delivery had its effect, which may be long after
// the cut; nothing where it had none, or where a settlement is asked about.
func (k *Known) when(h *model.History) string {
	for i := range h.Events {
		e := &h.Events[i]
		if e.Kind == model.Effected && e.Job == k.Job && e.N == k.N && k.Observer == faults.Queue {
			return " at " + e.At.String()
		}
	}
	return ""
}

// instead says what goes wrong in the twin instead.
func (k *Known) instead() string {
	wrong := model.Safe(k.Twin.Wrong())
	switch len(k.Twin.Faults) {
	case 0:
		return wrong
	case 1:
		return "the fault " + wrong + " instead"
	}
	return "the faults " + wrong + " instead"
}

// act names the cut.
func (k *Known) act(r *Run) string {
	switch c := &k.Cut; {
	case c.Kind == model.Ended:
		return "the end"
	case c.Kind != model.Applied && c.Kind != model.Sent:
		return "its next step at " + c.At.String()
	case c.Job == model.NoJob:
		return "the " + c.Op.String() + " at " + c.At.String()
	default:
		return c.Op.String() + " " + r.History.Names.Delivery(c) + " at " + c.At.String()
	}
}
