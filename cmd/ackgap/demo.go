package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/ackgap/ackgap/reports"
	"github.com/ackgap/ackgap/scenarios"
)

// scene is one part of the demo: a story, what is changed in it, and what is said
// above and below its picture.
type scene struct {
	title string
	story string
	set   []string
	says  []string
}

// demo is the argument in four runs: the gap, its twin, the fence, the cure.
var demo = []scene{
	{title: "1. THE GAP: the work is done, and its acknowledgement is lost", story: "lost-ack", says: []string{
		"Time runs down; the numbers at the left count what happened, and what needs no line is left out. p produces jobs, " +
			"w1 and w2 are workers, the store is the world outside, a ledger of effects. J1#2 is the second delivery of job J1.",
		"w1 has done J1, and the network loses its acknowledgement. All that the queue knows is that a lease ran out. It ended " +
			"at 30.003s; a sweep of the queue for such leases, the reap, runs every second and finds it at 31s. The job is " +
			"delivered again, and its effect happens twice: the promise no-duplicate-effect is broken.",
	}},
	{title: "2. THE OTHER HISTORY: the work never ran", story: "work-never-ran", says: []string{
		"Here the answer to the claim was lost. Look at the queue's column: up to the reap at 31s it is the same as above, " +
			"and so is what it must do. Redeliver, and the run above does the work twice; stay silent, and this one loses " +
			"the job. No message closes that gap, since that message can be lost too.",
	}},
	{title: "3. THE FENCE: a worker wakes too late", story: "zombie-fenced", says: []string{
		"w1 stands still past its lease, wakes, and settles a job that is another's by now. Its token is lower than the one " +
			"that the queue gave out last: refused. The fence protects the queue's record. It comes too late for the effect.",
	}},
	{title: "4. WHO CLOSES IT: the consumer", story: "lost-ack", set: []string{"w1.consumer=atomic", "w2.consumer=atomic"}, says: []string{
		"The first story again, with a consumer that writes a marker and its effect in one transaction. The job is delivered " +
			"twice; the second run finds the marker and changes nothing. Exactly-once delivery cannot be had. Exactly-once " +
			"effect can, and the consumer is who makes it.",
	}},
}

// demoWidth is how many columns the demo takes where nobody knows how many there are.
const demoWidth = 80

func newDemo(s *streams) *cobra.Command {
	var l look
	c := &cobra.Command{
		Use:   "demo",
		Short: "Lose one acknowledgement and watch what follows, in four runs",
		Example: `  ackgap demo
  ackgap demo --ascii`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error { return s.demo(&l) },
	}
	l.flags(c)
	return c
}

func (s *streams) demo(l *look) error {
	style, err := l.style(s.out)
	if err != nil {
		return err
	}
	if style.Width == 0 {
		style.Width = demoWidth
	}
	runner := scenarios.NewRunner()
	for i := range demo {
		if err := demo[i].play(runner, style, s.out); err != nil {
			return err
		}
	}
	_, err = fmt.Fprint(s.out, "NEXT  ackgap open lost-ack, ackgap list, ackgap explain no-duplicate-effect\n")
	return err
}

func (d *scene) play(runner *scenarios.Runner, style reports.Style, w io.Writer) error {
	sources, err := openShipped(d.story)
	if err != nil {
		return err
	}
	f := runFlags{set: d.set}
	stories, err := f.parse(sources)
	if err != nil {
		return err
	}
	out, err := runner.Run(stories[0], scenarios.Options{})
	if err != nil {
		return err
	}
	b := append([]byte(d.title), '\n')
	b = reports.AppendScene(b, reports.Of(out, scenarios.Title(sources[0].text), f.again(sources[0], out)), d.says, style)
	b = append(b, "\n\n"...)
	if _, err := w.Write(b); err != nil {
		return err
	}
	if out.Met != scenarios.Yes {
		return status(exitOf(out.Met))
	}
	return nil
}
