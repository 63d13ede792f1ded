package simtest

// slab hands out new values. It asks the runtime for many at once, which costs a fraction
// of what one at a time does.
type slab[T any] struct{ rest []T }

// atOnce is how many values a slab asks for. It is no large number, for one of them that is
// kept keeps all.
const atOnce = 32

func (s *slab[T]) take() *T {
	if len(s.rest) == 0 {
		s.rest = make([]T, atOnce)
	}
	one := &s.rest[0]
	s.rest = s.rest[1:]
	return one
}
