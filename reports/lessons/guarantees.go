package lessons

import "github.com/ackgap/ackgap/reports"

// guarantee is one place of the map.
type guarantee struct {
	name, needs, lets string
	proofs            []string // stories of the catalogue
}

var guarantees = [...]guarantee{
	{"at most once", "the ACK before the work", "a job that is never done", []string{"early-ack-loses"}},
	{"at least once", "the ACK after the work, and redelivery", "a job that is done twice", []string{"lost-ack", "crash-after-effect"}},
	{"+ an idempotent key, the marker", "a record under the job's id, looked for first", "a crash or a pause between marker and effect",
		[]string{"marker-first-loses", "marker-last-doubles", "marker-last-race"}},
	{"+ an atomic key, written with the effect", "marker and effect in one write, kept for good", "an effect outside of it, unless that side takes a key",
		[]string{"lost-ack-atomic", "outside-call", "outside-call-with-key"}},
	{"+ a fence", "a store that compares tokens", "a redelivery, which has the highest token",
		[]string{"fenced-store-refuses", "fenced-store-lost-ack"}},
}

// AppendMap runs the stories behind the map of guarantees and appends it: what each
// guarantee needs, what it still lets through, and the runs that show it.
func AppendMap(b []byte, s reports.Style) ([]byte, error) {
	b = append(paint(b, bold, "THE MAP OF GUARANTEES", s), "\n\n"...)
	b = wrap(b, "", "Delivery can be had at most once or at least once. The others are about the effect, and stand on at least once.")
	var runs bench
	for _, g := range guarantees {
		rows := [][]string{}
		for _, name := range g.proofs {
			t := runs.shipped(name)
			rows = append(rows, []string{"  ackgap run " + name, "delivered " + times(t.deliveries()), "done " + times(t.effects())})
		}
		b = stack("", lines("", g.name, "  needs         "+g.needs, "  lets through  "+g.lets), table(rows...))(b, s)
	}
	return b, runs.err
}
