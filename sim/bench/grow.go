package main

import (
	"fmt"
	"math"
	"strconv"
)

var grow = section{
	name:  "grow",
	title: "How cost grows",
	says: `One world after the other, larger each time, with every property on. *Slope* is that of a straight line through the
figures of nanoseconds an event, both axes logarithmic: 0 is a cost that does not grow, 1 one that doubles with the size. The
two long worlds have no end: jobs whose handler fails again and again, and heartbeats of work that is never done.`,
	run: runGrow,
}

// dimension is what grows, and through which sizes.
type dimension struct {
	name  string
	words string
	sizes []int
}

func runGrow(b *bench) (*result, error) {
	dimensions := []dimension{
		{"jobs", "jobs, 100 workers", []int{1, 10, 100, 1_000, 10_000, 100_000}},
		{"workers", "workers, 20,000 jobs", []int{1, 10, 100, 1_000}},
		{"retries", "events of retries", []int{100_000, 1_000_000, 10_000_000, 100_000_000}},
		{"heartbeats", "events of heartbeats", []int{100_000, 1_000_000, 10_000_000, 100_000_000}},
	}
	r := &result{versions: []string{goVersion()}}
	t := table{head: []string{"", "ns an event", "peak MB"}}
	for _, d := range dimensions {
		if b.quick {
			d.sizes = d.sizes[:len(d.sizes)-2]
		}
		list, err := b.grown(d)
		if err != nil {
			return nil, err
		}
		for i, c := range list {
			if c.missing != "" {
				t.add(grouped(int64(d.sizes[i]))+" "+d.words, c.missing)
				continue
			}
			t.add(grouped(int64(d.sizes[i]))+" "+d.words, number(perEvent(c)), number(c.median("KB")/1024))
		}
		t.add(d.words+": slope", number(slope(d.sizes, list)))
		r.bars = append(r.bars, growBars(d, list)...)
	}
	r.tables = []table{t}
	return r, nil
}

// tooMuch is how many KB the size before may have taken at most: ten times that is
// left for other programs.
const tooMuch = 500 << 10

// grown runs a dimension; what takes long runs once, since it is long enough.
func (b *bench) grown(d dimension) (list []*contestant, err error) {
	for _, size := range d.sizes {
		c := &contestant{name: d.name, command: []string{b.path("contest"), "grow", d.name, strconv.Itoa(size)}}
		if n := len(list); n > 0 && size > 1_000_000 && !(list[n-1].median("KB") < tooMuch) {
			c.missing = fmt.Sprintf("not run: the size before took %s MB", number(list[n-1].median("KB")/1024))
		}
		list = append(list, c)
		runs := b.rounds
		if size >= 10_000_000 {
			runs = 1
		}
		for i := 0; i < runs && c.missing == ""; i++ {
			if err := b.once(c); err != nil {
				return nil, err
			}
		}
	}
	return list, nil
}

// slope fits a line to the logarithms, by least squares.
func slope(sizes []int, list []*contestant) float64 {
	var n, sx, sy, sxx, sxy float64
	for i, c := range list {
		if c.missing != "" {
			continue
		}
		x, y := math.Log(float64(sizes[i])), math.Log(perEvent(c))
		n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	return (n*sxy - sx*sy) / (n*sxx - sx*sx)
}

func growBars(d dimension, list []*contestant) (bars []bar) {
	for i, c := range list {
		switch {
		case d.sizes[i] == 100_000_000:
			one := atMost(fmt.Sprintf("100 million %s in one run: under 100 MB", d.words), 100, c.median("KB")/1024, " MB")
			if c.missing != "" {
				one.measured = c.missing
			}
			bars = append(bars, one)
		case d.name == "workers" && d.sizes[i] == 1_000:
			bars = append(bars, atMost("cost per event from 10 to 1,000 workers: at most 2.5x", 2.5, perEvent(c)/perEvent(list[1]), "x"))
		}
	}
	return bars
}
