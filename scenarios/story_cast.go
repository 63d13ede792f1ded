package scenarios

import (
	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios/actors"
)

// Cast numbers the processes and jobs of a story. Index 0 is nobody; then come
// the queue (faults.Queue) and the pump (faults.Pump), the producers and the
// workers in the order of their lines, and those that only `do` lines name by
// first appearance. Jobs: those of job lines in order, then those that only
// `do enqueue` lines name. A Cast is a faults.Lookup.
type Cast struct {
	Names model.Names

	procs  map[string]model.Proc
	jobs   map[string]model.Job
	actors []faults.Actor // by Proc
	eats   []actors.Consumer
}

var _ faults.Lookup = (*Cast)(nil)

// Cast numbers the story's processes and jobs.
func (s *Story) Cast() *Cast {
	c := &Cast{procs: map[string]model.Proc{}, jobs: map[string]model.Job{}}
	c.add("", faults.Actor{}, 0)
	c.add("queue", faults.Actor{Role: faults.RoleQueue}, 0)
	c.add("pump", faults.Actor{Role: faults.RolePump}, 0)
	for i := range s.Producers {
		c.add(s.Producers[i].Name, faults.Actor{Role: faults.RoleProducer}, 0)
	}
	for i := range s.Workers {
		w := &s.Workers[i]
		c.add(w.Name, faults.Actor{Role: faults.RoleWorker, Steps: w.Consumer.Steps(), Beats: w.Heartbeat > 0}, w.Consumer)
	}
	for _, name := range s.Speakers {
		c.add(name, faults.Actor{Role: faults.RoleSpeaker}, 0)
	}
	c.addJob("")
	for i := range s.Jobs {
		c.addJob(s.Jobs[i].Name)
	}
	for _, name := range s.Spoken {
		c.addJob(name)
	}
	return c
}

// names returns the names of the cast and nothing else, which is all that a run
// needs of it.
func (s *Story) names() model.Names {
	n := model.Names{
		Procs: make([]string, 0, 4+len(s.Producers)+len(s.Workers)+len(s.Speakers)),
		Jobs:  make([]string, 0, 1+len(s.Jobs)+len(s.Spoken)),
	}
	n.Procs = append(n.Procs, "", "queue", "pump")
	for i := range s.Producers {
		n.Procs = append(n.Procs, s.Producers[i].Name)
	}
	for i := range s.Workers {
		n.Procs = append(n.Procs, s.Workers[i].Name)
	}
	n.Procs = append(n.Procs, s.Speakers...)
	n.Jobs = append(n.Jobs, "")
	for i := range s.Jobs {
		n.Jobs = append(n.Jobs, s.Jobs[i].Name)
	}
	n.Jobs = append(n.Jobs, s.Spoken...)
	return n
}

func (c *Cast) add(name string, a faults.Actor, eats actors.Consumer) {
	c.procs[name] = model.Proc(len(c.Names.Procs))
	c.Names.Procs = append(c.Names.Procs, name)
	c.actors = append(c.actors, a)
	c.eats = append(c.eats, eats)
}

func (c *Cast) addJob(name string) {
	c.jobs[name] = model.Job(len(c.Names.Jobs))
	c.Names.Jobs = append(c.Names.Jobs, name)
}

// Proc returns the process called name.
func (c *Cast) Proc(name string) (model.Proc, bool) {
	p := c.procs[name]
	return p, p != model.NoProc
}

// Job returns the job called name.
func (c *Cast) Job(name string) (model.Job, bool) {
	j := c.jobs[name]
	return j, j != model.NoJob
}

// Actor returns what a plan must know of p.
func (c *Cast) Actor(p model.Proc) faults.Actor { return c.actors[p] }

// Step returns the step that worker p takes under the name s.
func (c *Cast) Step(p model.Proc, s model.Step) (model.Step, bool) { return c.eats[p].Step(s) }

// ProcNames returns the names of all processes, for messages.
func (c *Cast) ProcNames() []string { return c.Names.Procs[1:] }

// JobNames returns the names of all jobs, for messages.
func (c *Cast) JobNames() []string { return c.Names.Jobs[1:] }
