package eventlog

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
)

// Format names the version of the form, as the header does. A field may be added
// within a version; none changes its meaning or goes away.
const Format = "ackgap-log/1"

// header is what the first line says of the whole log.
type header struct {
	records  kindSet // of these, every event that there was is in the log
	partial  bool    // not complete: the writer says that it lost something, or may have
	vouched  bool    // complete: the writer vouches that a log without seq lost nothing
	digest   bool    // the ended line must have the digest of all lines
	touches  bool    // the queue's records tell what they touched
	attempts bool    // tokens count the attempts of a row
	crew     bool    // the workers are told, be it none
	facts    model.Facts
	queue    string // the process whose clock is the server's
	pump     string
	names    model.Names // numbered in this order; index 0 names nothing
	workers  []string    // the names of facts.Workers
}

// everything is what stands in records for all kinds.
const everything = "all"

// parseHeader reads the first line.
func parseHeader(b []byte) (*header, error) {
	h := &header{names: model.Names{Procs: []string{""}, Jobs: []string{""}}, facts: model.Facts{Fails: []int{0}}}
	c := cursor{b: b}
	format := ""
	err := c.fields(append([]field{{"format", func(c *cursor, _ *record) error { return c.string(&format) }}}, h.fields()...))
	if err == nil {
		err = c.end()
	}
	if err != nil {
		return nil, fmt.Errorf("the header: %w", err)
	}
	if format != Format {
		return nil, &fieldError{"format", fmt.Errorf("%s is not %q; the first line of a log is its header, such as "+
			`{"format":%q,"records":["admitted","claimed","applied","settled","dead"]}`, script.Quote(format), Format, Format)}
	}
	return h, nil
}

func (h *header) fields() []field {
	f := &h.facts
	return []field{
		{"writer", func(c *cursor, _ *record) error { return c.string(new(string)) }},
		{"records", func(c *cursor, _ *record) error { return c.kinds(&h.records) }},
		{"complete", func(c *cursor, _ *record) (err error) { h.vouched, err = c.truth(); h.partial = !h.vouched; return err }},
		{"digest", func(c *cursor, _ *record) (err error) { h.digest, err = c.truth(); return err }},
		{"touches", func(c *cursor, _ *record) (err error) { h.touches, err = c.truth(); return err }},
		{"tokens", func(c *cursor, _ *record) error { return h.tokens(c) }},
		{"bounds-deliveries", func(c *cursor, _ *record) (err error) { f.BoundsDeliveries, err = c.truth(); return err }},
		{"asks-lease", func(c *cursor, _ *record) (err error) { f.AsksLease, err = c.truth(); return err }},
		{"max-attempts", func(c *cursor, _ *record) error { return c.small(&f.MaxAttempts) }},
		{"max-stalled", func(c *cursor, _ *record) error { return c.small(&f.MaxStalled) }},
		duration("lease", &f.Lease), duration("retry-delay", &f.RetryDelay), duration("reap-every", &f.ReapEvery),
		duration("promote-every", &f.PromoteEvery), duration("sweep-every", &f.SweepEvery), duration("latency", &f.Latency),
		{"queue", func(c *cursor, _ *record) error { return c.string(&h.queue) }},
		{"pump", func(c *cursor, _ *record) error { return c.string(&h.pump) }},
		{"processes", func(c *cursor, _ *record) error { return c.names(&h.names.Procs, math.MaxInt16) }},
		{"jobs", func(c *cursor, _ *record) error { return c.array(func() error { return h.job(c) }) }},
		{"workers", func(c *cursor, _ *record) error {
			h.crew = true
			return c.array(func() error { return h.worker(c) })
		}},
	}
}

func duration(name string, to *time.Duration) field {
	return field{name, func(c *cursor, _ *record) error {
		s := ""
		if err := c.string(&s); err != nil {
			return err
		}
		d, err := script.ParseDuration(s)
		if err == nil && d < 0 {
			err = fmt.Errorf("%s is negative", s)
		}
		*to = d
		return err
	}}
}

func (h *header) tokens(c *cursor) error {
	_, err := c.word("meaning of tokens", []string{"attempts"})
	h.attempts = err == nil
	return err
}

// job reads one job of the header. It keeps its number for ever.
func (h *header) job(c *cursor) error {
	name, fails := "", 0
	err := c.fields([]field{
		{"name", func(c *cursor, _ *record) error { return c.string(&name) }},
		{"fails", func(c *cursor, _ *record) error { return c.small(&fails) }},
	})
	if err != nil {
		return err
	}
	h.facts.Fails = append(h.facts.Fails, fails)
	return addName(&h.names.Jobs, name, math.MaxInt32)
}

func (h *header) worker(c *cursor) error {
	var w model.WorkerFacts
	name := ""
	err := c.fields([]field{
		{"name", func(c *cursor, _ *record) error { return c.string(&name) }},
		duration("work", &w.Work), duration("poll", &w.Poll), duration("timeout", &w.Timeout),
		duration("heartbeat", &w.Heartbeat),
		{"settle-retries", func(c *cursor, _ *record) error { return c.small(&w.SettleRetries) }},
		{"steps", func(c *cursor, _ *record) error { return c.small(&w.Steps) }},
	})
	h.facts.Workers, h.workers = append(h.facts.Workers, w), append(h.workers, name)
	return err
}

// kinds reads the list of recorded kinds, or the word all.
func (c *cursor) kinds(to *kindSet) error {
	if c.peek() == '"' {
		_, err := c.word("list of kinds", []string{everything})
		*to = 1<<len(kinds) - 1
		return err
	}
	return c.array(func() error {
		k, err := c.word("kind", kindWords)
		*to |= 1 << max(k, 0)
		return err
	})
}

func (c *cursor) string(to *string) error {
	s, err := c.text()
	*to = string(s)
	return err
}

func (c *cursor) small(to *int) error {
	var n int64
	err := c.between(&n, 0, math.MaxInt32)
	*to = int(n)
	return err
}

func (c *cursor) names(to *[]string, most int) error {
	return c.array(func() error {
		name := ""
		if err := c.string(&name); err != nil {
			return err
		}
		return addName(to, name, most)
	})
}

func addName(to *[]string, name string, most int) error {
	switch {
	case name == "" || len(name) > maxName:
		return fmt.Errorf("a name has 1 to %d bytes, and this one has %d", maxName, len(name))
	case len(*to) > most:
		return fmt.Errorf("there are more than %d", most)
	}
	*to = append(*to, name)
	return nil
}

// check refuses a header that contradicts itself.
func (h *header) check() error {
	for _, list := range [][]string{h.names.Procs, h.names.Jobs} {
		sorted := slices.Sorted(slices.Values(list))
		for i := 1; i < len(sorted); i++ {
			if sorted[i] == sorted[i-1] {
				return fmt.Errorf("the header names %s twice; each has one number", script.Quote(sorted[i]))
			}
		}
	}
	if h.facts.BoundsDeliveries && h.facts.MaxAttempts == 0 {
		return &fieldError{"bounds-deliveries", errors.New("it needs max-attempts, the bound")}
	}
	if h.facts.AsksLease && h.facts.Lease == 0 {
		return &fieldError{"asks-lease", errors.New("it needs lease, which every claim and extend asked for")}
	}
	return nil
}
