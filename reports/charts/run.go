package charts

import (
	"strconv"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/reports"
)

// OfRun draws what became of the jobs of r: how often each was delivered, how many leases
// had lapsed at each instant, and how many jobs were open, that is pending, active or
// scheduled. A run whose events were not kept has a chart without lines.
func OfRun(r *reports.Run) reports.Drawing {
	const wide, each = 760, 190
	h := r.History
	end := endOf(h)
	grid := [][]*plot.Plot{{deliveries(h)}, {lapses(h, end)}, {backlog(h, end)}}
	return drawn(r.Story+": deliveries, lapses and backlog", "", wide, 3*each, grid)
}

func endOf(h *model.History) time.Duration {
	if len(h.Events) == 0 {
		return 0
	}
	return time.Duration(h.Events[len(h.Events)-1].At)
}

// manyJobs is from how many jobs on they are counted by their deliveries, and have no bar
// each.
const manyJobs = 24

// deliveries draws a bar for each job, or for each number of deliveries.
func deliveries(h *model.History) *plot.Plot {
	each := make([]int, max(len(h.Names.Jobs)-1, 0)) // the first name is nobody's
	for i := range h.Events {
		if e := &h.Events[i]; e.Kind == model.Applied && e.Op == model.OpClaim && e.Answer == model.OK && e.Job != model.NoJob {
			each[e.Job-1]++
		}
	}
	if len(each) > manyJobs {
		return deliveriesOfMany(each)
	}
	p := newPlot("job", "deliveries")
	const columns = 100 // of the font, as wide as the chart
	barsOf(p, each, reports.Labels(h.Names.Jobs[len(h.Names.Jobs)-len(each):], columns/max(len(each), leastBars)))
	return p
}

func deliveriesOfMany(each []int) *plot.Plot {
	var jobs []int
	for _, n := range each {
		for len(jobs) <= n {
			jobs = append(jobs, 0)
		}
		jobs[n]++
	}
	names := make([]string, len(jobs))
	for n := range jobs {
		names[n] = strconv.Itoa(n)
	}
	p := newPlot("deliveries of a job", "jobs")
	barsOf(p, jobs, names)
	return p
}

// leastBars is for how many bars there is room at least.
const leastBars = 8

// barsOf draws numbers as bars, each above its name.
func barsOf(p *plot.Plot, numbers []int, names []string) {
	most := 0
	for i, n := range numbers {
		most = max(most, n)
		p.Add(box{float64(i) - 0.35, float64(i) + 0.35, 0, float64(n), delivery})
	}
	counted(&p.Y, most)
	p.NominalX(nominal(names)...)
	p.X.Min, p.X.Max = -0.7, float64(max(len(numbers), leastBars))-0.3
	p.X.Width, p.X.Tick.Width, p.X.Tick.Length = 0.5, 0.5, 4 // without ticks the names stand on the axis
}

// lapses draws how many leases had run out by each instant.
func lapses(h *model.History, end time.Duration) *plot.Plot {
	p, n := newPlot("time", "leases lapsed"), 0
	line := plotter.XYs{{}}
	for i := range h.Events {
		e := &h.Events[i]
		if e.Kind != model.Applied || e.Op != model.OpReap {
			continue
		}
		for _, t := range h.TouchedBy(e.Seq) {
			if t.Before.Sets&model.InActive != 0 && t.After.Sets&model.InActive == 0 {
				n++
			}
		}
		line = append(line, plotter.XY{X: seconds(e.At), Y: float64(n)})
	}
	line = append(line, plotter.XY{X: end.Seconds(), Y: float64(n)})
	p.Add(stairs(thinned(line, end, fine), bad, 2))
	counted(&p.Y, n)
	timed(&p.X, end)
	return p
}

// backlog draws how many jobs were open at each instant.
func backlog(h *model.History, end time.Duration) *plot.Plot {
	p := newPlot("time", "jobs open")
	line := Backlog(h, end)
	p.Add(stairs(thinned(line.points, end, fine), delivery, 2))
	counted(&p.Y, line.most())
	timed(&p.X, end)
	return p
}

func seconds(t model.Time) float64 { return time.Duration(t).Seconds() }
