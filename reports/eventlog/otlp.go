package eventlog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ackgap/ackgap/model"
)

// Spans of OpenTelemetry, one document of OTLP/JSON a line as the Collector's file
// exporter writes them, become events by the semantic conventions for messaging spans
// (https://opentelemetry.io/docs/specs/semconv/messaging/messaging-spans/):
//
//	messaging.operation.type  becomes, at the end of the span
//	create                    nothing: the send is what the queue sees
//	send, publish             admitted; nothing where the span failed, for nobody was told so
//	receive                   claimed; a doubt where the span failed, for a grant may have been lost
//	process, deliver          applied; absorbed with ackgap.effect=false; where the span failed, applied with
//	                          ackgap.effect=true, else failed, and a doubt without ackgap.effect
//	settle                    by its disposition (settlements, below); where the span failed, refused if
//	                          error.type says so (refusals), else a doubt, for only the answer may be lost
//
// A span of kind producer with messaging.system and no operation is a send, as it was until
// version 1.24; any other span with messaging.system and none of these operations leaves a
// doubt, and one without it is ignored.
//
// The job is messaging.message.id, of the span or, in a batch, of each of its links; the
// worker messaging.client.id, or else service.instance.id or service.name of the
// resource. The token is ackgap.token, or a count of deliveries by the queue
// (messaging.gcp_pubsub.message.delivery_attempt, messaging.servicebus.message.delivery_count);
// the end of a lease ackgap.until (nanoseconds since 1970), or
//
// A log is about one subscription (messaging.destination.subscription.name) or consumer
// group (messaging.consumer.group.name): a second one is refused.
//
// A process span says that a handler ran without error, not what it did: a consumer
// that can find its work done says so with ackgap.effect=false. Traces are sampled and
// exporters drop spans, so that no document is complete by itself: a header line and an
// ended line that counts the events make it so, as in any log without seq.

// settlements are the dispositions of settle spans: messaging.servicebus.disposition_status,
// or else messaging.operation.name.
var settlements = []struct {
	words []string
	kind  string
	op    model.Op
	reply model.Answer
}{
	{[]string{"ack", "acknowledge", "complete", "commit", "delete", "deletemessage", "basic.ack"}, "settled", model.OpComplete, model.OK},
	{[]string{"nack", "abandon", "release", "requeue", "retry", "defer", "basic.nack"}, "settled", model.OpDelay, model.Scheduled},
	{[]string{"dead_letter", "deadletter", "dead-letter"}, "dead", model.OpRetry, model.DeadLettered},
	{[]string{"modify_ack_deadline", "modack", "extend", "renew", "renew_lock", "change_visibility", "changemessagevisibility"},
		"extended", model.OpExtend, model.OK},
}

// refusals are the values of error.type by which a queue says that it did not take a
// settlement: Azure Service Bus, Amazon SQS, gRPC, AMQP.
var refusals = []string{
	"messagelocklost", "sessionlocklost", "com.microsoft:message-lock-lost", "receipthandleisinvalid", "messagenotinflight",
	"failed_precondition", "permanent_failure_invalid_ack_id", "precondition_failed", "stale", "gone",
}

type otlpDocument struct {
	ResourceSpans []struct {
		Resource   struct{ Attributes otlpAttributes }
		ScopeSpans []struct{ Spans []otlpSpan }
	}
}

type otlpSpan struct {
	TraceID, SpanID string
	Kind            json.RawMessage
	EndTimeUnixNano otlpInteger
	Attributes      otlpAttributes
	Links           []struct{ Attributes otlpAttributes }
	Status          struct{ Code json.RawMessage }
}

// label is what makes the span's nth event known again. It is nil where one of the two
// ids is missing or all zeros, which OTLP calls invalid: then nobody can tell a span that
// was exported twice from two that are equal.
func (s *otlpSpan) label(n int) []byte {
	if strings.Trim(s.TraceID, "0") == "" || strings.Trim(s.SpanID, "0") == "" {
		return nil
	}
	return fmt.Appendf(nil, "%s/%s/%d", s.TraceID, s.SpanID, n)
}

// does returns the operation, "" if the span is none of a message.
func (s *otlpSpan) does() string {
	does := s.Attributes.text("messaging.operation.type", "messaging.operation")
	kind := strings.Trim(string(s.Kind), `"`)
	switch {
	case does != "" || s.Attributes.text("messaging.system") == "":
		return does
	case kind == "4" || kind == "SPAN_KIND_PRODUCER":
		return "send"
	}
	return "unknown"
}

// failed reports whether the span's status is an error: 2, or its name.
func (s *otlpSpan) failed() bool {
	code := strings.Trim(string(s.Status.Code), `"`)
	return code == "2" || code == "STATUS_CODE_ERROR"
}

// otlpInteger is a number of 64 bits, which OTLP/JSON writes as a string.
type otlpInteger int64

// UnmarshalJSON reads a decimal integer, with or without quotes.
func (n *otlpInteger) UnmarshalJSON(b []byte) error {
	i, err := strconv.ParseInt(strings.Trim(string(b), `"`), 10, 64)
	if err != nil {
		return fmt.Errorf("%s is no integer of 64 bits", model.Safe(string(b)))
	}
	*n = otlpInteger(i)
	return nil
}

type otlpAttributes []struct {
	Key   string
	Value struct {
		StringValue *string
		IntValue    *otlpInteger
		BoolValue   *bool
	}
}

// text returns the first of these attributes that is there as a string, or "".
func (a otlpAttributes) text(keys ...string) string {
	for _, key := range keys {
		for i := range a {
			if a[i].Key == key && a[i].Value.StringValue != nil {
				return *a[i].Value.StringValue
			}
		}
	}
	return ""
}

// integer returns the first of these attributes that is there as an integer.
func (a otlpAttributes) integer(keys ...string) (int64, bool) {
	for _, key := range keys {
		for i := range a {
			if a[i].Key == key && a[i].Value.IntValue != nil {
				return int64(*a[i].Value.IntValue), true
			}
		}
	}
	return 0, false
}

// truth returns the attribute as true or false, and whether it is there as one.
func (a otlpAttributes) truth(key string) (is, told bool) {
	for i := range a {
		if a[i].Key == key && a[i].Value.BoolValue != nil {
			return *a[i].Value.BoolValue, true
		}
	}
	return false, false
}

// isSpans reports whether a line is a document of spans.
func isSpans(b []byte) bool {
	rest, ok := bytes.CutPrefix(b, []byte("{"))
	return ok && bytes.HasPrefix(bytes.TrimSpace(rest), []byte(`"resourceSpans"`))
}

func (r *reader) takeSpans(b []byte) error {
	var doc otlpDocument
	if err := json.Unmarshal(b, &doc); err != nil {
		return fmt.Errorf("a document of spans that is no OTLP/JSON: %w; write one document a line, as `jq -c .` does", err)
	}
	for i := range doc.ResourceSpans {
		from := &doc.ResourceSpans[i]
		for k := range from.ScopeSpans {
			for n := range from.ScopeSpans[k].Spans {
				if err := r.takeSpan(&from.ScopeSpans[k].Spans[n], from.Resource.Attributes); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// takeSpan takes each event that a span stands for: one a message.
func (r *reader) takeSpan(s *otlpSpan, resource otlpAttributes) error {
	e := record{line: r.line, known: 1<<hasKind | 1<<hasTime}
	does := s.does()
	doubt, is := e.become(does, s)
	if doubt != noDoubt {
		r.doubts.note(doubt, r.line)
	}
	if !is {
		r.ignored++
		return nil
	}
	if err := r.group.join(s, r.line); err != nil {
		return err
	}
	jobs := messages(s)
	if len(jobs) == 0 && does != "receive" {
		r.doubts.note(nameless, r.line)
	}
	e.worker = []byte(s.Attributes.text("messaging.client.id"))
	if len(e.worker) == 0 {
		e.worker = []byte(resource.text("service.instance.id", "service.name"))
	}
	if err := e.measure(s); err != nil {
		return err
	}
	for i, job := range jobs {
		one := e
		one.job, one.known = []byte(job), one.known|1<<hasJob
		one.label = s.label(i)
		one.hash = hashOf(fmt.Appendf(nil, "%s %d %s %s %+v", one.label, one.kind, one.job, one.worker, one.event))
		if err := one.settle(); err != nil {
			return err
		}
		if err := r.add(&one); err != nil {
			return err
		}
	}
	return nil
}

// group is the subscription, or the consumer group, of the receivers of a log.
type group struct {
	name string
	line int64 // where it was first told
}

// join refuses a span of another group than the first. Each group is given every
// message, so that the work of two would pass for duplicates of one.
func (g *group) join(s *otlpSpan, line int64) error {
	name := s.Attributes.text("messaging.destination.subscription.name", "messaging.consumer.group.name")
	if name == "" || name == g.name {
		return nil
	}
	if g.name != "" {
		return fmt.Errorf("a span of the subscription or consumer group %s, and line %d has one of %s: each is given every message, so judge them one at a time; keep the spans of the senders and of one of them",
			model.Safe(name), g.line, model.Safe(g.name))
	}
	g.name, g.line = name, line
	return nil
}

// become makes r the kind of event that a span of this operation ends with, and
// reports whether it is one, and what doubt the span leaves.
func (r *record) become(does string, s *otlpSpan) (doubt int, is bool) {
	failed := s.failed()
	switch does {
	case "", "create":
		return noDoubt, false
	case "send", "publish":
		r.kind = findKind("admitted")
		return noDoubt, !failed
	case "receive":
		r.kind = findKind("claimed")
		if failed {
			return lostFate, false
		}
		return noDoubt, true
	case "process", "deliver":
		return r.processed(s, failed), true
	case "settle":
		return r.settled(s, failed)
	}
	return oddOperation, false
}

// processed makes r what a handler did. One that failed may have acted before: only
// ackgap.effect tells.
func (r *record) processed(s *otlpSpan, failed bool) (doubt int) {
	acted, told := s.Attributes.truth("ackgap.effect")
	switch {
	case failed && !(told && acted):
		r.kind, r.event.Cause = findKind("failed"), model.ByHandler
		if !told {
			return failedWork
		}
	case told && !acted:
		r.kind, r.event.Cause = findKind("absorbed"), model.ByMarker
	default:
		r.kind = findKind("applied")
	}
	return noDoubt
}

func (r *record) settled(s *otlpSpan, failed bool) (doubt int, is bool) {
	word := strings.ToLower(s.Attributes.text("messaging.servicebus.disposition_status", "messaging.operation.name"))
	for _, way := range settlements {
		if !slices.Contains(way.words, word) {
			continue
		}
		r.known |= 1<<hasOp | 1<<hasAnswer
		r.kind, r.event.Op, r.event.Answer = findKind(way.kind), way.op, way.reply
		if !failed {
			return noDoubt, true
		}
		r.kind, r.event.Answer = findKind("refused"), model.Stale
		if slices.Contains(refusals, strings.ToLower(s.Attributes.text("error.type"))) {
			return noDoubt, true
		}
		return lostFate, false
	}
	return oddSettlement, false
}

// measure takes the times and numbers of a span.
func (r *record) measure(s *otlpSpan) error {
	if err := sinceEpoch(int64(s.EndTimeUnixNano), &r.event.At); err != nil {
		return &fieldError{"endTimeUnixNano", err}
	}
	if n, ok := s.Attributes.integer("ackgap.token", "messaging.gcp_pubsub.message.delivery_attempt",
		"messaging.servicebus.message.delivery_count"); ok {
		r.event.Token, r.known = model.Token(n), r.known|1<<hasToken
	}
	if n, ok := s.Attributes.integer("ackgap.max"); ok {
		r.event.Max, r.known = int32(min(max(n, 0), math.MaxInt32)), r.known|1<<hasMax
	}
	if n, ok := s.Attributes.integer("ackgap.until"); ok {
		r.known |= 1 << hasUntil
		if err := sinceEpoch(n, &r.event.Until); err != nil {
			return &fieldError{"ackgap.until", err}
		}
	} else if n, ok := s.Attributes.integer("messaging.gcp_pubsub.message.ack_deadline"); ok {
		r.event.Until = r.event.At.Add(time.Duration(min(max(n, 0), math.MaxInt16)) * time.Second)
		r.known |= 1 << hasUntil
	}
	return nil
}

// sinceEpoch turns nanoseconds since 1970 into an instant.
func sinceEpoch(unix int64, to *model.Time) error {
	*to = model.Time(unix - model.EpochMillis*1_000_000)
	if unix < 0 || *to > maxInstant {
		return fmt.Errorf("%d is no instant from 1970 to %d, in nanoseconds", unix, maxYear)
	}
	return nil
}

// messages returns the ids of the messages that a span is about.
func messages(s *otlpSpan) (ids []string) {
	const key = "messaging.message.id"
	if id := s.Attributes.text(key); id != "" {
		ids = append(ids, id)
	}
	for i := range s.Links {
		if id := s.Links[i].Attributes.text(key); id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}
