package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/ackgap/ackgap/reports"
	"github.com/ackgap/ackgap/scenarios"
)

// scene is one part of the demo: a story, what is changed in it, and what is
// said before it.
type scene struct {
	story string
	set   []string
	says  string
}

// demo is the argument in four runs: the gap, its twin, the fence, the cure.
var demo = []scene{
	{story: "lost-ack", says: `1. THE GAP

A worker leases a job, does the work and sends its acknowledgement. The network
loses it. All that the queue knows is that a lease ran out.
`},
	{story: "work-never-ran", says: `2. THE OTHER HISTORY

Here the work never ran: the answer to the claim was lost. Look at the queue's
column: up to the reap at 31s it is the same as above, and so is what it must do.
Redeliver, and the run above does the work twice; stay silent, and this one
loses the job. No message closes that gap, since that message can be lost too.
`},
	{story: "zombie-fenced", says: `3. THE FENCE

A worker stands still past its lease, wakes, and settles a job that is another's
by now. Its token is lower than the one the queue gave out last: refused. The
fence protects the queue's record. It comes too late for the effect.
`},
	{story: "lost-ack", set: []string{"w1.consumer=atomic", "w2.consumer=atomic"}, says: `4. WHO CLOSES IT

The first story again, with a consumer that writes a marker and its effect in one
transaction. The job is delivered twice; the second run finds the marker and
changes nothing. Exactly-once delivery cannot be had. Exactly-once effect can,
and the consumer is who makes it.
`},
}

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
	style.Brief = true
	runner := scenarios.NewRunner()
	for i := range demo {
		if err := demo[i].play(runner, style, s.out); err != nil {
			return err
		}
	}
	_, err = fmt.Fprint(s.out, "NEXT  ackgap list, ackgap run NAME, ackgap explain no-duplicate-effect\n")
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
	b := append([]byte(d.says), '\n')
	b = reports.AppendText(b, reports.Of(out, scenarios.Title(sources[0].text), f.again(sources[0])), style)
	b = append(b, "\n\n"...)
	if _, err := w.Write(b); err != nil {
		return err
	}
	if out.Met != scenarios.Yes {
		return status(exitOf(out.Met))
	}
	return nil
}
