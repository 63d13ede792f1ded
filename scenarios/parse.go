package scenarios

import (
	"path"
	"slices"
	"strings"
	"time"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"

	_ "github.com/ackgap/ackgap/model/echomq" // the protocol that stories speak by default
)

// historyMark is the line behind which a story keeps the history that it must
// leave.
const historyMark = "----"

// Parse reads a story; file is its name in messages, and names the story when no
// `story` line does. The error is a *script.List with all that is wrong, by
// line: a story is valid as a whole or not at all.
func Parse(file string, text []byte) (*Story, error) {
	body, history, hasHistory := cutHistory(string(text))
	p := newParser(file)
	p.story.History, p.story.HasHistory = history, hasHistory
	p.read(script.Scan(body, &p.errs))
	return p.finish()
}

// cutHistory splits a text at its first line `----`.
func cutHistory(text string) (body, history string, ok bool) {
	for at := 0; at < len(text); {
		line, _, _ := strings.Cut(text[at:], "\n")
		next := min(at+len(line)+1, len(text))
		if strings.TrimRight(line, " \t\r") == historyMark {
			return text[:at], text[next:], true
		}
		at = next
	}
	return text, "", false
}

// parser reads the lines of one story, in two passes: first the lines that
// declare names, then those that use them.
type parser struct {
	story *Story
	errs  script.Errors

	names  map[string]taken // by name
	once   map[string]int   // where each directive stands that may stand once
	by     []jobBy          // parallel to story.Jobs
	cast   *Cast            // known from the second pass on
	calls  bool             // likewise: some worker calls an outside service
	plan   faults.Builder
	jumps  time.Duration  // of the queue's clock, forth and back, all together
	judged map[string]int // where each property is expected
}

// taken is what stands under a name.
type taken struct {
	what string // "worker"
	line int    // 0: of no line
}

// String says what it is and where: "worker at line 3".
func (t taken) String() string {
	if t.line == 0 {
		return t.what
	}
	return t.what + " at line " + itoa(t.line)
}

// jobBy is a job's by= until the producers are known.
type jobBy struct {
	line *script.Line
	name string
}

func newParser(file string) *parser {
	return &parser{
		story: &Story{
			File: file, Name: nameOf(file), Horizon: defaultHorizon,
			Queue: defaultQueue, Network: defaultNetwork,
		},
		errs:  script.Errors{File: file},
		names: reserved(),
		once:  map[string]int{}, judged: map[string]int{},
	}
}

// reserved are the names that every world has.
func reserved() map[string]taken {
	names := map[string]taken{}
	for _, name := range []string{"queue", "pump", "store", "world", "network"} {
		names[name] = taken{what: name + " that every story has"}
	}
	return names
}

// nameOf makes the name of a story from that of its file.
func nameOf(file string) string {
	base := strings.TrimSuffix(path.Base(file), path.Ext(file))
	name := strings.Map(func(r rune) rune {
		if r < 0x80 && isStoryNameByte(byte(r)) {
			return r
		}
		return '-'
	}, strings.ToLower(base))
	return name[:min(len(name), script.MaxName)]
}

// directive is one kind of line.
type directive struct {
	word  string
	once  bool // a story has at most one
	uses  bool // it uses names, and is read in the second pass
	read  func(*parser, *script.Args)
	names []string // the kinds of names that it declares
	many  bool     // any number of them
}

var (
	aJob      = []string{"job"}
	aProcess  = []string{"process"}
	aProducer = []string{"process", "producer"}
)

var directives = []directive{
	{word: "story", once: true, read: (*parser).name},
	{word: "seed", once: true, read: (*parser).seed},
	{word: "horizon", once: true, read: (*parser).horizon},
	{word: "queue", once: true, read: (*parser).queue},
	{word: "network", once: true, read: (*parser).network},
	{word: "producer", read: (*parser).producer, names: aProducer},
	{word: "worker", read: (*parser).worker, names: aProcess},
	{word: "workers", read: (*parser).workers, names: aProcess, many: true},
	{word: "job", read: (*parser).job, names: aJob},
	{word: "jobs", read: (*parser).jobs, names: aJob, many: true},
	{word: "chaos", uses: true, read: (*parser).chaos},
	{word: "quiet", once: true, read: (*parser).quiet},
	{word: "fault", uses: true}, // read by package faults
	{word: "fault?", uses: true},
	{word: "do", uses: true, read: (*parser).do},
	{word: "do?", uses: true, read: (*parser).do},
	{word: "expect", uses: true, read: (*parser).expect},
}

func directiveWords() []string {
	var words []string
	for _, d := range directives {
		words = append(words, d.word)
	}
	return words
}

func (p *parser) read(lines []script.Line) {
	words := directiveWords()
	if p.understand(lines, words); p.errs.Full() {
		return
	}
	p.pass(lines, words, false)
	p.calls = slices.ContainsFunc(p.story.Workers, func(w Worker) bool { return w.Consumer.Calls() })
	p.imply()
	p.meet(lines)
	p.cast = p.story.Cast()
	p.assign()
	p.pass(lines, words, true)
}

// fewUnknown is of how many unknown directives each is told; the others are counted.
const fewUnknown = 3

// understand refuses the lines that begin with no directive, and takes each for the one
// that is nearest, so that what it names is known to the others. A text of several lines
// of which none is, or is near to, a directive is refused as a whole.
func (p *parser) understand(lines []script.Line, words []string) {
	unknown, more, isStory := unknownLines(lines, words)
	if !isStory {
		p.errs.Refuse(lines[0].No, "no line begins with a directive, so this is no story; %s", script.Allowed(words))
		return
	}
	for i, line := range unknown {
		switch {
		case i < fewUnknown:
			p.errs.Break(line.No, 0, "%s", script.Unknown("directive", line.Word, words))
		case i == fewUnknown:
			p.errs.Break(line.No, 0, "unknown directive %s, and %d more behind it", script.Quote(line.Word), len(unknown)-1-i+more)
		default:
			p.errs.Mute(line.No)
		}
		line.Word, _ = script.Nearest(line.Word, words)
	}
}

// unknownLines returns the first lines that begin with no directive, how many more there
// are, and whether the text is a story at all. To look for what is near costs much more
// than to look up a word, so that it is done of those first lines alone.
func unknownLines(lines []script.Line, words []string) (first []*script.Line, more int, isStory bool) {
	isStory = len(lines) < 2
	for i := range lines {
		switch line := &lines[i]; {
		case slices.Contains(words, line.Word):
			isStory = true
		case len(first) < script.MaxErrors:
			first = append(first, line)
		default:
			more++
		}
	}
	for i := 0; i < len(first) && !isStory; i++ {
		_, isStory = script.Nearest(first[i].Word, words)
	}
	return first, more, isStory
}

// pass reads the lines whose directive uses names, or those whose does not.
func (p *parser) pass(lines []script.Line, words []string, uses bool) {
	for i := 0; i < len(lines) && !p.errs.Full(); i++ {
		at := slices.Index(words, lines[i].Word)
		if at < 0 || directives[at].uses != uses {
			continue
		}
		p.line(&lines[i], &directives[at])
	}
}

func (p *parser) line(line *script.Line, d *directive) {
	if d.read == nil {
		p.fault(line)
		return
	}
	a := script.Open(line, &p.errs)
	if first := p.once[d.word]; d.once && first > 0 {
		a.Fail("line %d is one already; a story has at most one", first)
		return
	}
	p.once[d.word] = line.No
	known := len(p.names)
	d.read(p, a)
	if a.Failed() && (len(p.names) == known || d.many) {
		for _, kind := range d.names {
			p.errs.Hide(kind)
		}
	}
	a.Close()
}

func (p *parser) finish() (*Story, error) {
	p.story.Plan = p.plan.Plan()
	if err := p.errs.Err(); err != nil {
		return nil, err
	}
	return p.story, nil
}

// declare takes name for what a declares, and reports whether it was free.
// Processes and jobs share one space of names, so that `w1.work` means one thing.
func (p *parser) declare(a *script.Args, name string) bool {
	if other, ok := p.names[name]; ok {
		a.Fail("the name %s is taken by the %s", name, other)
		return false
	}
	p.take(name, a.Line.Word, a.Line.No)
	return true
}

func (p *parser) take(name, what string, line int) {
	p.names[name] = taken{what, line}
}

// imply adds the producer that a story has without saying so.
func (p *parser) imply() {
	if len(p.story.Producers) > 0 {
		return
	}
	if other, ok := p.names[defaultProducer.Name]; ok {
		p.errs.Add(other.line, 0, "p is the producer that a story without a `producer` line has, but the name is taken by the %s; declare a producer under another", other)
	}
	p.names[defaultProducer.Name] = taken{what: "implied producer"}
	p.story.Producers = []Producer{defaultProducer}
}

// meet notes the processes and jobs that only `do` lines name. What is wrong
// with those lines is said when they are read.
func (p *parser) meet(lines []script.Line) {
	s := p.story
	for i := range lines {
		if lines[i].Word != "do" && lines[i].Word != "do?" {
			continue
		}
		words := lines[i].Words
		if len(words) > 1 && words[0].Text == model.OpEnqueue.String() && p.isNew(words[1].Text) {
			p.take(words[1].Text, "job", lines[i].No)
			s.Spoken = append(s.Spoken, words[1].Text)
		}
		for _, o := range lines[i].Options {
			if o.Key == "by" && p.isNew(o.Text) && len(s.Speakers) < MaxSpeakers {
				p.take(o.Text, "speaker", lines[i].No)
				s.Speakers = append(s.Speakers, o.Text)
			}
		}
	}
}

func (p *parser) isNew(name string) bool {
	_, known := p.names[name]
	return script.IsName(name) && !known
}

// assign gives each job its producer.
func (p *parser) assign() {
	bad := 0 // the line that was refused last: one error for all jobs of a `jobs` line
	for i, by := range p.by {
		if p.errs.Full() {
			return
		}
		proc, ok := faults.Pump+1, true // the first producer
		if by.name != "" {
			proc, ok = p.cast.Proc(by.name)
		}
		if ok && p.cast.Actor(proc).Role == faults.RoleProducer {
			p.story.Jobs[i].By = proc
			continue
		}
		if by.line.No != bad && !p.errs.IsHidden("producer") {
			bad = by.line.No
			p.errs.Add(bad, 0, "%s: by: %s", by.line.Word, script.Unknown("producer", by.name, p.producers()))
		}
	}
}

func (p *parser) producers() []string {
	var names []string
	for _, w := range p.story.Producers {
		names = append(names, w.Name)
	}
	return names
}
