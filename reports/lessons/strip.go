package lessons

import (
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

const legend = "◌ never done    ◆ done once    ◆◆ done twice"

// strip is what becomes of a job when its worker is struck at each instant between
// two steps: effects[i] is the count behind steps[i].
type strip struct {
	steps   []string
	effects []int
}

// count returns at how many instants the effects number so many; for two, or more.
func (s *strip) count(effects int) int {
	n := 0
	for _, e := range s.effects {
		if e == effects || effects == 2 && e > effects {
			n++
		}
	}
	return n
}

func (s *strip) row(title string) []string {
	row := []string{title}
	for i, step := range s.steps {
		row = append(row, step, marks(s.effects[i]))
	}
	return row
}

// strip runs the world of one job with a consumer and a time for its ACK, and strikes
// w1 behind each of its steps: how begins the fault line, and last ends it.
func (b *bench) strip(how, last, consumer, ack string) strip {
	calm := b.open("one-job", "")
	for _, w := range []string{"w1", "w2"} {
		calm = b.set(calm, w+".consumer", consumer)
		calm = b.set(calm, w+".ack", ack)
	}
	var out strip
	for _, at := range b.instants(calm) {
		struck := b.parse("struck", append(calm.Text(), "fault "+how+" w1 "+at.point+" J1#1"+last+"\n"...))
		out.steps = append(out.steps, at.step)
		out.effects = append(out.effects, b.run(struck).effects())
	}
	return out
}

// instant is one place between two steps: the step before it, as it is shown, and
// the words of a fault line.
type instant struct{ step, point string }

// instants lists the places behind each step of w1. The work, which is no step of a
// program, lies before the first of them.
func (b *bench) instants(story *scenarios.Story) []instant {
	if b.err != nil {
		return nil
	}
	w := &story.Workers[0]
	program := w.Consumer.Program()
	work := instant{"work", "before=" + program[0].String()}
	ack := instant{"ACK", "after=settle"}
	list := []instant{{"claim", "after=claim"}}
	if w.EarlyAck {
		list = append(list, ack)
	}
	list = append(list, work)
	for _, step := range program {
		name := step.String()
		if marks, _ := w.Consumer.Step(model.StepMark); marks == step && step != model.StepMark {
			name = "mark+" + name // one transaction
		}
		list = append(list, instant{name, "after=" + step.String()})
	}
	if !w.EarlyAck {
		list = append(list, ack)
	}
	return list
}

// crashes sweeps a crash of w1 over all instants of a job's life.
func (b *bench) crashes(consumer, ack string) strip { return b.strip("crash", "", consumer, ack) }

// pauses sweeps a pause of w1 that is longer than the lease.
func (b *bench) pauses(consumer, ack string) strip {
	return b.strip("pause", " for=45s", consumer, ack)
}
