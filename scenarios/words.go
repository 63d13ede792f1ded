package scenarios

import (
	"strings"

	"github.com/ackgap/ackgap/faults"
)

// ExpectText returns an expect line of s as Text writes it, without the word.
func (s *Story) ExpectText(e *Expect) string {
	names := s.names()
	w := writer{story: s, names: &names}
	l := &line{}
	w.expect(l, e)
	return strings.TrimSpace(string(l.b))
}

// FaultText returns a fault line of s as Text writes it, without the word.
func (s *Story) FaultText(e faults.Entry) string {
	names := s.names()
	_, text, _ := strings.Cut(e.Text(&names), " ")
	return text
}

// Names reports whether an expect line of the story names the property.
func (s *Story) Names(property string) bool {
	for i := range s.Expects {
		for _, name := range s.Expects[i].Properties {
			if name == property {
				return true
			}
		}
	}
	return false
}
