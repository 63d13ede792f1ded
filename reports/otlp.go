package reports

import (
	"encoding/binary"
	"encoding/hex"
	"slices"

	"github.com/ackgap/ackgap/model"
)

// The parts of a document of OTLP/JSON
// (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding): ids are
// hexadecimal, integers of 64 bits are strings, enumerations are numbers.
type otlpAttribute struct {
	Key   string         `json:"key"`
	Value map[string]any `json:"value"`
}

type otlpEvent struct {
	Time string `json:"timeUnixNano"`
	Name string `json:"name"`
}

type otlpLink struct {
	TraceID string `json:"traceId"`
	SpanID  string `json:"spanId"`
}

type otlpStatus struct {
	Code    int    `json:"code,omitempty"`
	Message string `json:"message,omitempty"`
}

type otlpSpan struct {
	TraceID    string          `json:"traceId"`
	SpanID     string          `json:"spanId"`
	Parent     string          `json:"parentSpanId,omitempty"`
	Name       string          `json:"name"`
	Kind       int             `json:"kind"`
	Start      string          `json:"startTimeUnixNano"`
	End        string          `json:"endTimeUnixNano"`
	Attributes []otlpAttribute `json:"attributes"`
	Events     []otlpEvent     `json:"events,omitempty"`
	Links      []otlpLink      `json:"links,omitempty"`
	Status     otlpStatus      `json:"status"`
}

// The kinds of spans.
const (
	spanInternal = 1
	spanProducer = 4
	spanConsumer = 5
	spanError    = 2 // a status
)

// AppendOTLP appends r as one document of spans, OTLP/JSON, by the semantic conventions
// for messaging: send for each admission, receive for each delivery, process for each
// effect, settle for each complete that was accepted. A trace is a job. A delivery has a
// span of its own, attempt, as long as its lease, which is the parent of the others,
// links to the attempt before it and holds as events what befell it. Times count from
// 2025-01-01 as those of a run do, and ids come from the digest: the same run gives the
// same bytes. `ackgap check-log` reads it.
func AppendOTLP(b []byte, r *Run) []byte {
	s := &spans{teller: newTeller(r.History, nil), digest: uint64(r.History.Digest), leases: leasesOf(r.History)}
	for i := range r.History.Events {
		s.observe(&r.History.Events[i])
	}
	type scope struct {
		Scope map[string]string `json:"scope"`
		Spans []otlpSpan        `json:"spans"`
	}
	type resource struct {
		Resource map[string][]otlpAttribute `json:"resource"`
		Scopes   []scope                    `json:"scopeSpans"`
	}
	doc := map[string][]resource{"resourceSpans": {{
		map[string][]otlpAttribute{"attributes": {attribute("service.name", "ackgap"), attribute("ackgap.story", model.Safe(r.Story)), attribute("ackgap.seed", utoa(r.Seed))}},
		[]scope{{map[string]string{"name": "ackgap"}, s.all}},
	}}}
	return append(appendASCII(b, marshalled(doc)), '\n')
}

// spans turns the events of one history into spans.
type spans struct {
	*teller
	digest uint64
	leases []lease
	all    []otlpSpan
	last   []delivered // by job: its last delivery
}

// delivered is a delivery with its span, as an index into all plus one.
type delivered struct {
	worker model.Proc
	span   int
}

func attribute(key, value string) otlpAttribute {
	return otlpAttribute{key, map[string]any{"stringValue": value}}
}

func number(key string, n int64) otlpAttribute {
	return otlpAttribute{key, map[string]any{"intValue": itoa(n)}}
}

// spanID is the id of the nth span, and traceID that of a job: never all zeros.
func (s *spans) spanID(n int) string {
	return hex.EncodeToString(binary.BigEndian.AppendUint64(nil, model.Mix(s.digest+uint64(n))|1))
}

func (s *spans) traceID(j model.Job) string {
	id := binary.BigEndian.AppendUint64(nil, s.digest|1)
	return hex.EncodeToString(binary.BigEndian.AppendUint64(id, uint64(j)))
}

func unixNano(t model.Time) string { return itoa(model.EpochMillis*1_000_000 + int64(t)) }

func (s *spans) observe(e *model.Event) {
	switch {
	case e.Job == model.NoJob:
	case e.Kind == model.Admitted && e.Answer == model.Enqueued:
		s.add(e, "send", spanProducer)
	case e.Kind == model.Applied && e.Op == model.OpClaim && e.Answer == model.OK:
		s.received(e)
	case e.Kind == model.Effected:
		s.add(e, "process", spanConsumer).Attributes = append(s.lastSpan().Attributes, number("ackgap.effect.ordinal", int64(e.Effect)))
		if e.Effect > 1 {
			s.lastSpan().Status = otlpStatus{spanError, "effect " + itoa(e.Effect) + " of " + s.delivery(e)}
		}
	case e.Kind == model.Applied && e.Op == model.OpComplete && e.Answer == model.OK:
		s.add(e, "settle", spanConsumer).Attributes = append(s.lastSpan().Attributes, attribute("messaging.operation.name", "complete"))
	}
	s.befell(e)
}

func (s *spans) lastSpan() *otlpSpan { return &s.all[len(s.all)-1] }

// add appends the span of e, which takes no time: a history has instants.
func (s *spans) add(e *model.Event, operation string, kind int) *otlpSpan {
	at := unixNano(e.At)
	span := s.bare(e, operation, kind, at, at)
	span.Attributes = []otlpAttribute{attribute("messaging.system", "ackgap"), attribute("messaging.operation.type", operation),
		attribute("messaging.message.id", model.Safe(s.names.Job(e.Job))), attribute("messaging.client.id", model.Safe(s.names.Proc(e.Proc)))}
	if e.Token != 0 {
		span.Attributes = append(span.Attributes, number("ackgap.token", int64(e.Token)))
	}
	if d := s.lastOf(e.Job); d.span != 0 && d.worker == e.Proc {
		span.Parent = s.all[d.span-1].SpanID
	}
	s.all = append(s.all, span)
	return s.lastSpan()
}

// bare is a span without attributes.
func (s *spans) bare(e *model.Event, word string, kind int, start, end string) otlpSpan {
	return otlpSpan{TraceID: s.traceID(e.Job), SpanID: s.spanID(len(s.all) + 1), Name: word + " " + s.delivery(e), Kind: kind,
		Start: start, End: end, Attributes: []otlpAttribute{}}
}

// received opens a delivery, with a link to the one before it.
func (s *spans) received(e *model.Event) {
	span := s.bare(e, "attempt", spanInternal, unixNano(e.At), unixNano(s.over(e)))
	if d := s.lastOf(e.Job); d.span != 0 {
		span.Links = []otlpLink{{span.TraceID, s.all[d.span-1].SpanID}}
	}
	s.all = append(s.all, span)
	*s.lastOf(e.Job) = delivered{e.Proc, len(s.all)}
	s.add(e, "receive", spanConsumer)
}

// over is when the lease that e opens was seen to be over, or the end of the run.
func (s *spans) over(e *model.Event) model.Time {
	i, _ := slices.BinarySearchFunc(s.leases, e.Seq, func(l lease, seq int32) int { return int(l.from - seq) })
	if to := s.leases[i].to; to != 0 {
		return s.h.Events[to-1].At
	}
	return s.h.Events[len(s.h.Events)-1].At
}

func (s *spans) lastOf(j model.Job) *delivered {
	for len(s.last) <= int(j) {
		s.last = append(s.last, delivered{})
	}
	return &s.last[j]
}

// befell writes a fault as an event of the delivery that it hit.
func (s *spans) befell(e *model.Event) {
	if e.Job == model.NoJob {
		return
	}
	switch e.Kind {
	case model.Lost, model.Crashed, model.Paused, model.Woke, model.Failed, model.TimedOut:
	default:
		return
	}
	if d := s.lastOf(e.Job); d.span != 0 {
		span := &s.all[d.span-1]
		span.Events = append(span.Events, otlpEvent{unixNano(e.At), deedText(s.names, e)})
	}
}
