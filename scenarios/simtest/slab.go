package simtest

// slab hands out new values. It asks the runtime for many at once, which costs a fraction
// of what one at a time does.
type slab[T any] struct{ rest []T }

func (s *slab[T]) take() *T {
	if len(s.rest) == 0 {
		s.rest = make([]T, 32)
	}
	one := &s.rest[0]
	s.rest = s.rest[1:]
	return one
}
