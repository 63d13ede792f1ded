package lessons

import (
	"cmp"
	"embed"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// The stories that the lessons change one thing of; those that they run as they are
// come from the catalogue.
//
//go:embed stories
var stories embed.FS

const ext = ".story"

// Stories returns the names of the stories of the lessons, sorted.
func Stories() []string {
	files, err := stories.ReadDir("stories")
	if err != nil {
		panic("lessons: the embedded stories cannot be listed: " + err.Error())
	}
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f.Name(), ext))
	}
	return names
}

// Story returns the text of the lessons' story called name. The error says which
// name is near.
func Story(name string) ([]byte, error) {
	text, err := stories.ReadFile(path.Join("stories", name+ext))
	if err != nil {
		return nil, unknown{name}
	}
	return text, nil
}

// unknown is the error about a story that there is not.
type unknown struct{ name string }

func (u unknown) Error() string { return script.Unknown("story of the lessons", u.name, Stories()) }

// bench runs stories. Its first error is kept; from then on it runs nothing.
type bench struct{ err error }

// fail keeps err, which may be nil, if it is the first.
func (b *bench) fail(err error) { b.err = cmp.Or(b.err, err) }

// shipped runs a story of the catalogue.
func (b *bench) shipped(name string) *trial {
	story, err := scenarios.Load(name)
	b.fail(err)
	return b.run(story)
}

// with runs a story of the lessons with one more line, which may be empty.
func (b *bench) with(name, line string) *trial { return b.run(b.open(name, line)) }

// open parses a story of the lessons with one more line.
func (b *bench) open(name, line string) *scenarios.Story {
	text, err := Story(name)
	b.fail(err)
	return b.parse(name, append(text, line+"\n"...))
}

func (b *bench) parse(name string, text []byte) *scenarios.Story {
	if b.err != nil {
		return nil
	}
	story, err := scenarios.Parse(name+ext, text)
	b.fail(err)
	return story
}

// set changes an option of a story.
func (b *bench) set(story *scenarios.Story, key, value string) *scenarios.Story {
	if b.err != nil {
		return nil
	}
	changed, err := story.Set(key, value)
	b.fail(err)
	return changed
}

// run runs a story. It never returns nil.
func (b *bench) run(story *scenarios.Story) *trial {
	nothing := &trial{&scenarios.Outcome{History: &model.History{}}}
	if b.err != nil {
		return nothing
	}
	out, err := story.Run(scenarios.Options{})
	if b.fail(err); err != nil {
		return nothing
	}
	return &trial{out}
}

// instead is story with another outcome at its one fault.
func (b *bench) instead(story *scenarios.Story, o faults.Outcome) *scenarios.Story {
	if b.err != nil {
		return nil
	}
	changed := *story
	changed.Plan = slices.Clone(story.Plan)
	changed.Plan[0].Outcome = o
	return &changed
}

// trial is what came of one run. All lessons are about the first job of a story.
type trial struct{ *scenarios.Outcome }

const theJob model.Job = 1

// effects counts the changes of the outside ledger.
func (t *trial) effects() int { return len(t.all(model.Effected, model.OpNone)) }

// deliveries counts the claims that the queue granted.
func (t *trial) deliveries() int {
	n := 0
	for _, e := range t.all(model.Applied, model.OpClaim) {
		if e.Answer == model.OK {
			n++
		}
	}
	return n
}

// refusals counts the requests of one verb that were answered stale or gone.
func (t *trial) refusals(op model.Op) int {
	n := 0
	for _, e := range t.all(model.Applied, op) {
		if e.Answer == model.Stale || e.Answer == model.Gone {
			n++
		}
	}
	return n
}

// all returns the records of the job of one kind, and of one verb if it is given.
func (t *trial) all(kind model.Kind, op model.Op) []*model.Event {
	var list []*model.Event
	for i := range t.History.Events {
		e := &t.History.Events[i]
		if e.Kind == kind && e.Job == theJob && (op == model.OpNone || e.Op == op) {
			list = append(list, e)
		}
	}
	return list
}

// lapse returns the record of the lease that ran out first: the instant at which
// the queue must decide. It is 0 where none did.
func (t *trial) lapse() int32 {
	for i := range t.History.Events {
		e := &t.History.Events[i]
		if e.Kind == model.Applied && e.Op == model.OpReap && e.Moved > 0 {
			return e.Seq
		}
	}
	return 0
}

// seen is the queue's view when the first lease has run out.
func (t *trial) seen() model.View { return t.History.QueueView(faults.Queue, t.lapse()) }

// hadRun reports whether the work had had its effect when the first lease ran out.
func (t *trial) hadRun() bool {
	list := t.all(model.Effected, model.OpNone)
	return len(list) > 0 && list[0].Seq < t.lapse()
}

func itoa[N ~int | ~int32 | ~int64](n N) string { return strconv.FormatInt(int64(n), 10) }

// counted is what came of a run as the summary of `ackgap run` says it.
func counted(t *trial) string {
	return script.Count(t.deliveries(), "delivery") + ", " + script.Count(t.effects(), "effect")
}
