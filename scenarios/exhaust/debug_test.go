package exhaust

import "fmt"

// Debug prints what each choice of clocks makes of a finding.
func (w *World) Debug(f Finding) {
	moments := inTime(w.narrate(f.path))
	for i, c := range manners {
		s := newSolver(w, moments, c)
		for range passes {
			s.solve()
		}
		fmt.Println("CLOCK", i, "stuck", s.isStuck, s.err)
		fmt.Println(string(s.story.Text()))
		if i == 0 || i == 4 {
			s.run()
			fmt.Println(string(s.history.AppendText(nil)))
		}
	}
}
