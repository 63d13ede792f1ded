package simtest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/actors"
)

// defaultChaos is what may go wrong in the random worlds of a check: all that the
// queue as built can bear (the story reference says why it is this), and what may
// befall the calls of a handler. WORKERS stands for their names. Each world leaves
// about half of it out.
const defaultChaos = `chaos drop claim complete retry apply rate=10%
chaos drop-reply claim complete retry apply rate=10%
chaos delay claim complete retry apply rate=5% by=1ms..60s
chaos delay-reply claim complete retry apply rate=5% by=1ms..60s
chaos duplicate claim complete apply rate=5% by=1ms..60s
chaos crash WORKERS rate=3% restart=1s..60s count=0..2
chaos pause WORKERS rate=3% for=1s..90s count=0..2
chaos partition WORKERS rate=30% for=1s..90s count=0..2
chaos error apply rate=5%
chaos clock queue rate=50% jump=+1s..+60s count=0..2
chaos crash queue rate=50% restart=1s..60s count=0..2
quiet time=2m
`

// text returns the world as a story, without what may go wrong: the one that was
// given, or the default one. Workers without a consumer of their own get the
// handler called name, or where there is none the consumer that is right.
func (c *config) text(name, queue string, blind bool) string {
	consumer := consumerOption(name)
	if c.make == nil {
		consumer = "consumer=" + actors.Atomic.String()
	}
	if c.story != "" {
		return onQueue(withConsumer(c.story, consumer), queue)
	}
	var b strings.Builder
	b.WriteString(c.queueLines(queue))
	fmt.Fprintf(&b, "workers %d %s %s %s\n", c.workers, consumer, strings.Join(c.worker, " "), c.habits(blind))
	b.WriteString(c.jobLines())
	return b.String()
}

// jobLines are the jobs, one each half second. On a queue of one's own the last two of
// three or more fail once and twice: the consumer is right, so that retries would be
// rare, and a retry that comes too late is what some queues forget to refuse.
func (c *config) jobLines() string {
	if c.newQueue == nil || c.jobs < 3 {
		return fmt.Sprintf("jobs %d every=500ms\n", c.jobs)
	}
	at := func(n int) string { return script.FormatDuration(time.Duration(n-1) * 500 * time.Millisecond) }
	return fmt.Sprintf("jobs %d every=500ms\njob J%d at=%s fails=1\njob J%d at=%s fails=2\n", c.jobs-2, c.jobs-1, at(c.jobs-1), c.jobs, at(c.jobs))
}

// mishaps are the lines of what may go wrong that the world lacks.
func (c *config) mishaps(s *scenarios.Story) string {
	var b strings.Builder
	for _, line := range c.chaos {
		fmt.Fprintf(&b, "chaos %s\n", line)
	}
	switch {
	case len(c.chaos) > 0 && s.Quiet == 0:
		b.WriteString("quiet time=2m\n")
	case len(c.chaos) == 0 && len(s.Chaos) == 0 && !s.NoChaos:
		var names []string
		for i := range s.Workers {
			names = append(names, s.Workers[i].Name)
		}
		b.WriteString(strings.ReplaceAll(defaultChaos+c.claimedChaos(), "WORKERS", strings.Join(names, " ")))
	}
	if may := c.tolerated(); len(may) > 0 {
		fmt.Fprintf(&b, "expect chaos may-break %s\n", strings.Join(may, " "))
	}
	return b.String()
}

// onQueue puts the name of a queue of one's own behind the word queue, where the
// story names none, and into a line of its own where it has no queue line: the last one,
// so that the user's keep their numbers in errors.
func onQueue(story, name string) string {
	if name == "" {
		return story
	}
	last := "queue " + name + "\n"
	story = insert(story, func(l *script.Line) string {
		if l.Word != "queue" {
			return ""
		}
		last = ""
		if len(l.Words) > 0 {
			return ""
		}
		return name
	})
	return story + last
}

// withConsumer gives a consumer to every worker line without one.
func withConsumer(story, consumer string) string {
	return insert(story, func(l *script.Line) string {
		has := slices.ContainsFunc(l.Options, func(f script.Field) bool { return f.Key == "consumer" })
		if has || l.Word != "worker" && l.Word != "workers" {
			return ""
		}
		return consumer
	})
}

// insert puts what is returned of a line right behind its first word.
func insert(story string, words func(l *script.Line) string) string {
	var b strings.Builder
	for text := range strings.Lines(story) {
		text = strings.TrimRight(text, "\r\n")
		for _, l := range script.Scan(text, &script.Errors{}) { // one at most; what is wrong with it is told later
			if more := words(&l); more != "" {
				text = strings.Replace(text, l.Word, l.Word+" "+more, 1)
			}
		}
		b.WriteString(text + "\n")
	}
	return b.String()
}

// consumerOption is what a worker line says of a handler.
func consumerOption(name string) string {
	return string(script.AppendValue([]byte("consumer="), actors.Handled.String()+":"+name))
}

// parse returns the story of the world. Its random worlds are those of the chaos
// lines; scripted says that it is also to be run as it is written.
func (c *config) parse(name, queue string, blind bool) (s *scenarios.Story, scripted bool, err error) {
	text := c.text(name, queue, blind)
	if s, err = scenarios.Parse(storyFile, []byte(text)); err != nil {
		return nil, false, err
	}
	if len(s.Workers) == 0 {
		return nil, false, errors.New("simtest: the story has no worker, so nobody asks the queue for a job; add a line `workers 2`")
	}
	if s, err = parseBehind(text, "Chaos", c.mishaps(s)); err != nil {
		return nil, false, err
	}
	if c.make != nil && !slices.ContainsFunc(s.Workers, func(w scenarios.Worker) bool { return w.Handler == name }) {
		return nil, false, errors.New("simtest: every worker of the story has a consumer= of its own, so that the handler is never called; leave it out of a worker's line")
	}
	if queue != "" && s.Queue.Protocol != queue {
		return nil, false, fmt.Errorf("%s:%d: the queue of CheckQueue is your own, and the story names %s, so that yours would never be asked; write `queue` with the options alone", storyFile, s.Queue.Line, s.Queue.Protocol)
	}
	s.Name = storyName(name)
	return s, s.NoChaos || len(s.Plan)+len(s.Dos)+len(s.Expects) > 0, nil
}

// parseBehind reads the world in text and the lines that the argument called place has
// put behind it: an error there is told with its number among these.
func parseBehind(text, place, lines string) (*scenarios.Story, error) {
	s, err := scenarios.Parse(storyFile, []byte(text+lines))
	if list, ok := errors.AsType[*script.List](err); ok {
		above := strings.Count(text, "\n")
		for _, e := range list.Errors {
			if e.Line > above {
				e.File, e.Line = place, e.Line-above
			}
		}
	}
	return s, err
}

// storyFile is what errors call the world.
const storyFile = "simtest"

// storyName makes a story's name of a test's: small letters, digits and dashes.
func storyName(test string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(test) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			b.WriteRune(r)
		} else if b.Len() > 0 {
			b.WriteByte('-')
		}
	}
	name := strings.Trim(b.String(), "-")
	if name == "" {
		return "test"
	}
	return name[:min(len(name), 40)]
}
