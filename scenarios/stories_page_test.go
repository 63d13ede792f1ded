package scenarios_test

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/actors"
)

// reports/docs/stories.md is the grammar of stories for people. It is held against the
// parser from both sides: what the parser says that it knows stands there, and what
// stands there is taken. The parser is asked by its errors, which list what is allowed.

// heads are the directives that have a section with a table of options, and the least
// line of each.
var heads = map[string]string{
	"queue": "queue echomq", "network": "network", "producer": "producer p",
	"worker": "worker w1", "workers": "workers 3", "job": "job J1", "jobs": "jobs 1",
}

func TestThePageHasEachDirectiveAndEachKind(t *testing.T) {
	page := readStoriesPage(t)
	directives, forms := map[string]bool{}, map[string]bool{}
	for section := range page.sections {
		for name := range strings.SplitSeq(section, ", ") {
			directives[name] = heads[name] != ""
		}
	}
	for _, row := range page.rows("line") {
		for _, line := range spans(row[1]) {
			directives[strings.Fields(line)[0]], forms[formOf(line)] = true, true
		}
	}
	for _, d := range allowedIn(t, "nothing-alike x\nseed 1") {
		if !directives[d] {
			t.Errorf("no table tells of %s", d)
		}
	}
	for _, d := range []string{"fault", "chaos", "do", "expect"} {
		for _, kind := range allowedIn(t, d+" nothing-alike") {
			if !forms[d+" "+kind] {
				t.Errorf("no table has a line %s %s", d, kind)
			}
		}
	}
}

// Each line of a table is one that is taken. Its options, with those that stand beside
// it, are all that lines of its form can have; an option that stands there with a value
// has that value where it is left out.
func TestTheLinesOfThePageAreTakenWithTheirOptions(t *testing.T) {
	told, known := map[string]map[string]bool{}, map[string]map[string]bool{}
	note := func(in map[string]map[string]bool, form string, options ...string) {
		if in[form] == nil {
			in[form] = map[string]bool{}
		}
		for _, o := range options {
			in[form][o] = true
		}
	}
	for _, row := range readStoriesPage(t).rows("line") {
		lines := spans(row[1])
		if len(lines) == 0 {
			t.Errorf("%s: a row without a line: %s", row[0], row[1])
		}
		for _, line := range lines {
			plain, err := written(line)
			if err != nil {
				t.Errorf("%s: %v", line, err)
				continue
			}
			note(known, formOf(line), optionsOf(t, line)...)
			for word := range strings.FieldsSeq(line) {
				if key, _, ok := strings.Cut(word, "="); ok && regexp.MustCompile(`^[a-z]`).MatchString(key) {
					note(told, formOf(line), key)
				}
			}
			note(told, formOf(line))
			if row[0] == "expect" || row[0] == "The whole" { // no options beside their lines
				continue
			}
			for _, option := range spans(row[2]) {
				key, value, _ := strings.Cut(option, "=")
				note(told, formOf(line), key)
				if value == "" {
					continue
				}
				if with, err := written(line + " " + option); err != nil || with != plain {
					t.Errorf("%s: %s is not what it is without: %v", line, option, err)
				}
			}
		}
	}
	for _, form := range slices.Sorted(maps.Keys(known)) {
		if !maps.Equal(known[form], told[form]) {
			t.Errorf("%s: the page tells of %v, the parser knows %v", form,
				slices.Sorted(maps.Keys(told[form])), slices.Sorted(maps.Keys(known[form])))
		}
	}
}

// values are samples of the values that the page speaks of, by how it calls them: those
// that are taken, and those that are not.
var values = map[string]struct{ good, bad []string }{
	"duration":        {[]string{"0s", "1.5s", "87600h"}, []string{"-1s", "10", "87601h", "off"}},
	"duration, not 0": {[]string{"1ns", "87600h"}, []string{"0s", "off"}},
	"ms":              {[]string{"0s", "250ms"}, []string{"1500us", "-1ms"}},
	"ms, not 0":       {[]string{"1ms"}, []string{"0s", "1500us"}},
	"period":          {[]string{"1ns", "off"}, []string{"0s"}},
	"span":            {[]string{"0s", "20ms", "exp:20ms", "exp:1000h"}, []string{"exp:0s", "exp:1001h", "-1s"}},
	"percentage":      {[]string{"0%", "0.25%", "100%", "0.0001%"}, []string{"5", "101%", "0.00001%"}},
	"flag":            {[]string{"on", "off"}, []string{"yes"}},
	"text":            {[]string{`""`, "600", strings.Repeat("x", 512)}, []string{strings.Repeat("x", 513)}},
	"a name":          {[]string{"x"}, []string{"-", strings.Repeat("x", 64)}},
	"a consumer":      {[]string{"atomic"}, []string{"nothing-alike"}},
	"a variant":       {[]string{"hardened"}, []string{"nothing-alike"}},
	"a producer":      {[]string{"p"}, []string{"nobody"}},
}

// samples returns what may stand as a value that a cell describes, and what may not.
func samples(t *testing.T, cell string) (good, bad []string) {
	t.Helper()
	if v, ok := values[cell]; ok {
		return v.good, v.bad
	}
	if low, high, ok := strings.Cut(cell, " to "); ok {
		from, err := strconv.Atoi(low)
		to, err2 := strconv.Atoi(high)
		if err == nil && err2 == nil {
			return []string{low, high}, []string{strconv.Itoa(from - 1), strconv.Itoa(to + 1), "x"}
		}
	}
	if good = spans(cell); len(good) == 0 {
		t.Errorf("the page calls a value %q, of which there are no samples", cell)
	}
	return good, []string{"nothing-alike"}
}

func TestTheOptionsOfThePageAreThoseOfTheParser(t *testing.T) {
	told := map[string][]string{}
	for _, row := range readStoriesPage(t).rows("option") {
		names := spans(row[1])
		option, owners := strings.TrimSuffix(names[0], "="), names[1:]
		if len(owners) == 0 {
			owners = strings.Split(row[0], ", ")
		}
		good, bad := samples(t, row[2])
		for _, owner := range owners {
			told[owner] = append(told[owner], option)
			head := heads[owner]
			for _, v := range good {
				if _, err := written(head + " " + option + "=" + v); err != nil {
					t.Errorf("%s: %v", option, err)
				}
			}
			for _, v := range bad {
				if _, err := written(head + " " + option + "=" + v); err == nil {
					t.Errorf("%s %s=%s is taken, and the page says %s", head, option, v, row[2])
				}
			}
			for _, v := range spans(row[3]) {
				plain, _ := written(head)
				if with, err := written(head + " " + option + "=" + v); err != nil || with != plain {
					t.Errorf("%s: %s=%s is not the default: %v\n%s", head, option, v, err, with)
				}
			}
		}
	}
	for _, owner := range slices.Sorted(maps.Keys(heads)) {
		got, want := slices.Sorted(slices.Values(told[owner])), slices.Sorted(slices.Values(optionsOf(t, heads[owner])))
		if !slices.Equal(got, want) {
			t.Errorf("%s: the page tells of %v, the parser knows %v", owner, got, want)
		}
	}
}

// Where the page has a default of what is said once, saying it changes nothing.
func TestWhatThePageSaysOfAStoryWithoutALineIsSo(t *testing.T) {
	plain, _ := written("worker w1")
	told := 0
	for _, row := range readStoriesPage(t).rows("line") {
		if row[0] != "The whole" {
			continue
		}
		for _, v := range spans(row[3]) {
			told++
			line := strings.Fields(spans(row[1])[0])[0] + " " + v
			if with, err := written(line + "\nworker w1"); err != nil || with != plain {
				t.Errorf("%s is not the default: %v", line, err)
			}
		}
	}
	if told != 2 {
		t.Errorf("the page tells of %d such defaults, want those of seed and horizon", told)
	}
}

func TestThePageWritesValuesAsTheyAreRead(t *testing.T) {
	holder := map[string]string{
		"duration": "network latency=", "ms": "queue echomq retry-delay=", "not 0": "queue echomq lease=",
		"period": "worker w1 heartbeat=", "span": "worker w1 work=", "percentage": "network loss=", "flag": "producer p ",
	}
	rows := readStoriesPage(t).rows("value")
	for _, row := range rows {
		for _, v := range spans(row[2]) {
			if _, err := written(holder[row[1]] + v); err != nil || holder[row[1]] == "" {
				t.Errorf("%s: %s is no such value: %v", row[1], v, err)
			}
		}
	}
	if len(rows) != len(holder) {
		t.Errorf("the page has %d kinds of values, want %d", len(rows), len(holder))
	}
}

func TestThePageHasEachConsumerWithItsSteps(t *testing.T) {
	told := map[string]string{}
	for _, row := range readStoriesPage(t).rows("consumer") {
		name, _, _ := strings.Cut(spans(row[1])[0], ":")
		told[name] = strings.Join(spans(row[2]), " ")
	}
	for _, name := range append(actors.ConsumerNames(), actors.Handled.String()) {
		c, _ := actors.ParseConsumer(name)
		var steps []string
		for _, s := range c.Steps() {
			steps = append(steps, s.String())
		}
		if want := strings.Join(steps, " "); "claim "+told[name]+" settle" != want {
			t.Errorf("%s: the page has the steps %q between claim and settle, and it takes %s", name, told[name], want)
		}
		delete(told, name)
	}
	for name := range told {
		t.Errorf("there is no consumer %s", name)
	}
}

// Words that no option lists: what may stand in some place of a line, or after it.
func TestThePageHasEachWordOfTheParser(t *testing.T) {
	page := readStoriesPage(t)
	for _, c := range []struct{ section, line string }{
		{"queue", "queue nothing-alike"},
		{"queue", "queue echomq backend=nothing-alike"},
		{"worker, workers", "worker w1 ack=nothing-alike"},
		{"fault", "fault drop nothing-alike"},
		{"fault", "fault error nothing-alike"},
		{"chaos", "chaos error nothing-alike rate=5%"},
		{"expect", "expect answer nothing-alike"},
		{"expect", "expect answer complete J1#1 = nothing-alike"},
		{"expect", "expect refused nothing-alike"},
		{"expect", "expect effects J1 nothing-alike 1"},
		{"expect", "expect state J1 = nothing-alike"},
	} {
		told := page.told(t, c.section)
		for _, word := range allowedIn(t, c.line) {
			if !slices.Contains(told, word) {
				t.Errorf("%q has no word of %s, which may stand in %s", c.section, word, c.line)
			}
		}
	}
}

func TestThePageHasEachVariantAndEachPropertyAndNoOther(t *testing.T) {
	page := readStoriesPage(t)
	var variants, properties []string
	for _, b := range model.Bodies() {
		for _, v := range b.Variants {
			variants = append(variants, v.Name)
		}
	}
	for _, p := range append(model.Properties(), model.Reach()...) {
		properties = append(properties, p.Name)
	}
	for section, want := range map[string][]string{"Variants": variants, "Properties": properties} {
		var got []string
		for _, line := range page.sections[section] {
			for _, s := range spans(line) {
				if !strings.Contains(s, " ") {
					got = append(got, s)
				}
			}
		}
		if slices.Sort(got); !slices.Equal(got, slices.Compact(slices.Sorted(slices.Values(want)))) {
			t.Errorf("%s: the page has %v, and there are %v", section, got, want)
		}
	}
}

func TestTheStoriesOfThePageRunAsTheyExpect(t *testing.T) {
	page := readStoriesPage(t)
	for _, text := range page.stories {
		s := mustParse(t, "stories.md", text)
		out, err := s.Run(scenarios.Options{Strict: true})
		if err != nil || out.Met != scenarios.Yes || len(s.Expects) == 0 {
			t.Errorf("%s: %v, met: %v, %d expectations", s.Name, err, out.Met, len(s.Expects))
		}
	}
	if len(page.stories) == 0 {
		t.Error("the page has no story")
	}
}

// The first story is told line by line: all its lines, in their order.
func TestThePageTellsEachLineOfItsFirstStory(t *testing.T) {
	page := readStoriesPage(t)
	var told, lines []string
	for _, row := range page.rows("told") {
		told = append(told, spans(row[1])[0])
	}
	for line := range strings.Lines(page.stories[0]) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			lines = append(lines, line)
		}
	}
	if !slices.Equal(told, lines) {
		t.Errorf("told are\n%s\nand the story has\n%s", strings.Join(told, "\n"), strings.Join(lines, "\n"))
	}
}
