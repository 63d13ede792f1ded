package model

import (
	"reflect"
	"strings"
	"testing"
	"time"
)

const ms = Time(time.Millisecond)

func line(e Event) string {
	h := &History{Names: Names{Procs: []string{"", "p", "queue", "w1"}, Jobs: []string{"", "J1", "J2"}}}
	h.Add(e, nil)
	return strings.TrimSpace(string(h.AppendText(nil)))
}

// A history is read aloud: who, what they did, about what, and what came of it.
func TestARecordReadsAsASentence(t *testing.T) {
	at := Time(time.Millisecond)
	for _, c := range []struct {
		want string
		e    Event
	}{
		{"0.001000s  queue  applied   claim J1#1 by w1 -> ok call=2 token=1 until=30.001s",
			Event{At: at, Kind: Applied, Proc: 3, Op: OpClaim, Job: 1, N: 1, Nth: 1, Call: 2,
				Answer: OK, Token: 1, Until: 30_001 * ms, Server: at}},
		{"0.001000s  network  lost      reply to complete J1#2 by w1 call=3 cause=fault",
			Event{At: at, Kind: Lost, Proc: 3, Op: OpComplete, Job: 1, N: 2, Nth: 1, Call: 3,
				Cause: ByFault, Flags: IsReply}},
		{"0.001000s  w1  timed-out complete J1#1 call=3",
			Event{At: at, Kind: TimedOut, Proc: 3, Op: OpComplete, Job: 1, N: 1, Nth: 1, Call: 3}},
		{"0.001000s  world  cut       w1 peer=queue until=60.000s oneway",
			Event{At: at, Kind: Cut, Proc: 3, Peer: 2, Until: 60_000 * ms, Flags: IsOneway}},
		{"0.001000s  world  crashed   w1 until=never",
			Event{At: at, Kind: Crashed, Proc: 3, Until: Never}},
		{"0.001000s  store  effect    apply J1#2 by w1 step=apply token=2 effect=2",
			Event{At: at, Kind: Effected, Proc: 3, Op: OpApply, Step: StepApply, Job: 1, N: 2,
				Token: 2, Effect: 2}},
		{"0.001000s  world  restarted queue forgotten=2",
			Event{At: at, Kind: Restarted, Proc: 2, Moved: 2}},
		{"0.001000s  queue  applied   reap -> ok moved=2",
			Event{At: at, Kind: Applied, Proc: 2, Op: OpReap, Answer: OK, Moved: 2, Server: at}},
		{"0.001000s  world  ended     cause=quiet",
			Event{At: at, Kind: Ended, Cause: Quiet}},
	} {
		if got := line(c.e); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// The columns stand under each other, to the space, and no line ends in one.
func TestTheColumnsOfAHistoryStandUnderEachOther(t *testing.T) {
	h := &History{Names: Names{Procs: []string{"", "queue", "p"}}}
	for _, e := range []Event{
		{At: ms, Kind: Applied, Proc: 1, Op: OpClaim, Server: ms},
		{At: 1_001_000, Kind: Woke},
		{At: 30_001_000_001, Kind: Cut, Proc: 2},
	} {
		h.Add(e, nil)
	}
	want := "   0.001000s  queue  applied   claim\n   0.001001s  world  woke\n30.001000001s  world  cut       p\n"
	if got := string(h.AppendText(nil)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// An id is named with the first record of its job, and again when the job goes under
// another one. Jobs without a name, and records of no job, share one memory of that.
func TestAnIDIsNamedOnceUntilItChanges(t *testing.T) {
	a, b := ID{NS: JOB, Value: 1}, ID{NS: JOB, Value: 2}
	h := &History{Names: Names{Jobs: []string{"", "J1", "J2"}}}
	names := []bool{}
	for _, e := range []struct {
		job   Job
		id    ID
		named bool
	}{
		{1, a, true}, {2, b, true}, {1, a, false}, {2, b, false}, {1, b, true}, {2, ID{}, false}, {2, b, false},
		{NoJob, a, true}, {3, a, false}, {4, a, false}, {5, a, false}, {-1, a, false}, {NoJob, b, true}, {1, b, false},
	} {
		h.Add(Event{Kind: Sent, Job: e.job, ID: e.id}, nil)
		names = append(names, e.named)
	}
	for i, text := range strings.Split(strings.TrimSpace(string(h.AppendText(nil))), "\n") {
		if strings.Contains(text, " id=") != names[i] {
			t.Errorf("record %d, which names an id is %v: %s", i+1, names[i], text)
		}
	}
}

// Two runs that differ in a record differ in a line, whichever field it is.
func TestEveryFieldIsInTheLine(t *testing.T) {
	base := Event{At: 1_000_001, Kind: Applied, Proc: 1, Peer: 1, Op: OpClaim, Step: StepApply,
		Answer: OK, Cause: ByFault, Job: 1, ID: ID{NS: JOB, Value: 1}, N: 2, Nth: 2, Call: 2,
		Token: 2, Server: 5, Until: 2, Skew: 2, Max: 2, Moved: 2, Dead: 2, Effect: 2}
	want := line(base)
	v := reflect.TypeOf(base)
	for i := range v.NumField() {
		other := base
		switch f := reflect.ValueOf(&other).Elem().Field(i); {
		case v.Field(i).Name == "Seq":
			continue // the number of the line
		case v.Field(i).Name == "ID":
			other.ID.Value++
		case f.CanInt():
			f.SetInt(f.Int() + 1)
		default:
			f.SetUint(f.Uint() + 1)
		}
		if got := line(other); got == want {
			t.Errorf("%s is not in the line\n%s", v.Field(i).Name, got)
		}
	}
	for flag := Flags(1); flag <= IsRaw; flag <<= 1 {
		other := base
		other.Flags = flag
		if got := line(other); got == want {
			t.Errorf("flag %d is not in the line\n%s", flag, got)
		}
	}
}

func TestTimesStandUnderEachOther(t *testing.T) {
	for in, want := range map[Time]string{
		0: "0.000000s", ms: "0.001000s", 30_001 * ms: "30.001000s", 1_500: "0.000001500s", -ms: "-0.001000s",
		Never: "never",
	} {
		if got := fixedTime(in); got != want {
			t.Errorf("fixedTime(%d) = %s, want %s", in, got, want)
		}
	}
}

// An id is named when it is new for its job: with fresh-id a job has several.
func TestAnIDIsNamedOnce(t *testing.T) {
	h := &History{Names: Names{Procs: []string{"", "p"}, Jobs: []string{"", "J1"}}}
	for _, value := range []uint64{7, 7, 9, 9} {
		h.Add(Event{Kind: Sent, Proc: 1, Op: OpEnqueue, Job: 1, ID: ID{NS: JOB, Value: value}}, nil)
	}
	got := string(h.AppendText(nil))
	if strings.Count(got, "id=") != 2 || strings.Count(got, "id=JOB00000000007") != 1 {
		t.Errorf("want each of two ids once:\n%s", got)
	}
}
