package explore_test

import (
	"bytes"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/sim/explore"
)

// inParts runs a search that is stopped again and again, each time after some more states,
// and gone on with from what was saved. It returns how often it was.
func inParts[S any](t *testing.T, m func() explore.Model[S], o explore.Options, states int) (*explore.Result, int) {
	t.Helper()
	for stops := 0; ; stops++ {
		o.MaxStates = states * (stops + 1)
		r, err := explore.Run(m(), o)
		if err != nil {
			t.Fatal(err)
		}
		if r.Ending != explore.Full {
			return r, stops
		}
		var file bytes.Buffer
		if err := r.Save(&file); err != nil {
			t.Fatal(err)
		}
		o.Resume = bytes.NewReader(file.Bytes())
	}
}

// same compares all but how much room there is to grow.
func same(a, b *explore.Result) bool {
	x, y := *a, *b
	x.Bytes, y.Bytes = 0, 0
	return reflect.DeepEqual(&x, &y)
}

func TestASearchThatWasStoppedGoesOnAsIfItHadNotBeen(t *testing.T) {
	stops := 0
	for i := range model.Seed(30) {
		for _, o := range []explore.Options{
			{}, {DepthFirst: true}, {Compact: true}, {Drains: true}, {Drains: true, Compact: true}, {Cores: 2},
			{Stop: func(h explore.Hit) bool { return h.Property == 1 }},
		} {
			o.Faults = 2
			m := rounds{maze{seed: i.Fork("parts"), rooms: 40 << (i % 5), doors: 9, ends: 20}}
			whole := run(t, m, o)
			parts, n := inParts(t, func() explore.Model[uint64] { return m }, o, 1+whole.States/4)
			if !same(whole, parts) {
				t.Fatalf("%+v: %+v\nin %d parts: %+v", o, whole, n+1, parts)
			}
			stops += n
		}
		c := crowd{seed: i.Fork("crowd"), walkers: 3, sparse: 2}
		whole := run(t, c, explore.Options{Faults: 2, Sleep: true})
		parts, n := inParts(t, func() explore.Model[place4] { return c }, explore.Options{Faults: 2, Sleep: true}, 1+whole.States/4)
		if !same(whole, parts) {
			t.Fatalf("%+v\nin %d parts: %+v", whole, n+1, parts)
		}
		stops += n
	}
	t.Logf("%d stops", stops)
	if stops < 300 {
		t.Error("too few")
	}
}

func TestASavedSearchThatDoesNotFitIsRefused(t *testing.T) {
	m := maze{seed: 1, rooms: 1 << 12, doors: 4, ends: 9}
	o := explore.Options{Faults: 2, MaxStates: 100, Identity: "maze 1"}
	stopped := run(t, m, o)
	var file bytes.Buffer
	if err := stopped.Save(&file); err != nil {
		t.Fatal(err)
	}
	resume := func(text []byte, o explore.Options) string {
		o.Resume = bytes.NewReader(text)
		if _, err := explore.Run(m, o); err != nil {
			return err.Error()
		}
		return ""
	}
	if got := resume(file.Bytes(), o); got != "" {
		t.Fatalf("it is refused to whom it belongs: %s", got)
	}
	other := o
	other.Faults = 1
	third := o
	third.Identity = "maze 2"
	bad := bytes.Clone(file.Bytes())
	for _, c := range []struct {
		text []byte
		o    explore.Options
		want string
	}{
		{file.Bytes(), other, `it has "faults 2" where this one has "faults 1"`},
		{file.Bytes(), third, `it has "maze 1" where this one has "maze 2"`},
		{file.Bytes()[:file.Len()/2], o, "damaged or cut short"},
		{file.Bytes()[:20], o, "damaged or cut short"},
		{nil, o, "no saved search"},
		{append([]byte("ackgap-search/2\n"), file.Bytes()[16:]...), o, "no saved search of this version"},
	} {
		if got := resume(c.text, c.o); !strings.Contains(got, c.want) {
			t.Errorf("%q, which should say %q", got, c.want)
		}
	}
	for at := 16; at < len(bad); at += 97 {
		bad[at] ^= 0x10
		if got := resume(bad, o); !strings.Contains(got, "damaged or cut short") {
			t.Fatalf("byte %d is changed, and %q", at, got)
		}
		bad[at] ^= 0x10
	}
	if err := run(t, m, explore.Options{}).Save(&file); err == nil {
		t.Error("a search that is exhausted was saved")
	}
}

// A search that is killed is gone on with from its last checkpoint: from each that there
// is, it comes to the same.
func TestASearchGoesOnFromEveryCheckpointAsIfItHadNotBeenKilled(t *testing.T) {
	checkpoints := 0
	for i := range model.Seed(10) {
		for _, o := range []explore.Options{{}, {DepthFirst: true}, {Compact: true}, {Drains: true}, {Cores: 2}} {
			o.Faults = 2
			m := rounds{maze{seed: i.Fork("killed"), rooms: 40 << (i % 5), doors: 9, ends: 20}}
			whole := run(t, m, o)
			var files [][]byte
			kept := o
			kept.Checkpoint = func(save func(io.Writer) error) {
				var file bytes.Buffer
				if err := save(&file); err != nil {
					t.Fatal(err)
				}
				files = append(files, file.Bytes())
			}
			if r := run(t, m, kept); !same(whole, r) {
				t.Fatalf("%+v: with checkpoints it is %+v, and without %+v", o, r, whole)
			}
			for n := 0; n < len(files); n += 1 + len(files)/8 {
				checkpoints++
				again := o
				again.Resume = bytes.NewReader(files[n])
				if r := run(t, m, again); !same(whole, r) {
					t.Fatalf("%+v from checkpoint %d of %d: %+v, and should be %+v", o, n, len(files), r, whole)
				}
			}
		}
	}
	if checkpoints < 100 {
		t.Errorf("only %d checkpoints were gone on from", checkpoints)
	}
}
