package generals

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ackgap/ackgap/faults/script"
)

// Parse reads a protocol from its text; file is its name in messages:
//
//	protocol two-of-four          # a name
//	messages A B A B              # who sends 1, 2, 3, 4; `messages` alone: none
//	send 1 order                  # A sends 1 if it was ordered to attack
//	send 2 heard=1                # B sends 2 if it heard 1
//	send 3 heard=2
//	send 4 heard=1 silent=3       # several lines for one message: if any holds
//	send 4 heard=3
//	attack A heard=2,4            # A attacks, at the end, if it heard both
//	attack B least=1 knows=2      # B, if it heard one or more, and was told that 2 came
//
// The conditions of a line must all hold; a line without any always does.
//
//	order        the general knows of the order: A was ordered, or B was told so
//	heard=1,3    it heard all of these
//	silent=1,3   it heard none of these
//	knows=2      it knows that all of these arrived: heard, or told by a later one
//	least=2      it heard so many or more
//
// Every message says all that its sender knows. Each needs a send line; a general
// without an attack line never attacks. The error is a *script.List with all that
// is wrong, by line.
func Parse(file string, text []byte) (*Protocol, error) {
	p := &parser{errs: script.Errors{File: file}}
	lines := script.Scan(string(text), &p.errs)
	p.head(lines)
	if p.messages == 0 {
		p.errs.Add(1, 0, "there is no line that says who sends each message; write messages A B A")
	}
	if p.messages == 0 || p.unread { // all other lines lean on it
		return nil, p.errs.Err()
	}
	for i := 0; i < len(lines) && !p.errs.Full(); i++ {
		p.rule(&lines[i])
	}
	p.complete()
	if err := p.errs.Err(); err != nil {
		return nil, err
	}
	return p.table.Protocol(p.name, "As "+file+" says.", p.senders), nil
}

var (
	directives = []string{"protocol", "messages", "send", "attack"}
	parties    = []string{"A", "B"}
)

type parser struct {
	errs     script.Errors
	name     string
	named    int  // the line that did; 0: none yet
	messages int  // likewise
	unread   bool // that line could not be understood
	senders  []Party
	table    Table
}

// head reads who sends what, on which all other lines lean, and the name.
func (p *parser) head(lines []script.Line) {
	for i := range lines {
		a := script.Open(&lines[i], &p.errs)
		switch lines[i].Word {
		case "protocol":
			if p.once(a, &p.named) {
				p.name, _ = a.Name("two-of-four")
			}
		case "messages":
			if p.once(a, &p.messages) {
				p.readSenders(a)
			}
		case "send", "attack":
			continue
		default:
			p.errs.Add(lines[i].No, 0, "%s", script.Unknown("directive", lines[i].Word, directives))
			continue
		}
		a.Close()
	}
	if p.named == 0 {
		p.errs.Add(1, 0, "the protocol has no name; write protocol two-of-four")
	}
}

// once takes the line for the only one of its kind, or refuses it.
func (p *parser) once(a *script.Args, line *int) bool {
	if *line > 0 {
		a.Fail("line %d is one already; a protocol has one", *line)
		a.Stop()
		return false
	}
	*line = a.Line.No
	return true
}

func (p *parser) readSenders(a *script.Args) {
	if n := a.Left(); n > MaxMessages {
		a.Fail("these are %d messages; at most %d are played", n, MaxMessages)
	}
	for a.Left() > 0 && !a.Failed() {
		party, _ := p.party(a)
		p.senders = append(p.senders, party)
	}
	if p.unread = a.Failed(); p.unread {
		a.Stop()
	}
}

func (p *parser) party(a *script.Args) (Party, bool) {
	word, ok := a.Choose("general", parties)
	return Party(max(0, slices.Index(parties, word))), ok
}

// rule reads a line that says when a message is sent or an attack made.
func (p *parser) rule(line *script.Line) {
	a := script.Open(line, &p.errs)
	switch line.Word {
	case "send":
		if m, ok := p.message(a); ok {
			p.table.Sends = append(p.table.Sends, Row{Message: m, When: p.when(a, p.senders[m-1], m-1)})
		}
	case "attack":
		if who, ok := p.party(a); ok {
			p.table.Attacks = append(p.table.Attacks, Row{Party: who, When: p.when(a, who, len(p.senders))})
		}
	}
}

// message reads the number of a message.
func (p *parser) message(a *script.Args) (int, bool) {
	word, ok := a.Operand("message", "send 1 order")
	if !ok {
		return 0, false
	}
	m, err := strconv.Atoi(word)
	if err != nil || m < 1 || m > len(p.senders) {
		a.Fail("%s is no message; line %d has %s", script.Quote(word), p.messages, numbered(len(p.senders)))
		return 0, false
	}
	return m, true
}

func numbered(n int) string {
	switch n {
	case 0:
		return "none"
	case 1:
		return "1 alone"
	}
	return "1 to " + strconv.Itoa(n)
}

// when reads the conditions of a line about the general who, at a time when the
// messages 1 to passed are over.
func (p *parser) when(a *script.Args, who Party, passed int) When {
	toMe := p.sentBy(who.Other()) & UpTo(passed)
	w := When{
		Order:  a.Flag("order"),
		Heard:  p.set(a, "heard", who, toMe),
		Silent: p.set(a, "silent", who, toMe),
		Knows:  p.set(a, "knows", who, UpTo(passed)),
		Least:  int(a.Int("least", 0, 0, MaxMessages)),
	}
	if n := toMe.Len(); w.Least > n {
		a.Fail("least=%d can never hold: %s can have heard %s by then", w.Least, who, script.Count(n, "message"))
	}
	if both := w.Heard & w.Silent; both != 0 {
		a.Fail("heard= and silent= both have %d; leave it out of one", both.Last())
	}
	a.Close()
	return w
}

func (p *parser) sentBy(who Party) Set {
	var s Set
	for i, sender := range p.senders {
		if sender == who {
			s = s.with(i + 1)
		}
	}
	return s
}

// set reads a list of messages, which must be among those that the general who
// can have heard, or been told of, by then.
func (p *parser) set(a *script.Args, key string, who Party, allowed Set) Set {
	text, ok := a.Option(key)
	if !ok {
		return 0
	}
	var s Set
	for word := range strings.SplitSeq(text, ",") {
		m, err := strconv.Atoi(word)
		if err != nil || m < 1 || m > MaxMessages || !allowed.Has(m) {
			a.Fail("%s=: %s can have no message %s by then; it can have %s", key, who, script.Quote(word), listed(allowed))
			return 0
		}
		s = s.with(m)
	}
	return s
}

// listed writes a set as a file does: 1,3.
func listed(s Set) string {
	var words []string
	for m := 1; m <= MaxMessages; m++ {
		if s.Has(m) {
			words = append(words, strconv.Itoa(m))
		}
	}
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, ",")
}

// complete refuses a protocol in which a message has no send line: that it is
// never sent may be meant, but is more often forgotten.
func (p *parser) complete() {
	for m := 1; m <= len(p.senders); m++ {
		if !slices.ContainsFunc(p.table.Sends, func(r Row) bool { return r.Message == m }) && !p.errs.Full() {
			p.errs.Add(p.messages, 0, "messages: message %d has no line that says when it is sent; write send %d order", m, m)
		}
	}
}
