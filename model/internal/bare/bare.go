// Package bare plays stories of bare protocol to a queue: the scenarios of queuetest, and
// what the tests of model/echomq tell.
package bare

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ackgap/ackgap/model"
)

// Tell plays a story of bare protocol to an empty queue. A line is
//
//	TIME VERB [JOB] [key=value ...] -> RESULT
//	TIME show JOB -> SETS AND ROW
//	TIME show counters -> COUNTERS
//
// J1, J2, ... are jobs in the order of their minting, U1 is an id that is no JOB.
// Without a word on it a lease is 30s, a delay 1s, and max is 3. A result that
// differs for a variant is written "AS BUILT ! VARIANT"; variant says which of
// the two holds, and is "" for the queue as built.
func Tell(t testing.TB, q model.Queue, variant, script string) {
	t.Helper()
	told := 0
	for line := range strings.Lines(script) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		said, want, ok := strings.Cut(line, " -> ")
		if !ok {
			t.Fatalf("no result in line %q", line)
		}
		got, seen := Play(t, q, said)
		if want = wanted(want, variant); seen && got != want {
			t.Errorf("%q: %s\n got %s", variant, line, got)
		}
		told++
	}
	if told == 0 {
		t.Fatal("the story is empty")
	}
}

// wanted is the result that a line expects of the variant.
func wanted(result, variant string) string {
	asBuilt, varied, differs := strings.Cut(result, " ! ")
	if differs && variant != "" {
		return strings.TrimSpace(varied)
	}
	return strings.TrimSpace(asBuilt)
}

// Play carries out one line without its result, and returns the result in
// words. It reports false where the line shows what the queue cannot show.
func Play(t testing.TB, q model.Queue, line string) (result string, seen bool) {
	t.Helper()
	words := strings.Fields(line)
	if len(words) < 2 {
		t.Fatalf("no verb in line %q", line)
	}
	if words[1] == "show" && len(words) == 3 {
		s, ok := q.(model.Snapshotter)
		if !ok {
			t.Logf("%s: not judged, the queue is no model.Snapshotter", line)
			return "", false
		}
		return show(s.Snapshot(), words[2]), true
	}
	op, ok := model.ParseOp(words[1])
	if !ok {
		t.Fatalf("no verb in line %q", line)
	}
	req := model.Request{Op: op, Lease: 30 * time.Second, Delay: time.Second, Max: 3}
	for _, word := range words[2:] {
		option(t, &req, word)
	}
	return inWords(q.Apply(model.Time(duration(t, words[0])), req)), true
}

func option(t testing.TB, req *model.Request, word string) {
	t.Helper()
	key, value, isOption := strings.Cut(word, "=")
	switch key {
	case "token":
		req.Token = model.Token(number(t, value))
	case "max":
		req.Max = number(t, value)
	case "limit":
		req.Limit = number(t, value)
	case "lease":
		req.Lease = duration(t, value)
	case "delay":
		req.Delay = duration(t, value)
	case "at":
		req.At = model.Time(duration(t, value))
	case "payload":
		req.Payload = value
	case "error":
		req.Error = value
	case "all":
		req.All = true
	case "pairs":
		for _, pair := range strings.Split(value, ",") {
			job, token, _ := strings.Cut(pair, ":")
			req.Batch = append(req.Batch, model.Holding{ID: jobID(t, job), Token: model.Token(number(t, token))})
		}
	default:
		if isOption {
			t.Fatalf("no option %q", word)
		}
		req.ID = jobID(t, word)
	}
}

// jobID reads J7, or U7 for an id that is no JOB.
func jobID(t testing.TB, name string) model.ID {
	t.Helper()
	id := model.ID{NS: model.JOB, Value: uint64(number(t, name[1:]))}
	if name[0] == 'U' {
		id.NS = [3]byte{'U', 'S', 'R'}
	}
	return id
}

func number(t testing.TB, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func duration(t testing.TB, s string) time.Duration {
	t.Helper()
	d, err := time.ParseDuration(s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func inWords(r model.Reply) string {
	words := []string{r.Answer.String()}
	if !r.ID.IsZero() {
		words = []string{grantInWords(r.Grant)}
	} else if r.Until != 0 {
		words = append(words, "until="+short(r.Until))
	}
	for _, g := range r.Batch {
		words = append(words, grantInWords(g))
	}
	if r.Moved != 0 {
		words = append(words, fmt.Sprint("moved=", r.Moved))
	}
	if r.Dead != 0 {
		words = append(words, fmt.Sprint("dead=", r.Dead))
	}
	return strings.Join(words, " ")
}

// grantInWords writes a delivery as the queue counts it: J1#2 is J1 with token 2.
func grantInWords(g model.Grant) string {
	s := fmt.Sprintf("J%d#%d", g.ID.Value, g.Token)
	if g.Payload != "" {
		s += " payload=" + g.Payload
	}
	if g.Bare {
		s += " bare"
	}
	return s
}

func show(snap model.Snapshot, name string) string {
	if name == "counters" {
		return fmt.Sprintf("completed=%d failed=%d", snap.Completed, snap.Failed)
	}
	var words []string
	sets := []struct {
		name    string
		members []model.Member
	}{{"pending", snap.Pending}, {"active", snap.Active}, {"schedule", snap.Schedule}, {"dead", snap.Dead}}
	for _, set := range sets {
		for _, m := range set.members {
			if fmt.Sprint("J", m.ID.Value) != name {
				continue
			}
			word := set.name
			if m.Score != 0 {
				word += "@" + short(model.Time((m.Score-model.EpochMillis)*int64(time.Millisecond)))
			}
			words = append(words, word)
		}
	}
	for _, row := range snap.Rows {
		for _, f := range row.Fields {
			if fmt.Sprint("J", row.ID.Value) == name {
				words = append(words, f.Name+"="+f.Value)
			}
		}
	}
	if words == nil {
		return "nothing"
	}
	return strings.Join(words, " ")
}

func short(t model.Time) string { return time.Duration(t).String() }
