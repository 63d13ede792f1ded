package scenarios

import (
	"slices"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
)

// recast returns c with its story's plan, deeds and jobs numbered by the cast
// that the story has now; they are numbered by the cast old. What names somebody
// who is gone goes along: a producer's jobs, a worker's faults and deeds, and all
// about a job that is enqueued no more.
func (c candidate) recast(old *Cast) candidate {
	s := c.story
	r := &recasting{old: &old.Names, gone: map[string]bool{}}
	r.lose(s)
	s.Jobs = keepIf(s.Jobs, func(j *Job) bool { return r.has(j.By) })
	r.loseJobs(s)
	s.Plan = keepIf(s.Plan, func(e *faults.Entry) bool {
		return r.has(e.Point.Proc) && r.has(e.Point.Peer) && r.hasJob(e.Point.Job)
	})
	s.Dos = keepIf(s.Dos, func(d *Do) bool { return r.has(d.By) && r.hasJob(d.Job) })
	s.Speakers, s.Spoken = r.spoken(s)
	cast := s.Cast()
	r.renumber(s, cast)
	return candidate{s, cast.jobs[r.old.Job(c.job)]}
}

// recasting knows who was there and who has gone.
type recasting struct {
	old  *model.Names
	gone map[string]bool // processes by name, jobs by "job " and name
}

func (r *recasting) has(p model.Proc) bool   { return !r.gone[r.old.Proc(p)] }
func (r *recasting) hasJob(j model.Job) bool { return !r.gone["job "+r.old.Job(j)] }

// lose finds the producers and workers that s has no more. Those who only speak
// are there as long as they do.
func (r *recasting) lose(s *Story) {
	speakers := len(r.old.Procs) - len(s.Speakers)
	for _, name := range r.old.Procs[faults.Pump+1 : speakers] {
		r.gone[name] = !slices.ContainsFunc(s.Producers, func(p Producer) bool { return p.Name == name }) &&
			!slices.ContainsFunc(s.Workers, func(w Worker) bool { return w.Name == name })
	}
}

// loseJobs finds the jobs that nobody enqueues any more.
func (r *recasting) loseJobs(s *Story) {
	for j, name := range r.old.Jobs[1:] {
		r.gone["job "+name] = !slices.ContainsFunc(s.Jobs, func(k Job) bool { return k.Name == name }) &&
			!slices.ContainsFunc(s.Dos, func(d Do) bool {
				return d.Op == model.OpEnqueue && int(d.Job) == j+1 && r.has(d.By)
			})
	}
}

// spoken returns whom and what only `do` lines name, by first appearance.
func (r *recasting) spoken(s *Story) (speakers, jobs []string) {
	declared := map[string]bool{"": true}
	for i := range s.Producers {
		declared[s.Producers[i].Name] = true
	}
	for i := range s.Workers {
		declared[s.Workers[i].Name] = true
	}
	for i := range s.Jobs {
		declared["job "+s.Jobs[i].Name] = true
	}
	for i := range s.Dos {
		d := &s.Dos[i]
		if name := r.old.Proc(d.By); d.By > faults.Pump && !declared[name] {
			declared[name], speakers = true, append(speakers, name)
		}
		if name := r.old.Job(d.Job); d.Op == model.OpEnqueue && !declared["job "+name] {
			declared["job "+name], jobs = true, append(jobs, name)
		}
	}
	return speakers, jobs
}

func (r *recasting) renumber(s *Story, cast *Cast) {
	proc := func(p model.Proc) model.Proc { return cast.procs[r.old.Proc(p)] } // NoProc is nobody's name
	job := func(j model.Job) model.Job { return cast.jobs[r.old.Job(j)] }
	for i := range s.Jobs {
		s.Jobs[i].By = proc(s.Jobs[i].By)
	}
	for i := range s.Plan {
		p := &s.Plan[i].Point
		p.Proc, p.Peer, p.Job = proc(p.Proc), proc(p.Peer), job(p.Job)
	}
	for i := range s.Dos {
		s.Dos[i].By, s.Dos[i].Job = proc(s.Dos[i].By), job(s.Dos[i].Job)
	}
}

// keepIf returns a new list of what keep says.
func keepIf[T any](list []T, keep func(*T) bool) []T {
	var kept []T
	for i := range list {
		if keep(&list[i]) {
			kept = append(kept, list[i])
		}
	}
	return kept
}
