package generals

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ackgap/ackgap/faults/script"
)

// family is one kind of protocols that come with ackgap. Its pattern holds a
// letter for each of its numbers.
type family struct {
	pattern string
	about   string
	low     func(params []int) int // the least value of the next number
	high    func(params []int) int // and the greatest
	build   func(name string, params []int) *Protocol
}

func one([]int) int         { return 1 }
func allMessages([]int) int { return MaxMessages }

// Of a threshold and its messages: both generals must be able to reach it.
func thresholdLow(params []int) int {
	if len(params) == 0 {
		return 1
	}
	return 2 * params[0]
}

func thresholdHigh(params []int) int {
	if len(params) == 0 {
		return MaxMessages / 2
	}
	return MaxMessages
}

var families = []family{
	{"rounds-N", "N messages, each confirms the last; attack once yours came",
		one, allMessages, func(name string, n []int) *Protocol { return rounds(name, n[0]) }},
	{"threshold-T-of-N", "N messages; attack on knowing of the order and hearing T",
		thresholdLow, thresholdHigh, func(name string, n []int) *Protocol { return threshold(name, n[0], n[1]) }},
	{"repeat-N", "A sends the order N times and attacks; B attacks if one came",
		one, allMessages, func(name string, n []int) *Protocol { return repeat(name, n[0]) }},
	{"hour", "no message; B attacks at the hour, A if it was ordered to",
		nil, nil, func(name string, _ []int) *Protocol { return hour(name) }},
	{"never", "nobody ever attacks",
		nil, nil, func(name string, _ []int) *Protocol { return never(name) }},
}

// Patterns returns how the protocols that come with ackgap are named and what
// each does, in a fixed order: "rounds-N" stands for rounds-1 to rounds-12.
func Patterns() (patterns, about []string) {
	for _, f := range families {
		patterns, about = append(patterns, f.pattern), append(about, f.about)
	}
	return patterns, about
}

// Builtin returns the protocol of that name, such as rounds-4. The error says
// which names there are.
func Builtin(name string) (*Protocol, error) {
	for _, f := range families {
		params, ok := matchPattern(f.pattern, name)
		if !ok {
			continue
		}
		for i, n := range params {
			if low, high := f.low(params[:i]), f.high(params[:i]); n < low || n > high {
				return nil, fmt.Errorf("%s: %d must be a whole number from %d to %d", name, n, low, high)
			}
		}
		return f.build(name, params), nil
	}
	patterns, _ := Patterns()
	return nil, fmt.Errorf("%s, with a number for each of N and T", script.Unknown("protocol", name, patterns))
}

// matchPattern reads the numbers of name where pattern has letters.
func matchPattern(pattern, name string) (params []int, ok bool) {
	want, got := strings.Split(pattern, "-"), strings.Split(name, "-")
	if len(want) != len(got) {
		return nil, false
	}
	for i, w := range want {
		if strings.ToUpper(w) != w {
			if w != got[i] {
				return nil, false
			}
			continue
		}
		n, err := strconv.Atoi(got[i])
		if err != nil || strconv.Itoa(n) != got[i] { // rounds-04 would be a second name of rounds-4
			return nil, false
		}
		params = append(params, n)
	}
	return params, true
}

// toAndFro returns n senders that take turns, A first.
func toAndFro(n int) []Party {
	senders := make([]Party, n)
	for i := range senders {
		senders[i] = Party(i % 2)
	}
	return senders
}

func rounds(name string, n int) *Protocol {
	t := &Table{Sends: []Row{{Message: 1, When: When{Order: true}}}}
	for m := 2; m <= n; m++ {
		t.Sends = append(t.Sends, Row{Message: m, When: When{Heard: Messages(m - 1)}})
	}
	lastToA, lastToB := n-n%2, n-(n+1)%2 // of one message, none is for A
	t.Attacks = []Row{
		{Party: A, When: When{Order: true, Heard: Messages(lastToA)}},
		{Party: B, When: When{Heard: Messages(lastToB)}},
	}
	about := fmt.Sprintf("%s: each confirms the one before; a general attacks once the last one meant for it came.", script.Count(n, "message"))
	return t.Protocol(name, about, toAndFro(n))
}

func threshold(name string, least, n int) *Protocol {
	t := &Table{}
	for m := 1; m <= n; m++ {
		t.Sends = append(t.Sends, Row{Message: m, When: When{Order: true}})
	}
	t.Attacks = []Row{
		{Party: A, When: When{Order: true, Least: least}},
		{Party: B, When: When{Order: true, Least: least}},
	}
	about := fmt.Sprintf("%s, to and fro, from whoever knows of the order; a general attacks that knows of it and heard %d or more.", script.Count(n, "message"), least)
	return t.Protocol(name, about, toAndFro(n))
}

func repeat(name string, n int) *Protocol {
	t := &Table{Attacks: []Row{
		{Party: A, When: When{Order: true}},
		{Party: B, When: When{Least: 1}},
	}}
	for m := 1; m <= n; m++ {
		t.Sends = append(t.Sends, Row{Message: m, When: When{Order: true}})
	}
	about := fmt.Sprintf("A sends the order in %s and attacks; B attacks if one of them came.", script.Count(n, "message"))
	return t.Protocol(name, about, make([]Party, n)) // of A all
}

func hour(name string) *Protocol {
	t := &Table{Attacks: []Row{{Party: A, When: When{Order: true}}, {Party: B}}}
	return t.Protocol(name, "No message at all: B attacks at the hour, and so does A if it is ordered to.", nil)
}

func never(name string) *Protocol {
	return new(Table).Protocol(name, "Nobody ever attacks.", nil)
}
