package generals_test

import (
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/ackgap/ackgap/scenarios/generals"
)

// A chain by hand: three sendings of one order. Each loss is hidden from A, who
// attacks all the way down, until B hears none.
func TestAChainGoesFromTheAttackOfBothToTheAttackOfOne(t *testing.T) {
	c := build(t, "repeat-3")
	want := []generals.Link{{Lost: 3, Blind: generals.A}, {Lost: 2, Blind: generals.A}, {Lost: 1, Blind: generals.A}}
	if !slices.Equal(c.Links, want) {
		t.Errorf("links %v, want %v", c.Links, want)
	}
	last := c.Runs[3]
	if c.Breach != generals.Agreement || !last.Attacks[generals.A] || last.Attacks[generals.B] || last.Arrives != 0 {
		t.Errorf("the chain ends in %v with %v", last, c.Breach)
	}
}

// Where no message is needed, the order itself is the last thing to go.
func TestAChainMayGoDownToARunWithoutAnOrder(t *testing.T) {
	c := build(t, "hour")
	if want := []generals.Link{{Lost: 0, Blind: generals.B}}; !slices.Equal(c.Links, want) || c.Breach != generals.Validity {
		t.Errorf("links %v and %v, want %v and validity", c.Links, c.Breach, want)
	}
}

func TestAMessageTellsAllThatItsSenderKnows(t *testing.T) {
	c := build(t, "rounds-3")
	v := c.Runs[0].Views[generals.B]
	if want := "B 1 [A ordered] 2 sent 3 [A ordered 1 sent 2 [B 1 [A ordered]]]"; v.Text != want {
		t.Errorf("B saw %q, want %q", v.Text, want)
	}
	if v, want := c.Runs[1].Views[generals.B], "B 1 [A ordered] 2 sent 3 silence"; v.Text != want {
		t.Errorf("where 3 is lost, B saw %q, want %q", v.Text, want)
	}
	if !v.Order || v.Heard != generals.Messages(1, 3) || v.Knows != generals.Messages(1, 2, 3) || v.Sent != generals.Messages(2) {
		t.Errorf("B's view is %+v", v)
	}
}

func TestEveryBuiltInProtocolHasItsChain(t *testing.T) {
	links := 0
	for _, name := range builtins() {
		c := build(t, name)
		if err := check(c); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		links += len(c.Links)
	}
	// By hand: rounds one each, repeat 1+...+12, hour 1, and threshold-T-of-N N-2T+1,
	// since A hears its T-th message as number 2T.
	if want := 12 + 78 + 1 + 161; links != want {
		t.Errorf("%d links in all, want %d", links, want)
	}
}

// builtins names every protocol that is built in and attacks.
func builtins() []string {
	names := []string{"hour"}
	for n := 1; n <= generals.MaxMessages; n++ {
		names = append(names, fmt.Sprintf("rounds-%d", n), fmt.Sprintf("repeat-%d", n))
		for least := 1; 2*least <= n; least++ {
			names = append(names, fmt.Sprintf("threshold-%d-of-%d", least, n))
		}
	}
	return names
}

func TestTwoHundredRandomProtocolsHaveTheirChains(t *testing.T) {
	tables, functions := rapid.Custom(drawTable), rapid.Custom(drawFunction)
	longest, invalid, alone := 0, 0, 0
	for found, seed := 0, 0; found < 200; seed++ {
		p := tables.Example(seed)
		if seed%4 == 0 {
			p = functions.Example(seed)
		}
		c, err := generals.Build(p)
		if errors.Is(err, generals.ErrNeverAttacks) {
			neverAttacks(t, p)
			continue
		}
		if err == nil {
			err = check(c)
		}
		if err != nil {
			t.Fatalf("%s %+v: %v", p.Name, p.Table, err)
		}
		found++
		longest = max(longest, len(c.Links))
		if c.Breach == generals.Validity {
			invalid++
		} else {
			alone++
		}
	}
	t.Logf("longest chain: %d links; %d break validity, %d agreement", longest, invalid, alone)
	if longest < 5 || invalid == 0 || alone == 0 {
		t.Errorf("the protocols that were drawn are all of one kind: longest %d, validity %d, agreement %d", longest, invalid, alone)
	}
}

// The same as a property, so that a failure is shrunk.
func TestAnyProtocolThatAttacksHasAChain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawTable(t)
		c, err := generals.Build(p)
		if errors.Is(err, generals.ErrNeverAttacks) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := check(c); err != nil {
			t.Fatal(err)
		}
	})
}

// neverAttacks goes through all runs to see that it is so.
func neverAttacks(t *testing.T, p *generals.Protocol) {
	t.Helper()
	for arrives := range 1 << len(p.Senders) {
		for _, ordered := range []bool{true, false} {
			c := newChecker(p, generals.Run{Ordered: ordered, Arrives: generals.Set(arrives)})
			if c.attacks(generals.A) || c.attacks(generals.B) {
				t.Fatalf("%+v attacks when %012b arrives, and has no chain", p.Table, arrives)
			}
		}
	}
}

// drawTable draws up to seven messages and a few rows for each rule. Conditions
// are drawn sparsely, so that many protocols attack, and some for long.
func drawTable(t *rapid.T) *generals.Protocol {
	senders := rapid.SliceOfN(rapid.Custom(drawParty), 0, 7).Draw(t, "senders")
	var table generals.Table
	for m := 1; m <= len(senders); m++ {
		for range rapid.IntRange(0, 2).Draw(t, "rows") {
			table.Sends = append(table.Sends, generals.Row{Message: m, When: drawWhen(t, senders, senders[m-1], m-1)})
		}
	}
	for _, who := range []generals.Party{generals.A, generals.B} {
		for range rapid.IntRange(0, 2).Draw(t, "ways") {
			table.Attacks = append(table.Attacks, generals.Row{Party: who, When: drawWhen(t, senders, who, len(senders))})
		}
	}
	return table.Protocol("drawn", "", senders)
}

func drawParty(t *rapid.T) generals.Party {
	return generals.Party(rapid.IntRange(0, 1).Draw(t, "party"))
}

func drawWhen(t *rapid.T, senders []generals.Party, who generals.Party, passed int) generals.When {
	w := generals.When{Order: who == generals.A || rapid.Bool().Draw(t, "order"), Least: rapid.IntRange(0, 2).Draw(t, "least")}
	for m := 1; m <= passed; m++ {
		switch toMe := senders[m-1] != who; rapid.IntRange(0, 9).Draw(t, "condition") {
		case 0:
			if toMe {
				w.Heard |= 1 << (m - 1)
			}
		case 1:
			if toMe && w.Heard&(1<<(m-1)) == 0 {
				w.Silent |= 1 << (m - 1)
			}
		case 2:
			w.Knows |= 1 << (m - 1)
		}
	}
	return w
}

// drawFunction draws a protocol whose rules are Go functions: a hash of what the
// general has, and of a seed.
func drawFunction(t *rapid.T) *generals.Protocol {
	seed := rapid.Uint32().Draw(t, "seed")
	toss := func(v generals.View, m int) uint32 {
		h := fnv.New32a()
		fmt.Fprint(h, seed, m, v.Party, v.Order, v.Sent, v.Heard, v.Knows)
		return h.Sum32() >> 7 % 8
	}
	return &generals.Protocol{
		Name: "hashed", Senders: rapid.SliceOfN(rapid.Custom(drawParty), 1, 7).Draw(t, "senders"),
		Send:   func(v generals.View, m int) bool { return toss(v, m) > 0 },
		Attack: func(v generals.View) bool { return v.Order && toss(v, 0) > 1 },
	}
}

func TestAProtocolThatNeverAttacksIsSafe(t *testing.T) {
	p, err := generals.Builtin("never")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := generals.Build(p); !errors.Is(err, generals.ErrNeverAttacks) {
		t.Errorf("got %v", err)
	}
}

// Somebody who attacks only when a message is lost attacks all the same.
func TestAnAttackIsFoundInWhateverRunItIsMade(t *testing.T) {
	p := (&generals.Table{
		Sends: []generals.Row{{Message: 1}, {Message: 2}},
		Attacks: []generals.Row{
			{Party: generals.A, When: generals.When{Order: true, Silent: generals.Messages(2)}},
			{Party: generals.B, When: generals.When{Order: true}},
		},
	}).Protocol("silent", "", []generals.Party{generals.A, generals.B})
	c, err := generals.Build(p)
	if err != nil {
		t.Fatal(err)
	}
	if first := c.Runs[0]; first.Arrives != generals.Messages(1) || !first.Attacks[0] || !first.Attacks[1] {
		t.Errorf("the chain begins with %+v", first)
	}
	if err := check(c); err != nil {
		t.Error(err)
	}
}

// Nor is an attack overlooked that is made only when there is no order.
func TestAnAttackWithoutAnOrderIsFound(t *testing.T) {
	p := &generals.Protocol{
		Name: "contrary", Senders: []generals.Party{generals.A},
		Send:   func(generals.View, int) bool { return false },
		Attack: func(v generals.View) bool { return v.Party == generals.A && !v.Order },
	}
	c, err := generals.Build(p)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Runs) != 1 || c.Runs[0].Ordered || c.Breach != generals.Validity {
		t.Errorf("the chain is %+v, and breaks %v", c.Runs, c.Breach)
	}
	if text := string(c.AppendText(nil)); !strings.Contains(text, "validity: in run 0 A attacks alone, and there was no order.") ||
		!strings.Contains(text, "No link is needed") {
		t.Error(text)
	}
}

func TestARuleThatIsNoFunctionOfItsViewIsRefused(t *testing.T) {
	calls := 0
	p := &generals.Protocol{
		Name: "moody", Senders: []generals.Party{generals.A},
		Send: func(generals.View, int) bool { return true },
		Attack: func(generals.View) bool {
			calls++
			return calls <= 2
		},
	}
	if _, err := generals.Build(p); err == nil || !strings.Contains(err.Error(), "a rule of A is no function of its view") {
		t.Errorf("got %v", err)
	}
}

func TestWhatCannotBePlayedIsRefused(t *testing.T) {
	for _, c := range []struct {
		p    generals.Protocol
		want string
	}{
		{generals.Protocol{Senders: make([]generals.Party, 13)}, "the protocol has 13 messages; at most 12 are played"},
		{generals.Protocol{}, "the protocol lacks a rule; give it both Send and Attack"},
	} {
		if _, err := generals.Build(&c.p); err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	for name, want := range map[string]string{
		"rounds-0":         "rounds-0: 0 must be a whole number from 1 to 12",
		"threshold-7-of-9": "threshold-7-of-9: 7 must be a whole number from 1 to 6",
		"threshold-4-of-7": "threshold-4-of-7: 7 must be a whole number from 8 to 12",
		"rounds-04":        `unknown protocol "rounds-04"; did you mean "rounds-N"?`,
		"hours":            `unknown protocol "hours"; did you mean "hour"?`,
	} {
		if _, err := generals.Builtin(name); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", name, err, want)
		}
	}
}

// A checker that passes everything would prove nothing: each forgery is seen.
func TestTheCheckerRefusesForgedChains(t *testing.T) {
	for name, forge := range map[string]func(*generals.Chain){
		"the wrong general is blind":  func(c *generals.Chain) { c.Links[0].Blind = c.Links[0].Blind.Other() },
		"a run is left out":           func(c *generals.Chain) { c.Runs, c.Links = slices.Delete(c.Runs, 1, 2), c.Links[1:] },
		"another message is named":    func(c *generals.Chain) { c.Links[1].Lost-- },
		"an attack is made up":        func(c *generals.Chain) { c.Runs[0].Attacks[generals.B] = false },
		"the wrong breach":            func(c *generals.Chain) { c.Breach = generals.Validity },
		"the chain ends too soon":     func(c *generals.Chain) { c.Runs, c.Links = c.Runs[:2], c.Links[:1] },
		"a message was never sent":    func(c *generals.Chain) { c.Runs[0].Sent = 0 },
		"the views differ after all":  func(c *generals.Chain) { c.Runs[0].Views[c.Links[0].Blind].Text += "!" },
		"there is no link":            func(c *generals.Chain) { c.Links = nil },
		"the order was not there":     func(c *generals.Chain) { c.Runs[1].Ordered = false },
		"a message arrives after all": func(c *generals.Chain) { c.Runs[2].Arrives = c.Runs[1].Arrives },
	} {
		c := build(t, "threshold-2-of-6")
		forge(c)
		if check(c) == nil {
			t.Errorf("not seen: %s", name)
		}
	}
}

func build(t *testing.T, name string) *generals.Chain {
	t.Helper()
	p, err := generals.Builtin(name)
	if err != nil {
		t.Fatal(err)
	}
	c, err := generals.Build(p)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
