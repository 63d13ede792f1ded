package echomq

import (
	"fmt"
	"time"

	"github.com/ackgap/ackgap/model"
)

// CheckRequest refuses what EchoMQ's host library would not put on the wire: a
// verb that is none of the flat queue's, an id that is not well formed, a lease
// that is not positive, a delay or limit below zero, an instant beyond the end
// of time. The error names the verb, the rule and what to send instead. Every
// body of the protocol asks it first, so that all refuse alike.
func CheckRequest(now model.Time, req *model.Request) error {
	if err := checkVerb(req.Op); err != nil {
		return err
	}
	if namesJob(req.Op) && !isBranded(req.ID) {
		return malformed(req.Op, req.ID)
	}
	for _, h := range batchOf(req) {
		if !isBranded(h.ID) {
			return malformed(req.Op, h.ID)
		}
	}
	return checkNumbers(now, req)
}

func checkVerb(op model.Op) error {
	if op == model.OpNone || op == model.OpApply || op > model.OpDrain {
		return fmt.Errorf("echomq: %q is no verb of the queue; send one from enqueue to drain", op)
	}
	return nil
}

func checkNumbers(now model.Time, req *model.Request) error {
	switch req.Op {
	case model.OpClaim, model.OpClaimBatch, model.OpExtend, model.OpExtendBatch:
		if err := checkSpan(now, req.Op, "lease", req.Lease, 1); err != nil {
			return err
		}
	case model.OpEnqueueIn, model.OpRetry, model.OpDelay:
		return checkSpan(now, req.Op, "delay", req.Delay, 0)
	case model.OpEnqueueAt, model.OpDelayAt:
		if req.At.FloorMillis() > req.At {
			return fmt.Errorf("echomq: %s: instant %s is before the beginning of time; send a later one", req.Op, req.At)
		}
	}
	if req.Limit < 0 && isLimited(req.Op) {
		return fmt.Errorf("echomq: %s: limit %d is below 0; 0 is the verb's own limit", req.Op, req.Limit)
	}
	return nil
}

func checkSpan(now model.Time, op model.Op, what string, d, least time.Duration) error {
	if d < least {
		return fmt.Errorf("echomq: %s: %s %v is too short; the least is %v", op, what, d, least)
	}
	if now > 0 && now.Add(d) < now {
		return fmt.Errorf("echomq: %s: %s %v ends beyond the end of time; the most is %v", op, what, d, model.Never.Sub(now))
	}
	return nil
}

func isLimited(op model.Op) bool {
	return op == model.OpClaimBatch || op == model.OpPromote || op == model.OpReap || op == model.OpSweep
}

// namesJob reports whether op speaks of one job by its id.
func namesJob(op model.Op) bool {
	return op.Admits() || op.Settles() || op == model.OpExtend || op == model.OpRemove ||
		op == model.OpReprocess || op == model.OpUpdateData
}

func batchOf(req *model.Request) []model.Holding {
	if req.Op != model.OpExtendBatch {
		return nil
	}
	return req.Batch
}

// isBranded reports whether the id has a written form that model.ParseID reads.
func isBranded(id model.ID) bool {
	for _, c := range id.NS {
		if c < 'A' || c > 'Z' {
			return false
		}
	}
	return id.Value < 1<<63
}

func malformed(op model.Op, id model.ID) error {
	return fmt.Errorf("echomq: %s: namespace %q with value %d is no branded id; it takes three capitals and a value below 2^63",
		op, id.NS[:], id.Value)
}

// after is the instant d after now, in whole milliseconds.
func after(now model.Time, d time.Duration) model.Time { return now.Add(d).FloorMillis() }
