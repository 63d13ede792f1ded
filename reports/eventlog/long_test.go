package eventlog

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ackgap/ackgap/model"
)

// stream is a log of many jobs, written while it is read: 64 workers, a job open for a
// while, every tenth redelivered, its first worker refused.
type stream struct {
	jobs int
	edit func(job int, kind string) int // how often the event is told; nil: once

	job, seq int
	at       int64
	text     []byte
}

func (s *stream) Read(b []byte) (int, error) {
	for len(s.text) == 0 {
		switch {
		case s.seq == 0:
			s.text = append(s.text, ownHeader+"\n"...)
			s.seq = 1
		case s.job > s.jobs:
			return 0, io.EOF
		case s.job == s.jobs:
			s.event("ended", ``)
			s.job++
		default:
			s.turn()
			s.job++
		}
	}
	n := copy(b, s.text)
	s.text = s.text[:copy(s.text, s.text[n:])]
	return n, nil
}

// turn tells one job from its admission to its end.
func (s *stream) turn() {
	about := fmt.Sprintf(`,"job":"order-%08d","worker":"w%d"`, s.job, s.job%64)
	s.tell("admitted", about)
	s.tell("enqueued", about)
	s.tell("claimed", about+`,"token":1,"until":`+strconv.FormatInt(s.at+30_000_000, 10))
	s.tell("applied", about)
	if s.job%10 > 0 {
		s.tell("settled", about+`,"token":1`)
		return
	}
	s.at += 31_000_000
	s.tell("claimed", about+`,"token":2`)
	s.tell("absorbed", about)
	s.tell("settled", about+`,"token":2`)
	s.tell("refused", about+`,"token":1`)
}

func (s *stream) tell(kind, rest string) {
	times := 1
	if s.edit != nil {
		times = s.edit(s.job, kind)
	}
	for range times {
		s.event(kind, rest)
	}
}

func (s *stream) event(kind, rest string) {
	if kind == "ended" {
		rest = `,"cause":"quiet"`
	}
	s.at += 1_000_000
	s.text = fmt.Appendf(s.text, `{"seq":%d,"time":%d,"kind":%q%s}`+"\n", s.seq, s.at, kind, rest)
	s.seq++
}

// perTen is how many events ten jobs of a stream have.
const perTen = 9*5 + 8

// As many events as ACKGAP_LOG_EVENTS says (ten million, or 300,000 without it) are judged
// with no more jobs in memory than the events hold that are remembered; and in 200 MB that
// the system was ever asked for, where that is measured, which other tests would spoil.
func TestManyEventsTakeLittleMemory(t *testing.T) {
	events := 300_000
	s := os.Getenv("ACKGAP_LOG_EVENTS")
	if s != "" {
		var err error
		if events, err = strconv.Atoi(s); err != nil {
			t.Fatal(err)
		}
	}
	runtime.GC()
	begin := time.Now()
	r, err := Check(&stream{jobs: events*10/perTen + 1}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	took := time.Since(begin)
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	t.Logf("%d events of %d jobs, %d let go: %d MB of the system, %d events a second", r.Events, r.Jobs, r.Forgot, m.Sys>>20, r.Events*int64(time.Second)/int64(took))
	if len(r.Doubts) > 0 || r.Forgot == 0 {
		t.Errorf("%d jobs let go: %q", r.Forgot, r.Doubts)
	}
	for _, property := range []string{"no-duplicate-effect", "stale-token-rejected", "settled-once", "tokens-rise", "single-holder", "drains"} {
		if !contains(heldIn(r.Verdicts), property) {
			t.Errorf("%s is not held", property)
		}
	}
	if got, most := len(r.Names.Jobs), 2*defaultRemember/5; got > most { // five events a job, or more
		t.Errorf("%d jobs were in memory, and %d events are remembered", got, defaultRemember)
	}
	if got := m.Sys >> 20; s != "" && got > 200 {
		t.Errorf("%d MB were asked for, and 200 are allowed", got)
	}
}

func contains(names []string, name string) bool {
	return strings.Contains(strings.Join(names, " ")+" ", name+" ")
}

// To let ended jobs go changes no verdict, whatever else is wrong with the log.
func TestLettingGoChangesNoVerdict(t *testing.T) {
	const never, once, twice = 0, 1, 2
	for name, odd := range map[string]struct {
		job   int // every so manyeth
		kind  string
		times int
	}{
		"all is well":              {1, "applied", once},
		"effects are missing":      {77, "applied", never},
		"effects are doubled":      {77, "applied", twice},
		"jobs are never done":      {150, "settled", never},
		"jobs are never let in":    {2, "admitted", never},
		"settlements are accepted": {33, "settled", twice},
	} {
		edit := func(job int, kind string) int {
			if job%odd.job == 0 && kind == odd.kind {
				return odd.times
			}
			return once
		}
		whole, err := Check(&stream{jobs: 1000, edit: edit}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		short, err := Check(&stream{jobs: 1000, edit: edit}, Options{Remember: 50})
		if err != nil {
			t.Fatal(err)
		}
		if whole.Forgot > 0 || short.Forgot < 800 {
			t.Errorf("%s: %d and %d jobs let go", name, whole.Forgot, short.Forgot)
		}
		if diff := cmp.Diff(byName(whole), byName(short)); diff != "" {
			t.Errorf("%s: (-all remembered +some let go) %s", name, diff)
		}
	}
}

// byName tells the verdicts without the numbers of jobs, which are given again.
func byName(r *Result) (list []string) {
	for _, v := range r.Verdicts {
		line := fmt.Sprint(v.Property, v.Value, v.Evaluations, v.Witness.Says, r.Names.Job(v.Witness.Job))
		for i := range v.Witness.Events {
			e := &v.Witness.Events[i]
			line += fmt.Sprint(" ", e.Seq, e.Kind, r.Names.Job(e.Job), r.Names.Proc(e.Proc))
		}
		list = append(list, line)
	}
	return list
}

// A job that comes back after it was let go leaves a doubt, for its effects are no
// longer known: nothing is called held.
func TestAJobThatComesBackIsDoubted(t *testing.T) {
	var events []string
	for i := range 100 {
		job := fmt.Sprintf("J%d w1", i)
		events = append(events, "admitted "+job, "claimed "+job+" token=1", "applied "+job, "settled "+job+" token=1")
	}
	events = append(events, "applied J3 w1")
	remembered := check(t, []byte(own(ownHeader, events...)), Options{})
	if remembered.Value() != model.Broken {
		t.Errorf("a second effect is %s", remembered.Value())
	}
	forgotten := check(t, []byte(own(ownHeader, events...)), Options{Remember: 20})
	if held := heldIn(forgotten.Verdicts); len(held) > 0 || forgotten.Forgot == 0 {
		t.Errorf("%d let go, held: %v", forgotten.Forgot, held)
	}
}

func TestTheFilterForgetsNoName(t *testing.T) {
	var f filter
	if f.has("order-1") {
		t.Error("an empty filter knows a name")
	}
	const many = 200_000
	for i := range many {
		f.add("order-" + strconv.Itoa(2*i))
	}
	mistakes := 0
	for i := range many {
		if !f.has("order-" + strconv.Itoa(2*i)) {
			t.Fatalf("order-%d is forgotten", 2*i)
		}
		if f.has("order-" + strconv.Itoa(2*i+1)) {
			mistakes++
		}
	}
	if mistakes > 0 {
		t.Errorf("%d of %d names are taken for others", mistakes, many)
	}
}

func BenchmarkLog(b *testing.B) {
	const jobs = 10_000
	text, err := io.ReadAll(&stream{jobs: jobs})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := Check(strings.NewReader(string(text)), Options{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*jobs*perTen/10)/b.Elapsed().Seconds(), "events/s")
}
