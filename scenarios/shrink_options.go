package scenarios

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/ackgap/ackgap/faults"
)

// The options that shrinking puts back to what they are by default. The queue's
// protocol and variant and a worker's consumer and ack are none of them: another
// consumer would be another failure.
var (
	worldResets = []func(*Story){
		func(s *Story) { s.Seed = 0 },
		func(s *Story) { s.Queue.Lease = defaultQueue.Lease },
		func(s *Story) { s.Queue.MaxAttempts = defaultQueue.MaxAttempts },
		func(s *Story) { s.Queue.RetryDelay = defaultQueue.RetryDelay },
		func(s *Story) { s.Queue.ReapEvery = defaultQueue.ReapEvery },
		func(s *Story) { s.Queue.PromoteEvery = defaultQueue.PromoteEvery },
		func(s *Story) { s.Queue.SweepEvery = defaultQueue.SweepEvery },
		func(s *Story) { s.Queue.MaxStalled = defaultQueue.MaxStalled },
	}
	producerResets = []func(*Producer){
		func(p *Producer) { p.Retries = defaultProducer.Retries },
		func(p *Producer) { p.Timeout = defaultProducer.Timeout },
		func(p *Producer) { p.FreshID = false },
	}
	workerResets = []func(*Worker){
		func(w *Worker) { w.Work = defaultWorker.Work },
		func(w *Worker) { w.Heartbeat = 0 },
		func(w *Worker) { w.Poll = defaultWorker.Poll },
		func(w *Worker) { w.Timeout = defaultWorker.Timeout },
		func(w *Worker) { w.SettleRetries = 0 },
		func(w *Worker) { w.SettleRetries = min(w.SettleRetries, 1) },
	}
	jobResets = []func(*Job){
		func(j *Job) { j.At = 0 },
		func(j *Job) { j.Delay = 0 },
		func(j *Job) { j.Fails = 0 },
		func(j *Job) { j.Fails = min(j.Fails, 1) },
		func(j *Job) { j.Payload = "" },
	}
)

// dropOptions puts every option back to its default, all at once or else one
// after the other, and the horizon where the run then ends by itself.
func (k *shrinker) dropOptions() {
	edits := k.best.story.resets()
	all := k.change(func(s *Story) {
		for _, edit := range edits {
			edit(s)
		}
	})
	for i := 0; i < len(edits) && !all; i++ {
		k.change(edits[i])
	}
	k.take(k.best.edited(func(s *Story) { s.Horizon = defaultHorizon }), true)
}

// resets lists the edits that put options back: each for all of its kind,
// and then for each of them alone.
func (s *Story) resets() []func(*Story) {
	return slices.Concat(worldResets,
		resetsOf(producerResets, len(s.Producers), func(s *Story) []Producer { return s.Producers }),
		resetsOf(workerResets, len(s.Workers), func(s *Story) []Worker { return s.Workers }),
		resetsOf(jobResets, len(s.Jobs), func(s *Story) []Job { return s.Jobs }))
}

func resetsOf[T any](options []func(*T), n int, list func(*Story) []T) (edits []func(*Story)) {
	for _, option := range options {
		edits = append(edits, func(s *Story) {
			for i := range list(s) {
				option(&list(s)[i])
			}
		})
	}
	for i := range n {
		for _, option := range options {
			edits = append(edits, func(s *Story) { option(&list(s)[i]) })
		}
	}
	return edits
}

// steadyWork lets the exponential work of these workers take a span that is always the
// same, the shortest one that a person would write and that still fails: in a story of
// the job at stake alone, for with long work another job might be the first to suffer,
// or else of all of them. Like what the network draws, what is drawn for a delivery
// moves with the number of its job, so that a worker or a job could be left that only
// keeps the numbers as they are.
func (k *shrinker) steadyWork(workers []int) {
	draws := func(i int) bool { return k.best.story.Workers[i].WorkIsMean }
	if !slices.ContainsFunc(workers, draws) {
		return
	}
	for _, c := range []candidate{k.best.withJobs(nil), k.best} {
		for _, span := range slices.Concat([]time.Duration{defaultWorker.Work}, roundSpans) {
			if k.try(c.edited(func(s *Story) { s.steady(workers, span) })) {
				return
			}
		}
	}
}

// steady lets those of these workers whose work is drawn take that span. The horizon
// was cut where what was drawn came to its end.
func (s *Story) steady(workers []int, span time.Duration) {
	s.Horizon = defaultHorizon
	for _, i := range workers {
		if w := &s.Workers[i]; w.WorkIsMean {
			w.Work, w.WorkIsMean = span, false
		}
	}
}

// steadyEach is steadyWork of one worker after the other.
func (k *shrinker) steadyEach() {
	for i := range k.best.story.Workers {
		k.steadyWork([]int{i})
	}
}

// rename calls everybody by the names that stories use: p, w1 and J1 onwards.
// Those who only speak keep theirs. Then it tells the faults delivery by delivery.
func (k *shrinker) rename() {
	k.change(func(s *Story) {
		taken := slices.Clone(s.Speakers)
		for i := range s.Workers {
			s.Workers[i].Name = freeName("w", i+1, &taken)
		}
		for i := range s.Producers {
			s.Producers[i].Name = freeName("p", i+1, &taken)
		}
		if len(s.Producers) == 1 && !slices.Contains(taken, "p") {
			s.Producers[0].Name = "p"
		}
		s.Spoken = slices.Clone(s.Spoken)
		for i := range s.Jobs {
			s.Jobs[i].Name = freeName("J", i+1, &taken)
		}
		for i := range s.Spoken {
			s.Spoken[i] = freeName("J", len(s.Jobs)+i+1, &taken)
		}
	})
	k.change(func(s *Story) {
		slices.SortStableFunc(s.Plan, func(a, b faults.Entry) int {
			return cmp.Or(cmp.Compare(a.Point.Job, b.Point.Job), cmp.Compare(a.Point.N, b.Point.N))
		})
	})
}

// freeName returns the first name from prefix and n on that nobody has, and takes
// it.
func freeName(prefix string, n int, taken *[]string) string {
	name := prefix + strconv.Itoa(n)
	for ; slices.Contains(*taken, name); n++ {
		name = prefix + strconv.Itoa(n+1)
	}
	*taken = append(*taken, name)
	return name
}
