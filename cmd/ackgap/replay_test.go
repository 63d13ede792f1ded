package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/echomq"
	"github.com/ackgap/ackgap/scenarios"
)

var aToken = regexp.MustCompile(`ackgap1\.[-_0-9A-Za-z]+`)

var theToken = regexp.MustCompile(`(?m)^ *TOKEN +ackgap replay (\S+)`)

// saveToken is the script command `token FILE`: the token in the last command's
// output, that of the world as it was found if there are two, goes to FILE and to $TOKEN.
func saveToken(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: token FILE")
	}
	out := ts.ReadFile("stdout")
	token := aToken.FindString(out)
	if found := theToken.FindStringSubmatch(out); found != nil {
		token = found[1]
	}
	if token == "" {
		ts.Fatalf("the output holds no token")
	}
	ts.Setenv("TOKEN", token)
	ts.Check(writeFile(ts.MkAbs(args[0]), token+"\n"))
}

// ackgap runs one command line inside the test.
func ackgap(t *testing.T, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	code = run(t.Context(), args, strings.NewReader(""), &o, &e)
	return code, o.String(), e.String()
}

func parse(t *testing.T, text string) *scenarios.Story {
	t.Helper()
	story, err := scenarios.Parse("test", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return story
}

const gap = "workers 2\njob J1\nfault drop complete J1#1\n"

// A digest that differs means two things: that of this build is non-determinism,
// that of another build no more than that the code has changed.
func TestADigestThatDiffers(t *testing.T) {
	const (
		another = "the token is of another build: its digest was 0000000000000001, this run's is "
		forged  = "the token says digest 0000000000000001, and this run of the same build left "
	)
	for _, c := range []struct {
		what, build, story string
		code               int
		says               []string
	}{
		{"this build", buildID(), gap, exitDiverged, []string{forged}},
		{"another build, where it still breaks", "another", gap, exitNotMet, []string{another}},
		{"another build, where it holds", "another", "workers 2 consumer=atomic\njob J1\nfault drop complete J1#1\n", exitMet, []string{another}},
		{"another build, whose points occur no more", "another", "worker w1\njob J1\nfault drop complete J1#3\nfault? drop complete J1#4\n", exitMet,
			[]string{another, "no longer occurs: drop complete J1#3\n"}},
		{"another build, not seen to the end", "another", "worker w1 work=1h\nqueue echomq lease=2h\njob J1\nhorizon 1m\n", exitInconclusive, []string{another}},
		{"another build, with an expectation of its own", "another", gap + "expect effects J1 = 1\n", exitNotMet, []string{another}},
	} {
		code, out, errs := ackgap(t, "replay", scenarios.NewToken(c.build, 1, parse(t, c.story)))
		if code != c.code || out == "" {
			t.Errorf("%s: exit status %d, want %d; it says %q", c.what, code, c.code, errs)
		}
		for _, want := range c.says {
			if !strings.Contains(errs, want) {
				t.Errorf("%s: it says\n%s\nand not\n%s", c.what, errs, want)
			}
		}
		if strings.Contains(errs, "J1#4") {
			t.Errorf("%s: a fault that need not fire is listed: %s", c.what, errs)
		}
	}
}

func TestBuildsThatDoNotKnowThemselvesAreNotTheSame(t *testing.T) {
	if sameBuild(unknownBuild, unknownBuild) || sameBuild("a", "b") || !sameBuild("a", "a") {
		t.Error("builds are mistaken for each other")
	}
}

// moody is a queue that is another one each time it is emptied: what no body may
// be.
type moody struct{ *echomq.Queue }

var moods int64

func (m moody) Apply(now model.Time, r model.Request) model.Reply {
	reply := m.Queue.Apply(now, r)
	if r.Op == model.OpClaim && reply.Answer == model.OK {
		moods++
		reply.Until += model.Time(moods)
	}
	return reply
}

func init() {
	model.Register(model.Body{Protocol: "echomq", Backend: "moody", Open: func(variant string) (model.Queue, error) {
		q, err := echomq.New(variant)
		return moody{q}, err
	}})
}

// What is run twice before it is shown must come to the same twice: else the exit
// status is 4, whatever the verdict.
func TestNonDeterminismIsNoVerdict(t *testing.T) {
	story := t.TempDir() + "/moody.story"
	if err := writeFile(story, "queue echomq backend=moody\nworkers 2\njob J1\nchaos drop complete rate=100%\n"); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"replay", story}, {"run", story, "--seed", "1"}, {"check", story, "--runs", "1"}} {
		code, _, errs := ackgap(t, args...)
		if code != exitDiverged || !strings.Contains(errs, "the same story left two histories") {
			t.Errorf("%v: exit status %d, and it says %q", args, code, errs)
		}
	}
}
