package exhaust_test

import (
	"strings"
	"testing"

	"github.com/ackgap/ackgap/scenarios/exhaust"
)

func TestAStoryIsMadeSmallerAndLarger(t *testing.T) {
	const text = "story small\nqueue echomq\nworker a consumer=atomic\nworker b\njob one fails=1\nfault drop complete one#1\n" +
		"expect effects one = 1\n"
	for _, c := range []struct {
		jobs, workers int
		want          string
	}{
		{-1, -1, "worker a consumer=atomic\nworker b\njob one fails=1\n"},
		{3, 1, "worker a consumer=atomic\njob one fails=1\njob J2 fails=1\njob J3 fails=1\n"},
		{1, 3, "worker a consumer=atomic\nworker b\nworker w3\njob one fails=1\n"},
	} {
		s, err := exhaust.Resize(parse(t, text), c.jobs, c.workers)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(s.Text()); !strings.Contains(got, c.want) || strings.Contains(got, "fault") || strings.Contains(got, "expect") {
			t.Errorf("%d jobs and %d workers:\n%s\nwant in it:\n%s", c.jobs, c.workers, got, c.want)
		}
	}
	for _, c := range []struct{ jobs, workers int }{{exhaust.MaxJobs + 1, 1}, {1, exhaust.MaxWorkers + 1}} {
		if _, err := exhaust.Resize(parse(t, text), c.jobs, c.workers); err == nil {
			t.Errorf("%+v was not refused", c)
		}
	}
}

func TestKindsAndActsAreReadAsTheyAreWritten(t *testing.T) {
	for _, k := range []exhaust.Kinds{exhaust.Reference, exhaust.DefaultKinds, exhaust.EveryKind} {
		if got, err := exhaust.ParseKinds(k.String()); got != k || err != nil {
			t.Errorf("%s is read as %s, %v", k, got, err)
		}
	}
	all, err := exhaust.ParseActs("all")
	if err != nil || len(all) != 14 {
		t.Errorf("%d acts, %v", len(all), err)
	}
	for _, op := range all {
		if got, err := exhaust.ParseActs(op.String()); err != nil || len(got) != 1 || got[0] != op {
			t.Errorf("%s is read as %v, %v", op, got, err)
		}
	}
}
