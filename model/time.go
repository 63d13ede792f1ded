package model

import "time"

// Time is virtual time: nanoseconds since the start of the run. Zero stands for
// Epoch on every clock that is not skewed.
type Time int64

// Never is later than every instant of a run: a deadline that does not come.
const Never = Time(1<<63 - 1)

// EpochMillis is the instant 0 of every run, 2025-01-01T00:00:00Z, in Unix
// milliseconds. Ids are minted and servers read their clocks from it.
const EpochMillis = 1735689600000

// Add returns the instant d after t.
func (t Time) Add(d time.Duration) Time { return t + Time(d) }

// Sub returns how long after u the instant t lies.
func (t Time) Sub(u Time) time.Duration { return time.Duration(t - u) }

// FloorMillis rounds t down to a whole millisecond, which is all that a server's
// clock shows (negative instants too: -1ns reads -1ms).
func (t Time) FloorMillis() Time {
	const ms = Time(time.Millisecond)
	rest := t % ms
	if rest < 0 {
		rest += ms
	}
	return t - rest
}

// Next returns the first multiple of period after from that is not before t:
// the poll and tick instants of reports/docs/stories.md. The period must be positive.
func (t Time) Next(from Time, period time.Duration) Time {
	if t <= from {
		return from.Add(period)
	}
	k := (t - from + Time(period) - 1) / Time(period)
	return from + k*Time(period)
}

// UnixMillis returns t as milliseconds since 1970 on an unskewed clock.
func (t Time) UnixMillis() int64 {
	return EpochMillis + int64(t.FloorMillis())/int64(time.Millisecond)
}

// String prints t as seconds with three to nine decimals: 30.001s.
func (t Time) String() string {
	return string(t.AppendText(make([]byte, 0, 24)))
}

// AppendText appends the form of String to b.
func (t Time) AppendText(b []byte) []byte {
	if t == Never {
		return append(b, "never"...)
	}
	u := uint64(t)
	if t < 0 {
		b, u = append(b, '-'), -u
	}
	const second = uint64(time.Second)
	b = appendUint(b, u/second)
	b = append(b, '.')
	frac, digits := u%second, 9
	for digits > 3 && frac%10 == 0 {
		frac, digits = frac/10, digits-1
	}
	return append(appendPadded(b, frac, digits), 's')
}

func appendUint(b []byte, u uint64) []byte { return appendPadded(b, u, 1) }

// appendPadded appends u in decimal with at least width digits.
func appendPadded(b []byte, u uint64, width int) []byte {
	var digits [20]byte
	i := len(digits)
	for u > 0 || len(digits)-i < width {
		i--
		digits[i] = byte('0' + u%10)
		u /= 10
	}
	return append(b, digits[i:]...)
}
