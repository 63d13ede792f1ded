package eventlog

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// FuzzDamage damages the log of a story, four bytes a time: what is done, and where.
// Whatever is done, nothing is called held that was not held in the run.
func FuzzDamage(f *testing.F) {
	var logs []string
	var held [][]string
	for _, name := range scenarios.Catalogue() {
		out := ran(f, name)
		logs, held = append(logs, string(logOf(out))), append(held, heldIn(out.Verdicts))
	}
	for i := range damages {
		f.Add(uint8(i), []byte{byte(i), 0, 3, 7, byte(i + 1), 0, 1, 200})
	}
	f.Fuzz(func(t *testing.T, which uint8, edits []byte) {
		i := int(which) % len(logs)
		log := []byte(logs[i])
		for e := range slices.Chunk(edits[:min(len(edits), 64)], 4) {
			if len(e) == 4 && len(log) > 0 {
				log = damages[int(e[0])%len(damages)](log, int(e[1])<<8|int(e[2]), e[3])
			}
		}
		r, err := Check(bytes.NewReader(log), Options{Window: 16, Remember: 8})
		if err != nil || !bytes.Contains(log, []byte(`"digest":true`)) {
			return // who takes the seal away as a whole has another log
		}
		for _, property := range heldIn(r.Verdicts) {
			if !slices.Contains(held[i], property) {
				t.Errorf("%s is held, and was not in the run:\n%s", property, log)
			}
		}
		if len(heldIn(r.Verdicts)) > 0 && !sameLines(string(log), logs[i]) {
			t.Errorf("something is held of another log than was written:\n%s", log)
		}
	})
}

// sameLines reports whether two logs have the same lines, however often and in whatever
// order, but for blanks around them.
func sameLines(a, b string) bool {
	lines := func(s string) (list []string) {
		for line := range strings.Lines(s) {
			if line = strings.TrimSpace(line); line != "" {
				list = append(list, line)
			}
		}
		slices.Sort(list)
		return slices.Compact(list)
	}
	return slices.Equal(lines(a), lines(b))
}

// damages are what may be done to a log at a place, with a byte.
var damages = []func(log []byte, at int, with byte) []byte{
	func(log []byte, at int, with byte) []byte { log[at%len(log)] = with; return log },
	func(log []byte, at int, with byte) []byte { log[at%len(log)] ^= 1 << (with % 8); return log },
	func(log []byte, at int, with byte) []byte { return slices.Insert(log, at%len(log), with) },
	func(log []byte, at int, with byte) []byte {
		from := at % len(log)
		return slices.Delete(log, from, min(len(log), from+int(with)))
	},
	func(log []byte, at int, _ byte) []byte { return log[:at%len(log)] },
	byLine(func(l []string, i, k int) []string { return slices.Delete(l, i, i+1) }),
	byLine(func(l []string, i, k int) []string { return slices.Insert(l, k, l[i]) }),
	byLine(func(l []string, i, k int) []string { l[i], l[k] = l[k], l[i]; return l }),
	byLine(func(l []string, i, k int) []string {
		l[i] = strings.ReplaceAll(l[i], `"J1"`, `"J2"`)
		return l
	}),
	byLine(func(l []string, i, k int) []string {
		l[i] = strings.Replace(l[i], `:1`, `:`+string('2'+rune(k%7)), 1)
		return l
	}),
}

func byLine(do func(l []string, i, k int) []string) func([]byte, int, byte) []byte {
	return func(log []byte, at int, with byte) []byte {
		l := strings.SplitAfter(string(log), "\n")
		return []byte(strings.Join(do(l, at%len(l), int(with)%len(l)), ""))
	}
}

// FuzzLog reads any bytes as a log: it is refused with a place, or judged without a
// contradiction: of a log that is doubted nothing is held.
func FuzzLog(f *testing.F) {
	f.Add([]byte(own(ownHeader, lostAck...)))
	f.Add(logOf(ran(f, "late-extend-two-places")))
	f.Add([]byte(`{"format":"ackgap-log/1"}` + "\n" + `{"time":"2026-03-01T02:00:00Z","kind":"applied","job":"\ud83d\ude00"}` + "\n"))
	f.Add([]byte(`{"resourceSpans":[{"scopeSpans":[{"spans":[{"endTimeUnixNano":"1772330400010000000","attributes":[{"key":"messaging.operation.type","value":{"stringValue":"process"}},{"key":"messaging.message.id","value":{"stringValue":"a"}}]}]}]}]}`))
	f.Fuzz(func(t *testing.T, log []byte) {
		r, err := Check(bytes.NewReader(log), Options{Window: 4, Remember: 4})
		var at *Error
		switch {
		case err != nil && !errors.As(err, &at):
			t.Errorf("an error without a place: %v", err)
		case err == nil && len(r.Doubts) > 0 && len(heldIn(r.Verdicts)) > 0:
			t.Errorf("doubted, %q, and held are %v", r.Doubts, heldIn(r.Verdicts))
		case err == nil && r.Value() == model.Held && r.Jobs == 0:
			t.Error("a log without jobs is held")
		}
	})
}
