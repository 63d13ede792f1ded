package simtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"time"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios/actors"
)

// IdempotencyKey is the header by which the outside service knows a request
// again: it answers the second as it did the first, and changes nothing.
const IdempotencyKey = "Idempotency-Key"

// ErrNoAnswer is what a request comes back with when no answer came in time. The
// service may have done what was asked, or may yet do so.
var ErrNoAnswer error = noAnswer{}

// noAnswer is a net.Error, as http.Client expects of a timeout.
type noAnswer struct{}

func (noAnswer) Error() string   { return "simtest: the outside service did not answer in time" }
func (noAnswer) Timeout() bool   { return true }
func (noAnswer) Temporary() bool { return true }

// maxBody bounds a request's body, in bytes.
const maxBody = 1 << 20

// service is the outside service: a handler behind a front that knows
// idempotency keys. What reaches it is an effect if it was no GET, HEAD or
// OPTIONS, and was answered below 400.
type service struct {
	handler http.Handler
	asks    []*ask
	answers map[string]*answer // by idempotency key
}

// ask is one request, and the first answer that the service gave to it.
type ask struct {
	request  *http.Request
	body     []byte
	response *answer
}

// answer is a response that can be read more than once.
type answer struct {
	status int
	header http.Header
	body   []byte
}

func (s *service) reset() { s.asks, s.answers = s.asks[:0], map[string]*answer{} }

// ask numbers a request, from 1.
func (s *service) ask(r *http.Request) (int32, error) {
	a := &ask{request: r}
	if r.Body != nil {
		body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
		if err := errors.Join(err, r.Body.Close()); err != nil {
			return 0, err
		}
		if len(body) > maxBody {
			return 0, errors.New("simtest: a request to the outside service has more than 1 MiB of body")
		}
		a.body = body
	}
	s.asks = append(s.asks, a)
	return int32(len(s.asks)), nil
}

// Serve lets the service do what request number n wants.
func (o *outside) Serve(n int32, _ model.Time) actors.Deed {
	a := o.service.asks[n-1]
	given, deed := o.serve(a)
	if a.response == nil {
		a.response = given
	}
	return deed
}

func (o *outside) serve(a *ask) (*answer, actors.Deed) {
	key := a.request.Header.Get(IdempotencyKey)
	if known := o.service.answers[key]; key != "" && known != nil {
		return known, actors.Deed{Kind: model.Absorbed, Cause: model.ByKey}
	}
	given, err := o.service.answer(a)
	o.blame(err)
	if !a.changes() || given.status >= http.StatusBadRequest {
		return given, actors.Deed{Kind: model.Checked}
	}
	if key != "" {
		o.service.answers[key] = given
	}
	return given, actors.Deed{Effects: 1}
}

func (a *ask) changes() bool {
	switch a.request.Method {
	case "", http.MethodGet, http.MethodHead, http.MethodOptions:
		return false
	}
	return true
}

// answer asks the handler of the service, if there is one.
func (s *service) answer(a *ask) (given *answer, err error) {
	if s.handler == nil {
		return &answer{status: http.StatusOK, header: http.Header{}, body: []byte("{}")}, nil
	}
	defer func() {
		if p := recover(); p != nil {
			given = &answer{status: http.StatusInternalServerError, header: http.Header{}}
			err = fmt.Errorf("the Service panicked: %s", panicText(p))
		}
	}()
	r := a.request.Clone(context.Background())
	r.Body = io.NopCloser(bytes.NewReader(a.body))
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	return &answer{status: w.Code, header: w.Header(), body: w.Body.Bytes()}, nil
}

// to is a as the client of r is given it.
func (a *answer) to(r *http.Request) *http.Response {
	return &http.Response{
		Status: strconv.Itoa(a.status) + " " + http.StatusText(a.status), StatusCode: a.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: a.header.Clone(), Body: io.NopCloser(bytes.NewReader(a.body)), ContentLength: int64(len(a.body)), Request: r,
	}
}

// transport is the way from one delivery's handler to the service.
type transport struct{ course *course }

// RoundTrip sends r and waits for the answer: the request may be lost, late or
// doubled on its way, and so may the answer. The worker's timeout ends the wait.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx := r.Context()
	if err := t.course.enter(ctx); err != nil {
		if r.Body != nil {
			_ = r.Body.Close() // as a RoundTripper must, whatever it returns
		}
		return nil, err
	}
	s := &t.course.out.service
	n, err := s.ask(r)
	if err != nil {
		return nil, err
	}
	wake := t.course.cross(actors.Call{Step: Apply, Ask: n, Span: t.patience(ctx)})
	switch {
	case wake.Refused:
		return (&answer{status: http.StatusServiceUnavailable, header: http.Header{}}).to(r), nil
	case wake.Answered:
		return s.asks[n-1].response.to(r), nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	return nil, ErrNoAnswer
}

// patience is how long ctx lets the call wait; 0 is as long as the worker does.
func (t transport) patience(ctx context.Context) time.Duration {
	if !t.course.out.bubble.on {
		return 0 // a deadline of the real clock says nothing about the virtual one
	}
	deadline, ok := ctx.Deadline()
	if !ok {
		return 0
	}
	return max(time.Until(deadline), 1)
}
