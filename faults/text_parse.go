package faults

import (
	"slices"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
)

// Role is what a process is to a plan: which faults can befall it.
type Role uint8

// The roles.
const (
	RoleQueue    Role = iota + 1 // crash at a time, clock jump, partition
	RolePump                     // crash and pause at a time
	RoleProducer                 // crash and pause at a time, partition, clock skew
	RoleWorker                   // all of that, and crash and pause at a step, stall
	RoleSpeaker                  // named by `do` lines only: it has no process, nothing can befall it
)

// Actor is what a plan must know of one process.
type Actor struct {
	Role  Role
	Steps []model.Step // RoleWorker: the steps of its consumer, in order
	Beats bool         // RoleWorker: its heartbeat is on
}

// Lookup turns the names of a story into its small integers.
type Lookup interface {
	Proc(name string) (model.Proc, bool)
	Job(name string) (model.Job, bool)
	Actor(model.Proc) Actor
	// Step returns the step that a process takes under the name s: a consumer
	// that marks and applies in one transaction takes one step under two names.
	Step(p model.Proc, s model.Step) (model.Step, bool)
	ProcNames() []string // for messages
	JobNames() []string
}

// ParsePlan reads one fault a line. The error is a *script.List.
func ParsePlan(file string, text []byte, names Lookup) (Plan, error) {
	errs := script.Errors{File: file}
	var b Builder
	lines := script.Scan(string(text), &errs)
	for i := 0; i < len(lines) && !errs.Full(); i++ {
		line := &lines[i]
		if line.Word != "fault" && line.Word != "fault?" {
			errs.Add(line.No, 0, "%s", script.Unknown("directive", line.Word, []string{"fault", "fault?"}))
			continue
		}
		AddFault(&b, line, names, &errs)
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	return b.Plan(), nil
}

// AddFault reads line into b. What is wrong with it goes to errs.
func AddFault(b *Builder, line *script.Line, names Lookup, errs *script.Errors) {
	e, ok := ParseFault(line, names, errs)
	if !ok {
		return
	}
	if clash, ok := b.Add(e); !ok {
		errs.Add(line.No, 0, "%s: line %d says the same fault of the same point; one is enough", line.Word, clash.Line)
	}
}

// ParseFault reads a line that begins with `fault` or `fault?`: the forms are
// those of reports/docs/stories.md. What is wrong with it goes to errs, and ok is false. A
// window has Nth 1; a Builder numbers it.
func ParseFault(line *script.Line, names Lookup, errs *script.Errors) (e Entry, ok bool) {
	r := reader{Args: script.Open(line, errs), names: names}
	r.e.Line, r.e.Optional = line.No, line.Word == "fault?"
	kind, ok := r.Choose("kind", kindWords)
	if !ok {
		return Entry{}, false
	}
	r.Title += " " + kind
	f := &forms[slices.Index(kindWords, kind)]
	r.e.Outcome.Kinds, r.e.Point.Reply = f.kinds, f.reply
	f.read(&r)
	return r.e, r.Close()
}

// form is one kind of fault line: its word and how it goes on.
type form struct {
	word  string
	kinds Kinds
	reply bool
	read  func(*reader)
}

var forms = []form{
	{"drop", Drop, false, (*reader).message},
	{"drop-reply", Drop, true, (*reader).message},
	{"delay", Delay, false, (*reader).delay},
	{"delay-reply", Delay, true, (*reader).delay},
	{"duplicate", Duplicate, false, (*reader).duplicate},
	{"error", Refuse, false, (*reader).message},
	{"crash", Crash, false, (*reader).crash},
	{"pause", Pause, false, (*reader).pause},
	{"stall", Stall, false, (*reader).stall},
	{"partition", Partition, false, (*reader).partition},
	{"clock", Clock, false, (*reader).clock},
}

var kindWords = wordsOf(forms)

func wordsOf(forms []form) []string {
	var words []string
	for _, f := range forms {
		words = append(words, f.word)
	}
	return words
}

// KindWords returns the words for what can go wrong, as fault and chaos lines
// begin with them.
func KindWords() []string { return slices.Clone(kindWords) }

// ParseKind returns the kind that word writes, and whether it is about replies.
func ParseKind(word string) (k Kinds, reply, ok bool) {
	i := slices.Index(kindWords, word)
	if i < 0 {
		return 0, false, false
	}
	return forms[i].kinds, forms[i].reply, true
}

// Word returns the word for k, which must be one kind: "drop-reply" for Drop of
// a reply.
func (k Kinds) Word(reply bool) string {
	for _, f := range forms {
		if f.kinds == k && f.reply == reply {
			return f.word
		}
	}
	return "invalid"
}
