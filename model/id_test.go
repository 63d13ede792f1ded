package model

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// The two vectors with which EchoMQ checks its own encoder.
func TestIDsAreWrittenAsEchoMQWritesThem(t *testing.T) {
	vectors := []struct {
		value uint64
		text  string
	}{
		{274557032793636864, "JOB0KHTOWnGLuC"},
		{320636799581945856, "JOB0NgWEfAEJfs"},
		{0, "JOB00000000000"},
		{1<<63 - 1, "JOBAzL8n0Y58m7"},
	}
	for _, v := range vectors {
		id := ID{NS: JOB, Value: v.value}
		if id.String() != v.text {
			t.Errorf("%d is written %s, want %s", v.value, id, v.text)
		}
		if back, err := ParseID(v.text); back != id || err != nil {
			t.Errorf("%s is read as %d, %v; want %d", v.text, back.Value, err, v.value)
		}
	}
}

func TestIDHashIsEchoMQs(t *testing.T) {
	if got := (ID{NS: JOB, Value: 274557032793636864}).Hash32(); got != 234878118 {
		t.Errorf("the hash is %d, want 234878118", got)
	}
}

func TestIDSaysWhenWhereAndAsWhichItWasMinted(t *testing.T) {
	id := ID{NS: JOB, Value: 5000<<22 | 17<<12 | 9}
	if id.Millis() != 1704067205000 || id.Node() != 17 || id.Sequence() != 9 {
		t.Errorf("milliseconds %d, node %d, sequence %d; want 1704067205000, 17, 9", id.Millis(), id.Node(), id.Sequence())
	}
}

func TestNoIDIsADash(t *testing.T) {
	if s := (ID{}).String(); s != "-" || !(ID{}).IsZero() {
		t.Errorf("no id prints as %q", s)
	}
	if (ID{NS: JOB}).IsZero() {
		t.Error("JOB00000000000 counts as no id")
	}
}

func TestParseIDRefusesWhatIsNoBrandedID(t *testing.T) {
	cases := []struct{ text, reason string }{
		{"", "has 0 bytes"},
		{"JOB0NgWEfAEJf", "has 13 bytes; a branded id has 14"},
		{"JOB0NgWEfAEJfss", "has 15 bytes"},
		{"JOB\x1b[31m012345", `id "JOB\x1b[31m012345": '\x1b' is no base-62 digit`},
		{"job0NgWEfAEJfs", "does not begin with three capitals"},
		{"JO10NgWEfAEJfs", "does not begin with three capitals"},
		{"JOB0NgWEfAEJf-", "'-' is no base-62 digit"},
		{"JOB0NgWEf\x00EJfs", `\x00`},
		{"JOBAzL8n0Y58m8", "above JOBAzL8n0Y58m7, the largest"},
		{"JOBzzzzzzzzzzz", "above JOBAzL8n0Y58m7"},
	}
	for _, c := range cases {
		id, err := ParseID(c.text)
		if err == nil || id != (ID{}) {
			t.Errorf("%q is read as %v", c.text, id)
		} else if !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%q is refused with %q, want a word of %q", c.text, err, c.reason)
		} else if strings.ContainsAny(err.Error(), "\x1b\x00") {
			t.Errorf("the error repeats control bytes: %q", err)
		}
	}
}

func drawID() *rapid.Generator[ID] {
	return rapid.Custom(func(t *rapid.T) ID {
		ns := rapid.SampledFrom([]string{"JOB", "JOA", "KOB", "AZZ", "ZAA"}).Draw(t, "namespace")
		return ID{NS: [3]byte([]byte(ns)), Value: rapid.Uint64Range(0, 1<<63-1).Draw(t, "value")}
	})
}

func TestEveryIDIsReadAsItWasWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := drawID().Draw(t, "id")
		if back, err := ParseID(id.String()); back != id || err != nil {
			t.Fatalf("%v is read as %v, %v", id, back, err)
		}
	})
}

// The order law: ids compare as their bytes do, which in one namespace is the
// order of (milliseconds, node, sequence).
func TestIDsCompareAsTheirBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawID().Draw(t, "a"), drawID().Draw(t, "b")
		if rapid.Bool().Draw(t, "close") {
			b = ID{NS: a.NS, Value: a.Value ^ rapid.Uint64Range(0, 3).Draw(t, "bits")}
		}
		if got, want := a.Compare(b), strings.Compare(a.String(), b.String()); got != want {
			t.Fatalf("%v and %v compare as %d, their bytes as %d", a, b, got, want)
		}
	})
}

func TestIDsOfOneNamespaceCompareByMillisecondNodeSequence(t *testing.T) {
	at := func(ms, node, seq uint64) ID { return ID{NS: JOB, Value: ms<<22 | node<<12 | seq} }
	ascending := []ID{at(1, 0, 0), at(1, 0, 4095), at(1, 1, 0), at(1, 1023, 4095), at(2, 0, 0)}
	for i := range ascending[1:] {
		if ascending[i].Compare(ascending[i+1]) >= 0 {
			t.Errorf("%v is not below %v", ascending[i], ascending[i+1])
		}
	}
}

func TestMintTakesTheClockOfTheRun(t *testing.T) {
	m := Mint{NS: JOB, Node: 3}
	id := m.Next(Time(1500 * time.Microsecond))
	if id.Millis() != EpochMillis+1 || id.Node() != 3 || id.Sequence() != 0 || id.NS != JOB {
		t.Errorf("minted %d ms, node %d, sequence %d of %s", id.Millis(), id.Node(), id.Sequence(), id.NS)
	}
}

// The mint never goes back, whatever the clock does.
func TestMintRises(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := Mint{NS: JOB, Node: rapid.IntRange(0, MaxNode).Draw(t, "node")}
		last := m.Next(0)
		for range rapid.IntRange(1, 50).Draw(t, "ids") {
			now := Time(rapid.Int64Range(-5e6, 5e6).Draw(t, "now"))
			id := m.Next(now)
			if id.Compare(last) <= 0 {
				t.Fatalf("at %s %v follows %v", now, id, last)
			}
			if id.Node() != m.Node {
				t.Fatalf("node %d minted for node %d", m.Node, id.Node())
			}
			last = id
		}
	})
}

// More than 4,096 ids in a millisecond make the mint run ahead of the clock: the
// sequence carries into the milliseconds, never into the node.
func TestMintRunsAheadWhenAMillisecondIsFull(t *testing.T) {
	m := Mint{NS: JOB, Node: 5}
	last := m.Next(0)
	for range 2 * 4096 {
		id := m.Next(0)
		if id.Compare(last) <= 0 || id.Node() != 5 {
			t.Fatalf("%v (node %d) follows %v", id, id.Node(), last)
		}
		last = id
	}
	if last.Millis() != EpochMillis+2 || last.Sequence() != 0 {
		t.Errorf("the 8193rd id is %d ms after the epoch, sequence %d; want 2 and 0", last.Millis()-EpochMillis, last.Sequence())
	}
	if next := m.Next(Time(time.Second)); next.Millis() != EpochMillis+1000 || next.Sequence() != 0 {
		t.Errorf("a second later it mints %d ms, sequence %d", next.Millis()-EpochMillis, next.Sequence())
	}
}
