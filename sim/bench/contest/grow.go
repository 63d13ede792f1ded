package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// runGrow runs one world of a size in jobs, in workers or in events, and tells
// besides the time how much memory the process had at most.
func runGrow(what string, numbers []int) error {
	size, text, maxSteps := numbers[0], "", int64(0)
	switch what {
	case "jobs":
		text = fmt.Sprintf(worldText, workers, "consumer=atomic", size)
	case "workers":
		text = workersText(size)
	case "retries":
		text, maxSteps = retriesText, int64(size)
	case "heartbeats":
		text, maxSteps = heartbeatsText, int64(size)
	default:
		return unknown(what, "jobs", "workers", "retries", "heartbeats")
	}
	story, err := scenarios.Parse("grow", []byte(text))
	if err != nil {
		return err
	}
	return grow(story, scenarios.Options{Forget: true, MaxSteps: maxSteps})
}

// workersText keeps so many workers busy with jobs that come as fast as they are
// done: about 27ms each.
func workersText(workers int) string {
	text := fmt.Sprintf(worldText, workers, "consumer=atomic", 20_000)
	return strings.Replace(text, "every=200us", "every="+(27*time.Millisecond/time.Duration(workers)).String(), 1)
}

// Two worlds without an end, in which nothing comes to be that memory would have to
// grow for: a thousand jobs that fail again and again, and a hundred workers whose
// work takes months.
const (
	retriesText = `story  retries
queue  echomq lease=2s retry-delay=100ms reap-every=100ms promote-every=100ms max-attempts=1000000
producer p retries=0
workers 100 consumer=atomic work=20ms timeout=500ms poll=10ms
jobs   1000 every=200us fails=1000000
horizon 8760h
`
	heartbeatsText = `story  heartbeats
queue  echomq lease=2s
producer p retries=0
workers 100 consumer=atomic work=8000h heartbeat=10ms
jobs   100 every=200us
horizon 8760h
`
)

// grow runs a story as often as it takes to be measured, and at least once.
func grow(story *scenarios.Story, o scenarios.Options) error {
	runner, began, events := scenarios.NewRunner(), clock(), int64(0)
	for events == 0 || clock()-began < 200*time.Millisecond {
		out, err := runner.Run(story, o)
		if err != nil {
			return err
		}
		for _, v := range out.Verdicts {
			if v.Value == model.Broken {
				return fmt.Errorf("%s is broken", v.Property)
			}
		}
		events += out.Steps
	}
	fmt.Printf("ns %d\nevents %d\nKB %d\n", clock()-began, events, peak())
	return nil
}

// peak is the most memory that this process has had resident, in KB; 0 where the
// system does not tell.
func peak() (kb int) {
	f, err := os.Open("/proc/self/status")
	if err != nil {
		return 0
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if rest, ok := strings.CutPrefix(s.Text(), "VmHWM:"); ok {
			fmt.Sscan(rest, &kb)
		}
	}
	return kb
}
