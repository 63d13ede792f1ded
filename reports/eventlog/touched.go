package eventlog

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
)

// What a request changed in the queue: each id that moved, where it stood and where
// it stands.
//
//	{"id":"JOB0NgWEfAEJfs","before":{},"after":{"sets":"pending","row":"full","attempts":0}}

var (
	setWords = []string{"pending", "active", "schedule", "dead"}
	rowWords = []string{"state", "attempts", "payload"}
)

// fullRow is short for a row with all that it must have.
const fullRow = "full"

func (c *cursor) touches(to *[]model.Touch) error {
	list := (*to)[:0]
	err := c.array(func() error {
		var t model.Touch
		err := c.fields([]field{
			{"id", func(c *cursor, _ *record) error { return c.id(&t.ID) }},
			{"before", func(c *cursor, _ *record) error { return c.standing(&t.Before) }},
			{"after", func(c *cursor, _ *record) error { return c.standing(&t.After) }},
		})
		if err == nil && t.ID.IsZero() {
			err = errors.New("an entry names no id")
		}
		list = append(list, t)
		return err
	})
	*to = list
	return err
}

func (c *cursor) standing(s *model.Standing) error {
	return c.fields([]field{
		{"sets", func(c *cursor, _ *record) error { return c.bits(setWords, (*uint8)(&s.Sets)) }},
		{"row", func(c *cursor, _ *record) error { return c.bits(rowWords, (*uint8)(&s.Fields)) }},
		{"attempts", func(c *cursor, _ *record) error { return c.between((*int64)(&s.Attempts), -1<<62, 1<<62) }},
		{"deadline", func(c *cursor, _ *record) error { return c.instant(&s.Deadline) }},
		{"run-at", func(c *cursor, _ *record) error { return c.instant(&s.RunAt) }},
	})
}

// fields reads an object of these fields, each at most once.
func (c *cursor) fields(list []field) error {
	var known fieldSet
	return c.object(func(name []byte) error {
		i := slices.IndexFunc(list, func(f field) bool { return f.name == string(name) })
		if i < 0 {
			return errors.New(script.Unknown("field", string(name), namesOf(list)))
		}
		if known.has(i) {
			return fmt.Errorf("%s stands twice", list[i].name)
		}
		known |= 1 << i
		if err := list[i].read(c, nil); err != nil {
			return &fieldError{list[i].name, err}
		}
		return nil
	})
}

func namesOf(list []field) (names []string) {
	for _, f := range list {
		names = append(names, f.name)
	}
	return names
}

// bits reads words joined by a plus as a set of bits in the order of words.
func (c *cursor) bits(words []string, to *uint8) error {
	s, err := c.text()
	if err != nil {
		return err
	}
	if string(s) == fullRow && slices.Equal(words, rowWords) {
		*to = uint8(model.FullRow)
		return nil
	}
	for word := range strings.SplitSeq(string(s), "+") {
		i := slices.Index(words, word)
		if i < 0 {
			return errors.New(script.Unknown("word", word, words) + "; several are joined by +")
		}
		*to |= 1 << i
	}
	return nil
}

// joinBits writes a set of bits as bits reads it, or nothing for none.
func joinBits(words []string, set uint8) string {
	var in []string
	for i, word := range words {
		if set>>i&1 == 1 {
			in = append(in, word)
		}
	}
	return strings.Join(in, "+")
}
