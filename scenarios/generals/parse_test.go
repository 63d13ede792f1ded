package generals_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/scenarios/generals"
)

const twoOfFour = `# as in the documentation of Parse
protocol two-of-four
messages A B A B
send 1 order
send 2 heard=1
send 3 heard=2
send 4 heard=1 silent=3
send 4 heard=3
attack A heard=2,4
attack B least=1 knows=2
`

func TestAProtocolIsReadFromItsText(t *testing.T) {
	p := parse(t, twoOfFour)
	if p.Name != "two-of-four" || !slices.Equal(p.Senders, []generals.Party{generals.A, generals.B, generals.A, generals.B}) {
		t.Errorf("read as %s of %v", p.Name, p.Senders)
	}
	set := generals.Messages
	sends := []generals.Row{
		{Message: 1, When: generals.When{Order: true}},
		{Message: 2, When: generals.When{Heard: set(1)}},
		{Message: 3, When: generals.When{Heard: set(2)}},
		{Message: 4, When: generals.When{Heard: set(1), Silent: set(3)}},
		{Message: 4, When: generals.When{Heard: set(3)}},
	}
	attacks := []generals.Row{
		{Party: generals.A, When: generals.When{Heard: set(2, 4)}},
		{Party: generals.B, When: generals.When{Knows: set(2), Least: 1}},
	}
	if !slices.Equal(p.Table.Sends, sends) || !slices.Equal(p.Table.Attacks, attacks) {
		t.Errorf("read as %+v", p.Table)
	}
	c, err := generals.Build(p)
	if err != nil {
		t.Fatal(err)
	}
	if err := check(c); err != nil {
		t.Error(err)
	}
}

func TestAProtocolNeedsNoMessage(t *testing.T) {
	p := parse(t, "protocol hour\nmessages\nattack B\n")
	if c, err := generals.Build(p); err != nil || len(c.Runs) != 1 || c.Breach != generals.Agreement {
		t.Errorf("%+v, %v", c, err)
	}
}

// Each mistake names its line, the rule, and what would be right.
func TestWhatIsWrongWithAProtocolIsSaidByLine(t *testing.T) {
	const head = "protocol p\nmessages A B A\n"
	const sends = "send 1\nsend 2\nsend 3\n"
	for _, c := range []struct{ text, want string }{
		{"", "f:1: the protocol has no name; write protocol two-of-four\nf:1: there is no line that says who sends each message; write messages A B A"},
		{"messages\n", "f:1: the protocol has no name; write protocol two-of-four"},
		{"protocol p\nprotocol q\nmessages\n", "f:2: protocol: line 1 is one already; a protocol has one"},
		{"protocol p\nmessages\nmessages A\n", "f:3: messages: line 2 is one already; a protocol has one"},
		{"protocol p\nmessages A C\n", "f:2: messages: unknown general \"C\"; allowed: A, B"},
		{"protocol p\nmessages " + strings.Repeat("A ", 13), "f:2: messages: these are 13 messages; at most 12 are played"},
		{head + "send 1\nsend 2\n", "f:2: messages: message 3 has no line that says when it is sent; write send 3 order"},
		{head + sends + "atack A", `f:6: unknown directive "atack"; did you mean "attack"? allowed: protocol, messages, send, attack`},
		{head + sends + "send 4", `f:6: send: "4" is no message; line 2 has 1 to 3`},
		{head + sends + "send", "f:6: send: the message is missing; write send 1 order"},
		{head + sends + "attack", "f:6: attack: the general is missing; allowed: A, B"},
		{head + sends + "attack A heard=1", `f:6: attack: heard=: A can have no message "1" by then; it can have 2`},
		{head + sends + "attack B heard=1,x", `f:6: attack: heard=: B can have no message "x" by then; it can have 1,3`},
		{head + sends + "send 1 heard=2", `f:6: send: heard=: A can have no message "2" by then; it can have none`},
		{head + sends + "send 2 knows=3", `f:6: send: knows=: B can have no message "3" by then; it can have 1`},
		{head + sends + "attack A least=2", "f:6: attack: least=2 can never hold: A can have heard 1 message by then"},
		{head + sends + "attack B heard=1,3 silent=3", "f:6: attack: heard= and silent= both have 3; leave it out of one"},
		{head + sends + "attack B herd=1", `f:6: attack: unknown option "herd"; did you mean "heard"? allowed: order, heard, silent, knows, least`},
		{head + sends + "attack B ordr", `f:6: attack: "ordr" is one word too many; did you mean "order"?`},
		{head + sends + "attack B heard=\"\x1b[31m\"", `f:6: attack: heard=: B can have no message "\x1b[31m" by then; it can have 1,3`},
	} {
		_, err := generals.Parse("f", []byte(c.text))
		if err == nil || err.Error() != c.want {
			t.Errorf("%q\n got %v\nwant %s", c.text, err, c.want)
		}
	}
}

// Whatever a file holds, reading it ends in a protocol that has a chain or is
// safe, or in an error.
func FuzzParse(f *testing.F) {
	f.Add([]byte(twoOfFour))
	f.Add([]byte("protocol p\nmessages A\nsend 1\nattack B heard=1 silent=1 least=99"))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := generals.Parse("f", text)
		if err != nil {
			return
		}
		c, err := generals.Build(p)
		if err == nil {
			err = check(c)
		}
		if err != nil && err != generals.ErrNeverAttacks {
			t.Error(err)
		}
	})
}

func parse(t *testing.T, text string) *generals.Protocol {
	t.Helper()
	p, err := generals.Parse("f", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}
