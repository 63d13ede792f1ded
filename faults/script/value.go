package script

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// MaxDuration is the longest duration that a text may hold, ten years: sums of a
// few of them still fit into 63 bits of nanoseconds.
const MaxDuration = 87_600 * time.Hour

// ParseDuration reads a duration as Go writes it, -MaxDuration to MaxDuration.
func ParseDuration(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	if err != nil {
		return 0, fmt.Errorf("%s is no duration; write it as Go does: 50ms, 1.5s, 2m", Quote(s))
	}
	if d > MaxDuration || d < -MaxDuration {
		return 0, fmt.Errorf("%s is longer than %s", Quote(s), FormatDuration(MaxDuration))
	}
	return d, nil
}

// FormatDuration writes d as ParseDuration reads it, without the idle zeros of
// Duration.String: 2m rather than 2m0s.
func FormatDuration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = s[:len(s)-2]
	}
	if strings.HasSuffix(s, "h0m") {
		s = s[:len(s)-2]
	}
	return s
}

// PPM is a share in parts per million, 0..1,000,000, so that no ratio is ever a
// float.
type PPM int32

// Whole is all: 100%.
const Whole PPM = 1_000_000

// ParsePPM reads a percentage with up to four decimals: 5%, 0.5%, 0.0001%.
func ParsePPM(s string) (PPM, error) {
	whole, frac, _ := strings.Cut(strings.TrimSuffix(s, "%"), ".")
	if !strings.HasSuffix(s, "%") || !isDigits(whole) || len(whole) > 3 || len(frac) > 4 || frac != "" && !isDigits(frac) {
		return 0, fmt.Errorf("%s is no percentage; write 5%% or 0.25%%, four decimals at most", Quote(s))
	}
	n, err := strconv.Atoi(whole + frac + "0000"[len(frac):])
	if err != nil || PPM(n) > Whole {
		return 0, fmt.Errorf("%s is more than 100%%", Quote(s))
	}
	return PPM(n), nil
}

// String writes p as ParsePPM reads it.
func (p PPM) String() string {
	s := strconv.Itoa(int(p / 10_000))
	if rest := p % 10_000; rest != 0 {
		s += strings.TrimRight(fmt.Sprintf(".%04d", rest), "0")
	}
	return s + "%"
}

// IsName reports whether s can name a process or a job: 1 to MaxName letters,
// digits, dashes and underscores, a letter or digit first. No name holds a `#`,
// a `=`, a `.` or a blank, which is what keeps the language readable.
func IsName(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isNameByte(s[i], i == 0) {
			return false
		}
	}
	return s != "" && len(s) <= MaxName
}

func isNameByte(c byte, first bool) bool {
	switch {
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
		return true
	}
	return !first && (c == '-' || c == '_')
}

func isDigits(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// MaxDelivery is the largest N of J#N.
const MaxDelivery = 1_000_000

// ParseDelivery cuts `J1#2` into the job's name and the number of the delivery.
// `J1` alone is number 0. ok is false when a `#` is not followed by a number
// from 1 to MaxDelivery, written without leading zeros.
func ParseDelivery(s string) (job string, n int32, ok bool) {
	job, digits, found := strings.Cut(s, "#")
	if !found {
		return job, 0, true
	}
	i, err := strconv.ParseInt(digits, 10, 32)
	ok = err == nil && i >= 1 && i <= MaxDelivery && isDigits(digits) && digits[0] != '0'
	return job, int32(i), ok
}

// AppendValue appends s as the value of an option, in quotes when it needs them.
func AppendValue(b []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		if s[i] <= ' ' || s[i] == '"' || s[i] >= 0x7f {
			return strconv.AppendQuote(b, s)
		}
	}
	if s == "" {
		return append(b, `""`...)
	}
	return append(b, s...)
}
