package scenarios

import (
	"fmt"
	"strings"

	"github.com/ackgap/ackgap/faults/script"
)

// Set returns the story with one option changed, as `--set KEY=VALUE` asks for:
// KEY is OWNER.OPTION, and OWNER is `queue`, `network`, or the name of a process
// or a job that the story declares.
//
//	story.Set("w1.consumer", "atomic")
//	story.Set("queue.lease", "10s")
//	story.Set("p.fresh-id", "on")
//
// What the story expected, and the history that it had to leave, belong to the
// story as it was: they are dropped, so that every default property must hold.
// The changed story is checked as a whole, and s is not changed. An error names
// the line of the original text.
func (s *Story) Set(key, value string) (*Story, error) {
	owner, option, ok := strings.Cut(key, ".")
	if !ok || option == "" {
		return nil, fmt.Errorf("--set %s: write OWNER.OPTION=VALUE, as w1.consumer=atomic or queue.lease=10s", script.Quote(key))
	}
	if !s.owns(owner) {
		return nil, fmt.Errorf("--set %s: %s", script.Quote(key), script.Unknown("owner", owner, s.owners()))
	}
	bare := *s
	bare.Expects, bare.MayBreak, bare.HasHistory, bare.History = nil, nil, false, ""
	p := newParser(s.File)
	lines := bare.lines(&p.errs)
	at := findOwner(lines, owner)
	if at < 0 {
		return nil, fmt.Errorf("--set %s: the story is too large to be written with one line for each job", script.Quote(key))
	}
	setOption(&lines[at], script.Field{Key: option, Text: value})
	p.read(lines)
	changed, err := p.finish()
	if err != nil {
		return nil, fmt.Errorf("--set %s=%s:\n%w", script.Quote(key), script.Quote(value), err)
	}
	return changed, nil
}

// owners are the names that --set can begin with.
func (s *Story) owners() []string {
	names := []string{"queue", "network"}
	for _, p := range s.Producers {
		names = append(names, p.Name)
	}
	for _, w := range s.Workers {
		names = append(names, w.Name)
	}
	for _, j := range s.Jobs {
		names = append(names, j.Name)
	}
	return names
}

func (s *Story) owns(name string) bool {
	for _, known := range s.owners() {
		if known == name {
			return true
		}
	}
	return false
}

// lines are those of the story's text, each with the number that it had in the
// original one; every worker and job has its own, and so has the network.
func (s *Story) lines(errs *script.Errors) []script.Line {
	w := writer{story: s, names: &s.Cast().Names, single: true}
	w.all()
	lines := script.Scan(strings.Join(w.lines, "\n"), errs)
	for i := range lines {
		lines[i].No = max(w.origin[lines[i].No-1], 1)
	}
	return lines
}

// findOwner returns the line that declares owner.
func findOwner(lines []script.Line, owner string) int {
	for i := range lines {
		l := &lines[i]
		switch l.Word {
		case "queue", "network":
			if l.Word == owner {
				return i
			}
		case "producer", "worker", "job":
			if l.Words[0].Text == owner {
				return i
			}
		}
	}
	return -1
}

// setOption gives l the option f, instead of what it said of f.Key.
func setOption(l *script.Line, f script.Field) {
	var words, options []script.Field
	for _, w := range l.Words {
		if w.Text != f.Key || len(words) == 0 { // a flag, but not the name
			words = append(words, w)
		}
	}
	for _, o := range l.Options {
		if o.Key != f.Key {
			options = append(options, o)
		}
	}
	l.Words, l.Options = words, append(options, f)
}
