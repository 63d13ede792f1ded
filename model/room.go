package model

// Room returns s without content and with room for n at least. Of what is fresh from
// the system nothing is touched before it is used, as slices.Grow would.
func Room[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, 0, n)
	}
	return s[:0]
}

// RoomForOne returns s with room for one more at least: for as many again where it is
// full. Append alone makes a long one a quarter longer, and so copies it four times as
// much.
func RoomForOne[T any](s []T) []T {
	if len(s) < cap(s) {
		return s
	}
	return twice(s)
}

func twice[T any](s []T) []T {
	t := make([]T, len(s), 2*len(s)+4)
	copy(t, s)
	return t
}
