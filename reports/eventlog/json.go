package eventlog

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/ackgap/ackgap/faults/script"
)

// cursor reads one line of JSON (RFC 8259) strictly: what encoding/json lets pass
// (a key twice, a key in another case, bytes that are no UTF-8) could hide an event.
type cursor struct {
	b  []byte
	at int
}

// maxDepth is how deep the values of one line may nest.
const maxDepth = 32

// peek skips blanks and returns the next byte, 0 at the end.
func (c *cursor) peek() byte {
	for ; c.at < len(c.b); c.at++ {
		switch c.b[c.at] {
		case ' ', '\t', '\r', '\n':
		default:
			return c.b[c.at]
		}
	}
	return 0
}

// take skips the byte that must come next.
func (c *cursor) take(want byte) error {
	if c.peek() != want {
		return fmt.Errorf("%s where %q must stand", c.found(), want)
	}
	c.at++
	return nil
}

// found names what stands at the cursor, for a message.
func (c *cursor) found() string {
	if c.peek() == 0 {
		return "the line ends"
	}
	rest := c.b[c.at:]
	if i := bytes.IndexAny(rest, ",:{}[] \t"); i > 0 {
		rest = rest[:i]
	}
	return script.Quote(string(rest)) + " stands"
}

// end demands that nothing follows.
func (c *cursor) end() error {
	if c.peek() != 0 {
		return fmt.Errorf("%s behind the object; write one object a line", c.found())
	}
	return nil
}

// object reads an object and calls field with each key, the cursor at its value.
func (c *cursor) object(field func(key []byte) error) error {
	return c.list('{', '}', func() error {
		key, err := c.text()
		if err != nil {
			return err
		}
		if err := c.take(':'); err != nil {
			return err
		}
		return field(key)
	})
}

// array reads an array and calls item at each of its values.
func (c *cursor) array(item func() error) error { return c.list('[', ']', item) }

func (c *cursor) list(open, shut byte, item func() error) error {
	if err := c.take(open); err != nil {
		return err
	}
	if c.peek() == shut {
		c.at++
		return nil
	}
	for {
		if err := item(); err != nil {
			return err
		}
		if c.peek() == shut {
			c.at++
			return nil
		}
		if err := c.take(','); err != nil {
			return err
		}
	}
}

// text reads a string. It is a part of the line where it holds no escape.
func (c *cursor) text() ([]byte, error) {
	if c.peek() != '"' {
		return nil, fmt.Errorf("%s where a string must stand", c.found())
	}
	start := c.at + 1
	for i := start; i < len(c.b); i++ {
		switch b := c.b[i]; {
		case b == '"':
			c.at = i + 1
			return plainText(c.b[start:i])
		case b == '\\':
			return c.escaped(start)
		case b < ' ':
			return nil, fmt.Errorf("a string holds the bare control character %#02x; write it as an escape", b)
		}
	}
	return nil, errors.New("a string has no end")
}

func plainText(s []byte) ([]byte, error) {
	if !utf8.Valid(s) {
		return nil, fmt.Errorf("%s is no UTF-8; JSON is", script.Quote(string(s)))
	}
	return s, nil
}

// escaped reads a string with escapes, which begins at start. Half a surrogate
// pair is refused, for it is no character.
func (c *cursor) escaped(start int) ([]byte, error) {
	var out []byte
	for i := start; i < len(c.b); {
		switch b := c.b[i]; {
		case b == '"':
			c.at = i + 1
			return plainText(out)
		case b < ' ':
			return nil, fmt.Errorf("a string holds the bare control character %#02x; write it as an escape", b)
		case b != '\\':
			out = append(out, b)
			i++
		default:
			r, n := escape(c.b[i:])
			if n == 0 {
				return nil, fmt.Errorf("%s begins with no escape of JSON", script.Quote(string(c.b[i:min(i+6, len(c.b))])))
			}
			out = utf8.AppendRune(out, r)
			i += n
		}
	}
	return nil, errors.New("a string has no end")
}

// escape returns the rune that b begins with as an escape and how many bytes it
// takes, 0 if it is none.
func escape(b []byte) (rune, int) {
	if len(b) < 2 {
		return 0, 0
	}
	if b[1] != 'u' {
		i := bytes.IndexByte([]byte(`"\/bfnrt`), b[1])
		if i < 0 {
			return 0, 0
		}
		return rune("\"\\/\b\f\n\r\t"[i]), 2
	}
	r, ok := unit(b)
	switch {
	case !ok || r >= 0xdc00 && r < 0xe000:
		return 0, 0
	case r < 0xd800 || r >= 0xe000:
		return r, 6
	}
	low, ok := unit(b[6:])
	if !ok || low < 0xdc00 || low > 0xdfff {
		return 0, 0
	}
	return (r-0xd800)<<10 + low - 0xdc00 + 0x10000, 12
}

// unit reads one \uXXXX.
func unit(b []byte) (rune, bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	u, err := strconv.ParseUint(string(b[2:6]), 16, 16)
	return rune(u), err == nil
}

// integer reads a number without fraction and exponent.
func (c *cursor) integer() (int64, error) {
	c.peek()
	start := c.at
	negative := c.at < len(c.b) && c.b[c.at] == '-'
	if negative {
		c.at++
	}
	n, digits := int64(0), c.at
	for ; c.at < len(c.b) && c.b[c.at] >= '0' && c.b[c.at] <= '9'; c.at++ {
		d := int64(c.b[c.at] - '0')
		if n > (math.MaxInt64-d)/10 {
			c.at = start
			return 0, fmt.Errorf("%s, which is beyond 63 bits", c.found())
		}
		n = n*10 + d
	}
	isWhole := c.at > digits && (c.b[digits] != '0' || c.at == digits+1) && !c.goesOn()
	if !isWhole {
		c.at = start
		return 0, fmt.Errorf("%s where an integer must stand", c.found())
	}
	if negative {
		n = -n
	}
	return n, nil
}

// goesOn reports whether a number continues at the cursor.
func (c *cursor) goesOn() bool {
	return c.at < len(c.b) && bytes.IndexByte([]byte(".eE+-0123456789"), c.b[c.at]) >= 0
}

// truth reads true or false.
func (c *cursor) truth() (bool, error) {
	c.peek()
	for _, word := range []string{"true", "false"} {
		if bytes.HasPrefix(c.b[c.at:], []byte(word)) {
			c.at += len(word)
			return word == "true", nil
		}
	}
	return false, fmt.Errorf("%s where true or false must stand", c.found())
}

// skip reads any value and drops it.
func (c *cursor) skip(depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("values nest deeper than %d", maxDepth)
	}
	switch b := c.peek(); {
	case b == '{':
		return c.object(func([]byte) error { return c.skip(depth + 1) })
	case b == '[':
		return c.array(func() error { return c.skip(depth + 1) })
	case b == '"':
		_, err := c.text()
		return err
	case b == 't' || b == 'f':
		_, err := c.truth()
		return err
	case bytes.HasPrefix(c.b[c.at:], []byte("null")):
		c.at += len("null")
		return nil
	}
	return c.number()
}

// number skips a number of any form.
func (c *cursor) number() error {
	start := c.at
	for c.at < len(c.b) && bytes.IndexByte([]byte("+-.eE0123456789"), c.b[c.at]) >= 0 {
		c.at++
	}
	n, err := strconv.ParseFloat(string(c.b[start:c.at]), 64)
	if (err != nil && !errors.Is(err, strconv.ErrRange)) || math.IsNaN(n) {
		c.at = start
		return fmt.Errorf("%s where a value must stand", c.found())
	}
	return nil
}
